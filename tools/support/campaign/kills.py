"""Processes of a run are killed with kill -9, or stopped for longer than a verb may take, at random moments."""
import contextlib
import os
import random
import signal
import time

from campaign.trial import POINTS, Trial, until

PACE = {"BENCHCTL_FAKE_SLEEP_US": "2000"}  # a run of about a second, so that a moment hits something
STOPPED_S = 7
TIMEOUT_S = "5"


def pick(trial, random_, whom):
    """A random process of a run: the coordinator, or one that it has started."""
    found = trial.processes()
    workers = [one for one in found if one != trial.coordinator]
    if whom == "coordinator":
        return trial.coordinator
    return random_.choice(workers) if workers else None


def send(process, what):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, what)
        return True
    return False


def kill_one(build, folder, seed, whom):
    """Kills up to three times in one run. Number of kills, or a problem."""
    random_ = random.Random(seed)
    trial = Trial(build, folder)
    process = trial.start("run", "c.toml", **PACE)
    trial.coordinator = process.pid
    kills = 0
    for _ in range(1 if whom == "coordinator" else 3):
        time.sleep(random_.uniform(0, 0.7))
        target = pick(trial, random_, whom)
        if process.poll() is None and target and send(target, signal.SIGKILL):
            kills += 1
    code = trial.end(process)
    if whom == "coordinator":
        if code not in (0, -signal.SIGKILL):
            trial.wrong(f"exit code {code} after kill -9")
    else:
        trial.check_ended(code)
        state, statuses = trial.statuses()
        lost = sum(status != "ok" for status in statuses)
        if code not in (0, 1) or state != "complete" or len(statuses) != POINTS or lost > kills:
            trial.wrong(f"{kills} kills of workers: exit code {code}, {state}: {' '.join(statuses)}")
        trial.check_temporary()
    trial.check_gone()
    trial.check_recovers()
    return kills, trial.close()


def stop_one(build, folder, seed, whom):
    """Stops a process, or all of them as Ctrl-Z does, for longer than a verb may take."""
    random_ = random.Random(seed)
    trial = Trial(build, folder)
    process = trial.start("run", "c.toml", "--timeout", TIMEOUT_S, **PACE)
    trial.coordinator = process.pid
    time.sleep(random_.uniform(0, 0.7))
    targets = trial.processes() if whom == "all" else [pick(trial, random_, whom)]
    stopped = [one for one in targets if one and send(one, signal.SIGSTOP)]
    time.sleep(STOPPED_S)
    for one in stopped:
        send(one, signal.SIGCONT)
    code = trial.end(process)
    trial.check_ended(code)
    state, statuses = trial.statuses()
    allowed = 1 if whom == "worker" else 0  # the coordinator's own stop counts for nobody
    lost = sum(status != "ok" for status in statuses)
    # Without an answer to its probe a run ends before the first point, with an error that says so.
    unprobed = whom == "worker" and code == 1 and "'probe' did not end within" in trial.said()
    if not unprobed and (state != "complete" or len(statuses) != POINTS or lost > allowed):
        trial.wrong(f"{whom} stopped: exit code {code}, {state}: {' '.join(statuses)}")
    trial.check_gone()
    trial.check_temporary()
    trial.check_recovers()
    return len(stopped), trial.close()


# Half of the trials kill the coordinator, a third workers, the rest stop.
KINDS = {
    "kill -9 of the coordinator": (kill_one, "coordinator", 6),
    "kill -9 of workers": (kill_one, "worker", 4),
    "coordinator stopped for longer than --timeout": (stop_one, "coordinator", 1),
    "a worker stopped for longer than --timeout": (stop_one, "worker", 1),
    "all stopped for longer than --timeout": (stop_one, "all", 1),
}


def run(build, scratch, seconds, seed, report):
    def attempt(number, kind):
        function, whom, _ = KINDS[kind]
        return function(build, scratch / f"kill-{number}", f"{seed}-{number}", whom)

    done = {kind: [0, 0] for kind in KINDS}
    kinds = random.Random(seed).choices(list(KINDS), [weight for *_, weight in KINDS.values()], k=100_000)
    for (number, kind), (count, problems) in until(seconds, enumerate(kinds), attempt):
        done[kind][0] += count
        done[kind][1] += bool(problems)
        if problems:
            report(f"kill-{number} ({kind})", problems)
    return {kind: (count, failed, "") for kind, (count, failed) in done.items()}
