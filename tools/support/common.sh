# shellcheck shell=bash
# Shared by the scripts in tools/: where the tree is, how they talk, how they fail. To be sourced.

# The caller's folder is tools/; the tree is its parent.
benchctl_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

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

# How many compiler processes: one a core, but never more than memory carries (about 1.5 GB each).
build_jobs() {
  local cores kib by_memory
  cores=$(nproc)
  kib=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
  by_memory=$((${kib:-2000000} / 1500000))
  ((by_memory < 1)) && by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# configure_and_build PRESET [TARGET…]
configure_and_build() {
  local preset=$1 log
  shift
  (
    cd "$benchctl_root" || exit 1
    mkdir -p build
    log=build/configure-$preset.log
    if ! cmake --preset "$preset" >"$log" 2>&1; then
      cat "$log" >&2
      exit 1
    fi
    sed -n '/^-- benchctl .*:$/,/^-- Configuring done/p' "$log" | sed -e '/Configuring done/d' -e 's/^-- //'
    # shellcheck disable=SC2086 # one --target with a list
    cmake --build --preset "$preset" --parallel "$(build_jobs)" ${1:+--target "$@"}
  )
}

# find_llvm_tool NAME: prints the program of LLVM 14, or says why it cannot and fails.
find_llvm_tool() {
  local program
  for program in "$1-14" "$1"; do
    if "$program" --version 2>/dev/null | grep -q 'version 14\.'; then
      echo "$program"
      return
    fi
  done
  warn "skipped: $1 14 is not installed (tools/setup --dev installs it)"
  return 1
}

# The C++ sources of the tree: what git tracks, or every file in a tree without git.
list_sources() {
  if git -C "$benchctl_root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git -C "$benchctl_root" ls-files --cached --others --exclude-standard -- '*.cpp' '*.hpp' |
      while IFS= read -r file; do if [[ -f $benchctl_root/$file ]]; then printf '%s\n' "$file"; fi; done
  else
    (cd "$benchctl_root" && find core plugins examples tests benchmarks -name '*.cpp' -o -name '*.hpp')
  fi
}
