# shellcheck shell=bash
# The table that tools/check_fresh leaves in CONTRIBUTING.md, between these two lines. To be sourced.
fresh_table_begin='<!-- check_fresh -->'
fresh_table_end='<!-- end of check_fresh -->'

# replace_fresh_table DOCUMENT TABLE: what is between the two lines becomes TABLE. Fails, and changes nothing, without
# exactly one of each, in this order.
replace_fresh_table() {
  local text
  text=$(TABLE=$2 awk -v begin="$fresh_table_begin" -v end="$fresh_table_end" '
    $0 == end && inside { inside = 0; ++ends; print ENVIRON["TABLE"] }
    !inside { print }
    $0 == begin { inside = 1; ++begins }
    END { exit !(begins == 1 && ends == 1 && !inside) }' "$1") || return 1
  printf '%s\n' "$text" >"$1"
}

# fresh_table_age DOCUMENT: how old its table is, in one line.
fresh_table_age() {
  local date commit days commits
  read -r date commit < <(awk -v begin="$fresh_table_begin" -v end="$fresh_table_end" '
    $0 == end { inside = 0 }
    inside && match($0, /[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9], commit [0-9a-f]+/) {
      $0 = substr($0, RSTART, RLENGTH); print substr($1, 1, 10), $3; exit
    }
    $0 == begin { inside = 1 }' "$1" 2>/dev/null) || true
  if [[ -z ${commit:-} ]]; then
    printf 'check_fresh: %s has no table of it\n' "$1"
    return 0
  fi
  days=$((($(date -u +%s) - $(date -u -d "$date" +%s)) / 86400))
  commits=$(git rev-list --count "$commit..HEAD" 2>/dev/null) || commits='?'
  printf 'check_fresh: last recorded %s days and %s commits ago (%s, commit %s)\n' "$days" "$commits" "$date" "$commit"
}
