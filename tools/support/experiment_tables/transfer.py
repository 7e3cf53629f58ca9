"""The table of docs/experiments/transfer.md."""
from .common import CUDA, NAMES, OPENCL, POCL, figure, tabled, the

SIZES = {"4 KiB": 1 << 12, "64 KiB": 1 << 16, "1 MiB": 1 << 20, "16 MiB": 1 << 24, "256 MiB": 1 << 28}


@tabled(*["lane", "memory", "direction"] + [f">{size}" for size in SIZES])
def sizes():
    for device in (CUDA, OPENCL, POCL):
        for memory in ("pinned", "pageable"):
            for direction in ("h2d", "d2h", "both") if device == CUDA else ("h2d", "d2h"):
                copies = [the("transfer", device=device, memory=memory, direction=direction, bytes=size) for size in SIZES.values()]
                yield [NAMES[device], memory, direction] + [figure(copy, "gbytes_per_s") for copy in copies]
