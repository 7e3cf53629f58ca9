"""The summary of docs/experiments/coverage.md, counted from its own tables."""
import re

from . import common
from .common import table

STATUSES = ("covered", "weak", "missing", "declined")


def summary():
    parts = re.split(r"^## ", (common.results.parent / "experiments" / "coverage.md").read_text(), flags=re.MULTILINE)[1:]
    rows, total = [], [0] * (1 + len(STATUSES))
    for part in parts:
        found = re.findall(r"^\| [A-Z]\d+ \| .* \| (\w+) \| .* \|$", part, re.MULTILINE)
        counts = [len(found)] + [found.count(status) for status in STATUSES]
        total = [one + other for one, other in zip(total, counts)]
        rows.append([part.split("\n", 1)[0]] + [str(count) for count in counts])
    return table(["", ">items"] + [f">{status}" for status in STATUSES], rows + [["all"] + [str(count) for count in total]])
