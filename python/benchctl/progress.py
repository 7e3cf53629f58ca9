"""What a run shows while it measures: a line in a terminal, or in a notebook's cell."""
from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from typing import Any

from .results import has_failed


def time_text(ns: float) -> str:
    """`14.3 µs`: three digits, as the program shows times. `ns` in nanoseconds."""
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if abs(ns) >= factor:
            return f"{float(f'{ns / factor:.3g}'):g} {unit}"
    return f"{float(f'{ns:.3g}'):g} ns"


class Progress:
    """How far a run is."""

    def __init__(self) -> None:
        self.total: int | None = None
        """Points to measure, once the program has told."""
        self.doing = ""
        """The present step: compiling, verifying, sampling, auditing, …"""
        self.rows: dict[int, dict[str, Any]] = {}
        """The latest row of each point, by its number."""
        self.done = False
        """Has the program ended?"""
        self._begun = time.monotonic()

    def add(self, event: dict[str, Any]) -> None:
        """A line of `benchctl run --format jsonl`, which tells of a step or has the row of a point."""
        if event["type"] == "point":
            self.rows[event["row"]["point"]] = event["row"]
        else:
            self.doing, self.total = event["doing"], event["total"]

    @property
    def seconds(self) -> float:
        """Since the call."""
        return time.monotonic() - self._begun

    def __str__(self) -> str:
        done = sum(row["status"] != "skipped" and not row["reused"] for row in self.rows.values())
        timed = [row for row in self.rows.values() if row["median_ns"] is not None]
        failed = sum(map(has_failed, self.rows.values()))
        text = f"benchctl: {done}{f' of {self.total}' if self.total and self.total >= done else ''} points, {self.seconds:.0f} s"
        if self.doing and not self.done:
            text += f", {self.doing}"
        if failed:
            text += f", {failed} failed"
        if timed:
            best = min(timed, key=lambda row: float(row["median_ns"]))
            text += f"; shortest {time_text(best['median_ns'])}: {best['label']}"
        return text


def display() -> Callable[[Progress], None] | None:
    """What shows progress here: None where nobody looks (a file, a pipe)."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if type(shell).__name__ == "ZMQInteractiveShell":
        return _notebook()
    if sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        return _terminal
    return None


def _terminal(progress: Progress) -> None:
    """One line that is written over."""
    width = shutil.get_terminal_size().columns - 1
    sys.stderr.write(f"\r{str(progress)[:width]}\x1b[K" + "\n" * progress.done)
    sys.stderr.flush()


def _notebook() -> Callable[[Progress], None]:
    from IPython.display import Pretty, display as show

    handle = show(Pretty("benchctl: starting"), display_id=True)

    def update(progress: Progress) -> None:
        handle.update(Pretty(str(progress)))

    return update
