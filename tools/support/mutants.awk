# Lists single-line faults that can be planted in C++ sources (for tools/mutation): one per output line,
#   FILE <tab> LINE <tab> KIND <tab> THE LINE WITH THE FAULT
# Comments, strings and preprocessor lines are left alone. It relies on the tree's formatting: operators stand
# between spaces, template brackets do not.

# The line with strings, character literals and comments blanked out, of the same length.
function blank(line,    out, i, c, quote) {
  out = ""
  quote = ""
  for (i = 1; i <= length(line); ++i) {
    c = substr(line, i, 1)
    if (quote != "") {
      if (c == "\\") { out = out "~"; ++i; c = "x" } else if (c == quote) quote = ""
      out = out "~"
    } else if (substr(line, i, 2) == "//") {
      break
    } else {
      if (c == "\"" || (c == "'" && substr(line, i - 1, 1) !~ /[0-9]/)) { quote = c; c = "~" }
      out = out c
    }
  }
  return out
}

function emit(kind, line) { printf "%s\t%d\t%s\t%s\n", FILENAME, FNR, kind, line }

# Replaces each place where `from` stands, one at a time.
function replace_each(kind, from, to,    offset, at) {
  offset = 0
  while ((at = index(substr(code, offset + 1), from)) > 0) {
    offset += at
    emit(kind, substr($0, 1, offset - 1) to substr($0, offset + length(from)))
    offset += length(from) - 1
  }
}

# Adds one to each number that stands alone.
function change_constants(    offset, rest, number, before) {
  offset = 0
  while (match(rest = substr(code, offset + 1), /[0-9][0-9'.e-]*/)) {
    number = substr(rest, RSTART, RLENGTH)
    before = substr(code, offset + RSTART - 1, 1)
    offset += RSTART + RLENGTH - 1
    if (before ~ /[A-Za-z_]/ || (number == "1" && before == " " && substr(code, offset - RLENGTH - 1, 1) ~ /[+]/)) continue
    if (number !~ /^[0-9]+(\.[0-9]+)?$/) continue
    emit("changed constant", substr($0, 1, offset - RLENGTH) (number ~ /\./ ? number * 1.2 : number + 1) \
      substr($0, offset + 1))
  }
}

# f(a, b) → f(b, a), for arguments that are names, members or numbers.
function swap_arguments(    offset, rest, inside, parts, next_character) {
  offset = 0
  while (match(rest = substr(code, offset + 1), /[a-z_]\([A-Za-z0-9_.]+, [A-Za-z0-9_.]+[,)]/)) {
    inside = substr(rest, RSTART + 2, RLENGTH - 3)
    if (substr(code, offset + RSTART - 2, 3) ~ /m(in|ax)/) { offset += RSTART + RLENGTH - 2; continue }  # the same
    next_character = substr(rest, RSTART + RLENGTH - 1, 1)
    split(inside, parts, ", ")
    emit("swapped arguments", substr($0, 1, offset + RSTART + 1) parts[2] ", " parts[1] next_character \
      substr($0, offset + RSTART + RLENGTH))
    offset += RSTART + RLENGTH - 2
  }
}

function negate_condition(    start, i, depth, c) {
  if (!match(code, /(if|while) \(/)) return
  start = RSTART + RLENGTH
  depth = 1
  for (i = start; i <= length(code) && depth > 0; ++i) {
    c = substr(code, i, 1)
    depth += (c == "(") - (c == ")")
  }
  if (depth > 0 || substr(code, start, i - 1 - start) ~ /;|^(const )?auto/) return
  emit("negated condition", substr($0, 1, start - 1) "!(" substr($0, start, i - 1 - start) ")" substr($0, i - 1))
}

/^#/ || /^ *\/\// || /static_assert|\.reserve\(/ { next }
{
  code = blank($0)
  replace_each("flipped comparison", " < ", " <= ")
  replace_each("flipped comparison", " <= ", " < ")
  replace_each("flipped comparison", " > ", " < ")
  replace_each("flipped comparison", " >= ", " > ")
  replace_each("flipped comparison", " == ", " != ")
  replace_each("flipped comparison", " != ", " == ")
  replace_each("flipped comparison", " && ", " || ")
  replace_each("flipped comparison", " || ", " && ")
  replace_each("off by one", " + 1", " + 2")
  replace_each("off by one", " - 1", "")
  replace_each("other operator", " + ", " - ")
  replace_each("other operator", " - ", " + ")
  replace_each("other operator", " * ", " / ")
  replace_each("other operator", " / ", " * ")
  replace_each("other operator", " += ", " -= ")
  replace_each("other operator", "std::min(", "std::max(")
  replace_each("other operator", "std::max(", "std::min(")
  replace_each("changed constant", "true", "false")
  replace_each("changed constant", "false", "true")
  change_constants()
  swap_arguments()
  negate_condition()
}
