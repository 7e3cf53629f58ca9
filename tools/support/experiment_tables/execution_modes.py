"""Tables of docs/experiments/execution_modes.md."""
from .common import AVX, CUDA, OPENCL, POCL, plain, table, the, time

FILE = "execution_modes"
NEWER = "2026-11-27-h100/execution_modes"
MODES = (
    ("CPU, sequential", AVX, {"variant": "naive"}),
    ("CPU, all cores", AVX, {"variant": "naive_mt"}),
    *((f"CPU, {name}, {cores}", AVX, {"variant": variant, "threads": threads})
      for name, variant in (("AVX2", "avx2"), ("AVX-512", "avx512"), ("`packed`", "packed"), ("OpenBLAS", "vendor"))
      for cores, threads in (("one core", 1), ("all cores", 0))),
    ("OpenCL on the CPU, naive", POCL, {"variant": "naive"}),
    ("OpenCL on the CPU, tiled", POCL, {"variant": "tiled"}),
    ("OpenCL on the CPU, `cpu_packed`", POCL, {"variant": "cpu_packed"}),
    ("OpenCL on the CPU, CLBlast", POCL, {"variant": "vendor"}),
    ("OpenCL on the GPU, naive", OPENCL, {"variant": "naive"}),
    ("OpenCL on the GPU, tiled", OPENCL, {"variant": "tiled"}),
    ("OpenCL on the GPU, `register_tiled_tuned`", OPENCL, {"variant": "register_tiled_tuned"}),
    ("OpenCL on the GPU, CLBlast", OPENCL, {"variant": "vendor"}),
    *((f"Vulkan, {name}", "vulkan:nvidia:0", {"variant": variant}) for name, variant in (("naive", "naive"), ("tiled", "tiled"), ("`register_tiled_tuned`", "register_tiled_tuned"))),
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
