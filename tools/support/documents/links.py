"""Dead links and images of the Markdown documents that Git tracks.

A link within the tree must lead to a tracked file or folder. Behind `#` stands the name of a heading, as GitHub makes it, or
`L` and the number of a line.
"""
import pathlib
import posixpath
import re

from . import tracked


def check(tree):
    """What was looked at, and complaints."""
    files = set(tracked.tracked(tree))
    folders = {"."} | {str(parent) for path in files for parent in pathlib.PurePosixPath(path).parents}
    texts = {path: (tree / path).read_text(encoding="utf-8") for path in files if path.endswith(".md")}
    names = {path: tracked.anchors(text) for path, text in texts.items()}
    count, dead = 0, []
    for document in sorted(texts):
        for target in tracked.links(texts[document]):
            place = tracked.resolved(document, target)
            if place is None:
                continue
            count += 1
            path, anchor = place
            if path not in files and path not in folders:
                dead.append(f"{document}: {target}: Git tracks no file {path}")
                continue
            page = posixpath.normpath(posixpath.join(path, "README.md")) if path in folders else path
            if not anchor or (page not in texts and re.fullmatch(r"L\d+(-L\d+)?", anchor)):
                continue
            if anchor not in names.get(page, ()):
                dead.append(f"{document}: {target}: {page} has no heading #{anchor}")
    return f"{count} links in {len(texts)} documents", dead
