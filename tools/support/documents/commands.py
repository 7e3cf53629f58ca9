"""Commands of the pages: their options exist, their files exist, and those of a tutorial are carried out.

The line before a fence may be a comment:
  <!-- file NAME -->         the fence is this file. A page with such files is a tutorial: its commands run in one folder
  <!-- not run: REASON -->   the fence is checked and not carried out
"""
import functools
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import tomllib

from . import pages, tracked

INLINE = re.compile(r"`(benchctl [^`\n]+)`")
OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*|-[a-z])\b")


@functools.cache
def _help(program, *command):
    """Empty for what is not a command."""
    shown = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=False)
    return shown.stdout if shown.returncode == 0 else ""


def _fault_of_benchctl(program, words):
    """What is wrong with this command line, or None."""
    command, rest = (), words[2:] if words[:1] == ["--plugin-path"] else words
    while (rest and re.fullmatch(r"[a-z-]*[a-z]", rest[0]) and
           _help(program, *command, rest[0]) not in ("", _help(program, *command))):
        command, rest = (*command, rest[0]), rest[1:]
    if not command:
        return f"benchctl has no command '{rest[0]}'" if rest and not rest[0].startswith("-") and rest[0].islower() else None
    known = set(OPTION.findall(_help(program, *command) + _help(program)))
    options = filter(OPTION.fullmatch, (word.partition("=")[0] for word in rest))
    return next((f"`benchctl {' '.join(command)}` has no option {option}" for option in options if option not in known), None)


def _lines(text):
    """Command lines as lists of words, without comments."""
    for line in text.replace("\\\n", " ").split("\n"):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            continue
        part = []
        for word in words + ["&&"]:
            if word in ("&&", ";", "|"):
                if part:
                    yield part
                part = []
            else:
                part.append(word)


def _fault(tree, program, words):
    if words[0].startswith("tools/"):
        tool = tree / words[0]
        if not os.access(tool, os.X_OK):
            return f"there is no {words[0]}"
        text = tool.read_text(encoding="utf-8")
        return next((f"{words[0]} has no option {word}" for word in words[1:] if word.startswith("--") and word not in text), None)
    if "benchctl" not in words:
        return None
    words = words[words.index("benchctl") + 1:]
    missing = next((word for word in words if re.match(r"(configs|examples)/.*\.toml$", word) and not (tree / word).exists()), None)
    return f"there is no {missing}" if missing else _fault_of_benchctl(program, words)


def _is_commands(fence):
    return fence.language in ("", "sh") and any(words[0].startswith("tools/") or "benchctl" in words for words in _lines(fence.text))


def _unbuilt(done):
    """Did it fail because this build has left a backend out?"""
    return "unknown backend" in done.stderr


def _toml(fence, name, program, environment, folder):
    """Complaints about a piece of TOML; a whole config is checked by the program."""
    try:
        content = tomllib.loads(fence.text)
    except tomllib.TOMLDecodeError as error:
        return [f"{name}: TOML: {error}"]
    if not {"experiment", "sweep"} <= content.keys():
        return []
    config = pathlib.Path(folder) / "page.toml"
    config.write_text(fence.text, encoding="utf-8")
    checked = subprocess.run([program, "check", config], capture_output=True, text=True, check=False, env=environment, cwd=folder)
    return [f"{name}: `benchctl check`: {checked.stdout}{checked.stderr}"] if checked.returncode and not _unbuilt(checked) else []


def check(tree, program):
    """What was looked at, and complaints."""
    faults, checked, carried_out = [], 0, 0
    environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
    environment.pop("BENCHCTL_DB", None)
    for page in pages.of(tree):
        name, text = str(page.relative_to(tree)), page.read_text(encoding="utf-8")
        fences = pages.fences(text)
        with tempfile.TemporaryDirectory() as folder:
            environment["BENCHCTL_LOCK_FILE"] = f"{folder}/lock"
            files = [fence for fence in fences if fence.mark.startswith("file ")]
            for fence in files:
                (pathlib.Path(folder) / fence.mark.removeprefix("file ")).write_text(fence.text, encoding="utf-8")
            for fence in fences:
                if fence.language == "toml":
                    faults += _toml(fence, name, program, environment, folder)
                if not _is_commands(fence):
                    continue
                for words in _lines(fence.text):
                    checked += 1
                    fault = _fault(tree, program, words)
                    if fault:
                        faults.append(f"{name}: {shlex.join(words)}: {fault}")
                    elif files and words[0] == "benchctl" and not fence.mark.startswith("not run: "):
                        carried_out += 1
                        # In a second a run measures one point at least.
                        words += ["--budget", "1s"] if words[1] == "run" else []
                        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, env=environment)
                        if done.returncode not in (0, 6) and not _unbuilt(done):
                            faults.append(f"{name}: {shlex.join(words)}: exit code {done.returncode}: {done.stdout}{done.stderr}")
        for command in INLINE.findall(tracked.prose(text)):
            checked += 1
            fault = next((fault for words in _lines(command) if (fault := _fault(tree, program, words))), None)
            if fault:
                faults.append(f"{name}: {command}: {fault}")
    return f"{checked} commands, {carried_out} of them carried out", faults
