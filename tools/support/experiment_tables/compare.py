"""The table of docs/compare.md."""
import re

from . import common
from .common import tabled


@tabled("", ">equal runs that differ", ">2 % found", ">5 % found", ">10 % found")
def planted():
    text = (common.results / "2026-11-26-h100" / "planted.txt").read_text()
    for name, part in zip(("H100", "PoCL on 16 cores that others share"), text.split("\n\n")):
        pairs, differ = re.search(r"equal runs: (\d+) pairs, (\d+) differ", part).groups()
        found = [re.search(rf"^{slower} % slower: (\d+) comparisons, (\d+) found", part, re.MULTILINE).groups() for slower in (2, 5, 10)]
        yield [name, f"{differ} of {pairs}"] + [f"{hits} of {of}" for of, hits in found]
