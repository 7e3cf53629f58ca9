"""The same small run again and again: memory, descriptors, temporary files and store stay flat, or grow as predicted."""
import os
import time

from campaign.trial import CONFIG, Trial

REPETITIONS = 200
WARM = 20  # repetitions until caches are full
LONG = CONFIG.replace("n = [8, 9, 10]", "n = {from = 20, to = 219, step = 1}")  # the plugin has no memory for n = 13


def slope_problems(name, values, allowed):
    """Compares the last fifth with that after warming up: the medians may differ by that share."""
    fifth = max(1, (len(values) - WARM) // 5)
    early = sorted(values[WARM:WARM + fifth])[fifth // 2]
    late = sorted(values[-fifth:])[fifth // 2]
    return [] if late <= early * (1 + allowed) else [f"{name} grows from {early} to {late}"]


def runs(build, scratch):
    """One store, many runs: peak memory flat, each run adds the same to the store, nothing is left."""
    trial = Trial(build, scratch / "repeat")
    peaks, sizes = [], []
    for number in range(REPETITIONS):
        ran = trial.measured_call("run", "c.toml", "--fresh")
        if ran.code != 0:
            trial.wrong(f"run {number}: exit code {ran.code}: {trial.said()}")
            break
        peaks.append(ran.peak_mib)
        sizes.append(trial.store.stat().st_size)
    trial.check_gone()
    trial.check_temporary()
    if not trial.problems:
        for problem in slope_problems("peak memory in MiB", peaks, 0.05):
            trial.wrong(problem)
        growth = [late - early for early, late in zip(sizes[WARM:], sizes[WARM + 10:])]
        for problem in slope_problems("growth of the store in bytes over ten runs", growth, 0.1):
            trial.wrong(problem)
    note = f"peak {peaks[-1]:.0f} MB, {(sizes[-1] - sizes[WARM]) // (len(sizes) - WARM - 1)} bytes of store a run" if peaks else ""
    return len(peaks), trial.close(), note


def points(build, scratch):
    """One run of many groups: memory and descriptors of its coordinator and workers while it goes on."""
    trial = Trial(build, scratch / "points")
    (trial.folder / "c.toml").write_text(LONG)
    process = trial.start("run", "c.toml")
    memory, descriptors, files = [], [], []
    while process.poll() is None:
        try:
            all_ = trial.processes()
            memory.append(sum(resident(one) for one in all_))
            descriptors.append(sum(len(os.listdir(f"/proc/{one}/fd")) for one in all_))
            files.append(sum(len(found) for _, _, found in os.walk(trial.folder / "tmp")))
        except OSError:
            pass
        time.sleep(0.1)
    trial.check_ended(process.returncode)
    if process.returncode != 0:
        trial.wrong(f"exit code {process.returncode}: {trial.said()[-500:]}")
    trial.check_temporary()
    note = ""
    if len(memory) > 2 * WARM:
        for name, values, allowed in (("memory in KiB", memory, 0.2), ("descriptors", descriptors, 0.05), ("temporary files", files, 0.5)):
            for problem in slope_problems(name, values, allowed):
                trial.wrong(problem)
        note = f"{memory[-2] / 1024:.0f} MB, {descriptors[-2]} descriptors, {files[-2]} temporary files near the end"
    else:
        trial.wrong(f"the run ended after {len(memory)} looks")
    return 400, trial.close(), note


def resident(process):
    with open(f"/proc/{process}/status") as file:
        for line in file:
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return 0


def run(build, scratch, seconds, seed, report):
    del seconds, seed
    rows = {}
    for name, function in (("runs into one store", runs), ("points of one run", points)):
        count, problems, note = function(build, scratch)
        if problems:
            report(name, problems)
        rows[name] = (count, int(bool(problems)), note)
    return rows
