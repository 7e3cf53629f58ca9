"""Prints a key for each C++ source: the hash of all that clang-tidy reads of this tree when it looks at the file.

Usage: lint_keys.py ROOT SALT <list of files, one a line

A line is `KEY FILE`. The key covers the file, the headers of this tree that it includes, directly or through others, and
SALT (the version of clang-tidy and its configuration). Headers of the system are not covered.
"""

import functools
import hashlib
import pathlib
import re
import sys

INCLUDE = re.compile(rb'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


def main() -> None:
    root, salt = pathlib.Path(sys.argv[1]), sys.argv[2]
    folders = [root / "core", root / "core/sdk/include", root / "plugins", root / "tests"]

    @functools.cache
    def read(file: pathlib.Path) -> tuple[bytes, list[str]]:
        text = file.read_bytes()
        return hashlib.sha256(text).digest(), [name.decode() for name in INCLUDE.findall(text)]

    @functools.cache
    def resolve(name: str, folder: pathlib.Path) -> pathlib.Path | None:
        plugin = [root.joinpath("plugins", folder.relative_to(root).parts[1])] if "plugins" in folder.parts else []
        for candidate in [folder, *plugin, *folders]:
            file = candidate / name
            if file.is_file():
                return file.resolve()
        return None

    for line in sys.stdin:
        source = pathlib.Path(line.rstrip("\n")).resolve()
        closure, open_files = {source}, [source]
        while open_files:
            file = open_files.pop()
            for name in read(file)[1]:
                found = resolve(name, file.parent)
                if found is not None and found not in closure:
                    closure.add(found)
                    open_files.append(found)
        digest = hashlib.sha256(salt.encode())
        for file in sorted(closure):
            digest.update(str(file.relative_to(root)).encode() + read(file)[0])
        print(digest.hexdigest(), source)


main()
