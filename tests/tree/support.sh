# shellcheck shell=bash disable=SC2034 # what is set here is used where this is sourced
# A few lines of test support for scripts that test scripts. To be sourced.
set -uo pipefail
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
faults=0

# run COMMAND…: leaves its output in $output and its exit code in $code.
run() {
  output=$("$@" 2>&1)
  code=$?
}
# expect WHAT COMMAND…: the command must succeed.
expect() {
  local what=$1
  shift
  "$@" && return
  printf 'FAILED: %s\n  exit code %s, output:\n%s\n' "$what" "$code" "${output:-}"
  faults=$((faults + 1))
}
# Predicates on the last run.
exited() { ((code == $1)); }
says() { grep -qE -- "$1" <<<"$output"; }
silent_about() { ! says "$1"; }
last_line_is() { [[ $(tail -n 1 <<<"$output") == "$1" ]]; }

finish() {
  ((faults == 0)) && printf 'ok\n'
  exit $((faults > 0))
}
