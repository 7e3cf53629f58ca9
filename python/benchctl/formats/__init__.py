"""Results in the formats of other programs, each in a file of its own; T4 is read, too.

    python3 -m benchctl.formats bmf runs.db >bmf.json
"""
from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..results import Run
from . import bmf, github_action, google_benchmark, otava, t4

FORMATS: dict[str, Callable[[Run], Any]] = {
    "google-benchmark": google_benchmark.convert,
    "t4": t4.convert,
    "bmf": bmf.convert,
    "github-action-benchmark": github_action.convert,
    "otava": otava.convert,
}
"""What each gives: JSON as objects, otava a CSV as a text."""


def text(run: Run, name: str) -> str:
    """The run in a format of FORMATS, as the text of a file. Raises ValueError for an unknown one."""
    if name not in FORMATS:
        raise ValueError(f"the format '{name}' is not one of {', '.join(FORMATS)}")
    content = FORMATS[name](run)
    return content if isinstance(content, str) else json.dumps(content, indent=1, ensure_ascii=False) + "\n"
