"""Tables of figures: made by a command, and as the command makes them."""
import re
import subprocess

from . import pages

TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
# A command writes what stands between such lines. What a long test prints is copied: `<!-- printed by TEST -->`.
MADE = re.compile(r"^<!-- (table \w+|rules|coverage_table|counts|check_fresh|printed by [^>\n]+) -->\n.*?^<!-- end of \w+ -->$", re.MULTILINE | re.DOTALL)


def check(tree):
    """A table with a column of numbers (`---:`) stands between the marks of the command that makes it."""
    faults, count = [], 0
    for page in pages.of(tree):
        text = pages.without_fences(page.read_text(encoding="utf-8"))
        count += len(MADE.findall(text))
        for table in TABLE.finditer(MADE.sub(lambda match: re.sub(r"^\|", "", match.group(), flags=re.MULTILINE), text)):
            head, *lines = table.group().split("\n")
            if "---:" in lines[0]:
                faults.append(f"{page.relative_to(tree)}: a command has to make the table {head[:60]}… "
                              "(tools/experiment_tables --help); align its columns to the left if they are not figures")
    program = tree / "tools" / "experiment_tables"
    if program.exists():
        made = subprocess.run([program, "--check", tree], capture_output=True, text=True, check=False)
        if made.returncode:
            faults += (made.stdout + made.stderr).strip().split("\n")
    return f"{count} tables that commands make", faults
