"""Pictures of a DataFrame of Run.df(), with matplotlib. Each function returns the Axes: `.figure.savefig("a.svg")` writes
SVG, PNG and what else matplotlib can. Choose points before: `plot.sweep(df.query("n == 512"), x="tile")`."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .errors import need

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


def sweep(df: pandas.DataFrame, x: str, *, by: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Median time over the column `x` with its range (`range_low_ns`, `range_high_ns`), a curve for each combination of
    the columns `by` (default: device and variant, where they vary). Raises ValueError for two points at one place."""
    timed, columns = _timed(df, (x,)), _by(df, by)
    axes = _axes(ax)
    for name, curve in _groups(timed, columns):
        _once(curve, [x], f"the curve '{name}'" if name else "the curve")
        curve = curve.sort_values(x)
        (line,) = axes.plot(curve[x], curve["median_ns"] * 1e-9, marker="o", label=name)
        axes.fill_between(curve[x], curve["range_low_ns"] * 1e-9, curve["range_high_ns"] * 1e-9, color=line.get_color(), alpha=0.2)
    numbers = sorted(set(timed[x]))
    if all(isinstance(number, (int, float)) and number > 0 for number in numbers):
        if numbers[-1] >= 8 * numbers[0]:
            axes.set_xscale("log", base=2)
        if len(numbers) <= 12:
            axes.set_xticks(numbers, [f"{number:g}" for number in numbers])
    if timed["median_ns"].max() > 20 * timed["median_ns"].min():
        axes.set_yscale("log")
    axes.set_xlabel(x)
    return _finish(axes, axes.yaxis, bool(columns))


