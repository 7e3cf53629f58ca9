# shellcheck shell=bash
# Reads a machine's own apt sources, in both of their formats. To be sourced.
#
# Every function takes the folder that holds sources.list and sources.list.d (normally /etc/apt).

# Prints each enabled binary source as URI <TAB> SUITE <TAB> SIGNED-BY, one line per URI and suite that
# carries the component main. SIGNED-BY is empty when the source names no key file.
list_apt_sources() {
  local folder=$1 file
  for file in "$folder/sources.list" "$folder"/sources.list.d/*.list; do
    [[ -f $file ]] && _list_one_line_sources "$file"
  done
  for file in "$folder"/sources.list.d/*.sources; do
    [[ -f $file ]] && _list_deb822_sources "$file"
  done
  return 0
}

# deb [signed-by=/path arch=amd64] URI SUITE COMPONENT…
_list_one_line_sources() {
  awk '
    { sub(/#.*/, "") }
    $1 != "deb" { next }
    {
      line = $0; key = ""
      sub(/^[ \t]*deb[ \t]+/, "", line)
      if (line ~ /^\[/) {
        options = line
        sub(/^\[/, "", options); sub(/\].*/, "", options)
        sub(/^\[[^]]*\][ \t]*/, "", line)
        count = split(options, option, /[ \t]+/)
        for (i = 1; i <= count; ++i)
          if (tolower(option[i]) ~ /^signed-by=/) { key = option[i]; sub(/^[^=]*=/, "", key) }
      }
      count = split(line, field, /[ \t]+/)
      for (i = 3; i <= count; ++i)
        if (field[i] == "main") printf "%s\t%s\t%s\n", field[1], field[2], key
    }' "$1"
}

# Stanzas of "Key: value" lines. A key block written into Signed-By itself is passed over as empty: only a
# file name can be carried to another source.
_list_deb822_sources() {
  awk '
    function flush(   uris, suites, components, u, s, i, j, has_main) {
      if (value["types"] ~ /(^| )deb( |$)/ && tolower(value["enabled"]) !~ /^(no|false|0)$/) {
        has_main = (" " value["components"] " ") ~ / main /
        uris = split(value["uris"], u, " "); suites = split(value["suites"], s, " ")
        for (i = 1; has_main && i <= uris; ++i)
          for (j = 1; j <= suites; ++j)
            printf "%s\t%s\t%s\n", u[i], s[j], (value["signed-by"] ~ /^\//) ? value["signed-by"] : ""
      }
      delete value; key = ""
    }
    /^#/ { next }
    /^[ \t]*$/ { flush(); next }
    /^[ \t]/ { gsub(/^[ \t]+|[ \t]+$/, ""); if (key != "") value[key] = value[key] " " $0; next }
    {
      key = tolower($0); sub(/:.*/, "", key)
      text = $0; sub(/^[^:]*:[ \t]*/, "", text); gsub(/[ \t]+/, " ", text); sub(/ $/, "", text)
      value[key] = text
    }
    END { flush() }' "$1"
}

# has_suite FOLDER SUITE
has_suite() {
  list_apt_sources "$1" | awk -F '\t' -v suite="$2" '$2 == suite { found = 1 } END { exit !found }'
}

# backports_source FOLDER CODENAME: prints a deb822 source for CODENAME-backports on the mirror that the
# machine already uses for CODENAME; fails when it uses none.
backports_source() {
  list_apt_sources "$1" | awk -F '\t' -v codename="$2" '
    $2 == codename {
      print "Types: deb"
      print "URIs: " $1
      print "Suites: " codename "-backports"
      print "Components: main"
      if ($3 != "") print "Signed-By: " $3
      found = 1
      exit
    }
    END { exit !found }'
}
