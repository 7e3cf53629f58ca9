"""The table of README.md: part of what `benchctl run configs/tile_sweep.toml` prints."""
from .common import CUDA, OPENCL, duration, mark, median, number, plain, significant, table, the, times

CONFIG = "tile_sweep"
LIBRARIES = {CUDA: "cuBLAS", OPENCL: "CLBlast"}
NAIVE, VENDOR = ("naive", {"block_x": 32, "block_y": 8}), ("vendor", {})


def range_of(point):
    """The middle nine tenths of the samples, in the unit of the median, as core/report/format.cpp writes them."""
    low, high = number(point, "p5_ns"), number(point, "p95_ns")
    width = (high - low) / median(point)
    digits = 2 if width > 0.2 else 3 if width > 0.01 else 4
    unit = next(size for size in (1e9, 1e6, 1e3, 1) if median(point) >= size)
    return f"{significant(low / unit, digits)}–{significant(high / unit, digits)}"


def rows_of(device, tunables):
    """Rows for n = 4096; the fastest, and the fastest that is not a vendor library, have a star."""
    points = [(variant, chosen, the(CONFIG, device=device, n=4096, variant=variant, **chosen)) for variant, chosen in tunables]
    best = median(the(CONFIG, device=device, n=4096, variant="vendor"))
    own = min((point for variant, _, point in points if variant != "vendor"), key=median)
    rows = []
    for variant, chosen, point in points:
        shown = f"vendor ({LIBRARIES[device]})" if variant == "vendor" else variant
        shown = " ".join([shown, *(f"{name}={value}" for name, value in chosen.items())])
        rows.append(["*" if variant == "vendor" or point is own else "", device, shown, duration(median(point)) + mark(point), range_of(point),
                     times(median(point) / best), plain(point, "gflops"), f"{significant(100 * number(point, 'roof_fraction'), 2)} %"])
    return rows


def heads():
    return ["", "device", "variant", ">median", ">range", ">vs best", ">GFLOP/s", ">of roof"]


def n_4096():
    tiles = {CUDA: (16, 32), OPENCL: (32,)}
    return table(heads(), [row for device in tiles for row in rows_of(device, [NAIVE, *(("tiled", {"tile": tile}) for tile in tiles[device]), VENDOR])])
