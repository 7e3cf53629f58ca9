# shellcheck shell=bash
# What the commands in *_cases.txt of tests/cli have at hand.
set -o pipefail
trap 'echo "exit code $?"' ERR

# shellcheck disable=SC2154  # whoever calls sets it
benchctl() { "$program" "$@"; }

# Runs a command and prints nothing unless it ends with another exit code: `ends 1 benchctl run c.toml`.
ends() {
  local expected=$1 code=0
  shift
  "$@" >said 2>&1 || code=$?
  ((code == expected)) || { cat said; return "$code"; }
}

# The elements at a path of a JSON document, a line each, or these fields of them: `pick rows/* status notes/seed`.
pick() {
  python3 -IS -c '
import json, sys
def at(value, steps):
    if not steps:
        yield value
        return
    if not isinstance(value, (dict, list)):
        return
    keys = range(len(value)) if isinstance(value, list) else list(value)
    if steps[0] != "*":
        keys = [key for key in keys if str(key) == steps[0]]
    for key in keys:
        yield from at(value[key], steps[1:])
def steps(path): return [step for step in path.split("/") if step]
text = sys.stdin.read()
try: document = json.loads(text)
except ValueError: document = [json.loads(line) for line in text.splitlines()]
for element in at(document, steps(sys.argv[1])):
    shown = [list(at(element, steps(field))) or ["-"] for field in sys.argv[2:] or [""]]
    print(*(v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for vs in shown for v in vs))' "$@"
}

# Fields of the rows of the newest run: `rows status reason`.
rows() { benchctl export --format json | pick 'rows/*' "$@"; }

quoted() { printf "'%s', " "$@"; }

# A config of matmul for the fake backend: `fake 'steady noisy' 'n = [8, 16]' 'samples = 8'`. Lines of the
# sweep may follow.
fake() {
  local variants=$1
  # shellcheck disable=SC2086
  cat <<TOML
experiment = { name = 'fake', order = 'written' }
[measure]
span_seconds = 0
${3:-max_seconds = 0.5}
[[sweep]]
workload = 'matmul'
backends = ['fake']
variants = [$(quoted $variants)]
parameters = { $2 }
TOML
}

# A config with tables of workloads and kernels, and a sweep of the fake backend: its lines may follow.
own() {
  printf "experiment = { name = 'own' }\nmeasure = { seed = 7, max_seconds = 0.3 }\n%s\n" "$1"
  printf "[[sweep]]\nbackends = ['fake']\n"
}

# A kernel of the fake backend: `kernel mine matmul mine.k`; more lines of its table may be given.
kernel() {
  cat <<TOML
[[kernel]]
name = '$1'
workload = '$2'
backend = 'fake'
source = '${3:-mine.k}'
entry = 'go'
block = 'TILE'
grid = 1
defines = ['TILE']
${4:-}
[kernel.tunables]
TILE = 1
ns = 100000
noise = 0.0
noise_seed = 1
correlation = 0.0
tail = 0.0
drift = 0.0
process = ${process:-0.0}
fault_verb = 'run'
TOML
}

# A workload `product` of a config that the kernel $1 checks: the fake backend multiplies what has these parameters.
product() {
  cat <<TOML
[workload.product]
parameters = { n = 8, m = 'n', k = 'n', dtype = ['f32', 'f64'] }
cost = { flops = '2 * m * n * k' }
buffer = [
  { name = 'A', type = 'dtype', count = 'm * k', role = 'in' },
  { name = 'B', type = 'dtype', count = 'k * n', role = 'in' },
  { name = 'C', type = 'dtype', count = 'm * n', role = 'out' },
]
check = { kernel = '$1', relative = 'k * roundoff' }
TOML
}

# A workload that copies x to y: `copying made 'n = 37' n f32 "relative = 0.0"`; name, parameters, elements, their
# type, and what is right.
copying() {
  cat <<TOML
[workload.$1]
parameters = { $2 }
buffer = [
  { name = 'x', type = '$4', count = '$3', role = 'in' },
  { name = 'y', type = '$4', count = '$3', role = 'out' },
]
check = { $5 }
TOML
}

# A config whose kernel says in mine.k how slow it is: `sides mine 'n = [8, 16]'`. `process` says how far two processes
# differ.
sides() {
  local workload=${3:-matmul}
  printf "experiment = { name = 'sides' }\n[measure]\nsamples = 6\nwarmup_seconds = 0\n"
  kernel "$1" "$workload"
  printf "[[sweep]]\nbackends = ['fake']\nworkload = '%s'\nvariants = ['%s']\n" "$workload" "$1"
  echo "parameters = { $2 }"
}

# Commits files of this folder.
commit() { git add "$@" && git -c user.name=x -c user.email=x@example.org commit -q -m one; }

# How often the fake backend logged a line.
logged() { touch fake.log; grep -cx -- "$1" fake.log || true; }

# Waits until it has logged a line so often, a minute at most.
awaits() {
  local try
  for ((try = 0; try < 6000; ++try)); do
    (($(logged "$1") < $2)) || return 0
    sleep 0.01
  done
  echo "'$1' was not logged $2 times"
}
