"""The table of README.md: part of what `benchctl run configs/tile_sweep.toml` prints."""
from .common import CUDA, OPENCL, duration, mark, median, number, plain, significant, table, the, times

CONFIG = "tile_sweep"
LIBRARIES = {CUDA: "cuBLAS", OPENCL: "CLBlast"}
NAIVE, VENDOR = ("naive", {"block_x": 32, "block_y": 8}), ("vendor", {})


def rows_of(device, tunables):
    """Rows for n = 4096; the fastest, and the fastest that is no vendor's, have a star."""
    points = [(variant, chosen, the(CONFIG, device=device, n=4096, variant=variant, **chosen)) for variant, chosen in tunables]
    best = median(the(CONFIG, device=device, n=4096, variant="vendor"))
    own = min((point for variant, _, point in points if variant != "vendor"), key=median)
    rows = []
    for variant, chosen, point in points:
        half = (number(point, "ci_high_ns") - number(point, "ci_low_ns")) / 2 / median(point)
        rows.append(["*" if variant == "vendor" or point is own else "", device, f"vendor ({LIBRARIES[device]})" if variant == "vendor" else variant,
                     " ".join(f"{name}={value}" for name, value in chosen.items()), duration(median(point)) + mark(point), f"{significant(100 * half, 1)} %" if half < 0.001
                     else f"{significant(100 * half, 2)} %", plain(point, "gflops"), times(median(point) / best), f"{significant(100 * number(point, 'roof_fraction'), 2)} %"])
    return rows


def heads():
    return ["", "device", "variant", "parameters", ">median", ">±", ">GFLOP/s", ">vs best", ">of roof"]


def n_4096():
    tiles = {CUDA: (16, 32), OPENCL: (32,)}
    return table(heads(), [row for device in tiles for row in rows_of(device, [NAIVE, *(("tiled", {"tile": tile}) for tile in tiles[device]), VENDOR])])
