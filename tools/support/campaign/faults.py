"""Every call of the system that can fail fails once, at each place in turn; and so does every allocation of store,
frames and channel, by its call site."""
import concurrent.futures
import errno
import os
import random
import re
import signal
import subprocess
import time

from campaign.trial import POINTS, Trial

CALLS = {  # and the error that a full or small machine gives
    "open": errno.EMFILE, "read": errno.EIO, "write": errno.ENOSPC, "sync": errno.EIO, "name": errno.ENOSPC,
    "process": errno.EAGAIN, "channel": errno.EMFILE, "map": errno.ENOMEM, "allocate": errno.ENOMEM,
}
PROCESSES = ("coordinator", "worker")
STATE_BYTES = 8 * (3 + 40 + (1 << 16))  # State of tests/faults/inject.cpp
WATCHED = re.compile(r"unity_core_store_|unity_core_engine_")
ENGINE = re.compile(r"frame|[Cc]hannel|WorkerProcess|Patience")
MARGIN = 8  # places beyond the last of the counting run: two runs differ by a few reads


def settings(build, folder, process, call, place, ranges, error=None):
    """`error`: of the call that fails, or by how many seconds the time jumps (default: as CALLS has it)."""
    state = folder / "state"
    state.write_bytes(bytes(STATE_BYTES))
    return {
        "LD_PRELOAD": str(build / "libexec/benchctl/tests/faults/libinject.so"), "BENCHCTL_FAULT_STATE": str(state),
        "BENCHCTL_FAULT_PROCESS": process, "BENCHCTL_FAULT_CALL": call, "BENCHCTL_FAULT_PLACE": str(place),
        "BENCHCTL_FAULT_ERROR": str(CALLS[call] if error is None else error), "BENCHCTL_FAULT_RANGES": str(ranges),
    }


def state_numbers(folder):
    data = (folder / "state").read_bytes()
    return [int.from_bytes(data[8 * i:8 * i + 8], "little") for i in range(3 + 40)]


def write_ranges(build, file):
    """Addresses of the functions of store, frames and channel in the program: those that the objects of these rooms define."""
    wanted = set()
    for unit in (build / "core").rglob("unity_core_*.o"):
        if not WATCHED.match(unit.name):
            continue
        listed = subprocess.run(["nm", "--defined-only", "--format=posix", unit], check=True, capture_output=True, text=True)
        for line in listed.stdout.splitlines():
            name, kind = line.split()[:2]
            if kind in "tTW" and ("store" in unit.name or ENGINE.search(name)):
                wanted.add(name)
    listed = subprocess.run(["nm", "--defined-only", "--format=posix", build / "bin/benchctl"], check=True,
                            capture_output=True, text=True)
    ranges = []
    for line in listed.stdout.splitlines():
        fields = line.split()
        if len(fields) == 4 and fields[1] in "tTW" and fields[0] in wanted and "benchctl" in fields[0]:
            begin = int(fields[2], 16)
            ranges.append((begin, begin + int(fields[3], 16)))
    if not ranges:
        raise RuntimeError("no function of the store is found in the program")
    file.write_text("".join(f"{begin:x} {end:x}\n" for begin, end in sorted(ranges)))


def count(build, scratch, process, call, ranges):
    trial = Trial(build, scratch / f"count-{process}-{call}")
    code = trial.call("run", "c.toml", **settings(build, trial.folder, process, call, 0, ranges))
    if code != 0:
        raise RuntimeError(f"an undisturbed run ends with {code}: {trial.said()}")
    places = state_numbers(trial.folder)[0]
    if places == 0 and process == "coordinator":
        raise RuntimeError(f"no {call} of the {process} was seen: is the library preloaded?")
    trial.close()
    return places


def where(program, numbers):
    """The functions that the call which failed was made in, the innermost first."""
    frames = [f"{frame - 1:x}" for frame in numbers[3:3 + numbers[2]] if frame]
    listed = subprocess.run(["addr2line", "-Cfe", program, *frames], capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()[::2]


def excused(code, functions):
    """What no program of ours can do better."""
    names = " ".join(functions)
    # The JSON library takes memory to give memory back, and that must not fail.
    aborts = code == -signal.SIGABRT and "json_value::destroy" in names
    # A folder that cannot be removed stays until the next run.
    keeps_folder = code is not None and code >= 0 and ("RunFolder::~RunFolder" in names or "remove_abandoned" in names)
    return aborts or keeps_folder


def attempt(build, scratch, process, call, place, ranges):
    """None if the run did not come to that place, else what was wrong."""
    trial = Trial(build, scratch / f"{process}-{call}-{place}")
    code = trial.call("run", "c.toml", "--timeout", "20", **settings(build, trial.folder, process, call, place, ranges))
    numbers = state_numbers(trial.folder)
    reached = numbers[1] > 0
    trial.check_gone()
    trial.check_ended(code)
    trial.check_temporary()
    if trial.problems and reached and excused(code, where(trial.program, numbers)):
        trial.problems.clear()
    if reached and code == 0 and trial.statuses() != ("complete", ["ok"] * POINTS):
        trial.wrong(f"exit code 0 with {trial.statuses()}")
    trial.check_recovers()
    if trial.problems and reached:
        (trial.folder / "where").write_text("\n".join(where(trial.program, numbers)) + "\n")
    problems = trial.close()
    return problems if reached or problems else None


def run(build, scratch, seconds, seed, report):
    """Counts of each kind of call. `report(name, problems)` is told of every trial that went wrong."""
    ranges = scratch / "ranges"
    write_ranges(build, ranges)
    kinds = [(process, call) for call in CALLS for process in PROCESSES]
    jobs = []
    places = {kind: count(build, scratch, *kind, ranges) for kind in kinds}
    for kind, last in places.items():
        jobs += [(*kind, place) for place in range(1, last + 1 + (MARGIN if last else 0))]
    random.Random(seed).shuffle(jobs)
    end = time.monotonic() + seconds
    tried = {kind: 0 for kind in kinds}
    failed = {kind: 0 for kind in kinds}

    def one(job):
        if time.monotonic() > end:
            return job, None
        return job, attempt(build, scratch, *job, ranges)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for job, problems in pool.map(one, jobs):
            if problems is None:
                continue
            tried[job[:2]] += 1
            if problems:
                failed[job[:2]] += 1
                report("-".join(map(str, job)), problems)
    return {f"`{call}` in the {process}": (tried[process, call], failed[process, call],
                                           f"{min(tried[process, call], places[process, call])} of {places[process, call]} places")
            for process, call in kinds}
