#!/usr/bin/env python3
"""Ranks three OpenCL kernels for C = A * B, one of which cheats, through `benchctl run - --format jsonl`.

  rank_kernels.py [BENCHCTL]
Kernels go in as text, verdicts come back as one line of JSON a point."""
import json
import subprocess
import sys

HEAD = "__kernel void go(__global const float* A, __global const float* B, __global float* C, int n) {\n"
KERNELS = {
    "by_rows": HEAD + """
  const int row = get_global_id(0) / n, column = get_global_id(0) % n;
  if (row >= n) return;
  float sum = 0;
  for (int l = 0; l < n; ++l) sum += A[row * n + l] * B[l * n + column];
  C[row * n + column] = sum;
}""",
    "by_columns": HEAD + """
  const int row = get_global_id(0) % n, column = get_global_id(0) / n;
  if (column >= n) return;
  float sum = 0;
  for (int l = 0; l < n; ++l) sum += A[row * n + l] * B[l * n + column];
  C[row * n + column] = sum;
}""",
    "cheat": HEAD + """
  const int row = get_global_id(0) / n, column = get_global_id(0) % n;
  if (row >= n) return;
  float sum = 0;
  for (int l = 0; l < n; l += 2) sum += A[row * n + l] * B[l * n + column];
  C[row * n + column] = 2 * sum;  // half of the terms: about as large, twice as fast
}""",
}


def config():
    """The experiment as TOML: its strings are those of JSON."""
    lines = ['[experiment]\nname = "rank"\nroofs = "none"', "[measure]\nmax_seconds = 1"]
    for name, text in KERNELS.items():
        kernel = {"name": name, "workload": "matmul", "backend": "opencl", "text": text, "entry": "go",
                  "block": 64, "grid": "ceil_div(n * n, 64)"}
        kernel_lines = [f"{key} = {json.dumps(value)}" for key, value in kernel.items()]
        lines += ["[[kernel]]", 'arguments = ["A", "B", "C", "n"]', *kernel_lines]
    lines += ["[[sweep]]", 'workload = "matmul"', 'backends = ["opencl"]', "parameters = { n = 128 }",
              f"variants = {json.dumps(list(KERNELS))}"]
    return "\n".join(lines) + "\n"


def measure(benchctl):
    """The rows of all points and the summary."""
    run = [benchctl, "run", "-", "--format", "jsonl"]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write(config())
        process.stdin.close()
        rows, summary = {}, None
        for line in process.stdout:  # as soon as a point has its result
            event = json.loads(line)
            if event["type"] == "point":
                rows[event["row"]["point"]] = event["row"]  # of several lines the last counts
            elif event["type"] == "summary":
                summary = event
    if summary is None:
        sys.exit(f"benchctl measured nothing (exit code {process.returncode})")
    return list(rows.values()), summary


def main():
    rows, summary = measure(sys.argv[1] if len(sys.argv) > 1 else "benchctl")
    timed = [row for row in rows if row["status"] in ("ok", "unstable")]
    for row in sorted(timed, key=lambda row: (row["device"], row["median_ns"])):
        print(f"{row['device']}  {row['variant']:<10} {row['median_ns'] / 1e3:10.1f} us  {row['status']}")
    for row in rows:
        if row not in timed:
            print(f"{row['device']}  {row['variant']:<10} {row['status']}: {row['reason']}")
    print(f"benchctl: {summary['meaning']} (exit code {summary['exit_code']})")


if __name__ == "__main__":
    main()
