"""Search strategies on recorded spaces: what would they have found, after how many measurements?"""
from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from .program import call
from .results import Run

Configuration = tuple[Any, ...]
"""A value for each axis, in the order of the axes."""
Strategy = Callable[["Space", random.Random], Generator[Configuration, "float | None", None]]
"""Yields configurations of the space and is sent the time of each in ns, or None if it failed; may end at any time."""


@dataclass(frozen=True)
class Space:
    """Configurations that were all measured before."""

    axes: Mapping[str, Sequence[Any]]
    """Names of tunables with their values in order."""
    times_ns: Mapping[Configuration, float | None]
    """Median time of each, in ns; None if it failed."""

    @staticmethod
    def of(points: Sequence[tuple[Mapping[str, Any], float | None]]) -> Space:
        """From configurations by name with their times in ns. Raises ValueError for one that stands there twice."""
        names = list(dict.fromkeys(name for configuration, _ in points for name in configuration))
        times: dict[Configuration, float | None] = {}
        for configuration, ns in points:
            key = tuple(configuration.get(name) for name in names)
            if key in times:
                raise ValueError(f"the configuration {dict(configuration)} is there twice: choose one problem and device")
            times[key] = ns
        return Space({name: _in_order({key[place] for key in times}) for place, name in enumerate(names)}, times)

    @staticmethod
    def of_run(run: Run, **match: Any) -> Space:
        """The points of a run that competed or failed, by variant and tunables. `match` chooses as in Run.best()."""
        rows = run.select(**match)
        several = len({row["variant"] for row in rows}) > 1
        return Space.of([((({"variant": row["variant"]} if several else {}) | row["tunables"]), row["median_ns"] if row["verified"] else None)
                         for row in rows if row["status"] not in ("skipped", "not_run")])

    def best(self) -> tuple[dict[str, Any], float]:
        """The fastest configuration and its time in ns. Raises ValueError if all failed."""
        timed = {key: ns for key, ns in self.times_ns.items() if ns is not None}
        key = min(timed, key=timed.__getitem__)
        return dict(zip(self.axes, key)), timed[key]


def _in_order(values: set[Any]) -> list[Any]:
    """Numbers first, in order; then what else there is, by its text."""
    return sorted(values, key=lambda value: (0, value, "") if isinstance(value, (int, float)) else (1, 0, str(value)))


@dataclass(frozen=True)
class Simulation:
    """What searches of one strategy found."""

    best_ns: list[list[float]]
    """For each search the best time in ns after 1, 2, 3 … measurements; infinite before the first that did not fail."""
    optimum_ns: float
    """The best time of the space."""

    def median_ns(self) -> list[float]:
        """Median over the searches, by measurement."""
        return [median(times) for times in zip(*self.best_ns)]

    def needed(self, within: float) -> float:
        """Median number of measurements until a time is at most `within` (0.05: 5 %) above the optimum; infinite if
        half of the searches do not come there."""
        goal = self.optimum_ns * (1 + within)
        return median(next((count for count, ns in enumerate(times, 1) if ns <= goal), math.inf) for times in self.best_ns)


def simulate(space: Space, strategy: str | Strategy = "hill_climb", *, evaluations: int = 100, repeats: int = 100, seed: int = 1,
             program: str | Path | None = None) -> Simulation:
    """Runs a strategy `repeats` times on a recorded space, for at most `evaluations` measurements each.

    A name is one of the program's strategies (`benchctl list --strategies`), which the program itself runs as in a search. A
    configuration that a strategy of your own proposes again is answered and not counted. Every search has a seed of its own, drawn
    from `seed`. Raises Refused for an unknown name.
    """
    source = random.Random(seed)
    seeds = [source.getrandbits(53) for _ in range(repeats)]
    limit = min(evaluations, len(space.times_ns))
    found = (_by_program(space, strategy, seeds, limit, program) if isinstance(strategy, str)
             else [_search(space, strategy(space, random.Random(one)), limit) for one in seeds])
    return Simulation([best + (best[-1:] or [math.inf]) * (limit - len(best)) for best in found], space.best()[1])


def _by_program(space: Space, strategy: str, seeds: list[int], limit: int, program: str | Path | None) -> list[list[float]]:
    places = [{value: place for place, value in enumerate(values)} for values in space.axes.values()]
    points = [[*(places[axis][value] for axis, value in enumerate(key)), ns] for key, ns in space.times_ns.items()]
    asked = {"strategy": strategy, "lengths": [len(axis) for axis in places], "points": points, "seeds": seeds, "most": limit}
    answer = json.loads(call(["simulate"], program=program, text=json.dumps(asked)))
    return [[math.inf if ns is None else float(ns) for ns in best] for best in answer]


def _search(space: Space, proposals: Generator[Configuration, float | None, None], limit: int) -> list[float]:
    known: set[Configuration] = set()
    best: list[float] = []
    again = 0
    answer = None
    while len(best) < limit and again < 100 * limit:  # what only proposes known ones has ended, too
        try:
            proposal = proposals.send(answer)
        except StopIteration:
            break
        answer = space.times_ns[proposal]
        again += 1
        if proposal not in known:
            known.add(proposal)
            again = 0
            best.append(min(best[-1] if best else math.inf, math.inf if answer is None else answer))
    return best
