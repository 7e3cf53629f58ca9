"""Finding and calling the program `benchctl`."""
from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from .errors import ProgramMissing, error_of

FORMAT = 4
"""`schema_version` of the program's JSON that this package reads."""


def find(program: str | Path | None = None) -> Path:
    """The program: `program`, else $BENCHCTL_PROGRAM, that of the same installation, or the one in $PATH.

    Raises ProgramMissing if there is none.
    """
    given = program or os.environ.get("BENCHCTL_PROGRAM")
    if given:
        found = shutil.which(given)
        if found is None:
            raise ProgramMissing(f"there is no program '{given}'")
        return Path(found)
    here = Path(__file__).resolve()
    beside = [here.parents[depth] / place for depth, place in ((4, "bin/benchctl"), (2, "build/release/bin/benchctl")) if depth < len(here.parents)]
    for candidate in beside:
        if os.access(candidate, os.X_OK) and candidate.is_file():
            return candidate
    found = shutil.which("benchctl")
    if found is None:
        raise ProgramMissing("the program benchctl was not found: install its package, or name it with program=… or $BENCHCTL_PROGRAM")
    return Path(found)


def options_of(options: dict[str, Any]) -> list[str]:
    """Keyword arguments as options: fresh=True is `--fresh`, filter=["a", "b"] is `--filter a --filter b`,
    set={"n": [256]} is `--set n=[256]`; None and False are left out."""
    words: list[str] = []
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, dict):
            for key, element in value.items():
                words += [option, f"{key}={element if isinstance(element, str) else json.dumps(element)}"]
        else:
            for element in value if isinstance(value, (list, tuple)) else [value]:
                words += [option, str(element)]
    return words


def call(arguments: Sequence[str], *, program: str | Path | None = None, fine: Sequence[int] = (0,)) -> str:
    """Standard output of a command that does not measure. Raises the error of an exit code that is not `fine`."""
    done = subprocess.run([str(find(program)), *arguments], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                          errors="replace", check=False)
    if done.returncode not in fine:
        raise error_of(done.returncode, words_of(done.stderr))
    return done.stdout


def document(arguments: Sequence[str], *, program: str | Path | None = None, fine: Sequence[int] = (0,)) -> dict[str, Any]:
    """The JSON that a command writes."""
    return checked(json.loads(call([*arguments, "--format", "json"], program=program, fine=fine)), "schema_version")


def checked(parsed: dict[str, Any], key: str) -> dict[str, Any]:
    """The same, if this package knows its version. Raises ValueError."""
    if parsed.get(key) != FORMAT:
        raise ValueError(f"this package reads version {FORMAT} of benchctl's JSON, and found {parsed.get(key)}: "
                         "install program and package from one version")
    return parsed


def words_of(text: str) -> str:
    """What the program said on standard error, without how errors begin."""
    return "\n".join(line.removeprefix("benchctl: error: ") for line in text.splitlines()).strip()


class Stream:
    """A command that writes a JSON object a line, as events. Ctrl-C goes to the program, which ends in order."""

    def __init__(self, arguments: Sequence[str], text: str | None, *, program: str | Path | None = None) -> None:
        self.exit_code = 0
        self.interrupted = False
        self.errors = ""
        """What it wrote on standard error."""
        # A group of its own: a terminal would send Ctrl-C to the program once more.
        self._process = subprocess.Popen([str(find(program)), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, encoding="utf-8", errors="replace", process_group=0)
        self._lines: queue.Queue[tuple[bool, str | None]] = queue.Queue()
        assert self._process.stdin and self._process.stdout and self._process.stderr
        for is_event, pipe in ((True, self._process.stdout), (False, self._process.stderr)):
            threading.Thread(target=self._read, args=(pipe, is_event), daemon=True).start()
        try:
            with self._process.stdin as pipe:
                pipe.write(text or "")
        except BrokenPipeError:
            pass  # it said why on standard error

    def _read(self, pipe: IO[str], is_event: bool) -> None:
        with pipe:
            for line in pipe:
                self._lines.put((is_event, line))
        self._lines.put((is_event, None))

    def listen(self, on_event: Callable[[dict[str, Any]], None]) -> None:
        """Calls this until the program has ended. If it raises, the program is stopped."""
        open_pipes = 2
        try:
            while open_pipes:
                try:
                    is_event, line = self._lines.get()
                    if line is None:
                        open_pipes -= 1
                    elif is_event and line.endswith("\n"):  # else the program died while it wrote
                        on_event(checked(json.loads(line), "format"))
                    elif not is_event:
                        self.errors += line
                except KeyboardInterrupt:
                    self.interrupted = True
                    self._process.send_signal(signal.SIGINT)
        except BaseException:
            self._process.terminate()
            raise
        finally:
            self.exit_code = self._process.wait()
