"""Tables of docs/performance.md: geometric means of how many times as fast as the vendor's library ours are."""
import csv
import math

from . import common
from .common import table

FOLDER = "2026-11-26-h100"
KINDS = (("f32", "register_tiled_tuned"), ("tf32", "tensor_tf32_tuned"), ("bf16", "tensor_bf16_tuned"), ("f64", "tensor_f64_tuned"))


def _rows(name, build, variant):
    with open(common.results / FOLDER / f"{name}.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["build"] == build and row["variant"] == variant]


def _mean(rows):
    return f"{math.exp(sum(math.log(float(row['ratio'])) for row in rows) / len(rows)):.3f}"


def _below(rows, bound=0.99):
    return str(sum(float(row["ratio"]) < bound for row in rows))


def random_shapes():
    parts = [(f"{name}", _rows("tuned_random", "tables", variant)) for name, variant in KINDS]
    single = parts[0][1]
    small = [row for row in single if min(int(row["m"]), int(row["n"])) < 100]
    parts[1:1] = [("f32, both sides of C from 100 on", [row for row in single if row not in small]), ("f32, one side of C below 100", small)]
    return table(["", ">shapes", ">mean", ">below 0.99", ">below 0.90"], [[name, str(len(rows)), _mean(rows), _below(rows), _below(rows, 0.90)] for name, rows in parts])


def held_out():
    rows = []
    for name, variant in KINDS:
        builds = [_rows("held_out", build, variant) for build in ("tables", "models")]
        rows.append([name, str(len(builds[0]))] + [text for shapes in builds for text in (_mean(shapes), _below(shapes))])
    return table(["", ">shapes", ">by tables", ">below 0.99", ">by models", ">below 0.99"], rows)
