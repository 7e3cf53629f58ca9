"""Runs on the scripted backend of tests/fake, whose times do not depend on the machine, and on PoCL."""
from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("MPLBACKEND", "agg")
import benchctl  # noqa: E402
from benchctl import program as programs  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program() -> Path:
    try:
        return programs.find().resolve()
    except benchctl.ProgramMissing as error:
        if "BENCHCTL_PROGRAM" in os.environ:
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def scripted_plugins(program: Path) -> Path:
    folder = program.parents[1] / "libexec/benchctl/tests/plugins"
    if not folder.is_dir():
        pytest.skip(f"there is no scripted backend in {folder}: build the tests")
    return folder


@pytest.fixture(scope="session")
def environment(program: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing of this machine's is used or waited for."""
    shared = tmp_path_factory.mktemp("shared")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BENCHCTL_PROGRAM", str(program))
        patch.setenv("BENCHCTL_LOCK_FILE", str(shared / "machine.lock"))
        patch.setenv("BENCHCTL_CACHE_DIR", str(shared / "cache"))
        patch.setenv("POCL_AFFINITY", "0")
        patch.delenv("BENCHCTL_DB", raising=False)
        yield


@pytest.fixture
def folder(environment: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scripted(folder: Path, scripted_plugins: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, with the scripted backend."""
    monkeypatch.setenv("BENCHCTL_PLUGIN_PATH", str(scripted_plugins))
    return folder


@pytest.fixture
def pocl(folder: Path) -> Path:
    backends = json.loads(programs.call(["list", "--devices", "--format", "json"]))["backends"]
    if not any(backend["backend"] == "opencl" and backend["devices"] for backend in backends):
        pytest.skip("no OpenCL device: install pocl-opencl-icd")
    return folder


def scripted_config(variants: list[str], **axes: Any) -> dict[str, Any]:
    """Times of the scripted backend are those of its tunable `ns`."""
    return {"experiment": {"name": "scripted", "order": "written", "roofs": "none"}, "measure": {"samples": 20, "span_seconds": 0},
            "sweep": [{"workload": "matmul", "backends": ["fake"], "variants": variants, "parameters": {"n": [8], **axes}}]}


@pytest.fixture(scope="session")
def stored(environment: None, scripted_plugins: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two runs of eight points each."""
    store = tmp_path_factory.mktemp("stored") / "runs.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BENCHCTL_PLUGIN_PATH", str(scripted_plugins))
        for percent in ("0", "50"):
            patch.setenv("BENCHCTL_FAKE_SLOWER_PERCENT", percent)
            benchctl.run(scripted_config(["steady", "wrong"], n=[8, 16], ns=[100_000, 200_000]), db=store, fresh=True, check=False)
    return store


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes a program of a few lines of Python that stands in for benchctl."""

    def make(body: str) -> Path:
        file = tmp_path / "pretended"
        file.write_text(f"#!{sys.executable}\nimport json, os, signal, sys, time\n{body}\n", encoding="utf-8")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("BENCHCTL_PROGRAM", str(file))
        return file

    return make
