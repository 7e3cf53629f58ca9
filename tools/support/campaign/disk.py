"""Disks that fill up, cannot be written, or have no inodes left: a small tmpfs holds the store, the temporary files
or the cache."""
import os
import random
import subprocess

from campaign.trial import POINTS, Trial, until

PLACES = ("store", "tmp", "cache")
KIB = (4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 192, 256)
INODES = (1, 2, 3, 4, 5, 6, 8, 10, 12)


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


def run(build, scratch, seconds, seed, report):
    kinds = {
        "full disk": [f"size={kib}k" for kib in KIB],
        "disk without inodes": [f"nr_inodes={count}" for count in INODES],
        "read-only disk": ["ro"],
    }
    if os.geteuid() != 0:
        return {kind: (0, 0, "needs root") for kind in kinds}
    jobs = [(kind, place, options) for kind, own in kinds.items() for place in PLACES for options in own]
    done = {kind: [0, 0] for kind in kinds}
    random.Random(seed).shuffle(jobs)
    for (kind, *arguments), problems in until(seconds, jobs, lambda _, place, options: mounted(build, scratch, place, options), at_once=1):
        done[kind][0] += 1
        done[kind][1] += bool(problems)
        if problems:
            report(f"{kind}: {' '.join(arguments)}", problems)
    return {kind: (count, failed, "") for kind, (count, failed) in done.items()}
