"""Tables of docs/experiments/bank_conflicts.md."""
from .common import CUDA, NAMES, NONE, OPENCL, POCL, degree, duration, each, grid, mark, median, of_predicted, predicted, table, tabled, the, time, times

CONFIG = "bank_conflicts"
VARIANTS = ("column_major", "row_major_as_published", "row_major_shared_only")
BLOCKS = {256: "256", 16384: "2^14", 1048576: "2^20"}
CLOCKS = {"host_sync": "host", "device": "device"}


def published():
    rows = [["2008, published", "256", "host", "0.0629 ms", "0.249 ms (3.96×)", NONE]]
    for device in (CUDA, OPENCL, POCL):
        for blocks, name in BLOCKS.items():
            for basis, clock in CLOCKS.items():
                cells = [the(CONFIG, workload="bank_conflicts", device=device, blocks=blocks, basis=basis, variant=variant) for variant in VARIANTS]
                if cells[0] is None:
                    continue
                rows.append([NAMES[device], name, clock, time(cells[0])] +
                            [f"{duration(median(cell))} ({times(median(cell) / median(cells[0]))}){mark(cell)}" for cell in cells[1:]])
    return table(["lane", ">blocks", "clock"] + [f">`{variant}`" for variant in VARIANTS], rows)


def _stride(device, stride, word=4, padding=0):
    return the(CONFIG, workload="shared_stride", device=device, stride=stride, word=word, padding=padding)


@tabled(">stride", ">degree", ">predicted", ">measured / predicted", ">CUDA", ">CUDA, one word of padding", ">OpenCL", ">OpenCL, one word of padding")
def strides():
    first = {device: _stride(device, 1) for device in (CUDA, OPENCL)}
    for stride in (1, 2, 4, 8, 16, 32):
        row = _stride(CUDA, stride)
        cells = []
        for device in (CUDA, OPENCL):
            own = _stride(device, stride)
            cells += [f"{time(own)} ({times(median(own) / median(first[device]))})", time(_stride(device, stride, padding=1)) if stride > 1 else NONE]
        yield ["1 and every odd stride" if stride == 1 else str(stride), degree(row), predicted(row), of_predicted(row)] + cells


def _ways(**wanted):
    row = _stride(CUDA, **wanted)
    return f"{time(row)} ({degree(row)}-way)"


words = grid(">stride", each("stride", 1, 2, 3, 4, 8, 16, 32), each("word", 4, 8, 16, head="{} bytes"), _ways)
