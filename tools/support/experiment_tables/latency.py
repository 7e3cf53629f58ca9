"""The table of docs/experiments/latency.md."""
from .common import AVX, CUDA, OPENCL, POCL, mark, number, significant, tabled, the


@tabled(">working set", ">H200, CUDA, ns", ">cycles", ">H200, OpenCL, ns", ">CPU, OpenCL, ns", ">CPU, AVX lane, ns")
def steps():
    for power in range(12, 29):
        cuda, *others = (the("latency", device=device, bytes=1 << power) for device in (CUDA, OPENCL, POCL, AVX))
        size = f"{1 << (power - 10)} KiB" if power < 20 else f"{1 << (power - 20)} MiB"
        first, *rest = (significant(number(row, "ns_per_access"), 3) + mark(row) for row in (cuda, *others))
        yield [size, first, significant(number(cuda, "cycles_per_access"), 3), *rest]
