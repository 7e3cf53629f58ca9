"""Tables of docs/experiments/execution_modes.md."""
from .common import AVX, CUDA, OPENCL, POCL, plain, table, the, time

FILE = "execution_modes"
NEWER = "2026-11-27-h100/execution_modes"
TILED = {"naive": "naive", "tiled": "tiled", "`register_tiled_tuned`": "register_tiled_tuned"}
MODES = (
    ("CPU, sequential", AVX, {"variant": "naive"}),
    ("CPU, all cores", AVX, {"variant": "naive_mt"}),
    *((f"CPU, {name}, {cores}", AVX, {"variant": variant, "threads": threads})
      for name, variant in (("AVX2", "avx2"), ("AVX-512", "avx512"), ("`packed`", "packed"), ("OpenBLAS", "vendor"))
      for cores, threads in (("one core", 1), ("all cores", 0))),
    *((f"{lane}, {name}", device, {"variant": variant}) for lane, device, variants in (
        ("OpenCL on the CPU", POCL, {"naive": "naive", "tiled": "tiled", "`cpu_packed`": "cpu_packed", "CLBlast": "vendor"}),
        ("OpenCL on the GPU", OPENCL, TILED | {"CLBlast": "vendor"}),
        ("Vulkan", "vulkan:nvidia:0", TILED)) for name, variant in variants.items()),
    ("CUDA, naive", CUDA, {"variant": "naive"}),
    ("CUDA, tiled, T = 16", CUDA, {"variant": "tiled", "tile": 16}),
    ("CUDA, tiled, T = 32", CUDA, {"variant": "tiled", "tile": 32}),
    ("CUDA, `register_tiled_tuned`", CUDA, {"variant": "register_tiled_tuned"}),
    ("CUDA, cuBLAS", CUDA, {"variant": "vendor"}),
    ("CUDA, tensor cores, `tensor_tf32_tuned`", CUDA, {"variant": "tensor_tf32_tuned"}),
    ("CUDA, tensor cores, cuBLASLt", CUDA, {"variant": "vendor_tf32"}),
)


def _modes(file, rows_of=lambda device, wanted: True):
    rows = []
    for name, device, wanted in MODES:
        alone, whole = (the(file, device=device, n=1024, basis=basis, **wanted) for basis in ("device", "end_to_end"))
        if (alone or whole) and rows_of(device, wanted):
            rows.append([name, time(alone), plain(alone, "gflops"), time(whole)])
    return table(["mode", ">without copies", ">GFLOP/s", ">with copies"], rows)


def n_1024():
    """Modes that the results have."""
    return _modes(FILE)


def n_1024_newer():
    """GPU modes, and the processor's that the older run lacks."""
    return _modes(NEWER, lambda device, wanted: device not in (AVX, POCL) or "packed" in wanted["variant"])
