"""Tables of docs/performance.md: geometric means of how many times as fast as the vendor's library ours are."""
import csv
import math

from . import common
from .common import table

RANDOM = "2026-11-26-h100/tuned_random"
HELD_OUT = "2026-11-27-h100/held_out"
LANGUAGE = "2026-11-27-h100/language_models"
KINDS = (("f32", "register_tiled_tuned"), ("tf32", "tensor_tf32_tuned"), ("bf16", "tensor_bf16_tuned"), ("f64", "tensor_f64_tuned"))


def _rows(name, variant, build=None):
    with open(common.results / f"{name}.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row.get("build") == build and row["variant"] == variant]


def _mean(rows):
    return f"{math.exp(sum(math.log(float(row['ratio'])) for row in rows) / len(rows)):.3f}"


def _below(rows, bound=0.99):
    return str(sum(float(row["ratio"]) < bound for row in rows))


def random_shapes():
    parts = [(f"{name}", _rows(RANDOM, variant, "tables")) for name, variant in KINDS]
    single = parts[0][1]
    small = [row for row in single if min(int(row["m"]), int(row["n"])) < 100]
    parts[1:1] = [("f32, both sides of C from 100 on", [row for row in single if row not in small]), ("f32, one side of C below 100", small)]
    return table(["", ">shapes", ">mean", ">below 0.99", ">below 0.90"], [[name, str(len(rows)), _mean(rows), _below(rows), _below(rows, 0.90)] for name, rows in parts])


def held_out():
    rows = []
    for name, variant in KINDS:
        builds = [_rows(HELD_OUT, variant, build) for build in ("tables", "models")]
        rows.append([name, str(len(builds[0]))] + [text for shapes in builds for text in (_mean(shapes), _below(shapes))])
    return table(["", ">shapes", ">by tables", ">below 0.99", ">by models", ">below 0.99"], rows)


def language_models():
    """Shapes of weights down, rows across."""
    rows = []
    for name, variant in (("bf16", "tensor_bf16_tuned"), ("tf32", "tensor_tf32_tuned")):
        shapes = _rows(LANGUAGE, variant)
        for n, k in dict.fromkeys((row["n"], row["k"]) for row in sorted(shapes, key=lambda row: int(row["n"]) * int(row["k"]))):
            own = sorted((row for row in shapes if (row["n"], row["k"]) == (n, k)), key=lambda row: int(row["m"]))
            rows.append([name, f"{n} × {k}"] + [f"{float(row['ratio']):.2f}" for row in own])
    return table(["", "n × k", ">m = 1", ">2", ">4", ">8", ">16", ">32", ">64", ">128"], rows)
