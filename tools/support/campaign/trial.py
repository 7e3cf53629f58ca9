"""One small run of the fake backend in a folder of its own, disturbed, and what must hold afterwards."""
import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time

POINTS = 6
CONFIG = """[experiment]
name = "campaign"
[measure]
max_seconds = 5
span_seconds = 0
[[sweep]]
workload = "matmul"
backends = ["fake"]
variants = ["steady", "noisy"]
[sweep.parameters]
n = [8, 9, 10]
ns = [1000000]
"""
PATIENCE_S = 90  # longer than any trial takes on a busy machine


class Trial:
    """A folder with a config, a store, a cache and temporary files. Removed at the end unless something was wrong."""

    def __init__(self, build, folder):
        self.folder = pathlib.Path(folder)
        self.program = str(build / "campaign/bin/benchctl")  # tools/campaign copies it there
        self.problems = []
        self.calls = 0
        (self.folder / "tmp").mkdir(parents=True)
        (self.folder / "c.toml").write_text(CONFIG)
        self.store = self.folder / "store.db"
        self.variables = {
            "PATH": os.environ["PATH"],
            "NO_COLOR": "1",
            "HOME": str(self.folder),
            "TMPDIR": str(self.folder / "tmp"),
            "BENCHCTL_CACHE_DIR": str(self.folder / "cache"),
            "BENCHCTL_DB": str(self.store),
            "BENCHCTL_LOCK_FILE": str(self.folder / "machine.lock"),
            "BENCHCTL_PLUGIN_PATH": str(build / "libexec/benchctl/tests/plugins"),
            "BENCHCTL_FAKE_LOG": str(self.folder / "fake.log"),
        }

    def start(self, *arguments, **variables):
        """Starts benchctl in a session of its own; what it prints goes to files, which are numbered."""
        self.calls += 1
        with open(self.folder / f"out{self.calls}", "wb") as out, open(self.folder / f"err{self.calls}", "wb") as err:
            return subprocess.Popen([self.program, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out,
                                    stderr=err, env={**self.variables, **variables}, start_new_session=True)

    def end(self, process, patience=PATIENCE_S):
        """Waits for it: its exit code, negative for a signal; None and a problem if it hangs."""
        try:
            return process.wait(patience)
        except subprocess.TimeoutExpired:
            self.wrong(f"still running after {patience} s")
            return None
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def call(self, *arguments, **variables):
        return self.end(self.start(*arguments, **variables))

    def wrong(self, text):
        self.problems.append(text)

    def said(self):
        return (self.folder / f"err{self.calls}").read_text(errors="replace").strip()

    def processes(self):
        """Living processes of this trial, by their environment."""
        mark = f"BENCHCTL_DB={self.store}".encode()
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                if mark in (entry / "environ").read_bytes().split(b"\0") and " Z " not in (entry / "stat").read_text():
                    found.append(int(entry.name))
        return found

    def check_gone(self, patience=10):
        end = time.monotonic() + patience
        while (left := self.processes()) and time.monotonic() < end:
            time.sleep(0.02)
        for process in left:
            self.wrong(f"process {process} is left")
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def check_ended(self, code):
        """An end that a user can understand: an exit code, and words if it is not 0."""
        if code is None:
            return
        if code < 0:
            self.wrong(f"ended by signal {signal.Signals(-code).name}")
        elif code >= 126:
            self.wrong(f"exit code {code}")
        elif code != 0 and not self.said():
            self.wrong(f"exit code {code} without a word")

    def check_temporary(self):
        for left in (self.folder / "tmp").iterdir():
            self.wrong(f"{left.name} is left in the temporary folder")

    def stored(self):
        """What the store holds of each settled point with a time: {(run, ordinal): (median, samples)}. Checks the file."""
        if not self.store.exists() or self.store.stat().st_size == 0:
            return {}
        with contextlib.closing(sqlite3.connect(self.store)) as store:
            for (line,) in store.execute("PRAGMA integrity_check"):
                if line != "ok":
                    self.wrong(f"store: {line}")
            if not store.execute("SELECT 1 FROM sqlite_master WHERE name = 'points'").fetchone():
                return {}
            for count, point, number in store.execute(
                    "SELECT count(*), point, round FROM samples GROUP BY point, session, replicate, round HAVING count(*) > 1"):
                self.wrong(f"store: {count} blocks of samples of point {point}, round {number}")
            samples = {}
            for point, ns in store.execute("SELECT point, ns FROM samples ORDER BY id"):
                samples.setdefault(point, []).append(ns)
            return {(run, ordinal): (median, samples.get(point, []))
                    for point, run, ordinal, median in store.execute(
                        "SELECT p.id, p.run, p.ordinal, m.median_ns FROM points p JOIN measurements m ON m.point = p.id "
                        "WHERE p.finished = 1 AND p.status IN ('ok', 'unstable')")}

    def statuses(self):
        """Of the newest run, by ordinal; and its state."""
        with contextlib.closing(sqlite3.connect(self.store)) as store:
            run, state = store.execute("SELECT id, state FROM runs ORDER BY id DESC").fetchone()
            return state, [status for (status,) in store.execute(
                "SELECT status FROM points WHERE run = ? ORDER BY ordinal", (run,))]

    def check_recovers(self):
        """The same command, undisturbed, ends with all points, and what was known before is unchanged."""
        before = self.stored()
        code = self.call("run", "c.toml")
        if code is None:
            return
        if code != 0:
            self.wrong(f"the next run ends with {code}: {self.said()[-500:]}")
            return
        after = self.stored()
        for key, row in before.items():
            if after.get(key) != row:
                self.wrong(f"run {key[0]}, point {key[1]}: a finished result changed")
        state, statuses = self.statuses()
        if state != "complete" or statuses != ["ok"] * POINTS:
            self.wrong(f"the next run is {state}: {' '.join(statuses)}")
        self.check_gone()
        self.check_temporary()

    def close(self):
        if not self.problems:
            shutil.rmtree(self.folder)
        else:
            (self.folder / "problems").write_text("\n".join(self.problems) + "\n")
        return self.problems


def until(seconds, jobs, attempt, at_once=os.cpu_count()):
    """(job, attempt(*job)) of as many jobs as the time allows."""
    end = time.monotonic() + seconds
    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        yield from filter(None, pool.map(lambda job: (job, attempt(*job)) if time.monotonic() < end else None, jobs))
