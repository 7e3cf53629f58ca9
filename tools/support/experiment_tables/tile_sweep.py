"""Tables of docs/experiments/tile_sweep.md."""
from .common import CUDA, LANES, NONE, OPENCL, each, grid, mark, median, plain, significant, table, tabled, the, time

CONFIG, APIS = "tile_sweep", "2026-11-26-h100/tile_sweep_apis"
TILES = (2, 4, 8, 16, 32)
PUBLISHED = {2: 3464, 4: 523, 8: 92, 16: 52}  # ms, on a Quadro 2000M
ROWS = (("naive", {"variant": "naive"}), *((f"tiled, T = {tile}", {"variant": "tiled", "tile": tile}) for tile in TILES), ("vendor", {"variant": "vendor"}))
WITH_CPU = dict(ROWS[:1]) | each("variant", "naive_mt", head="naive, all cores") | dict(ROWS[1:-1])
WITH_CPU |= each("variant", "avx2", "avx512", head="{}, one thread") | {"vendor (CPUs: all cores)": ROWS[-1][1]}
lanes = grid("variant", WITH_CPU, LANES, lambda **wanted: time(the(CONFIG, n=512, **wanted)))


@tabled("variant", ">CUDA, time", ">CUDA, GFLOP/s", ">OpenCL, time", ">OpenCL, GFLOP/s")
def n_4096():
    for name, wanted in ROWS:
        cells = [the(CONFIG, device=device, n=4096, **wanted) for device in (CUDA, OPENCL)]
        yield [name] + [text for cell in cells for text in (time(cell), plain(cell, "gflops"))]


def accesses():
    """What the threads ask of global memory, in millions of floats, beside the time: n = 1024 on an H100."""
    n, rows = 1024, []

    def row(name, step, **wanted):
        published = the(APIS, device=CUDA, n=n, variant="tiled_as_published", **wanted) if wanted.get("tile") else None
        ours = the(APIS, device=CUDA, n=n, **({"variant": "tiled", **wanted} if wanted.get("tile") else wanted))
        million = f"{2 * n**3 / step / 1e6:.0f}"
        rows.append([name, million, f"{n * n / 1e6:.0f}", time(ours), f"{n**3 / step / 1e6:.0f}" if published else NONE, time(published)])

    row("`naive`", 1, variant="naive")
    for tile in TILES:
        row(str(tile), tile, tile=tile)
    return table(["T", ">loads", ">stores of `tiled`", ">time", ">stores of `tiled_as_published`", ">time"], rows)


def ratios():
    sizes = (512, 1024, 2048, 4096)
    base = {n: median(the(CONFIG, device=CUDA, n=n, variant="tiled", tile=16)) for n in sizes}

    def ours(**wanted):
        cells = [the(CONFIG, device=CUDA, n=n, **wanted) for n in sizes]
        return [significant(median(cell) / base[n], 3) + mark(cell) for n, cell in zip(sizes, cells)]

    rows = [[str(tile), f"{ms} ms", significant(ms / PUBLISHED[16], 3)] + ours(variant="tiled", tile=tile) for tile, ms in PUBLISHED.items()]
    rows.append(["naive", "", "1.38"] + ours(variant="naive"))
    return table(["T", ">published", ">published ratio", ">CUDA, n = 512"] + [f">{n}" for n in sizes[1:]], rows)
