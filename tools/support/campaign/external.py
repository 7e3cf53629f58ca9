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


def fuzz(build, scratch, seconds, seed, report, logs=None):
    """`logs`: the folder of what tools/fuzz has said before, which is counted instead of fuzzing: TARGET.log, or more of a
    target as TARGET.N.log."""
    del build, scratch, seed
    targets = [folder.name for folder in (TOOLS.parent / "tests/fuzz/corpus").iterdir() if folder.is_dir()]
    code = 0
    if logs is None:
        logs = TOOLS.parent / "build/fuzz"
        for target in targets:
            (logs / f"{target}.log").unlink(missing_ok=True)
        each = max(10, int(seconds * os.cpu_count() / len(targets)))
        code = subprocess.run([TOOLS / "fuzz", "--executions", str(EXECUTIONS), "--seconds", str(each)]).returncode
    rows = {}
    for target in sorted(targets):
        text = "".join(file.read_text(errors="replace") for file in logs.glob(f"{target}.*"))
        executions = sum(map(int, re.findall(r"^stat::number_of_executed_units: +(\d+)", text, re.MULTILINE)))
        crashes = len(re.findall(r"^SUMMARY: ", text, re.MULTILINE))
        features = max(map(int, re.findall(r"^#\d+.* ft: (\d+)", text, re.MULTILINE)), default=0)
        if executions + crashes:
            rows[f"`{target}`"] = (executions + crashes, crashes, f"{features:,} features")
        if crashes:
            report(f"fuzz {target}", [f"{crashes} inputs, in crashes/{target} beside the logs {logs}"])
    if not rows and code != 4:
        report("fuzz", [f"no fuzzer ran, exit code {code}"])
    return rows


def mutation(build, scratch, seconds, seed, report, logs=None):
    """As many faults in stats and store as there is time for, at half a minute each. Prints those that survive.
    `logs`: the folder of what tools/mutation has said before: ROOM.log, or more of a room as ROOM.N.log."""
    del build, scratch
    rows = {}
    count = max(1, int(seconds / 30 / 2))
    for room in ("stats", "store"):
        if logs is None:
            lines = lines_of([TOOLS / "mutation", "--count", str(count), "--seed", str(seed % 10000), "--only", f"core/{room}/"])
        else:
            lines = [line for file in logs.glob(f"{room}.*") for line in file.read_text().splitlines()]
        caught = planted = 0
        for line in lines:
            if match := re.search(r"(\d+) of (\d+) faults were caught", line):
                caught, planted = caught + int(match.group(1)), planted + int(match.group(2))
            elif " survived " in line:
                print(line, flush=True)
        if planted:
            rows[f"planted faults in {room}"] = (planted, planted - caught, f"{100 * caught / planted:.0f} % caught")
        if caught < 0.95 * planted:
            report(f"mutation {room}", [f"{planted - caught} of {planted} faults survive"])
    return rows
