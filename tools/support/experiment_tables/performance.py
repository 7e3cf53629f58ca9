"""Tables of docs/performance.md: how many times as fast as their yardsticks our kernels are, and what limits them."""
import functools
import statistics

from .common import median, number, points, read, table, tabled

NEWEST = "2026-11-27-h100"
RANDOM = "2026-11-28-hopper/random_shapes"
HELD_OUT = f"{NEWEST}/held_out"
LANGUAGE = f"{NEWEST}/language_models"
GPU, DAY_BEFORE, ZEN5, XEON = "2026-11-24-h100", "2026-11-23-h100", "2026-11-24-zen5", "2026-11-23-xeon-transposes"
BLAS, GEAM, OURS = "OpenBLAS", "cuBLAS geam", "ours in CUDA"
# What, its yardstick, file, and columns of our points. A last name: the variant that is the yardstick, if it is not the baseline.
CUDA_FAMILIES = (
    ("f32 products: squares, odd sizes", "cuBLAS, pedantic", f"{NEWEST}/sgemm", {"variant": "register_tiled_tuned"}),
    ("f32 products: few columns or rows, long sums", "cuBLAS, pedantic", f"{GPU}/sgemm_skinny", {"variant": "register_tiled_best"}),
    ("f64 products", "cuBLAS", f"{GPU}/dgemm", {"variant": "tensor_f64_tuned"}),
    ("tf32 products", "cuBLASLt", f"{GPU}/tensor", {"variant": {"tensor_tf32_tuned", "wgmma_tf32_best"}}),
    ("bf16 products", "cuBLASLt", f"{GPU}/tensor", {"variant": {"tensor_bf16_tuned", "wgmma_bf16_best"}}),
    ("f32 by three tf32 products", "cuBLAS, pedantic", f"{NEWEST}/three_for_one", {"variant": "tensor_3xtf32_tuned"}, "vendor"),
    ("sums", "CUB", f"{DAY_BEFORE}/memory", {"workload": "reduce", "op": "sum"}),
    ("norms", "cuBLAS", f"{DAY_BEFORE}/memory", {"op": "norm"}),
    ("dot products", "cuBLAS", f"{DAY_BEFORE}/memory", {"op": "dot"}),
    ("transposes, f32", GEAM, f"{DAY_BEFORE}/memory", {"workload": "transpose", "dtype": "f32"}),
    ("transposes, f64", GEAM, f"{DAY_BEFORE}/memory", {"workload": "transpose", "dtype": "f64"}),
)
OPENCL_FAMILIES = (
    ("f32 products", OURS, f"{GPU}/opencl_gpu", {"variant": "register_tiled_best"}),
    ("the same", "CLBlast", f"{GPU}/opencl_gpu", {"variant": "register_tiled_best"}, "vendor"),
    ("sums", OURS, f"{GPU}/opencl_gpu", {"workload": "reduce", "variant": "single_pass"}),
    ("transposes, f32", OURS, f"{GPU}/opencl_gpu", {"workload": "transpose", "dtype": "f32"}),
    ("transposes, f64", OURS, f"{GPU}/opencl_gpu", {"workload": "transpose", "dtype": "f64"}),
    ("`vector_add`", OURS, f"{GPU}/opencl_gpu", {"workload": "vector_add"}),
)
WIDTHS = (("AVX-512", "avx512"), ("AVX2", "avx2"))
PROCESSOR_FAMILIES = [(f"{what}, {width}", yardstick, f"{file}_{lane}", {"variant": lane, "dtype": "f32", "threads": 1, **wanted}) for width, lane in WIDTHS for what, yardstick, file, wanted in (
    ("f32 products", BLAS, f"{ZEN5}/products", {"variant": "packed"}),
    ("f32 products, random shapes up to 600", BLAS, f"{ZEN5}/random_products", {"variant": "packed"}),
    ("f64 products, random shapes up to 600", BLAS, f"{ZEN5}/random_products", {"variant": "packed", "dtype": "f64"}),
    ("f32 products, short or flat", BLAS, f"{ZEN5}/lengths_products", {"variant": "packed"}),
    ("dot products", BLAS, f"{ZEN5}/lengths_reductions", {"op": "dot"}),
    ("`vector_add`", "the compiler's loop", f"{ZEN5}/lengths_reductions", {"workload": "vector_add"}),
    ("transposes", BLAS, f"{ZEN5}/lengths_transposes", {}),
    ("transposes, Xeon", BLAS, f"{XEON}/beyond_after", {}),
)] + [
    ("f32 products, OpenCL, two threads", BLAS, f"{ZEN5}/opencl_products", {"variant": "cpu_packed"}),
    ("sums, OpenCL, two threads", "ours, AVX-512", f"{ZEN5}/opencl_memory", {"variant": "cpu_streams", "op": "sum"}),
    ("`vector_add`, OpenCL, two threads", "ours, AVX-512", f"{ZEN5}/opencl_memory", {"workload": "vector_add", "variant": "cpu_streams"}),
]
PROFILED = {
    "f32 product, 4096³": "matmul/register_tiled_best dtype=f32 k=4096 m=4096 n=4096",
    "the same by cuBLAS": "matmul/vendor dtype=f32 k=4096 m=4096 n=4096",
    "f32 product, 512³": "matmul/register_tiled_best dtype=f32 k=512",
    "f32 product, 4096 × 32 × 4096": "matmul/register_tiled_best dtype=f32 k=4096 m=4096 n=32",
    "f32 product, 1 × 4096 × 4096": "matmul/register_tiled_best dtype=f32 k=4096 m=1",
    "bf16 product by `wgmma`, 4096³": "matmul/wgmma_bf16_best dtype=bf16 k=4096",
    "bf16 product by `mma.sync`, 4096³": "matmul/tensor_bf16 dtype=bf16 k=4096",
    "f64 product, 3000³": "matmul/tensor_f64_best dtype=f64 k=3000",
    "sum of 2^28": "reduce/single_pass dtype=f32 n=268435456",
    "transpose, 16384²": "transpose/swizzled_best columns=16384",
}
KINDS = (("f32", "register_tiled_tuned"), ("tf32", "tensor_tf32_tuned"), ("bf16", "tensor_bf16_tuned"), ("f64", "tensor_f64_tuned"))


