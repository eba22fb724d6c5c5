# SPDX-License-Identifier: MIT
"""Every kernel of the Triton cache that was made on an H200 is executed on a small launch, and its results checked."""
import json
import lzma
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools/silicon"))
import launches  # noqa: E402

MEASURED = tree.ROOT / "tests/validation/silicon/h200"
GPUSIM = pathlib.Path(os.environ.get("GPUSIM_BUILD", tree.ROOT / "build/dev")) / "sim/app/gpusim"
SMALL = {"add": {"n": 5000}, "gelu": {"n": 5000}, "softmax": {"rows": 3}, "layer_norm": {"rows": 3},
         "rms_norm": {"rows": 3}, "column_sum": {"rows": 512, "columns": 128}, "gemv": {"rows": 16, "columns": 1024},
         "embedding": {"entries": 100, "count": 8}, "attention": {"batch": 1, "heads": 2, "length": 256}}


def small(case):
    """(parameters, grid): the measured case with less work."""
    name, p = case["experiment"].split("/")[1], dict(case["params"])
    if name == "matmul":
        bm, bn, bk = map(int, p["tile"].split("x"))
        p |= {"m": bm, "n": 2 * bn, "k": 3 * bk}
        return p, [2]
    p |= SMALL[name]
    grids = {"add": [5], "gelu": [5], "column_sum": [2, 2], "gemv": [2], "embedding": [8], "attention": [2, 2]}
    return p, grids.get(name, [p.get("rows")])


def decoded(path, element):
    data = path.read_bytes()
    data = data[10 + int.from_bytes(data[8:10], "little"):]
    if element == "bf16":
        words = struct.unpack(f"<{len(data) // 2}H", data)
        return struct.unpack(f"<{len(words)}f", struct.pack(f"<{len(words)}I", *(word << 16 for word in words)))
    letter = {"f32": "f", "f16": "e", "i64": "q"}[element]
    return struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)


def softmax(p, a, at):
    row = a[0][at - at % p["columns"]:][:p["columns"]]
    return math.exp(a[0][at]) / sum(map(math.exp, row))


def norm(p, a, at, centred):
    c = at % p["columns"]
    row = a[0][at - c:][:p["columns"]]
    mean = sum(row) / len(row) if centred else 0
    scale = 1 / math.sqrt(sum((x - mean)**2 for x in row) / len(row) + 1e-5)
    return (a[0][at] - mean) * scale * a[1][c] + (a[2][c] if centred else 0)


def matmul(p, a, at):
    row, column = divmod(at, p["n"])
    return sum(a[0][row * p["k"] + i] * a[1][i * p["n"] + column] for i in range(p["k"]))


def attention(p, a, at):
    d, length = p["d"], p["length"]
    head, row, column = at // (d * length), at // d % length, at % d
    q, k, v = (x[head * d * length:][:d * length] for x in (a[0], a[1], a[2]))
    keys = row + 1 if p["causal"] else length
    weights = [math.exp(sum(q[row * d + i] * k[t * d + i] for i in range(d)) / math.sqrt(d)) for t in range(keys)]
    return sum(w * v[t * d + column] for t, w in enumerate(weights)) / sum(weights)


# (parameter that is the result, element `at` of it by parameters and inputs)
EXPECTED = {
    "add": (2, lambda p, a, at: a[0][at] + a[1][at]),
    "gelu": (1, lambda p, a, at: a[0][at] / 2 * (1 + math.erf(a[0][at] * math.sqrt(0.5)))),
    "softmax": (1, softmax),
    "layer_norm": (3, lambda p, a, at: norm(p, a, at, True)),
    "rms_norm": (2, lambda p, a, at: norm(p, a, at, False)),
    "column_sum": (1, lambda p, a, at: sum(a[0][at::p["columns"]])),
    "gemv": (2, lambda p, a, at: sum(x * y for x, y in zip(a[0][at * p["columns"]:], a[1]))),
    "embedding": (2, lambda p, a, at: a[0][a[1][at // p["width"]] * p["width"] + at % p["width"]]),
    "matmul": (2, matmul),
    "attention": (3, attention),
}


@unittest.skipUnless(GPUSIM.exists(), "gpusim is not built")
class TritonCache(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        with tarfile.open(MEASURED / "triton.tar.xz") as tar:
            tar.extractall(self.folder)

    def kernels(self):
        """(folder in the cache, a measured case of its kernel)"""
        with lzma.open(MEASURED / "frameworks.jsonl.xz", "rt", encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        by_hash = {r["launch"]["hash"]: r for r in records if "hash" in r.get("launch", {})}
        for path in sorted(self.folder.glob("*/*.json")):
            told = json.loads(path.read_text(encoding="utf-8"))
            if "hash" in told:
                yield path.parent, by_hash[told["hash"]]

    def executed(self, kernel, case):
        """(parameters, values of the buffers by position)"""
        parameters, grid = small(case)
        arguments = launches.TRITON[case["experiment"].split("/")[1]](parameters)
        buffers = {i: text.split("[")[0] for i, text in enumerate(arguments) if "[" in str(text)}
        command = [GPUSIM, "exec", kernel, "--grid", ",".join(map(str, grid)), "--quiet"]
        for position, text in enumerate(arguments):
            command += ["--arg", f"{position}={text}"]
        for position in buffers:
            command += ["--out", f"{position}={self.folder / str(position)}.npy"]
        subprocess.run(command, check=True, capture_output=True)
        return parameters, {i: decoded(self.folder / f"{i}.npy", element) for i, element in buffers.items()}

    def test_each_kernel_computes_what_it_has_to(self):
        count = 0
        for kernel, case in self.kernels():
            with self.subTest(kernel=kernel.name[:8], case=case["params"]):
                parameters, values = self.executed(kernel, case)
                position, expected = EXPECTED[case["experiment"].split("/")[1]]
                places = random.Random(1).sample(range(len(values[position])), 16)
                pairs = [(values[position][at], expected(parameters, values, at)) for at in places]
                error = sum((x - y)**2 for x, y in pairs) / sum(y * y for _, y in pairs)
                self.assertLess(math.sqrt(error), 1e-2)
                count += 1
        self.assertEqual(count, 23)


if __name__ == "__main__":
    unittest.main()
