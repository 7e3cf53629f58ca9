"""Every result is quoted: a folder in docs/results is linked from a document outside docs/results, and every file in it is
named by the folder's README.md in code (`sgemm_*.csv` names several) or as a link, or linked from outside."""
import fnmatch
import re

from . import tracked

RESULTS = "docs/results/"
MOST_LINES = 25  # of the README.md of a folder


def _targets(document, text):
    return {place[0] for place in (tracked.resolved(document, target) for target in tracked.links(text)) if place}


def check(tree):
    """What was looked at, and complaints."""
    files, wrong = tracked.tracked(tree), []
    texts = {path: (tree / path).read_text(encoding="utf-8") for path in files if path.endswith(".md")}
    outside = {target for document, text in texts.items() if not document.startswith(RESULTS) for target in _targets(document, text)}
    folders = {RESULTS + path[len(RESULTS):].split("/")[0] for path in files if path.startswith(RESULTS) and path.count("/") > 2}
    for root in sorted(folders):
        if not any(target == root or target.startswith(root + "/") for target in outside):
            wrong.append(f"{root}: no document outside docs/results links it: quote it or delete it")
        readme = f"{root}/README.md"
        text = texts.get(readme)
        if text is None:
            wrong.append(f"{root}: no README.md says what machine, which command and which files")
            continue
        if text.count("\n") > MOST_LINES:
            wrong.append(f"{readme} has more than {MOST_LINES} lines: what was learnt belongs on the page that quotes the data")
        named = [word for code in re.findall(r"`([^`\n]+)`", text) for word in code.split() if word[0] not in "*?["]
        linked = outside | _targets(readme, text)
        wrong += [f"{path}: {readme} does not name it: name it with its command or delete it" for path in files
                  if path.startswith(root + "/") and path != readme and path not in linked
                  and not any(fnmatch.fnmatchcase(path[len(root) + 1:], word) for word in named)]
    return f"{len(folders)} folders", wrong
