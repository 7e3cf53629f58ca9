"""Inputs and truth of csr.toml: a sparse matrix in CSR whose first rows are the longest, and its product with x.

benchctl runs this in an empty folder, with the problem as JSON on standard input (docs/user-kernels.md#data-programs).
"""
import json
import sys

import numpy as np

request = json.load(sys.stdin)
rows = request["parameters"]["rows"]
count = rows * request["parameters"]["per_row"]
random = np.random.default_rng(request["seed"])

row_of = np.sort((rows * random.random(count) ** 2).astype(np.int32))  # of each element
columns = random.integers(0, rows, count, dtype=np.int32)
elements = random.uniform(-1, 1, count).astype(np.float32)
x = random.uniform(-1, 1, rows).astype(np.float32)
y = np.bincount(row_of, weights=elements.astype(np.float64) * x[columns], minlength=rows)

np.save("row_pointers.npy", np.searchsorted(row_of, np.arange(rows + 1)).astype(np.int32))
np.save("columns.npy", columns)
np.save("elements.npy", elements)
np.save("x.npy", x)
np.save("y.npy", y.astype(np.float32))
