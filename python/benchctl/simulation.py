"""Search strategies on recorded spaces: what would they have found, after how many measurements?"""
from __future__ import annotations

import math
import random
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

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

    def neighbours(self, configuration: Configuration) -> list[Configuration]:
        """Those of the space that differ in one axis, by one value."""
        found = []
        for place, values in enumerate(self.axes.values()):
            index = list(values).index(configuration[place])
            for other in (index - 1, index + 1):
                if 0 <= other < len(values):
                    found.append((*configuration[:place], values[other], *configuration[place + 1:]))
        return [neighbour for neighbour in found if neighbour in self.times_ns]


def _in_order(values: set[Any]) -> list[Any]:
    """Numbers first, in order; then what else there is, by its text."""
    return sorted(values, key=lambda value: (0, value, "") if isinstance(value, (int, float)) else (1, 0, str(value)))


def random_order(space: Space, source: random.Random) -> Generator[Configuration, float | None, None]:
    """Draws evenly, none twice."""
    order = list(space.times_ns)
    source.shuffle(order)
    for configuration in order:
        yield configuration


def hill_climb(space: Space, source: random.Random) -> Generator[Configuration, float | None, None]:
    """From the best of four random configurations to the best neighbour until none is better; then again, as the program does."""
    everything = list(space.times_ns)
    while True:
        here, time = None, math.inf
        candidates = [source.choice(everything) for _ in range(4)]
        while candidates:
            before = time
            for candidate in candidates:
                ns = yield candidate
                if ns is not None and ns < time:
                    here, time = candidate, ns
            candidates = space.neighbours(here) if here is not None and time < before else []


STRATEGIES: dict[str, Strategy] = {"random": random_order, "hill_climb": hill_climb}


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


def simulate(space: Space, strategy: str | Strategy = "hill_climb", *, evaluations: int = 100, repeats: int = 100, seed: int = 1) -> Simulation:
    """Runs a strategy `repeats` times on a recorded space, for at most `evaluations` measurements each.

    A configuration that is proposed again is answered and not counted. Every search has a seed of its own, drawn from `seed`.
    Raises KeyError for an unknown strategy; the known ones are "random" and "hill_climb".
    """
    search = STRATEGIES[strategy] if isinstance(strategy, str) else strategy
    seeds = random.Random(seed)
    limit = min(evaluations, len(space.times_ns))
    found = [_search(space, search(space, random.Random(seeds.random())), limit) for _ in range(repeats)]
    return Simulation(found, space.best()[1])


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
    return best + (best[-1:] or [math.inf]) * (limit - len(best))
