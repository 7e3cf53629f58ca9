"""The table of docs/experiments/peaks.md."""
from .common import NAMES, NONE, best, figure, number, points, table, time


def roofs():
    def rate(name, column, **wanted):
        lanes = [points("peaks", device=device, **wanted) for device in NAMES]
        # Points of one probe may do different amounts of work: the highest rate, not the least time.
        return [name] + [figure(max(lane, key=lambda row: number(row, column)), column) if lane else NONE for lane in lanes]

    def launch(name, basis):
        return [name] + [time(best("peaks", device=device, probe="launch", basis=basis)) for device in NAMES]

    rows = [rate("FMA, f32, GFLOP/s", "gflops", probe="fma_f32"), rate("FMA, f64, GFLOP/s", "gflops", probe="fma_f64"),
            rate("tensor cores, tf32, GFLOP/s", "gflops", probe="mma_tf32"), rate("tensor cores, bf16, GFLOP/s", "gflops", probe="mma_bf16")]
    rows += [rate(f"{name}, GB/s", "gbytes_per_s", probe=f"dram_{probe}")
             for name, probe in (("read", "read"), ("read, every other 64 bytes", "read_apart"), ("write", "write"),
                                 ("copy", "copy"), ("triad", "triad"))]
    rows += [rate(f"cache, {size} MiB, GB/s", "gbytes_per_s", probe="cache_read", bytes=size << 20) for size in (4, 16)]
    rows += [rate("shared memory, GB/s", "gbytes_per_s", probe="shared"),
             launch("launch, by the GPU's clock", "device"), launch("launch and wait, by the host's clock", "host_sync")]
    return table(["roof"] + [f">{name}" for name in NAMES.values()], rows)
