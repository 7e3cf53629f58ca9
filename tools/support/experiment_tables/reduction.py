"""Tables of docs/experiments/reduction.md."""
from .common import CUDA, LANES, best, each, figure, grid, time

CONFIG = "reduction"
VARIANTS = ("atomic", "single_block", "two_kernel", "grid_stride", "warp_shuffle", "vectorized", "single_pass", "vendor")
LENGTHS = {64: "64", 512: "512", 2**20: "2^20", 2**24: "2^24", 2**26: "2^26", 2**28: "2^28"}


def _time(device=CUDA, **wanted):
    row = best(CONFIG, device=device, op="sum", **wanted)
    return time(row) + (" (wrong)" if row and row["expect"] == "wrong" else "")


def _rate(**wanted):
    return figure(best(CONFIG, device=CUDA, n=2**24, **wanted), "gbytes_per_s")


sizes = grid("variant", each("variant", "racy", *VARIANTS), {name: {"n": n} for n, name in LENGTHS.items()}, _time)
lanes = grid("variant", each("variant", "plain", "unrolled", "avx2", "avx512", *VARIANTS[1:], n=2**24), LANES, _time)
operations = grid("variant", each("variant", "grid_stride", "vectorized", "single_pass", "vendor"),
                  each("op", "sum", "min", "max", "mean", "norm", "dot"), _rate)
shared = grid("variant", each("variant", "single_block", "two_kernel", "grid_stride", n=2**20),
              each("shared", "static", "dynamic"), _time)
