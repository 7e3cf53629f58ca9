"""Reading exported results, and writing their figures the way benchctl does."""
import csv
import math

results = None  # the folder docs/results, set by the program
CATALOGUE = "2026-11-21-h200-catalogue"
CUDA, OPENCL, POCL, AVX = "cuda:0", "opencl:nvidia:0", "opencl:pocl:0", "cpu_avx:0"
NAMES = {CUDA: "H200, CUDA", OPENCL: "H200, OpenCL", POCL: "CPU, OpenCL", AVX: "CPU, AVX lane"}
LANES = {name: {"device": device} for device, name in NAMES.items()}
NONE = "–"
DAGGER = " †"
_read = {}


def read(name):
    """Rows of a result: of a config of the catalogue, or FOLDER/NAME."""
    if name not in _read:
        with open((results if "/" in name else results / CATALOGUE) / f"{name}.csv", newline="") as file:
            _read[name] = list(csv.DictReader(file))
    return _read[name]


def points(config, **wanted):
    """Points with a time whose columns have these values; a set or a list of values allows any of them."""
    allowed = {key: {str(value)} if isinstance(value, (str, int)) else {str(one) for one in value} for key, value in wanted.items()}
    return [row for row in read(config) if row["median_ns"] and all(row.get(key, "") in values for key, values in allowed.items())]


def best(config, **wanted):
    """The fastest of these points; None if there is none."""
    return min(points(config, **wanted), key=median, default=None)


def the(config, **wanted):
    """The only one of these points; None if there is none."""
    rows = points(config, **wanted)
    if len(rows) > 1:
        raise ValueError(f"{config}: {len(rows)} points are {wanted}")
    return rows[0] if rows else None


def number(row, column):
    return float(row[column])


def median(row):
    return number(row, "median_ns")


def significant(value, digits=4):
    if value == 0:
        return "0"
    exponent = int(f"{value:.{digits - 1}e}".split("e")[1])
    return f"{value:.{max(0, digits - 1 - exponent)}f}"


def mark(row):
    return DAGGER if row["status"] == "unstable" else ""


def duration(ns, digits=4):
    size, unit = next((size, unit) for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (0, "ns")) if ns >= size)
    return f"{significant(ns / (size or 1), digits)} {unit}"


def time(row):
    return NONE if row is None else duration(median(row)) + mark(row)


def plain(row, column):
    return NONE if row is None or row[column] == "" else significant(number(row, column))


def figure(row, column):
    """A figure that stands without its time, and so carries the mark."""
    return NONE if row is None or row[column] == "" else plain(row, column) + mark(row)


def degree(row):
    value = number(row, "conflict_degree")
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def percent(value):
    return f"{math.floor(100 * value + 0.5)} %"


def times(ratio):
    return f"{significant(ratio, 3)}×"


def predicted(row):
    return NONE if row is None or not row["predicted_ns"] else duration(number(row, "predicted_ns"))


def of_predicted(row):
    return NONE if row is None or not row["predicted_ns"] else times(median(row) / number(row, "predicted_ns"))


def table(heads, rows):
    """Markdown. A head that begins with '>' is that of a column of numbers."""
    lines = [[head.removeprefix(">") for head in heads], ["---:" if head.startswith(">") else "---" for head in heads], *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def each(column, *values, head="{}", **others):
    """Rows or columns of a grid: {head: {column: value, others}}."""
    return {head.format(value): {column: value, **others} for value in values}


def grid(corner, rows, columns, cell):
    """Makes a table of cell(**row, **column); `rows` and `columns` are {head: wanted columns of a point}."""
    heads = [corner] + [f">{name}" for name in columns]
    return lambda: table(heads, [[name] + [cell(**row, **one) for one in columns.values()] for name, row in rows.items()])


def tabled(*heads):
    """Of a function that yields rows: it makes the table."""
    return lambda rows: lambda: table(heads, rows())
