from __future__ import annotations

import math
import random
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import benchctl
from benchctl.simulation import Space, simulate


def bowl(size: int = 10) -> Space:
    """One valley: the time grows with the distance from (3, 7)."""
    return Space.of([({"x": x, "y": y}, 100.0 + abs(x - 3) + abs(y - 7)) for x in range(size) for y in range(size)])


def test_a_space_knows_its_axes() -> None:
    space = Space.of([({"tile": tile, "mode": mode}, float(tile)) for tile in (32, 4, 16) for mode in ("b", "a") if (tile, mode) != (16, "a")])
    assert space.axes == {"tile": [4, 16, 32], "mode": ["a", "b"]}
    assert space.best() == ({"tile": 4, "mode": "b"}, 4.0)
    with pytest.raises(ValueError, match="is there twice"):
        Space.of([({"a": 1}, 1.0), ({"a": 1}, 2.0)])
    assert Space.of([({"v": "p"}, 1.0), ({"v": "q", "t": 2}, None)]).times_ns == {("p", None): 1.0, ("q", 2): None}


def test_learning_needs_less_than_drawing_on_a_valley(environment: None) -> None:
    climbed, bred, cooled, drawn = (simulate(bowl(), strategy, evaluations=100, repeats=200)
                                    for strategy in ("hill_climb", "genetic", "annealing", "random"))
    for learnt in (climbed, bred, cooled):
        assert learnt.needed(0) < 0.9 * drawn.needed(0)
    # The best of 100 is at an evenly drawn place: the median of 200 searches is 50 ± 4 at one standard deviation.
    assert 34 <= drawn.needed(0) <= 67
    assert climbed.needed(0.2) == 1  # every time is within 20 %: 113 of 100
    assert all(later <= earlier for times in climbed.best_ns for earlier, later in zip(times, times[1:]))
    assert drawn.median_ns()[-1] == 100 and len(drawn.median_ns()) == 100


def test_an_unknown_strategy_is_named_and_failures_reach_the_program(environment: None) -> None:
    with pytest.raises(benchctl.Refused, match="no strategy 'climb'; the program has all, random, hill_climb, genetic, annealing"):
        simulate(bowl(), "climb")
    found = simulate(Space.of([({"x": 0}, None), ({"x": 1}, 7.0)]), "all", repeats=1)
    assert found.best_ns == [[math.inf, 7.0]]


def test_a_search_is_repeatable_and_never_counts_a_configuration_twice(environment: None) -> None:
    assert simulate(bowl(), repeats=3, seed=4) == simulate(bowl(), repeats=3, seed=4) != simulate(bowl(), repeats=3, seed=5)
    assert simulate(bowl(), "hill_climb", evaluations=100, repeats=5).median_ns()[-1] == 100  # it restarts until it has seen all


def test_failures_are_counted_and_never_the_best() -> None:
    space = Space.of([({"x": 0}, None), ({"x": 1}, None), ({"x": 2}, 7.0)])

    def in_order(space: Space, source: random.Random) -> Generator[Any, float | None, None]:
        for _ in range(100):  # all but the first are answered and not counted
            assert (yield (0,)) is None
        yield (1,)
        assert (yield (2,)) == 7.0

    found = simulate(space, in_order, repeats=1)
    assert found.best_ns == [[math.inf, math.inf, 7.0]] and found.needed(0.5) == 3


def test_a_strategy_that_ends_early_keeps_its_best() -> None:
    def once(space: Space, source: random.Random) -> Generator[Any, float | None, None]:
        yield (9, 9)

    found = simulate(bowl(), once, evaluations=4, repeats=1)
    assert found.best_ns == [[108.0] * 4] and found.needed(0.05) == math.inf


def test_a_run_is_a_recorded_space(stored: Path) -> None:
    space = Space.of_run(benchctl.load(stored, 1), n=8)
    assert space.best() == ({"variant": "steady", **{name: space.best()[0][name] for name in space.axes if name != "variant"}}, 100_000)
    assert list(space.axes["ns"]) == [100_000, 200_000] and list(space.times_ns.values()).count(None) == 2
    with pytest.raises(ValueError, match="choose one problem and device"):
        Space.of_run(benchctl.load(stored, 1))
