from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import benchctl
from benchctl import plot

pandas = pytest.importorskip("pandas")
pytest.importorskip("matplotlib")


@pytest.fixture(autouse=True)
def closed() -> Any:
    from matplotlib import pyplot
    yield
    pyplot.close("all")


def frame(points: list[dict[str, Any]], **attrs: Any) -> Any:
    rows = []
    for point in points:
        ns = point.get("median_ns", 1000.0)
        rows.append({"status": "ok", "device": "d:0", "variant": "v", "label": f"p{len(rows)}", "median_ns": ns, "range_low_ns": 0.9 * ns,
                     "range_high_ns": 1.2 * ns} | point)
    df = pandas.DataFrame(rows)
    df.attrs.update(attrs)
    return df


SWEEP = frame([{"variant": variant, "tile": tile, "block": 1, "median_ns": 1000.0 * tile * factor} for variant, factor in (("slow", 2), ("quick", 1))
               for tile in (32, 4, 16)] + [{"variant": "slow", "status": "wrong", "tile": 8, "median_ns": float("nan")},
                                {"variant": "slow", "status": "implausible", "tile": 64, "median_ns": 1.0}, {"variant": "plain"}])


def saved(axes: Any, folder: Path) -> None:
    for ending, head in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        axes.figure.savefig(folder / f"a.{ending}")
        assert (folder / f"a.{ending}").read_bytes().startswith(head)


def test_a_sweep_has_a_curve_for_each_variant_with_its_range(tmp_path: Path) -> None:
    axes = plot.sweep(SWEEP, "tile")
    assert {line.get_label(): (list(line.get_xdata()), [round(y * 1e9) for y in line.get_ydata()]) for line in axes.lines} == {
        "slow": ([4, 16, 32], [8000, 32000, 64000]), "quick": ([4, 16, 32], [4000, 16000, 32000])}
    for band, factor in zip(axes.collections, (2, 1)):
        heights = {round(y * 1e9) for x, y in band.get_paths()[0].vertices if x == 16}
        assert heights == {round(0.9 * 16000 * factor), round(1.2 * 16000 * factor)}
    assert axes.get_xlabel() == "tile" and axes.get_xscale() == "log" and axes.get_legend() is not None
    assert axes.yaxis.get_major_formatter()(4e-6) == "4 µs"
    saved(axes, tmp_path)


def test_two_points_at_one_place_are_refused() -> None:
    twice = frame([{"tile": 4, "n": 1}, {"tile": 4, "n": 2}, {"tile": 8, "n": 1}])
    with pytest.raises(ValueError, match=r"the curve has several points at tile = 4: choose with df.query.*by=\[…\]: p0; p1$"):
        plot.sweep(twice, "tile")
    assert [line.get_label() for line in plot.sweep(twice, "tile", by=["n"]).lines] == ["n 1", "n 2"]
    with pytest.raises(ValueError, match="the heatmap has several points at tile = 4, variant = v"):
        plot.heatmap(twice, "tile", "variant")