def _rows(name, variant, build=None):
    return [row for row in read(name) if row.get("build") == build and row["variant"] == variant]


def _mean(rows):
    return f"{statistics.geometric_mean(number(row, 'ratio') for row in rows):.3f}"


def _below(rows, bound=0.99):
    return str(sum(float(row["ratio"]) < bound for row in rows))


def _problem(row):
    sides = next(sides for sides in (("m", "n", "k"), ("rows", "columns"), ("n",)) if all(row.get(side) for side in sides))
    return " × ".join(row[side] for side in sides)


def _families(families):
    """The fastest configuration of each problem counts."""
    rows = []
    for what, yardstick, file, wanted, *other in families:
        against = {(row["dtype"], _problem(row)): median(row) for row in points(file, variant=other[0])} if other else {}
        ratios = {}
        for row in points(file, **wanted):
            key = (row["dtype"], _problem(row))
            ratio = against[key] / median(row) if key in against else 1 / number(row, "time_ratio") if row["time_ratio"] and not other else None
            if ratio:
                ratios[key] = max(ratio, ratios.get(key, 0))
        lowest = min(ratios, key=ratios.get)
        rows.append([what, yardstick, str(len(ratios)), f"{statistics.geometric_mean(ratios.values()):.2f}", f"{ratios[lowest]:.2f} at {lowest[1]}", str(sum(ratio < 0.99 for ratio in ratios.values()))])
    return table(["what", "yardstick", ">problems", ">mean", "lowest", ">below 0.99"], rows)


FAMILIES = (CUDA_FAMILIES, OPENCL_FAMILIES, PROCESSOR_FAMILIES)
cuda, opencl, processors = (functools.partial(_families, families) for families in FAMILIES)


def random_shapes():
    parts = [(f"{name}", _rows(RANDOM, variant)) for name, variant in KINDS]
    single = parts[0][1]
    small = [row for row in single if min(int(row["m"]), int(row["n"])) < 100]
    parts[1:1] = [("f32, both sides of C from 100 on", [row for row in single if row not in small]), ("f32, one side of C below 100", small)]
    return table(["", ">shapes", ">mean", ">below 0.99", ">below 0.90"], [[name, str(len(rows)), _mean(rows), _below(rows), _below(rows, 0.90)] for name, rows in parts])


@tabled("", ">shapes", ">by tables", ">below 0.99", ">by models", ">below 0.99")
def held_out():
    for name, variant in KINDS:
        builds = [_rows(HELD_OUT, variant, build) for build in ("tables", "models")]
        yield [name, str(len(builds[0]))] + [text for shapes in builds for text in (_mean(shapes), _below(shapes))]


def language_models():
    """Shapes of weights down, rows across."""
    rows = []
    for name, variant in (("bf16", "tensor_bf16_tuned"), ("tf32", "tensor_tf32_tuned")):
        shapes = _rows(LANGUAGE, variant)
        for n, k in dict.fromkeys((row["n"], row["k"]) for row in sorted(shapes, key=lambda row: int(row["n"]) * int(row["k"]))):
            own = sorted((row for row in shapes if (row["n"], row["k"]) == (n, k)), key=lambda row: int(row["m"]))
            rows.append([name, f"{n} × {k}"] + [f"{float(row['ratio']):.2f}" for row in own])
    return table(["", "n × k", ">m = 1", ">2", ">4", ">8", ">16", ">32", ">64", ">128"], rows)


def limits():
    """One execution of each kernel under Nsight Compute."""
    cells = []
    for name, point in PROFILED.items():
        row = next(row for row in read(f"{DAY_BEFORE}/ncu") if row["point"].startswith(point))
        stalls = ", ".join(stall.strip().rsplit(" ", 1)[0].replace("_", " ") for stall in row["stalls_not_issued_percent"].split(";")[:2])
        unit = max(float(row[f"{unit}_pipe_percent"]) for unit in ("fma", "tensor"))
        cells.append([name, f"{float(row['issue_active_percent']):.0f} %", f"{unit:.0f} %", f"{float(row['dram_percent']):.0f} %", stalls])
    return table(["kernel", ">issue slots", ">arithmetic unit", ">memory", "waits for"], cells)
