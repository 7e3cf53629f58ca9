from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT

PACKAGE = ROOT / "python"
PROJECT = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))


def build(folder: Path) -> Path:
    done = subprocess.run([sys.executable, str(PACKAGE / "build_backend/wheel_of_tree.py"), str(folder)], capture_output=True, encoding="utf-8", check=True)
    return folder / done.stdout.strip()


def test_the_version_is_that_of_the_program() -> None:
    version = re.search(r"project\(benchctl VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert version and PROJECT["project"]["version"] == version[1]


def test_the_wheel_is_complete_and_the_same_each_time(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    wheel = build(tmp_path)
    assert wheel.name == f"benchctl-{PROJECT['project']['version']}-py3-none-any.whl"
    assert wheel.read_bytes() == build(tmp_path / "again").read_bytes()
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert {name for name in names if name.startswith("benchctl/")} == {
            path.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "benchctl").rglob("*") if path.suffix in (".py", ".typed")}
        information = next(name for name in names if name.endswith("/RECORD")).partition("/")[0]
        record = {line.split(",")[0]: line.split(",")[1:] for line in archive.read(f"{information}/RECORD").decode().splitlines()}
        assert set(record) == set(names)
        for name, (digest, size) in record.items():
            if name != f"{information}/RECORD":
                content = archive.read(name)
                assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                assert int(size) == len(content)
        metadata = archive.read(f"{information}/METADATA").decode()
        assert "Requires-Python: >=3.11\n" in metadata and 'Requires-Dist: pandas; extra == "analysis"\n' in metadata


def test_it_is_imported_from_the_wheel_with_the_standard_library_alone(tmp_path: Path) -> None:
    script = (f"import sys; sys.path.insert(0, {str(build(tmp_path))!r}); import benchctl; assert 'benchctl-' in benchctl.__file__\n"
              "print([name for name in ('numpy', 'pandas', 'matplotlib', 'IPython') if name in sys.modules])")
    assert subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True).stdout == "[]\n"


def test_pip_installs_it_without_a_network(tmp_path: Path) -> None:
    pytest.importorskip("pip")
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", "--no-cache-dir", "--target",
                    str(tmp_path / "there"), str(PACKAGE)], check=True, cwd=tmp_path)
    assert (tmp_path / "there/benchctl/py.typed").exists()
    assert (tmp_path / f"there/benchctl-{PROJECT['project']['version']}.dist-info/METADATA").exists()


def test_types_are_right(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    for package in ("numpy", "pandas", "matplotlib"):
        pytest.importorskip(package)
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)], cwd=PACKAGE, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


def test_files_are_small() -> None:
    lines = {path.relative_to(PACKAGE).as_posix(): path.read_bytes().count(b"\n") for folder in ("benchctl", "build_backend")
             for path in (PACKAGE / folder).rglob("*.py")}
    assert sum(lines.values()) <= 1500
    assert max(count for name, count in lines.items() if "/formats/" in name) <= 60
