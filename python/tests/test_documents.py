"""The notebook and the page of the documents are carried out as they stand."""
from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import pytest

import benchctl
from conftest import ROOT

PAGE = ROOT / "docs/python.md"
FENCE = re.compile(r"((?:^<!-- not run: [^\n]* -->\n)?)^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("notebook", sorted((ROOT / "examples/python").glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_runs(notebook: Path, pocl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    for package in ("ipykernel", "pandas", "matplotlib_inline"):
        pytest.importorskip(package)
    monkeypatch.delenv("MPLBACKEND")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "python"))
    cells = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(cells, timeout=200, startup_timeout=200, resources={"metadata": {"path": str(pocl)}}).execute()
    outputs = [output for cell in cells.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = [set(output.get("data", {})) for output in outputs]
    assert sum("image/png" in kind for kind in kinds) == 2
    assert any("fastest" in output["data"].get("text/html", "") for output in outputs if "data" in output)
    progress = [str(output["data"]["text/plain"]) for output in outputs if "benchctl: " in str(output.get("data", {}).get("text/plain"))]
    assert len(progress) == 2 and "benchctl: 4 of 4 points" in progress[0]


def test_the_page_runs(pocl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("numpy", "pandas", "matplotlib"):
        pytest.importorskip(package)
    from matplotlib import pyplot
    monkeypatch.setattr(benchctl, "tune", functools.partial(benchctl.tune, measure={"max_seconds": 0.1}))
    names: dict[str, Any] = {"__name__": "page"}
    fences = FENCE.findall(PAGE.read_text(encoding="utf-8"))
    for mark, text in fences:
        compiled = compile(text, str(PAGE), "exec")
        if not mark:
            exec(compiled, names)
    pyplot.close("all")
    assert sum(not mark for mark, _ in fences) >= 4
    assert names["best"]["tunables"]["BX"] in (16, 64)
