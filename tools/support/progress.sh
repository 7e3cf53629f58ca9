# shellcheck shell=bash
# What a build has left, in one line; and why it failed. To be sourced.

# Tests replace these two.
tick() { now=$EPOCHSECONDS; }
on_terminal() { [[ -t 1 ]]; }

# show_progress NAME LOG: copies what Ninja prints from the standard input to LOG and tells how far it is: in one line
# that is rewritten on a terminal, elsewhere in a line every 30 s at most.
show_progress() {
  local name=$1 now started last shown finished=0 all=0 left line='' piece code terminal=false
  tick
  started=$now last=$now shown=$now
  on_terminal && terminal=true
  : >"$2"
  while true; do
    code=0
    IFS= read -r -t 1 piece || code=$?
    line+=$piece
    if ((code == 0)); then
      printf '%s\n' "$line" >>"$2"
      tick
      if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  ]]; then
        finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} last=$now
      fi
      line=''
    elif ((code > 128)); then  # nothing new for a second
      tick
    else
      break
    fi
    ((finished > 0)) || continue
    $terminal || ((now - shown >= 30)) || continue
    shown=$now
    # As if every step took the same time; less what has passed since the last one.
    left=$(((last - started) * (all - finished) / finished - (now - last)))
    piece="$name: $finished of $all steps"
    if ((now - started >= 5 && left > 0)); then piece+=", about $left s left"; fi
    if $terminal; then printf '\r\033[K%s' "$piece"; else printf '%s\n' "$piece"; fi
  done
  [[ -z $line ]] || printf '%s\n' "$line" >>"$2"
  if $terminal; then printf '\r\033[K'; fi
  tick
  printf '%s: %s of %s steps in %s s\n' "$name" "$finished" "$all" $((now - started))
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
