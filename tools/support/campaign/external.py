"""The parts that are tools of their own: fuzzing and planted faults."""
import os
import pathlib
import re
import subprocess

TOOLS = pathlib.Path(__file__).resolve().parents[2]
EXECUTIONS = 1_000_000  # of a target, at most


def lines_of(command):
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield line.rstrip()
        code = process.wait()
    yield f"exit code {code}"


def fuzz(build, scratch, seconds, seed, report):
    del build, scratch, seed
    rows, code = {}, ""
    targets = sum(1 for folder in (TOOLS.parent / "tests/fuzz/corpus").iterdir() if folder.is_dir())
    each = max(10, int(seconds * os.cpu_count() / targets))
    for line in lines_of([TOOLS / "fuzz", "--executions", str(EXECUTIONS), "--seconds", str(each)]):
        if match := re.fullmatch(r"(\S+): (\d+) executions, (\d+) crashes, features (\d+)", line):
            name, executions, crashes, features = match.groups()
            rows[f"`{name}`"] = (int(executions), int(crashes), f"{features} features")
            if int(crashes):
                report(f"fuzz {name}", [f"{crashes} inputs, in build/fuzz/crashes/{name}"])
        code = line
    if not rows and code != "exit code 4":
        report("fuzz", [code])
    return rows


def mutation(build, scratch, seconds, seed, report):
    """As many faults in stats and store as there is time for, at half a minute each."""
    del build, scratch
    rows = {}
    count = max(1, int(seconds / 30 / 2))
    for room in ("stats", "store"):
        for line in lines_of([TOOLS / "mutation", "--count", str(count), "--seed", str(seed % 10000), "--only", f"core/{room}/"]):
            if match := re.search(r"(\d+) of (\d+) faults were caught", line):
                caught, planted = map(int, match.groups())
                rows[f"planted faults in {room}"] = (planted, planted - caught, f"{100 * caught / planted:.0f} % caught")
                if caught < 0.95 * planted:
                    report(f"mutation {room}", [f"{planted - caught} of {planted} faults survive, see build/mutation/report.md"])
    return rows
