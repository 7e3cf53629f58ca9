"""share/known_cards.json, which `benchctl doctor` compares a device with: the lowest and the highest rate of each probe of
the workload peaks, over the results of several cards."""
import json
import re

from .common import CATALOGUE, CUDA, OPENCL, points

H200 = (f"{CATALOGUE}/all", f"{CATALOGUE}/peaks")
# Lane, name of the device as `benchctl list --devices` shows it, and a file for each card.
SOURCES = ((CUDA, "NVIDIA H200", H200), (OPENCL, "NVIDIA H200", H200), (CUDA, "NVIDIA H100 80GB HBM3", ("2026-11-23-h100/memory",)))
# What depends on the size that was chosen, or on the host, says nothing of a card.
PROBES = ("fma_f32", "fma_f64", "mma_tf32", "mma_bf16", "dram_read", "dram_copy", "dram_triad", "cache_read", "shared")


def text():
    entries = []
    for lane, device, files in SOURCES:
        rates = {}
        for probe in PROBES:
            cards = [points(file, workload="peaks", device=lane, probe=probe, status=("ok", "unstable")) for file in files]
            best = [max(float(row.get("gflops") or row["gbytes_per_s"]) for row in card) * 1e9 for card in cards if card]
            if best:
                rates[probe] = [float(f"{rate:.4g}") for rate in (min(best), max(best))]
        entries.append({"backend": lane.split(":")[0], "device": device, "cards": len(files), "per_second": rates})
    return re.sub(r"\[\s+([\d.]+),\s+([\d.]+)\s+\]", r"[\1, \2]", json.dumps({"known": entries}, indent=1)) + "\n"
