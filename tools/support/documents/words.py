"""Patterns of translated English in documents, and in comments and string literals of core/ and plugins/.

Only what can be found without false alarms; style is more than that. Texts are joined first: lines of a comment or a
paragraph, and string literals that follow each other.
"""
import re

from . import tracked

COMPARED = "better|farther|faster|fewer|further|higher|larger|later|less|longer|lower|more|shorter|slower|smaller|worse"
PATTERNS = [
    (re.compile(rf"(?<!\bhere )(?<!\bthere )(?<!\bThere )\b(?:is|are|was|were) no (?!(?:{COMPARED})\b)[a-z`]"),
     'write "is not a …"'),
    (re.compile(r"(?:^|[.:;] )Of (?!course\b)"), 'begin with the subject, not with "Of"'),
    (re.compile(r"^< of "), "write a noun phrase that stands alone"),
    (re.compile(r"\btold apart\b"), 'write "distinguished"'),
    (re.compile(r"\bheld against\b"), 'write "compared with"'),
    (re.compile(r"\bthat there (?:is|are) not\b"), 'write "missing" or "that does not exist"'),
]
CODE = (".cpp", ".hpp", ".cu", ".cuh", ".cl", ".clh", ".glsl", ".comp", ".cpp.in", ".hpp.in", ".js", ".json")
TOKEN = re.compile(r"""//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|R"(\w*)\((?P<raw>.*?)\)\3"|"(?P<text>(?:[^"\\\n]|\\.)*)"|'(?:[^'\\\n]|\\.)+'""",
                   re.DOTALL)


def of_code(text):
    """(line, text) of comments and string literals."""
    found, end, was_comment = [], 0, False
    for token in TOKEN.finditer(text):
        line = text.count("\n", 0, token.start()) + 1
        is_comment = token["line"] is not None or token["block"] is not None
        words = next((token[name] for name in ("line", "block", "raw", "text") if token[name] is not None), None)
        if words is None:
            continue
        words = re.sub(r"^[/!]+", "", words).strip() if is_comment else words
        between = text[end:token.start()]
        if found and words and is_comment == was_comment and not between.strip() and between.count("\n") < 2 and words[0] != "<":
            found[-1][1] += (" " if is_comment else "") + words
        else:
            found.append([line, words])
        end, was_comment = token.end(), is_comment
    return found


def of_document(text):
    """(line, text) of paragraphs, list items and rows of tables."""
    found, continues = [], False
    for number, line in enumerate(tracked.prose(text).split("\n"), 1):
        words = line.strip().strip("|").strip()
        starts = line.lstrip().startswith(("|", "- ", "* ", "#")) or re.match(r"\s*\d+\. ", line)
        if not words:
            continues = False
        elif continues and not starts:
            found[-1][1] += " " + words
        else:
            found.append([number, re.sub(r"^(?:[-*] |#+ |\d+\. )", "", words)])
            continues = not line.lstrip().startswith("|")
    return found


def check(tree):
    """What was looked at, and complaints."""
    count, faults = 0, []
    for path in tracked.tracked(tree):
        if path.endswith(".md") and not path.startswith("docs/results/") and path != "docs/reference.md":
            texts = of_document((tree / path).read_text(encoding="utf-8"))
        elif path.startswith(("core/", "plugins/")) and path.endswith(CODE):
            texts = of_code((tree / path).read_text(encoding="utf-8"))
        else:
            continue
        count += 1
        for line, text in texts:
            for pattern, advice in PATTERNS:
                match = pattern.search(text)
                if match:
                    faults.append(f"{path}:{line}: …{text[max(0, match.start() - 30):match.end() + 20]}…: {advice}")
    return f"{count} files", faults
