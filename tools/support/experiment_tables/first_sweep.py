"""The table of docs/first-sweep.md."""
from .common import CUDA, table
from .readme import VENDOR, heads, rows_of


def n_4096():
    return table(heads(), rows_of(CUDA, [("tiled", {"tile": 16}), ("tiled", {"tile": 32}), VENDOR]))
