"""Every call of the system that can fail fails at each place in turn: a chain of calls in the program, of one process. So
does every allocation of store, frames and channel, by its call site. The first call at each place fails, then later ones."""
import errno
import random
import re
import signal
import struct
import subprocess

from .trial import POINTS, Trial, until

CALLS = {  # and the error that a full or small machine gives
    "open": errno.EMFILE, "read": errno.EIO, "write": errno.ENOSPC, "sync": errno.EIO, "name": errno.ENOSPC,
    "process": errno.EAGAIN, "channel": errno.EMFILE, "map": errno.ENOMEM, "allocate": errno.ENOMEM,
}
PROCESSES = ("coordinator", "worker")
HEAD, FRAMES, PLACES = 4, 40, 1 << 14  # State of tests/faults/inject.cpp, in numbers of 8 bytes
WATCHED = re.compile(r"unity_core_(store|engine|worker)_")
ENGINE = re.compile(r"frame|[Cc]hannel|WorkerProcess|Deadline")


def settings(build, folder, process, call, place, ranges, nth=1, error=None):
    """`error`: of the call that fails, or by how many seconds the time jumps (default: as CALLS has it)."""
    state = folder / "state"
    state.write_bytes(bytes(8 * (HEAD + FRAMES + 2 * PLACES)))
    return {
        "LD_PRELOAD": str(build / "libexec/benchctl/tests/faults/libinject.so"), "BENCHCTL_FAULT_STATE": str(state),
        "BENCHCTL_FAULT_PROCESS": process, "BENCHCTL_FAULT_CALL": call, "BENCHCTL_FAULT_PLACE": str(place),
        "BENCHCTL_FAULT_NTH": str(nth), "BENCHCTL_FAULT_ERROR": str(CALLS[call] if error is None else error), "BENCHCTL_FAULT_RANGES": str(ranges),
    }


def state_numbers(folder):
    data = (folder / "state").read_bytes()
    return struct.unpack(f"={len(data) // 8}Q", data)


def failures(folder):
    return state_numbers(folder)[2]


def functions(file):
    """(name, address, size) of those that it defines."""
    listed = subprocess.run(["nm", "--defined-only", "--format=posix", file], check=True, capture_output=True, text=True)
    lines = map(str.split, listed.stdout.splitlines())
    return [(name, *place) for name, kind, *place in lines if kind in "tTW"]


def write_ranges(build, file):
    """Addresses of the functions of store, frames and channel in the program: those that the objects of these rooms define."""
    wanted = set()
    for unit in (build / "core").rglob("unity_core_*.o"):
        if WATCHED.match(unit.name):
            wanted |= {name for name, *_ in functions(unit) if "store" in unit.name or ENGINE.search(name)}
    ranges = [(int(place[0], 16), int(place[0], 16) + int(place[1], 16)) for name, *place in functions(build / "bin/benchctl")
              if len(place) == 2 and name in wanted and "benchctl" in name]
    if not ranges:
        raise RuntimeError("no function of the store is found in the program")
    file.write_text("".join(f"{begin:x} {end:x}\n" for begin, end in sorted(ranges)))


def count(build, scratch, process, call, ranges):
    """The places of a run in which nothing fails, and how many calls each has."""
    trial = Trial(build, scratch / f"count-{process}-{call}")
    code = trial.call("run", "c.toml", **settings(build, trial.folder, process, call, 0, ranges))
    if code != 0:
        raise RuntimeError(f"an undisturbed run ends with {code}: {trial.said()}")
    table = state_numbers(trial.folder)[HEAD + FRAMES:]
    places = {place: calls for place, calls in zip(table[::2], table[1::2]) if place}
    if not places and process == "coordinator":
        raise RuntimeError(f"no {call} of the {process} was seen: is the library preloaded?")
    trial.close()
    return places


def where(trial):
    """The functions that the call which failed was made in, the innermost first."""
    numbers = state_numbers(trial.folder)
    frames = [f"{frame - 1:x}" for frame in numbers[HEAD:HEAD + numbers[HEAD - 1]] if frame]
    listed = subprocess.run(["addr2line", "-Cfe", trial.program, *frames], capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()[::2]


def excused(code, functions):
    """What no program of ours can do better."""
    names = " ".join(functions)
    # The JSON library takes memory to give memory back, and that must not fail.
    aborts = code == -signal.SIGABRT and "json_value::destroy" in names
    # A folder that cannot be removed stays until the next run.
    keeps_folder = code is not None and code >= 0 and ("RunFolder::~RunFolder" in names or "remove_abandoned" in names)
    return aborts or keeps_folder


def attempt(build, scratch, process, call, place, nth, ranges):
    """None if the run did not come to that call, else what was wrong."""
    trial = Trial(build, scratch / f"{process}-{call}-{place:x}-{nth}")
    code = trial.call("run", "c.toml", "--timeout", "20", **settings(build, trial.folder, process, call, place, ranges, nth))
    reached = failures(trial.folder) > 0
    trial.check_gone()
    trial.check_ended(code)
    trial.check_temporary()
    if trial.problems and reached and excused(code, where(trial)):
        trial.problems.clear()
    if reached and code == 0 and trial.statuses() != ("complete", ["ok"] * POINTS):
        trial.wrong(f"exit code 0 with {trial.statuses()}")
    trial.check_recovers()
    if trial.problems and reached:
        (trial.folder / "where").write_text("\n".join(where(trial)) + "\n")
    problems = trial.close()
    return problems if reached or problems else None


def run(build, scratch, seconds, seed, report):
    """Counts of each kind of call. `report(name, problems)` is told of every trial."""
    ranges = scratch / "ranges"
    write_ranges(build, ranges)
    found = {(process, call): count(build, scratch, process, call, ranges) for call in CALLS for process in PROCESSES}
    first = [(*kind, place, 1) for kind, places in found.items() for place in places]
    # Allocations are far more than all others.
    later = [(*kind, place, nth) for kind, places in found.items() if kind[1] != "allocate"
             for place, calls in places.items() for nth in range(2, calls + 1)]
    draw = random.Random(seed)
    draw.shuffle(first)
    draw.shuffle(later)
    tried, reached, failed = ({kind: 0 for kind in found} for _ in range(3))
    for job, problems in until(seconds, first + later, lambda *job: attempt(build, scratch, *job, ranges)):
        if problems is None:
            continue
        kind, nth = job[:2], job[3]
        tried[kind] += 1
        reached[kind] += nth == 1
        failed[kind] += bool(problems)
        report(f"{'-'.join(kind)}-{job[2]:x}-{nth}", problems)
    return {f"`{call}` in the {process}": (tried[process, call], failed[process, call], f"{reached[process, call]} of {len(places)} places")
            for (process, call), places in found.items()}
