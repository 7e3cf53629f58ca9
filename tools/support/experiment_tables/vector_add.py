"""Tables of docs/experiments/vector_add.md."""
from .common import AVX, CUDA, NAMES, NONE, OPENCL, POCL, best, figure, number, percent, tabled, the

CONFIG = "vector_add"
SIZES = (1 << 16, 1 << 24, 1 << 28)


@tabled("lane", "variant", ">n = 65536", ">n = 2^24", ">of roof", ">n = 2^28", ">of roof")
def gpu():
    for device in (CUDA, OPENCL, POCL):
        for variant, width in (("plain", ""), ("tiled", ""), ("vectorized", 2), ("vectorized", 4), ("vectorized", 16)):
            sizes = [best(CONFIG, device=device, variant=variant, width=width, n=n) for n in SIZES]
            if any(sizes):
                cells = [text for row in sizes for text in (figure(row, "gbytes_per_s"), percent(number(row, "roof_fraction")) if row else NONE)]
                yield [NAMES[device], f"{variant}, {width} wide" if width else variant, cells[0], *cells[2:]]


@tabled("variant", "cores", "stores", ">n = 65536, in cache", ">n = 2^24")
def cpu():
    for variant in ("plain", "avx2", "avx512"):
        for threads, cores in ((1, "one core"), (0, "all cores")):
            for store in ("",) if variant == "plain" else ("cached", "streaming"):
                sizes = [the(CONFIG, device=AVX, variant=variant, threads=threads, store=store, n=n) for n in SIZES[:2]]
                yield [variant, cores, store] + [figure(row, "gbytes_per_s") for row in sizes]
