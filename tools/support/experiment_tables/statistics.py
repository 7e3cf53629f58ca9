"""The tables of docs/statistics.md that come from an H200."""
import collections
import statistics

from .common import read, table


def ranges():
    series = collections.defaultdict(list)
    for row in read("2026-11-28-hopper/range"):
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
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in read("2026-11-28-hopper/precision"):
        times[row["n"], row["variant"], row["tile"]][row["precision"]].append((float(row["median_ns"]), int(row["n_samples"])))
    truth = {key: statistics.median(time for time, _ in own["all"]) for key, own in times.items()}
    cells = []
    for near, kind in ((True, "within twice the fastest"), (False, "others")):
        apart, fewer = {"answer": [], "all": []}, []
        for key, own in times.items():
            if (truth[key] <= 2 * min(time for other, time in truth.items() if other[0] == key[0])) != near:
                continue
            for precision, runs in own.items():
                apart[precision] += [abs(time / truth[key] - 1) for time, _ in runs]
            fewer.append(sum(n for _, n in own["answer"]) / sum(n for _, n in own["all"]))
        cells.append([kind, str(len(fewer)), f"{100 * statistics.median(apart['answer']):.2f} %", f"{100 * max(apart['answer']):.1f} %",
                      f"{100 * max(apart['all']):.1f} %", f"{statistics.median(fewer):.1f}×"])
    return table(["points", ">number", ">median difference", ">largest", ">largest of `all` itself",
                  ">samples, of those of `all`"], cells)