@pytest.mark.parametrize(("call", "words"), [
    (lambda: plot.sweep(SWEEP, "tyle"), "there is no column 'tyle'"),
    (lambda: plot.bars(SWEEP[SWEEP["status"] == "wrong"]), "no point has a time: see the columns status and reason"),
    (lambda: plot.sweep(SWEEP[SWEEP["variant"] == "plain"], "tile"), "no point has a time and tile"),
    (lambda: plot.roofline(SWEEP), "there is no column 'gflops'"),
])
def test_what_cannot_be_drawn_is_told(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_bars_are_sorted_and_named(tmp_path: Path) -> None:
    axes = plot.bars(frame([{"variant": "b", "median_ns": 3000.0}, {"variant": "a", "median_ns": 1000.0}, {"variant": "c", "median_ns": 2000.0}]))
    assert [(text.get_text(), round(bar.get_width() * 1e9)) for text, bar in zip(axes.get_yticklabels(), axes.patches)] == [("b", 3000), ("c", 2000), ("a", 1000)]
    ends = next(container for container in axes.containers if hasattr(container, "has_xerr")).lines[2][0].get_segments()[0]
    assert [round(x * 1e9) for x, _ in ends] == [2700, 3600]
    saved(axes, tmp_path)
    named = plot.bars(frame([{"n": 8.0}, {"n": 16.0, "median_ns": 900.0}], parameters=["n"]))
    assert [text.get_text() for text in named.get_yticklabels()] == ["n=8", "n=16"]
    assert [text.get_text() for text in plot.bars(frame([{}, {}])).get_yticklabels()] == ["p0", "p1"]


def test_a_heatmap_has_the_figures(tmp_path: Path) -> None:
    df = frame([{"x": x, "y": y, "median_ns": 1000.0 * x + y, "gflops": x / y} for x in (1, 2) for y in (5, 3, 4) if (x, y) != (2, 3)])
    axes = plot.heatmap(df, "x", "y")
    assert [[round(cell * 1e9) if cell == cell else None for cell in row] for row in axes.images[0].get_array().filled(float("nan"))] == [
        [1003, None], [1004, 2004], [1005, 2005]]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["3", "4", "5"]
    assert plot.heatmap(df, "x", "y", value="gflops").images[0].get_array()[1][1] == 0.5
    saved(axes, tmp_path)


def test_a_roofline_has_the_roofs_of_the_devices(tmp_path: Path) -> None:
    df = frame([{"variant": "a", "gflops": 100.0, "gbytes_per_s": 50.0}, {"variant": "b", "gflops": 400.0, "gbytes_per_s": 50.0}],
               roofs={"d:0": {"dram_copy": 2e11, "fma_f32": 5e12, "launch": 1e5}, "other:0": {"dram_copy": 1e9}})
    axes = plot.roofline(df)
    assert [collection.get_offsets().tolist() for collection in axes.collections] == [[[2, 100]], [[8, 400]]]
    roofs = {line.get_label(): line for line in axes.lines}
    assert set(roofs) == {"d:0 dram_copy", "d:0 fma_f32"}
    for x, y in zip(*roofs["d:0 dram_copy"].get_data()):
        assert y == pytest.approx(200 * x)
    assert set(roofs["d:0 fma_f32"].get_ydata()) == {5000}
    assert len(plot.roofline(df, roofs={}).lines) == 0
    saved(axes, tmp_path)


def test_a_history_is_in_the_order_of_dates(tmp_path: Path) -> None:
    dates = pandas.to_datetime(["2026-01-03", "2026-01-01", "2026-01-02"], utc=True)
    df = frame([{"created_at": date, "label": "p", "median_ns": ns} for date, ns in zip(dates, (3000.0, 1000.0, 2000.0))])
    axes = plot.history(df)
    assert [round(y * 1e9) for y in axes.lines[0].get_ydata()] == [1000, 2000, 3000]
    saved(axes, tmp_path)


def test_all_from_a_store(stored: Path) -> None:
    df = benchctl.load(stored, "all").df()
    assert len(plot.history(df).lines) == 4
    assert len(plot.sweep(df.query("run == 1"), "ns", by=["n"]).lines) == 2
    assert plot.bars(df.query("run == 1 and n == 8")).patches[0].get_width() == pytest.approx(2e-4)
    assert plot.heatmap(df.query("run == 2"), "n", "ns").images[0].get_array().max() == pytest.approx(3e-4)
    assert len(plot.roofline(df.query("run == 1")).collections) == 1


def test_an_axes_of_ones_own_is_drawn_into() -> None:
    from matplotlib import pyplot
    _, ax = pyplot.subplots()
    assert plot.sweep(SWEEP, "tile", ax=ax) is ax and plot.bars(SWEEP, ax=ax) is ax
