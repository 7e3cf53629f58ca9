"""The files of the tree as Git sees them, and the links of its Markdown documents."""
import posixpath
import re
import subprocess
import sys
import urllib.parse

FENCE = re.compile(r"^ {0,3}```")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
INLINE = re.compile(r"\]\(\s*<?([^)<>\s]*)>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
HTML = re.compile(r"<(?:img|a)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"", re.IGNORECASE)
OWN_ANCHOR = re.compile(r"<[a-z0-9]+\b[^>]*?\b(?:id|name)=\"([^\"]+)\"", re.IGNORECASE)
CODE = re.compile(r"(?<!`)(`+)(?!`)(?:.|\n(?!\s*\n))+?(?<!`)\1(?!`)")


def tracked(tree):
    """Paths below `tree`: what Git tracks, and new files that it does not ignore. Exits with 4 where there is no Git."""
    asked = ["git", "-C", str(tree), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(asked, capture_output=True, check=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"skipped: Git does not list the files of {tree}: {error}")
        sys.exit(4)
    return sorted({path for path in listed if path and (tree / path).is_file()})


def prose(text):
    """The text without fenced code: a line that is left out becomes an empty one."""
    lines, inside = [], False
    for line in text.split("\n"):
        mark = FENCE.match(line)
        lines.append("" if inside or mark else line)
        inside = inside != bool(mark)
    return "\n".join(lines)


def links(text):
    """Targets of links and images, code left out."""
    words = CODE.sub("", prose(text))
    return [target for pattern in (INLINE, HTML) for target in pattern.findall(words)]


def slug(heading):
    """GitHub's name of a heading's anchor: without markup, in small letters; letters, digits, `_` and `-` are kept, a
    blank becomes `-`."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]+>", "", text)
    text = re.sub(r"(?<!\w)(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)", r"\2", text)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def anchors(text):
    """Names that a link may add behind `#`. Of headings with the same name the second is `name-1`."""
    found, seen = set(OWN_ANCHOR.findall(text)), {}
    for heading in filter(None, map(HEADING.match, prose(text).split("\n"))):
        name = slug(heading[2])
        found.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return found


def resolved(document, target):
    """Path from the root of the tree, and anchor; None for a link out of the tree's files. Outside of the tree the path
    begins with `..`."""
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", target):
        return None
    path, _, anchor = target.partition("#")
    path = urllib.parse.unquote(path)
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(document), path)) if path else document
    return whole, urllib.parse.unquote(anchor)
