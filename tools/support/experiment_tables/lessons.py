"""Tables of docs/experiments/lessons.md."""
from .common import CUDA, OPENCL, POCL, duration, each, grid, median, number, points, read, significant, table, tabled, the, time, times

FOLDER = "2026-11-26-h100"
LADDER, DIVERGENCE, TIMING = (f"{FOLDER}/{name}" for name in ("ladder", "divergence", "how_not_to_time"))
STEPS = {
    "tiled": "tiles of 32×32 in shared memory",
    "registers": "4×4 elements of C a thread",
    "wide_loads": "float4, 8×8 elements a thread",
    "double_buffered": "load the next slab while multiplying",
    "async_copies": "`cp.async`, four slabs under way",
    "vendor": "cuBLAS, f32",
    "tensor_cores": "`mma.sync`, tf32",
    "vendor_tf32": "cuBLASLt, tf32",
}


def ladder():
    rows, before = [], {}
    for step, (variant, idea) in enumerate(STEPS.items()):
        steps = {n: the(LADDER, variant=variant, n=n) for n in (1024, 4096)}
        own = not variant.startswith("vendor")
        cells = [f"{time(steps[n])}" + (f" ({times(before[n] / median(steps[n]))})" if own and before else "") for n in steps]
        if own:
            before = {n: median(steps[n]) for n in steps}
        rows.append([str(step if step < 5 else 5) if own else "", f"`{variant}`", idea, *cells, significant(number(steps[4096], "gflops") / 1000, 3)])
    return table([">step", "variant", "idea", ">n = 1024", ">n = 4096", ">TFLOP/s at 4096"], rows)


divergence = grid(">paths", each("paths", 1, 2, 4, 8, 16, 32),
                  {f"{lane}, {variant}": {"device": device, "variant": variant}
                   for lane, device in (("CUDA", CUDA), ("OpenCL", OPENCL), ("PoCL", POCL)) for variant in ("neighbours", "grouped")},
                  lambda **wanted: time(the(DIVERGENCE, **wanted)))


def timing():
    ways = (("one launch, no warm-up", {"basis": "device", "cache": "hot", "n_samples": 1}), ("the host's clock, waiting for each launch", {"basis": "host_sync", "cache": "hot"}),
            ("with copies to and from the device", {"basis": "end_to_end", "cache": "hot"}), ("caches emptied before each launch", {"basis": "device", "cache": "cold"}))
    hot = [row for row in points(TIMING, device=CUDA, n=256, basis="device", cache="hot") if int(row["n_samples"]) > 1]
    right = {variant: next(row for row in hot if row["variant"] == variant) for variant in ("naive", "tiled")}
    rows = [["the device's clock, warm", *(time(right[variant]) for variant in right)]]
    for name, wanted in ways:
        cells = [the(TIMING, device=CUDA, variant=variant, n=256, **wanted) for variant in right]
        rows.append([name] + [f"{time(cell)} ({times(median(cell) / median(right[variant]))})" for cell, variant in zip(cells, right)])
    return table(["what is timed", ">`naive`", ">`tiled`"], rows)


@tabled("kernel, n = 1024", ">benchctl", ">events around 20 launches", ">events around each launch")
def agreement():
    for row in read(f"{FOLDER}/plain_loop"):
        ours = median(the(TIMING, variant=row["kernel"], n=1024))
        batch, single = float(row["batched_us"]) * 1000, float(row["single_us"]) * 1000
        yield [f"`{row['kernel']}`", duration(ours), f"{duration(batch)} ({100 * (batch / ours - 1):+.1f} %)", f"{duration(single)} ({100 * (single / ours - 1):+.1f} %)"]
