"""Tables of docs/experiments/apis.md."""
from .common import CUDA, OPENCL, median, table, the, time, times

VULKAN = "vulkan:nvidia:0"
TILES = "2026-11-26-h100/tile_sweep_apis"
SIZES = (512, 1024, 2048, 4096)


def speeds(rows, points):
    """Rows of a table: each point's time with CUDA, and the speed of the other two as a share of CUDA's."""
    made = []
    for head, wanted in rows:
        cuda, opencl, vulkan = (the(points, device=device, **wanted) for device in (CUDA, OPENCL, VULKAN))
        made.append(head + [time(cuda)] + [times(median(cuda) / median(other)) for other in (opencl, vulkan)])
    return made


def products():
    kinds = [("naive", {"variant": "naive"})] + [(f"tiled, T = {tile}", {"variant": "tiled", "tile": tile}) for tile in (8, 16, 32)]
    rows = [([name, str(n)], {"n": n, **wanted}) for name, wanted in kinds for n in SIZES]
    return table(["variant", ">n", ">CUDA", ">OpenCL, speed", ">Vulkan, speed"], speeds(rows, TILES))
