"""Disks that fill up, cannot be written, or have no inodes left: a small tmpfs holds the store, the temporary files
or the cache. And a time of day that jumps."""
import os
import random
import subprocess

from . import faults
from .trial import POINTS, Trial, until

PLACES = ("store", "tmp", "cache")
KIB = (4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 192, 256)
INODES = (1, 2, 3, 4, 5, 6, 8, 10, 12)
JUMPS_S = (-86400 * 365, -3600, -1, 1, 3600, 86400 * 365)


def mounted(build, scratch, place, options):
    """One run with a small file system in that place; then the disk has room again, and the run must recover."""
    trial = Trial(build, scratch / f"disk-{place}-{options.replace(',', '-').replace('=', '')}")
    small = {"store": trial.folder / "db", "tmp": trial.folder / "tmp", "cache": trial.folder / "cache"}[place]
    small.mkdir(exist_ok=True)
    if place == "store":
        trial.store = small / "store.db"
        trial.variables["BENCHCTL_DB"] = str(trial.store)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode=0700,{options}", "none", small], check=True)
    try:
        code = trial.call("run", "c.toml", "--timeout", "20")
        trial.check_ended(code)
        trial.check_gone()
        if code == 0 and trial.statuses() != ("complete", ["ok"] * POINTS):
            trial.wrong(f"exit code 0 with {trial.statuses()}")
        subprocess.run(["mount", "-o", "remount,rw,size=64m,nr_inodes=10000", small], check=True)
        trial.check_recovers()
    finally:
        subprocess.run(["umount", "--lazy", small], check=True)
    return trial.close()


def jumped(build, scratch, place, seconds):
    """The time of day jumps in the coordinator, once and for good."""
    trial = Trial(build, scratch / f"clock-{place}-{seconds}")
    variables = faults.settings(build, trial.folder, "coordinator", "clock", place, os.devnull, error=seconds)
    code = trial.call("run", "c.toml", "--timeout", "20", **variables)
    trial.check_ended(code)
    if code != 0 or trial.statuses() != ("complete", ["ok"] * POINTS):
        trial.wrong(f"exit code {code} with {trial.statuses()}")
    if faults.failures(trial.folder) == 0:
        trial.wrong("the clock did not jump")
    trial.check_gone()
    trial.check_temporary()
    trial.check_recovers()
    return trial.close()


def run(build, scratch, seconds, seed, report):
    kinds = {
        "full disk": [(mounted, place, f"size={kib}k") for place in PLACES for kib in KIB],
        "disk without inodes": [(mounted, place, f"nr_inodes={count}") for place in PLACES for count in INODES],
        "read-only disk": [(mounted, place, "ro") for place in PLACES],
        "time of day jumps": [(jumped, place, jump) for jump in JUMPS_S for place in (1, 5, 20)],
    }
    jobs = [(kind, *job) for kind, own in kinds.items() for job in own if job[0] is jumped or os.geteuid() == 0]
    done = {kind: [0, 0] for kind in kinds}
    random.Random(seed).shuffle(jobs)
    for (kind, _, *arguments), problems in until(seconds, jobs, lambda _, function, *of: function(build, scratch, *of), at_once=1):
        done[kind][0] += 1
        done[kind][1] += bool(problems)
        report(f"{kind}: {' '.join(map(str, arguments))}", problems)
    tried = {job[0] for job in jobs}
    return {kind: (count, failed, "" if kind in tried else "needs root") for kind, (count, failed) in done.items()}
