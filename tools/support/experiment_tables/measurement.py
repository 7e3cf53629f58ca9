"""Tables of docs/measurement.md."""
from .common import CUDA, each, grid, the, time

CACHES, LAUNCHES = (f"2026-11-21-h200-trust/{name}_modes" for name in ("cache", "launch"))
SIZES = {f"{12 * n / 1e6:.1f} MB": {"n": n} for n in (2**exponent for exponent in range(16, 28, 2))}
CLOCKS = {"device's clock": {"basis": "device"}, "host's clock": {"basis": "host_sync"}}
caches = grid(">working set", SIZES, each("cache", "hot", "rotate", "cold", head="`{}`"),
              lambda **wanted: time(the(CACHES, device=CUDA, **wanted)))
launches = grid("`launch`", each("launch", "stream", "graph", head="`{}`", n=65536), CLOCKS,
                lambda **wanted: time(the(LAUNCHES, device=CUDA, **wanted)))
