"""The table of docs/experiments/constant_broadcast.md."""
from .common import CUDA, NAMES, OPENCL, POCL, median, significant, tabled, the, time


@tabled(">threads", "lane", "table in", ">uniform", ">divergent", ">ratio")
def indices():
    for threads in (16384, 1048576):
        for device in (CUDA, OPENCL, POCL):
            for variant in ("constant", "global"):
                uniform, divergent = (the("constant_broadcast", n=threads, device=device, variant=variant, index=index) for index in ("uniform", "divergent"))
                if uniform:
                    yield [str(threads), NAMES[device], variant, time(uniform), time(divergent), significant(median(divergent) / median(uniform), 3)]
