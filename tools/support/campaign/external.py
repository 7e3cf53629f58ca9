"""The parts that are tools of their own: fuzzing and planted faults."""
import pathlib
import re
import subprocess

TOOLS = pathlib.Path(__file__).resolve().parents[2]
EXECUTIONS_PER_SECOND = 150  # of each target, so that all of them end in the time


def lines_of(command):
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield line.rstrip()
        code = process.wait()
    yield f"exit code {code}"


def fuzz(build, scratch, seconds, seed, report):
    del build, scratch, seed
    rows, code = {}, ""
    for line in lines_of([TOOLS / "fuzz", "--executions", str(max(1000, int(seconds * EXECUTIONS_PER_SECOND)))]):
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
