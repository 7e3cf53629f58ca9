"""Tables of figures: made by a command, and as the command makes them."""
import re
import subprocess

from . import pages, tracked

TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
# A command writes what stands between such lines. What a long test or a command prints is copied: `<!-- printed by WHAT -->`.
MADE = re.compile(r"^<!-- (table \w+|answers|counts|check_fresh|printed by [^>\n]+) -->\n.*?^<!-- end of \w+ -->$", re.MULTILINE | re.DOTALL)
# Figures that nobody measures, such as limits: `<!-- not measured: REASON -->` in the line before the table.
UNMEASURED = re.compile(r"^<!-- not measured: [^>\n]+ -->\n(?:\|.*\n)+", re.MULTILINE)
CODE_OR_LINK = re.compile(r"`[^`]*`|\[[^\]]*\]\([^)]*\)")
FIGURE = re.compile(r"(?<![\w.])\d+(?:\.\d+\b(?!\.)|(?:\.\d+)?\s?(?:[µmn]?s|%|×|[GT]B/s|[GT]FLOP/s|[KMG]i?B)(?!\w))")


def of_figures(lines):
    """A column of numbers (`---:`), or a figure in most rows."""
    rows = [line for line in lines[2:] if line]
    return "---:" in lines[1] or sum(bool(FIGURE.search(CODE_OR_LINK.sub("", row))) for row in rows) > len(rows) / 2


def check(tree):
    """A table of figures stands between the marks of the command that makes it, or is marked as not measured."""
    faults, count = [], 0
    for page in [*pages.of(tree), *sorted((tree / "docs" / "results").rglob("*.md"))]:
        text = tracked.prose(page.read_text(encoding="utf-8"))
        count += len(MADE.findall(text))
        for marked in (MADE, UNMEASURED):
            text = marked.sub(lambda match: re.sub(r"^\|", "", match.group(), flags=re.MULTILINE), text)
        for table in TABLE.finditer(text):
            lines = table.group().split("\n")
            if of_figures(lines):
                faults.append(f"{page.relative_to(tree)}: a command has to make the table {lines[0][:60]}… (tools/experiment_tables --help); "
                              "if its figures are not measured, write `<!-- not measured: REASON -->` above it")
    program = tree / "tools" / "experiment_tables"
    if program.exists():
        made = subprocess.run([program, "--check", tree], capture_output=True, text=True, check=False)
        if made.returncode:
            faults += (made.stdout + made.stderr).strip().split("\n")
    return f"{count} tables that commands make", faults
