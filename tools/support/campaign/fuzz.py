"""What comes from outside (configs, expressions, workers' frames, stored rows and documents, sources, patterns) is given to
libFuzzer, under the address and undefined-behaviour sanitizers. An input may take 2 GiB and 10 s."""
import concurrent.futures
import os
import re
import subprocess
import time

from ..bench import ROOT as TREE

FOLDER = TREE / "build/fuzz"
EXECUTIONS, ROUND = 1_000_000, 100_000
MOST_CRASHES = 10  # then a target is given up
# Without the schedule by entropy, which took half of the time. Leaks are looked for at the end of each round.
OPTIONS = ("-entropic=0", "-reload=0", "-detect_leaks=0", "-max_len=4096", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1")


def number(pattern, text):
    return int((re.findall(pattern, text, re.MULTILINE) or [0])[-1])


def fuzz(target, seconds):
    """(executions, crashes, features). In rounds, each a process of its own: workloads that a config declares are never freed."""
    found, crashed = FOLDER / "found" / target, FOLDER / "crashes" / target
    for folder in (found, crashed):
        folder.mkdir(parents=True, exist_ok=True)
    words = TREE / f"tests/fuzz/{target}.dict"
    command = [FOLDER / f"bin/fuzz_{target}", *OPTIONS, f"-artifact_prefix={crashed}/", *([f"-dict={words}"] if words.exists() else [])]
    executions = crashes = features = 0
    end = time.monotonic() + seconds
    with open(FOLDER / f"{target}.log", "w") as log:
        while executions < EXECUTIONS and crashes < MOST_CRASHES and (left := int(end - time.monotonic())) > 0:
            ran = subprocess.run([*command, f"-runs={ROUND}", f"-max_total_time={left}", found, TREE / "tests/fuzz/corpus" / target],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            log.write(ran.stdout)
            executions += number(r"^stat::number_of_executed_units: +(\d+)", ran.stdout) or 1
            crashes += ran.returncode != 0
            features = max(features, number(r"^#\d+.* ft: (\d+)", ran.stdout))
    return executions, crashes, features


def run(build, scratch, seconds, seed, report):
    """Begins with tests/fuzz/corpus/TARGET and what earlier calls found, which is kept in build/fuzz/found."""
    del build, scratch, seed
    FOLDER.mkdir(parents=True, exist_ok=True)
    with open(FOLDER / "build.log", "w") as log:
        built = all(subprocess.run(["cmake", *step, "--preset", "fuzz"], cwd=TREE, stdout=log, stderr=log).returncode == 0
                    for step in ([], ["--build"]))
    targets = sorted(folder.name for folder in (TREE / "tests/fuzz/corpus").iterdir())
    if not built:
        return {target: (0, 0, f"not built, see {FOLDER}/build.log: clang 14 with libFuzzer is needed") for target in targets}
    rows = {}
    each = max(10, seconds * os.cpu_count() / len(targets))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for target, (executions, crashes, features) in zip(targets, pool.map(lambda target: fuzz(target, each), targets)):
            rows[f"`{target}`"] = (executions, crashes, f"{features:,} features")
            report(f"fuzz {target}", [f"{crashes} inputs, in {FOLDER}/crashes/{target}"] if crashes else [])
    return rows
