"""Measuring a config."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import program as programs
from . import toml
from .errors import Interrupted, PointsFailed, error_of
from .progress import Progress, display
from .results import Run, has_failed, of_store

_OWN_OPTIONS = {"format": "run always reads jsonl", "in_process": "a crash of a plugin would end the run", "quiet": "progress=False shows nothing"}


def run(config: str | Path | Mapping[str, Any], *, check: bool = True, progress: bool | Callable[[Progress], None] | None = None,
        program: str | Path | None = None, **options: Any) -> Run:
    """Measures a config by `benchctl run` and returns its results, which stay in the store.

    config    a TOML file, the name of an installed config, or the config as a dictionary: keys as in TOML,
              `kernel` and `sweep` are lists of dictionaries; files that it names are looked for in the working directory
    check     raise if the exit code is not 0: PointsFailed, Incomplete; their `run` has the results all the same
    progress  False: none; a function is called with a `Progress` at each change; default: a line, where somebody looks
    program   the program, if not that of the installation or of $PATH
    options   those of `benchctl run`: db="runs.db", budget="60s", fresh=True, set={"n": [256]}, filter=["*tiled*"]

    Raises Refused with the program's message for an error in the config, and Interrupted after Ctrl-C.
    """
    for name in _OWN_OPTIONS.keys() & options:
        raise TypeError(f"run() takes no option {name}: {_OWN_OPTIONS[name]}")
    text = toml.dumps(config) if isinstance(config, Mapping) else None
    words = ["run", "-" if text is not None else str(config), "--quiet", "--format", "jsonl", *programs.options_of(options)]
    state = Progress()
    show = progress if callable(progress) else None if progress is False else display()
    summaries: list[dict[str, Any]] = []

    def on_event(event: dict[str, Any]) -> None:
        if event["type"] == "summary":
            summaries.append(event)
            return
        state.add(event)
        if show:
            show(state)

    stream = programs.Stream(words, text, program=program)
    stream.listen(on_event)
    state.done = True
    if show and state.rows:
        show(state)
    return _outcome(stream, summaries, check, program)


def _outcome(stream: programs.Stream, summaries: list[dict[str, Any]], check: bool, program: str | Path | None) -> Run:
    said = programs.words_of(stream.errors)
    result = None
    if summaries:
        summary = summaries[-1]
        result = of_store(summary["store"], summary["run"], summary, program)
        result.messages = said
        said = str(summary["meaning"])
    if stream.interrupted or stream.exit_code == 130:
        raise Interrupted(said or "interrupted", result)
    if result is not None and (stream.exit_code == 0 or not check and stream.exit_code in (1, 6)):
        return result
    error = error_of(stream.exit_code, said, result)
    if result is not None and isinstance(error, PointsFailed):
        error.args = ("\n".join([said, *_failures(result)]),)
    raise error


def _failures(result: Run, most: int = 10) -> list[str]:
    """A line for each point that failed, with the first line of its reason."""
    failed = [row for row in result.rows if has_failed(row)]
    lines = [f"{row['label']}: {row['status']}: {(row['reason'].splitlines() or [''])[0]}" for row in failed[:most]]
    return lines + ([f"and {len(failed) - most} more"] if len(failed) > most else [])
