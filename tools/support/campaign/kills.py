"""Processes of a run are killed with kill -9, or stopped for longer than a verb may take, at random moments."""
import contextlib
import os
import random
import signal
import time

from .trial import POINTS, Trial, until

PACE = {"BENCHCTL_FAKE_SLEEP_US": "2000"}  # a run of about a second, so that a moment hits something
STOPPED_S = 7
TIMEOUT_S = "5"


def targets(trial, random_, whom):
    """The coordinator of a run, a random one of the processes that it has started, or all."""
    if whom == "coordinator":
        return [trial.coordinator]
    found = trial.processes()
    workers = [one for one in found if one != trial.coordinator]
    return found if whom == "all" else random_.sample(workers, min(1, len(workers)))


def send(process, what):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, what)
        return True
    return False


def disturbed(build, folder, seed, what, whom):
    """Processes of one run get a signal at a random moment. Number of signals, and problems."""
    random_, kills = random.Random(seed), what == signal.SIGKILL
    trial = Trial(build, folder)
    process = trial.start("run", "c.toml", *([] if kills else ["--timeout", TIMEOUT_S]), **PACE)
    trial.coordinator = process.pid
    hit = []
    for _ in range(3 if kills and whom == "worker" else 1):
        time.sleep(random_.uniform(0, 0.7))
        hit += [one for one in targets(trial, random_, whom) if process.poll() is None and send(one, what)]
    if not kills:
        time.sleep(STOPPED_S)
        for one in hit:
            send(one, signal.SIGCONT)
    code = trial.end(process)
    trial.check_gone()
    if kills and whom == "coordinator":
        if code not in (0, -signal.SIGKILL):
            trial.wrong(f"exit code {code} after kill -9")
    else:
        trial.check_ended(code)
        trial.check_temporary()
        state, statuses = trial.statuses()
        lost = sum(status != "ok" for status in statuses)
        # Each kill may cost a point, and a worker that is stopped; the coordinator's own stop counts for nobody.
        allowed = len(hit) if kills else whom == "worker"
        # Without an answer to its probe a run ends before the first point, with an error that says so.
        unprobed = not kills and whom == "worker" and code == 1 and "'probe' did not end within" in trial.said()
        if not unprobed and (kills and code not in (0, 1) or state != "complete" or len(statuses) != POINTS or lost > allowed):
            trial.wrong(f"{len(hit)} of {whom} disturbed: exit code {code}, {state}: {' '.join(statuses)}")
    trial.check_recovers()
    return len(hit), trial.close()


# Half of the trials kill the coordinator, a third workers, the rest stop.
KINDS = {
    "kill -9 of the coordinator": (signal.SIGKILL, "coordinator", 6),
    "kill -9 of workers": (signal.SIGKILL, "worker", 4),
    "coordinator stopped for longer than --timeout": (signal.SIGSTOP, "coordinator", 1),
    "a worker stopped for longer than --timeout": (signal.SIGSTOP, "worker", 1),
    "all stopped for longer than --timeout": (signal.SIGSTOP, "all", 1),
}


def run(build, scratch, seconds, seed, report):
    def attempt(number, kind):
        what, whom, _ = KINDS[kind]
        return disturbed(build, scratch / f"kill-{number}", f"{seed}-{number}", what, whom)

    done = {kind: [0, 0] for kind in KINDS}
    kinds = random.Random(seed).choices(list(KINDS), [weight for *_, weight in KINDS.values()], k=100_000)
    for (number, kind), (count, problems) in until(seconds, enumerate(kinds), attempt):
        done[kind][0] += count
        done[kind][1] += bool(problems)
        report(f"kill-{number} ({kind})", problems)
    return {kind: (count, failed, "") for kind, (count, failed) in done.items()}
