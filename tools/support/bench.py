"""What the programs in tools/ share: their options, calls of benchctl, and kernels whose times are known."""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build/release"


def options(text, **defaults):
    """Options as given. Of each name stands the default, False for a flag, or the type of what has none. `tree` is the
    folder of the tree, an argument."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        kind = {"type": default} if isinstance(default, type) else {"type": type(default), "default": default}
        if name == "tree":
            parser.add_argument(name, nargs="?", **kind)
        else:
            parser.add_argument(f"--{name}", **({"action": "store_true"} if default is False else kind))
    return parser.parse_args()


def benchctl(build, *arguments, codes=(0,), text=None):
    """Calls the program of a build, with `text` as its input. Ends if its exit code is not one of `codes`, unless there are none."""
    done = subprocess.run([str(build / "bin/benchctl"), *map(str, arguments)], input=text, text=True, capture_output=True, check=False)
    if codes and done.returncode not in codes:
        sys.exit(f"benchctl {arguments[0]} failed with {done.returncode}: {done.stderr}")
    return done


HEADS = {
    "cuda": ('extern "C" __global__ void', "const float* x, float* y", "blockIdx.x * blockDim.x + threadIdx.x"),
    "opencl": ("__kernel void", "__global const float* x, __global float* y", "get_global_id(0)"),
}


def loops(name, backend, seconds, parameters, count, sweeps, tunables=""):
    """A config of the kernel `loop`, which copies its input after `count` multiply-adds that change nothing."""
    head, buffers, index = HEADS[backend]
    kernels = "".join(f"""
[[kernel]]
name = "{kernel}"
workload = "{name}"
backend = "{backend}"
entry = "{kernel}"
defines = {{ count = "{rounds}" }}
tunables = {{ {own} }}
block = 64
grid = "ceil_div(n, 64)"
text = '''
{head} {kernel}({buffers}, int n, float one, float zero) {{
  const int i = {index};
  if (i < n) {{
    float value = x[i];
    for (int round = 0; round < count; ++round) value = value * one + zero;
    y[i] = value;
  }}
}}
'''
""" for kernel, rounds, own in (("loop", count, tunables), ("copy", "0", "")))
    return f"""
[experiment]
name = "{name}"
roofs = "none"
[measure]
max_seconds = {seconds}
[workload.{name}]
parameters = {{ {parameters} }}
buffer = [{{ name = "x", type = "f32", count = "n", role = "in" }}, {{ name = "y", type = "f32", count = "n", role = "out" }}]
scalar = [{{ name = "n" }}, {{ name = "one", type = "f32", value = "1" }}, {{ name = "zero", type = "f32", value = "0" }}]
check = {{ kernel = "copy" }}
{kernels}""" + "".join(f"""
[[sweep]]
name = "sweep_{number}"
workload = "{name}"
variants = ["loop"]
{sweep}
""" for number, sweep in enumerate(sweeps))
