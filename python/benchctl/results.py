"""Runs with their results, as the program exports them."""
from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import program as programs
from .errors import need

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]
"""A point of a run: the keys are those of a `row` in the program's JSON (docs/reference.md), times in ns."""

UNITS_NOT_IN_NAMES = {"MHz": "mhz", "W": "w", "J": "j", "°C": "celsius"}
"""Suffixes for columns of figures whose names do not tell the unit: `power` is `power_w` in a DataFrame."""


class Run:
    """A run with its results, or several that were loaded together."""

    def __init__(self, document: dict[str, Any], *, summary: dict[str, Any] | None = None, program: str | Path | None = None) -> None:
        self.document = document
        """What `benchctl export --format json` writes."""
        self.summary = summary
        """The last line of `benchctl run --format jsonl`; None if the run was loaded."""
        self.messages = ""
        """What the program said on standard error while it measured, without its progress."""
        self._program = program

    @property
    def rows(self) -> list[Row]:
        """The points, run by run; all figures are the program's."""
        return list(self.document["rows"])

    @property
    def exit_code(self) -> int | None:
        """That of `benchctl run`; None if the run was loaded."""
        return None if self.summary is None else int(self.summary["exit_code"])

    def select(self, **match: Any) -> list[Row]:
        """The rows that have these values, by the row's keys, parameters and tunables: select(n=512, device="cuda:0")."""
        return [row for row in self.rows if all(_get(row, key) == value for key, value in match.items())]

    def best(self, **match: Any) -> Row:
        """The row of the fastest point of one problem and device, as the program ranks them.

        `match` chooses as in select(). Raises LookupError if no point is the fastest there, or if several problems or devices have one.
        """
        chosen = [row for row in self.select(**match) if row["fastest"]]
        if len(chosen) == 1:
            return chosen[0]
        if not chosen:
            if match and not self.select(**match):
                raise LookupError(f"no point has {', '.join(f'{key}={value!r}' for key, value in match.items())}: {_counts(self.document)}")
            failed = [f"\n{row['label']}: {row['status']}: {row['reason']}" for row in self.rows if has_failed(row)]
            raise LookupError(f"no fastest point{' matches' if match else ''}: {_counts(self.document)}{''.join(failed[:1])}")
        parameters = sorted({name for row in chosen for name in row["problem"]})
        varying = [key for key in ("device", "workload", "layout", "basis", "cache", "launch", "run", *parameters)
                   if len({repr(_get(row, key)) for row in chosen}) > 1]
        raise LookupError(f"{len(chosen)} problems and devices have a fastest point: choose one by {', '.join(varying)}, such as "
                          f"best({', '.join(f'{key}={_get(chosen[0], key)!r}' for key in varying)})")

    def df(self) -> pandas.DataFrame:
        """One row a point: what it is, status, figures with their units in the names (`median_ns`, `power_w`), a
        column for each parameter, tunable and note (`notes.threads`), and the run: store, run_name, created_at, host, device_name, benchctl.

        `attrs` has `parameters`, the columns of parameters and tunables, and `roofs`: device → probe → bytes, operations or launches per second. Needs pandas.
        """
        pandas = need("pandas", "a DataFrame")
        rows = []
        for row, of_run in self._with_runs():
            flat = {self._column(key): value for key, value in row.items() if key not in ("problem", "tunables", "notes", "samples_ns")} | of_run
            for kind in ("problem", "tunables"):
                for name, value in row[kind].items():
                    flat[f"{kind}.{name}" if name in flat else name] = value
            flat |= {f"notes.{name}": text for name, text in row["notes"].items()}
            rows.append(flat)
        frame = pandas.DataFrame(rows)
        for column in frame.columns:
            if frame[column].isna().all():
                frame[column] = frame[column].astype(float)
        if rows:
            frame["created_at"] = pandas.to_datetime(frame["created_at"])
        frame.attrs["parameters"] = sorted({name if f"{kind}.{name}" not in frame else f"{kind}.{name}"
                                            for row in self.rows for kind in ("problem", "tunables") for name in row[kind]})
        frame.attrs["roofs"] = {platform["lane"]: platform["roofs"] for platform in self.document["platforms"]}
        return frame

    def samples(self) -> pandas.DataFrame:
        """One row a sample, in the order of measuring: run, point, label, sample (from 0), time_ns of one execution,
        batch (executions whose mean it is). Needs pandas."""
        pandas = need("pandas", "a DataFrame")
        rows = self.rows
        if not any("samples_ns" in row for row in rows):
            if not all(Path(run["store"]).exists() for run in self.document["runs"]):
                raise LookupError("the document has no samples: write it with `benchctl export --format json --samples`")
            rows = _report(self.document["runs"], self._program, "--samples")["rows"]
        return pandas.DataFrame([(row["run"], row["point"], row["label"], index, ns, row["batch"])
                                 for row in rows for index, ns in enumerate(row.get("samples_ns", []))],
                                columns=["run", "point", "label", "sample", "time_ns", "batch"])

    def compare(self, base: Run, **options: Any) -> Comparison:
        """What is faster or slower in this run than in `base`, by `benchctl compare`.

        `options` are those of the command: threshold=0.02, policy="gate.toml", process_spread=0.01.
        """
        sides = [base._side(), self._side()]
        return Comparison(programs.document(["compare", *sides, *programs.options_of(options)], program=self._program, fine=(0, 3, 4, 5)))

    def _side(self) -> str:
        """How `compare` names this run."""
        runs = self.document["runs"]
        if len(runs) != 1:
            raise ValueError(f"compare takes one run on each side; here are {len(runs)}: load them one by one")
        if not Path(runs[0]["store"]).exists():
            raise LookupError(f"compare reads stores, and {runs[0]['store']} is not there: keep it, or load the run from where it is now")
        return f"{runs[0]['store']}:{runs[0]['id']}"

    def _with_runs(self) -> Iterator[tuple[Row, dict[str, str]]]:
        """The rows, each with what df() tells of its run and device."""
        for run in self.document["runs"]:
            host = next((entry["value"] for entry in run["environment"] if entry["key"] == "system.host"), "")
            common = {"store": run["store"], "run_name": run["name"], "created_at": run["created_at"], "host": host, "benchctl": run["benchctl"]}
            devices = {device["device"]: {"device_name": device["name"], "driver": device.get("driver", "")} for device in run["devices"]}
            for row in self.document["rows"][run["first_row"]:run["first_row"] + run["row_count"]]:
                yield row, common | devices.get(row["device"], {"device_name": "", "driver": ""})

    def _column(self, key: str) -> str:
        suffix = UNITS_NOT_IN_NAMES.get(self.document["units"].get(key, ""))
        return f"{key}_{suffix}" if suffix else key

    def __str__(self) -> str:
        return "\n".join(headline["text"] for headline in self.document["headlines"]) or _counts(self.document)

    def __repr__(self) -> str:
        runs = ", ".join(f"{run['name']} ({run['label']})" for run in self.document["runs"])
        return f"<benchctl.Run {runs}: {_counts(self.document)}>"

    def _repr_html_(self) -> str:
        """The answer, a line for each device, in the program's words."""
        parts = []
        for headline in self.document["headlines"]:
            parts.append(f"<p><b>{html.escape(headline['title'])}</b> {html.escape(headline['about'])}</p>")
            parts.append(_html_table(("device", "fastest", "time", ""), [
                (self.document["platforms"][line["platform"]]["label"], line["answer"], line["time"], line["factors"])
                for line in headline["devices"]]))
        return "".join(parts) + f"<p>{html.escape(_counts(self.document))}</p>"


