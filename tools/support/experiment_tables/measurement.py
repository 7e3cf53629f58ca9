"""Tables of docs/measurement.md."""
from .common import CUDA, table, tabled, the, time

CACHES, LAUNCHES = (f"2026-11-21-h200-trust/{name}_modes" for name in ("cache", "launch"))


@tabled(">working set", ">`hot`", ">`rotate`", ">`cold`")
def caches():
    for n in (2**exponent for exponent in range(16, 28, 2)):
        yield [f"{12 * n / 1e6:.1f} MB"] + [time(the(CACHES, device=CUDA, n=n, cache=cache)) for cache in ("hot", "rotate", "cold")]


def launches():
    rows = [[f"`{launch}`"] + [time(the(LAUNCHES, device=CUDA, n=65536, launch=launch, basis=basis)) for basis in ("device", "host_sync")] for launch in ("stream", "graph")]
    return table(["`launch`", ">device's clock", ">host's clock"], rows)
