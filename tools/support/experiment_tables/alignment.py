"""Tables of docs/experiments/alignment.md."""
from .common import AVX, CUDA, OPENCL, POCL, best, each, grid, median, number, percent, plain, significant, table, time

CONFIG = "alignment"


def offsets():
    def copy(offset, device, **wanted):
        return best(CONFIG, device=device, misalign=offset, access_width=4, resident="", **wanted)

    rows, aligned = [], median(copy(0, CUDA, cache_op="ca"))
    for offset in (0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 31, 32):
        first, past = (copy(offset, CUDA, cache_op=cache_op) for cache_op in ("ca", "cg"))
        rows.append([str(offset), percent(number(first, "sector_efficiency")), time(first), time(past), significant(median(first) / aligned)] +
                    [time(copy(offset, device)) for device in (OPENCL, POCL, AVX)])
    return table([">offset", ">sector use", ">CUDA, `ca`", ">CUDA, `cg`", ">over offset 0", ">H200, OpenCL", ">CPU, OpenCL", ">CPU, AVX lane, best"], rows)


RESIDENT = each("resident", 64, 128, 256, 512, 1024, 1536, 2048, variant="resident")
WIDTHS = {f"{api}, {width} bytes, GB/s": {"device": device, "access_width": width}
          for api, device in (("CUDA", CUDA), ("OpenCL", OPENCL)) for width in (4, 16)}
threads = grid(">threads per multiprocessor", RESIDENT | {"one thread per element": {"variant": "plain"}}, WIDTHS,
               lambda **wanted: plain(best(CONFIG, misalign=0, **wanted), "gbytes_per_s"))