class Comparison:
    """What `benchctl compare` found."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        """What `benchctl compare --format json` writes."""

    @property
    def exit_code(self) -> int:
        """0: no failure, 3: regressed, 4: not comparable, 5: not resolved."""
        return int(self.document["exit_code"])

    def df(self) -> pandas.DataFrame:
        """One row a pair: label, outcome, fails, reason, ratio of the medians (new over base: above 1 is slower) with its
        95 % interval, base_median_ns, new_median_ns. Needs pandas."""
        pandas = need("pandas", "a DataFrame")
        return pandas.DataFrame([{
            "label": pair["label"], "outcome": pair["outcome"], "fails": pair["fails"], "reason": pair["reason"],
            "ratio": pair["ratio"], "ratio_low": pair["interval"][0], "ratio_high": pair["interval"][1],
            "base_median_ns": (pair["base"] or {}).get("median_ns"), "new_median_ns": (pair["new"] or {}).get("median_ns"),
        } for pair in self.document["pairs"]])

    def __str__(self) -> str:
        return str(self.document["text"])

    def _repr_html_(self) -> str:
        rows = [(pair["label"], pair["outcome"].replace("_", " "), "" if pair["ratio"] is None else f"{pair['ratio']:.4g}")
                for pair in self.document["pairs"]]
        return f"<p><b>{html.escape(str(self))}</b></p>{_html_table(('point', 'change', 'new / base'), rows)}"


def load(source: str | Path, *runs: int | str, program: str | Path | None = None) -> Run:
    """Runs of a store (numbers, names of baselines or "all"; default: the newest), or a file of `benchctl export --format json`.

    Raises FileNotFoundError, ValueError for another kind of file, Refused if the store has no such run.
    """
    path = Path(source)
    with path.open("rb") as file:
        is_store = file.read(15) == b"SQLite format 3"
    if is_store:
        words = ["export", *(str(run) for run in runs), "--db", str(path)]
        return Run(programs.document(words, program=program), program=program)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("schema") != "benchctl.report":
        raise ValueError(f"{path} is neither a store nor a document of `benchctl export --format json`")
    if runs:
        raise ValueError(f"{path} is one document: runs can only be chosen from a store")
    return Run(programs.checked(document, "schema_version"), program=program)


def of_store(store: str, number: int, summary: dict[str, Any], program: str | Path | None) -> Run:
    """The run that a stream's summary names."""
    return Run(_report([{"store": store, "id": number}], program), summary=summary, program=program)


def has_failed(row: Row) -> bool:
    """Does the point count as a failure, as for the program's exit code 1?"""
    return row["status"] not in ("ok", "unstable", "skipped", "not_run")


def _report(runs: list[dict[str, Any]], program: str | Path | None, *options: str) -> dict[str, Any]:
    return programs.document(["export", *(f"{run['store']}:{run['id']}" for run in runs), *options], program=program)


def _get(row: Row, key: str) -> Any:
    """A parameter, a tunable or another key of the row; None if it has none of that name."""
    return next((place[key] for place in (row["problem"], row["tunables"], row) if key in place), None)


def _counts(document: dict[str, Any]) -> str:
    statuses = [row["status"] for row in document["rows"]]
    counts = ", ".join(f"{statuses.count(status)} {status}" for status in dict.fromkeys(statuses))
    return f"{len(statuses)} point{'' if len(statuses) == 1 else 's'}: {counts}" if statuses else "no points"


def _html_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    def line(cells: tuple[str, ...], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"
