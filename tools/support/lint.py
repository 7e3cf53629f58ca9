"""Lints what a build compiles, as far as it is not known to be clean.

Usage: lint.py ROOT BUILD PROGRAM PATTERN

BUILD has the compile commands of groups of sources, as CMake's unity builds make them. PROGRAM (clang-tidy) looks at each
group, which takes about as long as one source of it; then each source of a group is compiled alone, which finds a missing
include. What was clean has a file in BUILD/clean, whose name is a hash of all that was read of this tree (not of the
system's headers), of the command, and of the configuration. PATTERN: only groups with a source that matches.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

INCLUDE = re.compile(rb'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
NOISE = re.compile(r"^\d+ warnings? (generated|treated as error).*\n?", re.MULTILINE)
ROOT, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).absolute()
PROGRAM, PATTERN = sys.argv[3], re.compile(sys.argv[4])
FOLDERS = [ROOT / "core", ROOT / "core/sdk/include", ROOT / "plugins", ROOT / "tests"]


@functools.cache
def read(file: pathlib.Path) -> tuple[bytes, list[str]]:
    text = file.read_bytes()
    return hashlib.sha256(text).digest(), [name.decode() for name in INCLUDE.findall(text)]


@functools.cache
def resolve(name: str, folder: pathlib.Path) -> pathlib.Path | None:
    plugin = [ROOT.joinpath(*folder.relative_to(ROOT).parts[:2])]
    for candidate in [folder, *plugin, *FOLDERS]:
        file = candidate / name
        if file.is_file() and ROOT in file.resolve().parents:
            return file.resolve()
    return None


def key(command: list[str], source: pathlib.Path, salt: str) -> str:
    """Hash of all that a command reads of this tree."""
    closure, open_files = {source}, [source]
    while open_files:
        file = open_files.pop()
        for name in read(file)[1]:
            found = resolve(name, file.parent)
            if found is not None and found not in closure:
                closure.add(found)
                open_files.append(found)
    digest = hashlib.sha256(json.dumps([salt, command]).encode())
    for file in sorted(closure):
        digest.update(str(file.relative_to(ROOT)).encode() + read(file)[0])
    return digest.hexdigest()


def compile_alone(command: list[str], unit: pathlib.Path, source: pathlib.Path) -> list[str]:
    """The command that compiled `unit`, for one source of it and without an output."""
    arguments = [str(source) if argument == str(unit) else argument for argument in command]
    output = arguments.index("-o")
    del arguments[output : output + 2]
    return [argument for argument in arguments if argument != "-c"] + ["-fsyntax-only"]


def commands() -> list[tuple[list[str], pathlib.Path]]:
    """What is run, and the source that it reads."""
    found = []
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        unit = pathlib.Path(entry["file"])
        sources = [unit]
        if BUILD in unit.parents and not unit.name.startswith("unity_"):
            continue  # made by the build, not written by anybody
        if BUILD in unit.parents:
            sources = [pathlib.Path(name) for name in read(unit)[1] if name.endswith(".cpp")]
        if not any(PATTERN.search(str(source)) for source in sources if BUILD not in source.parents):
            continue
        # GCC's own warning flags mean nothing to clang; a group includes sources.
        tidy = [PROGRAM, "-p", str(BUILD), "--quiet", "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-error"]
        if sources != [unit]:
            tidy.append("--checks=-bugprone-suspicious-include")
            compiler = shlex.split(entry["command"])
            found += [(compile_alone(compiler, unit, source), source) for source in sources]
        found.append(([*tidy, str(unit)], unit))
    return found


def main() -> None:
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    salt = version + (ROOT / ".clang-tidy").read_text()
    known = BUILD / "clean"
    known.mkdir(exist_ok=True)
    jobs = {key(command, source, salt): command for command, source in commands()}
    if not jobs:
        sys.exit(f"lint: no source matches '{PATTERN.pattern}'")
    unknown = {name: command for name, command in jobs.items() if not (known / name).exists()}

    def run(name: str) -> bool:
        done = subprocess.run(unknown[name], capture_output=True, text=True, check=False)
        text = NOISE.sub("", done.stdout + done.stderr)
        if done.returncode == 0:
            (known / name).touch()
        elif text:
            print(text, flush=True)
        return done.returncode == 0

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        clean = all(list(pool.map(run, unknown)))
    if not clean:
        sys.exit("lint: there are findings, see above")
    print(f"lint: clean; {len(unknown)} of {len(jobs)} steps were not known to be; every header compiles alone")


main()
