"""Large stores and sweeps: how long the commands take that read them, and how much memory."""
import contextlib
import json
import sqlite3
import struct

from campaign.trial import CONFIG, Trial

POINTS = 100_000
SAMPLES = 100  # of each point, in blocks of ten: 10 million in all
BLOCK = 10
LARGE = f"{POINTS:,} points, {POINTS * SAMPLES:,} samples"


def sweep(axes, variants="steady"):
    return CONFIG.replace("n = [8, 9, 10]", axes).replace('"steady", "noisy"', f'"{variants}"')


def to(name, count):
    return f"{name} = {{from = 1, to = {count}, step = 1}}"


CONFIGS = {
    "large.toml": sweep(f"{to('n', 100)}\n{to('noise_seed', 1000)}", "noisy"),
}
COMMANDS = (  # with seconds and MiB at most
    ("`plan` of 100,000 points", ["plan", "large.toml"], 2, None),
    (f"`report` of {LARGE}", ["report", "-o", "report.html"], 5, 500),
    (f"`compare` of two runs of {LARGE}", ["compare", "1", "2"], 5, None),
    (f"`show` of {LARGE}", ["show", "2"], 0.2, None),
)


def enlarge(store):
    """Makes of the last run's six points POINTS, each with a size of its own and samples around its own time."""
    with contextlib.closing(sqlite3.connect(store)) as db, db:
        run = db.execute("SELECT max(id) FROM runs").fetchone()[0]
        kept = db.execute("SELECT * FROM points WHERE run = ? ORDER BY ordinal", (run,))
        names = [column[0] for column in kept.description]
        patterns = [dict(zip(names, row)) for row in kept.fetchall()]
        first = db.execute("SELECT max(id) FROM points").fetchone()[0]
        measured = [column[1] for column in db.execute("PRAGMA table_info(measurements)")]
        statistics = {row[0]: dict(zip(measured, row)) for row in db.execute("SELECT * FROM measurements")}
        checked = {row[0]: row[1:] for row in db.execute("SELECT * FROM verifications WHERE phase = 'before'")}
        for row in patterns:
            db.execute("DELETE FROM samples WHERE point = ?", (row["id"],))
        ordinal, point = len(patterns), first
        for number in range(POINTS - len(patterns)):
            pattern = patterns[number % len(patterns)]
            point += 1
            size = 11 + number // len(patterns)
            problem = {**json.loads(pattern["problem_json"]), "m": size, "n": size, "k": size}
            median = 1e6 * (1 + size % 97 / 100)
            new = {**pattern, "id": point, "ordinal": ordinal, "problem_json": json.dumps(problem),
                   "label": f"{pattern['label']} {number}", "content_key": f"{number:040x}"}
            db.execute(f"INSERT INTO points ({', '.join(new)}) VALUES ({', '.join('?' * len(new))})", list(new.values()))
            statistic = {**statistics[pattern["id"]], "point": point, "n_samples": SAMPLES, "median_ns": median,
                         "ci_low_ns": median * 0.999, "ci_high_ns": median * 1.001}
            db.execute(f"INSERT INTO measurements ({', '.join(statistic)}) VALUES ({', '.join('?' * len(statistic))})",
                       list(statistic.values()))
            check = checked[pattern["id"]]
            db.execute(f"INSERT INTO verifications VALUES ({', '.join('?' * (len(check) + 1))})", (point, *check))
            ordinal += 1
        ids = [row["id"] for row in patterns] + list(range(first + 1, point + 1))
        db.executemany(
            "INSERT INTO samples (point, session, replicate, round, batch, gated, ns, readings_json, note, used, stored_at) "
            "VALUES (?, 1, 0, ?, 1, 0, ?, '{}', '', 1, '2026-01-01T00:00:00.000Z')",
            ((one, block, struct.pack(f"<{BLOCK}d", *(1e6 * (1 + one % 97 / 100) + i for i in range(BLOCK))))
             for one in ids for block in range(SAMPLES // BLOCK)))


def run(build, scratch, seconds, seed, report):
    del seconds, seed
    trial = Trial(build, scratch / "large")
    for _ in range(2):
        if trial.call("run", "c.toml", "--fresh") != 0:
            raise RuntimeError(f"an undisturbed run fails: {trial.said()}")
        enlarge(trial.store)
    for name, text in CONFIGS.items():
        (trial.folder / name).write_text(text)
    rows = {}
    for name, command, most_seconds, most_mib in COMMANDS:
        ran = trial.measured_call(*command)
        problems = []
        if ran.code != 0:
            problems.append(f"exit code {ran.code}: {trial.said()[-500:]}")
        # The clock's time, or the processor's where that is less: other work on the machine does not count.
        took_s = min(ran.seconds, ran.processor_s)
        if took_s > most_seconds:
            problems.append(f"takes {took_s:.2f} s, where {most_seconds} s is the goal")
        if most_mib and ran.peak_mib > most_mib:
            problems.append(f"takes {ran.peak_mib:.0f} MiB, where {most_mib} MiB is the goal")
        if problems:
            report(f"large: {name}", problems)
        note = f"{ran.processor_s:.2f} s of a processor in {ran.seconds:.2f} s, {ran.peak_mib:.0f} MiB"
        rows[name] = (1, int(bool(problems)), note)
    trial.close()
    return rows
