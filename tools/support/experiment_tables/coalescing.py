"""Tables of docs/experiments/coalescing.md."""
from .common import AVX, CUDA, LANES, OPENCL, POCL, best, each, figure, grid, number, of_predicted, percent, plain, predicted, tabled, the, time

CONFIG = "coalescing"
COUNTERS = "2026-11-21-h200-trust/counters"
COPY = {"workload": "access", "misalign": 0}


@tabled("layout", "variant", ">time", ">GB/s", ">sector use", ">predicted", ">measured / predicted", ">`vec3_norm2`", ">predicted", ">measured / predicted")
def layouts():
    for layout, variants in (("aos12", ("scalar", "shared_staging", "quad")), ("aos16", ("scalar", "pair", "vector")), ("soa", ("scalar", "quad"))):
        for variant in variants:
            add, norm = (best(CONFIG, workload=workload, device=CUDA, n=33554432, layout=layout, variant=variant) for workload in ("vec3_map", "vec3_norm2"))
            yield [layout, variant, time(add), plain(add, "gbytes_per_s"), percent(number(add, "sector_efficiency")), predicted(add), of_predicted(add),
                         time(norm), predicted(norm), of_predicted(norm)]


def _fastest(**wanted):
    row = best(CONFIG, workload="vec3_map", n=4194304, **wanted)
    return f"{time(row)} ({row['variant']})"


lanes = grid("layout", each("layout", "aos12", "aos16", "soa"), LANES, _fastest)


@tabled(">stride", ">sector use", ">predicted", ">CUDA, 1 load", ">of predicted", ">CUDA, 4 loads", ">of predicted", ">H200, OpenCL, best",
                  ">CPU, OpenCL, best", ">CPU, AVX lane, best")
def strides():
    for stride in (1, 2, 4, 8, 16, 32):
        copy = COPY | {"pattern": "linear", "n": 16777216, "access_width": 4, "stride": stride}
        one, four = (the(CONFIG, device=CUDA, variant="plain", unroll=unroll, **copy) for unroll in (1, 4))
        yield ([str(stride), percent(number(four, "sector_efficiency")), predicted(four), time(one), of_predicted(one), time(four), of_predicted(four)] +
                    [time(best(CONFIG, device=device, **copy)) for device in (OPENCL, POCL, AVX)])


@tabled("pattern", ">n = 2^22", ">n = 2^26", ">sector use", ">predicted (2^26)", ">measured / predicted")
def order():
    for pattern in ("linear", "masked", "scattered_warp", "scattered_block", "scattered_384", "scattered_array"):
        small, large = (the(CONFIG, device=CUDA, variant="plain", pattern=pattern, n=n, access_width=4, stride=1, unroll=1, **COPY) for n in (4194304, 67108864))
        yield [f"`{pattern}`", time(small), time(large), percent(number(large, "sector_efficiency")), predicted(large), of_predicted(large)]


@tabled("element", ">plain", ">packed, 4-byte words", ">packed, 16-byte words", ">plain, of roof")
def width():
    for size in (1, 2, 4, 8, 16):
        copy = COPY | {"device": CUDA, "pattern": "linear", "n": 67108864, "access_width": size, "stride": 1}
        own = the(CONFIG, variant="plain", unroll=1, **copy)
        packed = [the(CONFIG, variant="packed", word=word, **copy) for word in (4, 16)]
        yield ([f"{size} byte{'s' if size > 1 else ''}", figure(own, "gbytes_per_s")] + [figure(row, "gbytes_per_s") for row in packed] +
                    [percent(number(own, "roof_fraction"))])


@tabled("bytes of reads and writes", ">32-byte pieces", ">64-byte pieces", ">128-byte lines", ">counted by the card")
def pieces():
    # What a copy reads if memory delivers pieces of so many bytes: of every 384 bytes all (read scattered, 4 of 6 sectors
    # wanted), or one piece for each element that stands alone. It writes 4 bytes an element.
    copies = (("`scattered_384`, n = 2^26", 26, {"pattern": "scattered_384"}, {32: 6.0, 64: 12.0, 128: 12.0}),
              ("stride 32, n = 2^24", 24, {"stride": 32}, {32: 32, 64: 64, 128: 128}))
    for name, power, wanted, read in copies:
        counted = the(COUNTERS, device=CUDA, n=1 << power, unroll=1, access_width=4, **wanted)
        yield [name] + [f"{(1 << power) * (read[size] + 4) / 1e6:.0f} MB" for size in (32, 64, 128)] + [f"{number(counted, 'dram_bytes') / 1e6:.0f} MB"]
