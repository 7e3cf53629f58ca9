# shellcheck shell=bash
# Shared by the scripts in tools/: where the tree is, how they talk, how they fail. To be sourced.

benchctl_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# A script under `set -e` says where it ends: Bash calls this for the command that ends it, in functions too. A script
# without `set -e` goes on after a failure, so nothing is said there; nor in a subshell, whose status is for its script to
# judge. A function ends with the status of its last command: one that ends in `condition && command` needs a `return 0`
# (tests/tree/shell_test finds those without).
report_failure() {
  if [[ $- == *e* ]] && ((BASH_SUBSHELL == 0)); then
    printf '%s:%s: exit code %s from: %s\n' "${2#"$benchctl_root"/}" "$3" "$1" "${4%%$'\n'*}" >&2
  fi
}
set -E
trap 'report_failure "$?" "${BASH_SOURCE[0]:-$0}" "$LINENO" "$BASH_COMMAND"' ERR

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
warn() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() {
  warn "$*"
  exit 1
}

# Prints the head comment of the calling script as its help.
print_help() {
  awk 'NR == 1 { next } /^#/ { sub(/^# ?/, ""); print; next } { exit }' "$0"
}

# other_argument WORD: what a script does with an argument that is none of its own.
other_argument() {
  if [[ $1 == --help || $1 == -h ]]; then print_help && exit 0; fi
  die "unknown argument '$1'; $0 --help lists the options"
}

# take_flags 'NAME…' ARGUMENT…: for each argument --NAME the variable of that name (a_b of a-b) becomes true.
take_flags() {
  local argument names=" $1 "
  for argument in "${@:2}"; do
    [[ $argument == --* && $names == *" ${argument#--} "* ]] || other_argument "$argument"
    argument=${argument#--}
    printf -v "${argument//-/_}" true
  done
}

# list_apt_sources FOLDER: what apt has in FOLDER (/etc/apt) for binary packages of the component main, as URI <TAB> SUITE
# <TAB> file of the KEY, if the source names one.
list_apt_sources() {
  local uri suite entry
  # shellcheck disable=SC2016 # apt expands
  LC_ALL=C apt-get --no-release-info -o Dir::Etc="$1" indextargets --format '$(REPO_URI) $(RELEASE) $(SOURCESENTRY)' \
    'Created-By: Packages' 'Component: main' | sort -u | while read -r uri suite entry; do
    printf '%s\t%s\t%s\n' "$uri" "$suite" "$(sed -nE 's/.*signed-by[=:] *(\/[^] ]+).*/\1/Ip' "${entry%:*}" | head -n 1)"
  done
}

# How many compiler processes: one a core, but never more than memory carries (about 1.5 GB each).
build_jobs() {
  local cores kib by_memory
  cores=$(nproc)
  kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
  by_memory=$((${kib:-2000000} / 1500000))
  ((by_memory >= 1)) || by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# configure_preset PRESET [CMAKE OPTION…]: prints what is built and what is left out.
configure_preset() {
  local preset=$1 log=$benchctl_root/build/configure-$1.log
  shift
  mkdir -p "$benchctl_root/build"
  if ! (cd "$benchctl_root" && cmake --preset "$preset" "$@") >"$log" 2>&1; then
    cat "$log" >&2
    warn "CMake could not configure the preset $preset, see above and $log"
    return 1
  fi
  sed -n '/^-- benchctl .*:$/,/^-- Configuring done/p' "$log" | sed -e '/Configuring done/d' -e 's/^-- //'
}

# build_preset PRESET [TARGET…]
build_preset() {
  local preset=$1
  shift
  (cd "$benchctl_root" && cmake --build --preset "$preset" --parallel "$(build_jobs)" ${1:+--target "$@"})
}

# configure_and_build PRESET [TARGET…]: with all that an earlier tools/quickstart has left out.
configure_and_build() {
  configure_preset "$1" || return
  build_preset "$@"
}

# Tests replace these two.
tick() { now=$EPOCHSECONDS; }
on_terminal() { [[ -t 1 ]]; }

# show_progress LOG: copies what Ninja prints from the standard input to LOG and tells how far it is: in one line that is
# rewritten on a terminal, elsewhere in a line for each tenth.
show_progress() {
  local line text now started finished=0 all=0 shown=0
  tick
  started=$now
  while IFS= read -r line || [[ -n $line ]]; do
    printf '%s\n' "$line" >&3
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]] || continue
    finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    tick
    text="build: $finished of $all steps, about $(((now - started) * (all - finished) / finished)) s left"
    if on_terminal; then printf '\r\033[K%s' "$text"; elif ((10 * finished / all > shown)); then say "$text"; fi
    shown=$((10 * finished / all))
  done 3>"$1"
  tick
  if on_terminal; then printf '\r\033[K'; fi
  say "build: $finished of $all steps in $((now - started)) s"
}

# build_errors LOG: what the failed steps printed, without their commands; else the end of the log.
build_errors() {
  awk '
    /^FAILED: / { failed = 1; command = 1; print; next }
    command { command = 0; next }
    /^\[[0-9]+\/[0-9]+\] / || /^ninja: / { failed = 0 }
    failed && ++count <= 60
    END { exit !count }' "$1" || tail -n 20 "$1"
}

# find_llvm_tool NAME: prints the program of LLVM 14, or says why it cannot and fails.
find_llvm_tool() {
  local program
  for program in "$1-14" "$1"; do
    if "$program" --version 2>/dev/null | grep -q 'version 14\.'; then
      echo "$program"
      return 0
    fi
  done
  warn "skipped: $1 14 is not installed (tools/setup --dev installs it)"
  return 1
}
