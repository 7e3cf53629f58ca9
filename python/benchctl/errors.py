"""What goes wrong, as types. Every text is the program's own."""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .results import Run


class BenchctlError(RuntimeError):
    """The program ended with `exit_code` (None: it was not started), and its message is the text."""

    def __init__(self, message: str, exit_code: int | None = None, run: Run | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.run = run
        """The results that are there all the same."""


class ProgramMissing(BenchctlError):
    """The program `benchctl` was not found."""


class Refused(BenchctlError):
    """Exit code 2: wrong usage, an error in the config, or another benchctl is measuring."""


class PointsFailed(BenchctlError):
    """Exit code 1: a point failed. `run` has all results."""


class Incomplete(BenchctlError):
    """Exit code 6: a budget left points out, or all points were ruled out. `run` has the results."""


class Interrupted(KeyboardInterrupt):
    """Exit code 130, after Ctrl-C: the same call resumes. `run` has the results so far, or is None."""

    def __init__(self, message: str, run: Run | None = None) -> None:
        super().__init__(message)
        self.run = run


_BY_EXIT_CODE: dict[int, type[BenchctlError]] = {1: PointsFailed, 2: Refused, 6: Incomplete}


def error_of(exit_code: int, message: str, run: Run | None = None) -> BenchctlError:
    """The error that stands for an exit code of the program."""
    if exit_code < 0:
        message = f"benchctl was ended by signal {-exit_code}\n{message}".rstrip()
    return _BY_EXIT_CODE.get(exit_code, BenchctlError)(message or f"benchctl ended with exit code {exit_code}", exit_code, run)


def need(module: str, purpose: str) -> Any:
    """The module of an optional package. Raises ImportError that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise ImportError(f"{purpose} needs {package}: install the Debian package python3-{package}, or `pip install {package}`") from None
