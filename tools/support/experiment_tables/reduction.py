"""Tables of docs/experiments/reduction.md."""
from .common import CUDA, NAMES, best, figure, table, tabled, time

CONFIG = "reduction"
VARIANTS = ("atomic", "single_block", "two_kernel", "grid_stride", "warp_shuffle", "vectorized", "single_pass", "vendor")
LENGTHS = {64: "64", 512: "512", 2**20: "2^20", 2**24: "2^24", 2**26: "2^26", 2**28: "2^28"}


@tabled(*["variant"] + [f">{name}" for name in LENGTHS.values()])
def sizes():
    for variant in ("racy",) + VARIANTS:
        cells = [best(CONFIG, device=CUDA, op="sum", variant=variant, n=n) for n in LENGTHS]
        yield [variant] + [time(cell) + (" (wrong)" if cell and cell["expect"] == "wrong" else "") for cell in cells]


def lanes():
    rows = [[variant] + [time(best(CONFIG, device=device, op="sum", variant=variant, n=2**24)) for device in NAMES]
            for variant in ("plain", "unrolled", "avx2", "avx512") + VARIANTS[1:]]
    return table(["variant"] + [f">{name}" for name in NAMES.values()], rows)


def operations():
    names = ("sum", "min", "max", "mean", "norm", "dot")
    rows = [[variant] + [figure(best(CONFIG, device=CUDA, op=name, variant=variant, n=2**24), "gbytes_per_s") for name in names]
            for variant in ("grid_stride", "vectorized", "single_pass", "vendor")]
    return table(["variant"] + [f">{name}" for name in names], rows)


def shared():
    kinds = ("static", "dynamic")
    rows = [[variant] + [time(best(CONFIG, device=CUDA, op="sum", variant=variant, n=2**20, shared=kind)) for kind in kinds]
            for variant in ("single_block", "two_kernel", "grid_stride")]
    return table(["variant"] + [f">{kind}" for kind in kinds], rows)
