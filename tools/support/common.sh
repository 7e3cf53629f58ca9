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
