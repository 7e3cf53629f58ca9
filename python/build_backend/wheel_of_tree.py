"""Builds the wheel (PEP 517) with the standard library alone: the package is pure Python, and pip needs no network for it.

    python3 wheel_of_tree.py FOLDER    writes the wheel into FOLDER and prints its name
"""
from __future__ import annotations

import base64
import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def _metadata(project: dict[str, Any]) -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}", f"Summary: {project['description']}",
             f"License: {project['license']['text']}", f"Requires-Python: {project['requires-python']}"]
    for extra, packages in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {package}; extra == "{extra}"' for package in packages)]
    return "\n".join(lines) + "\n"


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """The hook of PEP 517: writes the wheel, returns its name. The same tree gives the same bytes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    stem = f"{project['name']}-{project['version']}"
    package = ROOT / project["name"]
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted(package.rglob("*")) if path.suffix == ".py" or path.name == "py.typed"}
    information = f"{stem}.dist-info"
    files[f"{information}/METADATA"] = _metadata(project).encode()
    files[f"{information}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: benchctl\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},{len(content)}\n"
                     for name, content in files.items())
    files[f"{information}/RECORD"] = f"{record}{information}/RECORD,,\n".encode()
    wheel = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # dated 1980
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return wheel


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(build_wheel(sys.argv[1]))