def bars(df: pandas.DataFrame, *, by: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Median time of each point as a bar with its range, the fastest on top. The values of the columns `by` name the bars
    (default: device, variant, parameters and tunables, as far as they vary)."""
    timed = _timed(df, ()).sort_values("median_ns", ascending=False)
    varying = [column for column in df.attrs.get("parameters", []) if by is None and df[column].nunique() > 1]
    names = [_name(row, _by(df, by), varying) for _, row in timed.iterrows()]
    if len(set(names)) < len(names) or names == [""]:
        names = list(timed["label"])
    axes = _axes(ax)
    median = timed["median_ns"] * 1e-9
    errors = [median - timed["range_low_ns"] * 1e-9, timed["range_high_ns"] * 1e-9 - median]
    axes.barh(range(len(names)), median, xerr=[error.clip(lower=0) for error in errors], tick_label=names, capsize=3)
    return _finish(axes, axes.xaxis, False)


def heatmap(df: pandas.DataFrame, x: str, y: str, *, value: str = "median_ns", ax: Axes | None = None) -> Axes:
    """A column of figures over two columns; times as seconds with a prefix, other figures as they are. Points without a
    time are blank. Raises ValueError for two points at one place."""
    timed = _timed(df, (x, y, value))
    _once(timed, [x, y], "the heatmap")
    table = timed.pivot(index=y, columns=x, values=value)
    is_time = value.endswith("_ns")
    axes = _axes(ax)
    image = axes.imshow(table * (1e-9 if is_time else 1), origin="lower", aspect="auto", cmap="viridis_r" if is_time else "viridis")
    bar = axes.figure.colorbar(image, ax=axes, label="median time" if value == "median_ns" else value)
    if is_time:
        bar.ax.yaxis.set_major_formatter(_seconds())
    axes.set_xticks(range(len(table.columns)), table.columns)
    axes.set_yticks(range(len(table.index)), table.index)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return axes


def roofline(df: pandas.DataFrame, *, roofs: dict[str, dict[str, float]] | None = None, ax: Axes | None = None) -> Axes:
    """GFLOP/s over FLOP/B of the workload's own operations and bytes, below the measured roofs.

    roofs  device → probe → bytes or operations per second (default: df.attrs["roofs"]); `dram_copy`, `cache_read` and
           `fma_f32` are drawn, of each device in `df`. Without roofs the points stand alone
    Raises ValueError if no point has both rates.
    """
    timed = _timed(df, ("gflops", "gbytes_per_s"))
    axes = _axes(ax)
    intensity = timed["gflops"] / timed["gbytes_per_s"]
    ends = [intensity.min() / 8, intensity.max() * 8]
    for name, points in _groups(timed, _by(df, None)):
        axes.scatter(intensity[points.index], points["gflops"], label=name or str(points["variant"].iloc[0]), zorder=3)
    known = df.attrs.get("roofs", {}) if roofs is None else roofs
    for device in sorted(set(timed["device"])):
        for probe, per_second in known.get(device, {}).items():
            if probe in ("dram_copy", "cache_read"):
                axes.plot(ends, [end * per_second / 1e9 for end in ends], label=f"{device} {probe}", linewidth=1)
            elif probe == "fma_f32":
                axes.plot(ends, [per_second / 1e9] * 2, label=f"{device} {probe}", linewidth=1, linestyle="--")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("FLOP/B")
    axes.set_ylabel("GFLOP/s")
    axes.legend()
    return axes


def history(df: pandas.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Median time of each point over the dates of its runs, with ranges: `plot.history(load("runs.db", "all").df())`."""
    timed = _timed(df, ())
    axes = _axes(ax)
    for label, series in _groups(timed, ["label"]):
        series = series.sort_values("created_at")
        (line,) = axes.plot(series["created_at"], series["median_ns"] * 1e-9, marker="o", label=label)
        axes.fill_between(series["created_at"], series["range_low_ns"] * 1e-9, series["range_high_ns"] * 1e-9, color=line.get_color(), alpha=0.2)
    axes.tick_params("x", rotation=30)
    return _finish(axes, axes.yaxis, True)


def _timed(df: pandas.DataFrame, columns: Sequence[str]) -> pandas.DataFrame:
    """The points with verified times and a value in these columns."""
    for column in columns:
        if column not in df.columns:
            raise ValueError(f"there is no column '{column}'; parameters and tunables of df() have their own names")
    timed = df[df["status"].isin(["ok", "unstable"]) & df["median_ns"].notna()]
    timed = timed.dropna(subset=list(columns))
    if timed.empty:
        raise ValueError(f"no point has {' and '.join(['a time', *columns])}: see the columns status and reason")
    return timed


def _by(df: pandas.DataFrame, by: Sequence[str] | None) -> list[str]:
    return list(by) if by is not None else [column for column in ("device", "variant") if df[column].nunique() > 1]


def _name(row: Any, columns: Sequence[str], parameters: Sequence[str]) -> str:
    """`plain n=8`: values, and parameters that the row has with their names."""
    words = [str(row[column]) for column in columns]
    own = {name: row[name] for name in parameters if row[name] == row[name]}
    return " ".join(words + [f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in own.items()])


def _groups(df: pandas.DataFrame, columns: list[str]) -> list[tuple[str, pandas.DataFrame]]:
    if not columns:
        return [("", df)]
    grouped = df.groupby(columns[0] if len(columns) == 1 else columns, sort=False, dropna=False)
    return [(name if isinstance(name, str) else " ".join(map(str, name)) if isinstance(name, tuple) else f"{columns[0]} {name}", group)
            for name, group in grouped]


def _once(df: pandas.DataFrame, columns: list[str], what: str) -> None:
    twice = df[df.duplicated(columns, keep=False)]
    if not twice.empty:
        place = ", ".join(f"{column} = {twice[column].iloc[0]}" for column in columns)
        same = (twice[columns] == twice[columns].iloc[0]).all(axis=1)
        labels = "; ".join(twice.loc[same, "label"].head(3))
        raise ValueError(f"{what} has several points at {place}: choose with df.query(…) or name what varies in by=[…]: {labels}")


def _axes(ax: Axes | None) -> Axes:
    return ax if ax is not None else need("matplotlib.pyplot", "a picture").subplots(layout="constrained")[1]


def _seconds() -> Any:
    from matplotlib.ticker import EngFormatter

    return EngFormatter(unit="s")


def _finish(axes: Axes, time_axis: Any, legend: bool) -> Axes:
    time_axis.set_major_formatter(_seconds())
    time_axis.set_label_text("median time")
    if legend:
        axes.legend()
    return axes
