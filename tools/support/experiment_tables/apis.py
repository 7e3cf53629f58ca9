"""Tables of docs/experiments/apis.md."""
from .common import CUDA, NONE, OPENCL, duration, median, number, table, tabled, the, time, times

VULKAN = "vulkan:nvidia:0"
PAIRED = "2026-11-28-hopper/apis"
SUMS = "2026-11-28-hopper/sums_h100"
PRODUCTS = "2026-11-27-h100/apis_products"
COMPILED = "2026-11-27-h100/compile"
HEADS = [">CUDA", ">OpenCL, speed", ">Vulkan, speed"]


def speed(other, cuda):
    """As a multiple of CUDA's: from the rounds of a pair, else from the medians."""
    if other is None or cuda is None:
        return NONE
    return times(1 / number(other, "time_ratio") if other.get("time_ratio") else median(cuda) / median(other))


def cells(points, **wanted):
    cuda, opencl, vulkan = (the(points, device=device, **wanted) for device in (CUDA, OPENCL, VULKAN))
    return [time(cuda), speed(opencl, cuda), speed(vulkan, cuda)]


@tabled("kernel", "clock", ">CUDA", ">OpenCL", ">Vulkan")
def launches():
    for clock, basis in (("device's", "device"), ("host's", "host_sync")):
        for name, wanted in (("an empty kernel", {"variant": "launch", "launch": "stream"}), ("the same, recorded before", {"variant": "launch", "launch": "graph"}),
                             ("16 × 16 numbers in each of 256 blocks", {"variant": "column_major", "blocks": 256})):
            yield [name, clock] + [time(the(PAIRED, device=device, basis=basis, **wanted)) for device in (CUDA, OPENCL, VULKAN)]


def products():
    kinds = [("naive", {"variant": "naive"})] + [(f"tiled, T = {tile}", {"variant": "tiled", "tile": tile}) for tile in (8, 16, 32)]
    rows = [[name, str(n)] + cells(PAIRED, basis="device", n=n, **wanted) for name, wanted in kinds for n in (1024, 4096)]
    return table(["variant", ">n"] + HEADS, rows)


def memory():
    n = {"n": 67108864}
    kinds = [("read", {"workload": "peaks", "probe": "dram_read"}), ("write", {"workload": "peaks", "probe": "dram_write"}), ("triad", {"workload": "peaks", "probe": "dram_triad"}),
             ("copy, a float at a time", {"workload": "copy", "variant": "plain", **n}), ("copy, 16 bytes at a time", {"workload": "copy", "variant": "vectorized", **n}),
             ("copy, the driver's own", {"workload": "copy", "variant": "vendor", **n}),
             ("addition, a float at a time", {"workload": "vector_add", "variant": "plain"}), ("addition, 16 bytes at a time", {"workload": "vector_add", "variant": "vectorized"}),
             ("bytes, one at a time", {"workload": "access", "variant": "plain", "access_width": 1}), ("bytes, packed", {"workload": "access", "variant": "packed", "access_width": 1}),
             ("stride of 4 floats", {"workload": "access", "stride": 4}), ("stride of 32 floats", {"workload": "access", "stride": 32})]
    kinds += [(f"transpose, {variant}", {"workload": "transpose", "rows": 4096, "variant": variant}) for variant in ("naive", "shared", "shared_padded", "vectorized")]
    kinds += [(f"3-vectors, {layout}, {variant}", {"workload": "vec3_map", "layout": layout, "variant": variant})
              for layout, variant in (("aos12", "scalar"), ("aos12", "quad"), ("aos12", "shared_staging"), ("aos16", "scalar"), ("aos16", "vector"), ("soa", "scalar"), ("soa", "quad"))]
    kinds += [("to the device, pinned", {"workload": "transfer", "direction": "h2d"}), ("to the host, pinned", {"workload": "transfer", "direction": "d2h"})]
    return table(["kernel"] + HEADS, [[name] + cells(PAIRED, **wanted) for name, wanted in kinds])


@tabled(*["variant", ">n"] + HEADS)
def sums():
    for variant in ("two_kernel", "grid_stride", "vectorized", "single_pass"):
        for n, power in ((65536, "2^16"), (16777216, "2^24")):
            yield [f"`{variant}`", power] + cells(SUMS, variant=variant, n=n)


def units():
    rows = [[f"multiply-adds, f{bits}"] + cells(PAIRED, probe=f"fma_f{bits}") for bits in (32, 64)]
    kinds = [("reads from the L2 cache", {"probe": "cache_read"}), ("reads from shared memory", {"probe": "shared"}),
             ("shared memory, stride 1", {"workload": "shared_stride", "stride": 1}), ("shared memory, stride 8: 8-way conflicts", {"workload": "shared_stride", "stride": 8}),
             ("shared memory, stride 32: 32-way", {"workload": "shared_stride", "stride": 32})]
    return table(["kernel"] + HEADS, rows + [[name] + cells(PAIRED, **wanted) for name, wanted in kinds])


@tabled("m × n × k", ">CUDA, its choice", ">CUDA, defaults", ">cuBLAS", ">Vulkan, defaults", ">Vulkan, its choice")
def registers():
    """fp32 products out of registers, as multiples of the speed of CUDA's choice."""
    for m, n, k in ((2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (1536, 1536, 1536), (6144, 6144, 6144), (3000, 2000, 1000), (256, 3000, 5000), (64, 8192, 2048)):
        find = lambda backend, variant: the(PRODUCTS, backend=backend, variant=variant, m=m, n=n, k=k)
        choice = find("cuda", "register_tiled_tuned")
        ratios = [times(median(choice) / median(find(backend, variant)))
                  for backend, variant in (("cuda", "register_tiled"), ("cuda", "vendor"), ("vulkan", "register_tiled"), ("vulkan", "register_tiled_tuned"))]
        yield [f"{m} × {n} × {k}", time(choice)] + ratios


def conflicts():
    kinds = [("down a column", "column_major"), ("along a row, as published", "row_major_as_published"), ("along a row, shared memory alone", "row_major_shared_only")]
    return table(["16 × 16 numbers in each of 2^20 blocks"] + HEADS, [[name] + cells(PAIRED, workload="bank_conflicts", variant=variant, blocks=1048576, basis="device") for name, variant in kinds])


@tabled("kernel", ">CUDA: NVRTC", ">then", ">OpenCL: all", ">Vulkan: shaderc", ">then")
def compile_times():
    """On an empty cache: our compiler, where it is not the driver's, and what preparing the point took after that."""
    for workload, variant in (("matmul", "naive"), ("matmul", "register_tiled"), ("transpose", "naive"), ("transpose", "vectorized"), ("reduce", "two_kernel"), ("reduce", "single_pass"), ("vec3_map", "quad")):
        cuda, opencl, vulkan = (the(COMPILED, workload=workload, variant=variant, backend=backend) for backend in ("cuda", "opencl", "vulkan"))
        cells = [duration(number(row, column)) for row, column in ((cuda, "compile_ns"), (cuda, "prepare_ns"), (opencl, "prepare_ns"), (vulkan, "compile_ns"), (vulkan, "prepare_ns"))]
        yield [f"`{workload}/{variant}`"] + cells
