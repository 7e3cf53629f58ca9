"""Tables of docs/experiments/transpose.md."""
from .common import AVX, CUDA, NAMES, NONE, OPENCL, POCL, best, degree, each, figure, grid, number, of_predicted, percent, table, tabled

CONFIG = "transpose"
VARIANTS = ("naive", "shared", "shared_padded", "vectorized")


def _rate(row):
    return number(row, "gbytes_per_s")


def _copy(device, elements):
    return best(CONFIG, workload="copy", device=device, n=elements, dtype="f32")


def _square(device, side, **wanted):
    return best(CONFIG, workload="transpose", device=device, rows=side, columns=side, dtype="f32", **wanted)


def gpu():
    lanes = [(device, side) for device in (CUDA, OPENCL) for side in (4096, 16384)]

    def cell(device, side, **wanted):
        row = _square(device, side, **wanted)
        return f"{figure(row, 'gbytes_per_s')} ({percent(_rate(row) / _rate(_copy(device, side * side)))})"

    rows = [[variant, str(tile)] + [cell(*lane, variant=variant, tile=tile) for lane in lanes] for variant in VARIANTS for tile in (16, 32, 64)]
    rows.append(["vendor", ""] + [cell(*lane, variant="vendor") for lane in lanes])
    rows.append(["copy (best)", ""] + [figure(_copy(device, side * side), "gbytes_per_s") for device, side in lanes])
    return table(["variant", ">tile", ">CUDA, 4096²", ">CUDA, 16384²", ">OpenCL, 4096²", ">OpenCL, 16384²"], rows)


@tabled("variant", ">tile", ">sector use", ">conflicts", ">measured / predicted")
def predicted():
    for variant in VARIANTS:
        for tile in (16, 32, 64):
            row = _square(CUDA, 16384, variant=variant, tile=tile)
            yield [variant, str(tile), percent(number(row, "sector_efficiency")), degree(row) if row["conflict_degree"] else NONE, of_predicted(row)]


@tabled("lane", "variant", "stores", ">GB/s", ">of the best copy")
def cpu():
    for device, ways in ((POCL, [("naive", {}), ("shared", {}), ("shared_padded", {}), ("vectorized", {}), ("vendor", {})]),
                         (AVX, [("naive", {}), ("blocked", {}), ("avx2", {"store": "cached"}), ("avx2", {"store": "streaming"}),
                                ("avx512", {"store": "cached"}), ("avx512", {"store": "streaming"}), ("vendor", {})])):
        copy = _copy(device, 4096 * 4096)
        for variant, wanted in ways:
            row = _square(device, 4096, variant=variant, **wanted)
            yield [NAMES[device], variant, wanted.get("store", ""), figure(row, "gbytes_per_s"), percent(_rate(row) / _rate(copy))]
        yield [NAMES[device], f"copy (best: {copy['variant']})", copy["store"], figure(copy, "gbytes_per_s"), ""]


SHAPES = {f"{rows} × {columns}": {"rows": rows, "columns": columns, "dtype": "f32"}
          for rows, columns in ((4096, 4096), (4099, 4093), (1000003, 17))}
SHAPES["4096 × 4096, f64"] = {"rows": 4096, "columns": 4096, "dtype": "f64"}
shapes = grid("variant", each("variant", *VARIANTS), SHAPES,
              lambda **wanted: figure(best(CONFIG, workload="transpose", device=CUDA, **wanted), "gbytes_per_s"))
