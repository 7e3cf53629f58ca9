"""The table of docs/experiments/constant_broadcast.md."""
from .common import CUDA, NAMES, OPENCL, POCL, median, significant, table, the, time


def indices():
    rows = []
    for threads in (16384, 1048576):
        for device in (CUDA, OPENCL, POCL):
            for variant in ("constant", "global"):
                uniform, divergent = (the("constant_broadcast", n=threads, device=device, variant=variant, index=index) for index in ("uniform", "divergent"))
                if uniform:
                    rows.append([str(threads), NAMES[device], variant, time(uniform), time(divergent), significant(median(divergent) / median(uniform), 3)])
    return table([">threads", "lane", "table in", ">uniform", ">divergent", ">ratio"], rows)
