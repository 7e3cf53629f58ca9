"""The tables of docs/statistics.md that come from an H200."""
import collections
import csv
import statistics

from . import common
from .common import table


def rows_of(name):
    with open(common.results / "2026-11-28-hopper" / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def ranges():
    series = collections.defaultdict(list)
    for row in rows_of("range.csv"):
        series[row["workload"], row["variant"], row["n"], row["tile"]].append(row)
    cells = []
    for workload, kind in (("matmul", "products, 14 to 360 µs"), ("reduce", "sums of 16 MB, which fit the L2 cache")):
        for size, low, high in ((2, "min2_ns", "max2_ns"), (6, "p5_6_ns", "p95_6_ns"), (20, "p5_20_ns", "p95_20_ns")):
            hits = pairs = 0
            spreads = []
            for key, rows in series.items():
                if key[0] != workload:
                    continue
                medians = [float(row["median_ns"]) for row in rows]
                spreads.append((max(medians) - min(medians)) / statistics.median(medians))
                for own, row in enumerate(rows):
                    if not row[low]:
                        continue
                    others = medians[:own] + medians[own + 1:]
                    hits += sum(float(row[low]) <= median <= float(row[high]) for median in others)
                    pairs += len(others)
            cells.append([kind, str(size), f"{100 * hits / pairs:.0f} % of {pairs:,}",
                          f"{100 * statistics.median(spreads):.1f} %, at most {100 * max(spreads):.1f} %"])
    return table(["kernels", ">first samples", ">cover another process's median", ">spread of 20 medians"], cells)


def precision():
    times = collections.defaultdict(dict)
    for row in rows_of("precision.csv"):
        times[row["n"], row["variant"], row["tile"]][row["precision"]] = (float(row["median_ns"]), int(row["n_samples"]))
    best = collections.defaultdict(lambda: float("inf"))
    for (n, _, _), own in times.items():
        best[n] = min(best[n], own["all"][0])
    cells = []
    for near, kind in ((True, "within twice the fastest"), (False, "others")):
        apart, fewer = [], []
        for (n, _, _), own in times.items():
            if (own["all"][0] <= 2 * best[n]) == near:
                apart += [abs(own[again][0] / own["all"][0] - 1) for again in ("answer", "answer again")]
                fewer += [own["answer"][1] / own["all"][1]]
        cells.append([kind, str(len(fewer)), f"{100 * statistics.median(apart):.2f} %", f"{100 * max(apart):.1f} %",
                      f"{statistics.median(fewer):.1f}×"])
    return table(["points", ">number", ">median difference", ">largest", ">samples, of those of `all`"], cells)
