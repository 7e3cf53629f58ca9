"""The table of docs/experiments/coalescing.md that `benchctl explain --rules` makes, from points that no GPU runs."""
import json
import os
import re
import subprocess
import tempfile

PAGE = "docs/experiments/coalescing.md"
CONFIG = """
[experiment]
name = "rules"
[measure]
samples = 1
[[sweep]]
workload = "access"
variants = ["plain"]
zip = [["pattern", "misalign"]]
parameters = { n = [4096], pattern = ["linear", "linear", "scattered_384", "scattered_warp"], misalign = [0, 1, 0, 0] }
[[sweep]]
workload = "vec3_map"
variants = ["scalar"]
parameters = { n = [4096], layout = ["aos12"] }
"""
ROWS = (("`linear`", "one access of 128 bytes"), ("`linear`, one element off", "50 % and 80 %"), ("`scattered_384`", "33 % and 67 %"),
        ("`scattered_warp`", "–"), ("structs of 12 bytes, `scalar`", "not coalesced"))
RULES = ("cc1.0", "cc1.2", "cc2.0", "cc2.0-l2", "cc3.0")


def _share(findings, rules):
    """Of the bytes moved for loads, those that the loads ask for."""
    loads = [finding["figures"] for finding in findings if finding["topic"] == rules and finding["text"].startswith("Load")]
    value = 100 * sum(load["used_bytes"] for load in loads) / sum(load["moved_bytes"] for load in loads)
    return f"{value:.1f} %" if rules == "cc1.0" and value < 99 else f"{value:.0f} %"


def check(tree, benchctl):
    """What was looked at, and complaints. Without PoCL there is nothing to look at."""
    shown = re.search(r"^<!-- rules -->\n(.*?)^<!-- end of rules -->$", (tree / PAGE).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments, text=None):
            environment = os.environ | {"BENCHCTL_LOCK_FILE": f"{folder}/lock"}
            return subprocess.run([benchctl, *arguments, "--db", "store.db"], input=text, capture_output=True, text=True, check=False, cwd=folder, env=environment)

        if run("run", "-", "--device", "opencl:pocl:*", text=CONFIG).returncode == 2:
            return "no device of PoCL", []
        lines = ["| accesses | 1.0 | 1.2 | 2.x | 2.x without L1 | 3.x and later | published |", "| --- | ---: | ---: | ---: | ---: | ---: | --- |"]
        for number, (accesses, published) in enumerate(ROWS):
            findings = json.loads(run("explain", str(number), "--rules", ",".join(RULES), "--format", "json").stdout)["findings"]
            lines.append(f"| {accesses} | {' | '.join(_share(findings, rules) for rules in RULES)} | {published} |")
    made = "\n".join(lines) + "\n"
    same = shown and shown.group(1) == made
    return f"{len(ROWS)} rows", [] if same else [f"{PAGE}: between <!-- rules --> and <!-- end of rules --> has to stand\n{made}"]
