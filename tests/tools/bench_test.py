# SPDX-License-Identifier: MIT
"""tools/bench reads the program's JSON and judges it; the program is a stand-in with known answers."""
import contextlib
import csv
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import tree

BENCH = tree.ROOT / "tools/bench"

# Two kernels, 100 cycles a step plus 1000; prints what a real run would.
PROGRAM = """\
#!{python}
import json, sys
words = sys.argv[1:]
params = dict(words[i + 1].split("=") for i, word in enumerate(words) if word == "--param")
def kernel(time_us, tflops, bound):
    return dict(time_us=time_us, cycles=500 + 50 * int(params.get("steps", 0)), warp_instructions=2000000, bound=bound,
                throughput=dict(tflops=tflops, dram_gbs=10.0, dram_pct=93.0, sm_pct=50.0),
                memory=dict(l1=dict(all_sectors=500000)))
host = dict(seconds=2.0, peak_rss_bytes=100000000)
print(json.dumps(dict(clock_mhz=1000.0, host=host, kernels=[kernel(1.0, 10.0, "dram"), kernel(3.0, 30.0, "tensor")])))
"""


def load_bench():
    loader = importlib.machinery.SourceFileLoader("bench", str(BENCH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
    loader.exec_module(module)
    return module


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusim bench ")
        self.addCleanup(folder.cleanup)
        self.program = pathlib.Path(folder.name) / "gpusim"
        self.program.write_text(PROGRAM.format(python=sys.executable))
        self.program.chmod(0o755)
        self.bench = load_bench()

    def case(self, **fields):
        usual = {"arch": "a.yaml", "trace": "t.trace", "params": "", "set": "", "cache": "warm", "flops": "",
                 "measured": "100", "low": "90", "high": "110"}
        return {**usual, **fields}

    def test_a_database_grows_by_whole_copies_of_its_study(self):
        database = self.program.parent / "sweep.db"
        with contextlib.closing(sqlite3.connect(database)) as base, base:
            base.execute("CREATE TABLE point(key PRIMARY KEY, program, status, reason, cycles, time_us, bound, metrics,"
                         " host_seconds)")
            base.execute("CREATE TABLE asked(study, position, key, arch, trace, parameters, derived, skipped,"
                         " PRIMARY KEY(study, position))")
            for i in (1, 2, 3):
                base.execute(f"INSERT INTO point VALUES('k{i}', 'p', 'done', '', 5, 1.0, 'dram', '{{}}', 0)")
                base.execute(f"INSERT INTO asked VALUES(1, {i}, 'k{i}', 'h100', 'saxpy', '{{}}', '{{}}', NULL)")
        self.bench.grow(database, 10)
        with contextlib.closing(sqlite3.connect(database)) as base:
            stored = base.execute("SELECT count(*), max(position) FROM asked JOIN point USING(key)").fetchone()
        self.assertEqual(stored, (12, 12))

    def test_a_rate_of_the_run_weighs_its_kernels_by_time(self):
        result = self.bench.run(self.program, "a.yaml", "t.trace")
        self.assertEqual(self.bench.weighted(result, "tflops"), 25.0)
        self.assertEqual(self.bench.bound_of(result), "tensor")
        self.assertEqual(self.bench.rate(result), 2e6)

    def test_the_cost_of_a_step_leaves_the_start_out(self):
        case = self.case(metric="cycles_per_step", params="bytes=64 steps=8")
        self.assertEqual(self.bench.measure(self.program, case)[0], 100.0)

    def test_work_over_time_uses_the_flops_of_the_source(self):
        value, _ = self.bench.measure(self.program, self.case(metric="work_tflops", flops="8000000"))
        self.assertEqual(value, 2.0)

    def test_a_value_is_judged_by_its_range(self):
        error, good = self.bench.judge(self.case(), 95.0)
        self.assertAlmostEqual(error, -0.05)
        self.assertTrue(good)
        self.assertFalse(self.bench.judge(self.case(), 120.0)[1])
        self.assertTrue(self.bench.judge(self.case(low="", high=""), 120.0)[1])
        self.assertIsNone(self.bench.judge(self.case(measured=""), 95.0)[0])

    def test_a_broken_promise_of_speed_is_named(self):
        result = self.bench.run(self.program, "a.yaml", "t.trace")
        self.assertIn("promised 3.0 M", "".join(self.bench.missed_promises("flashattn", 1, result)))
        self.assertEqual("".join(self.bench.missed_promises("saxpy", 1, result)), "")

    def test_a_gather_is_judged_by_its_sectors(self):
        result = self.bench.run(self.program, "a.yaml", "t.trace")
        self.assertIn("0.50 M sectors a second, promised 1.5 M",
                      "".join(self.bench.missed_promises("gather", 1, result)))

    def test_every_sanity_case_names_what_exists(self):
        with open(self.bench.SANITY, newline="", encoding="utf-8") as file:
            cases = list(csv.DictReader(file))
        self.assertEqual(len({case["id"] for case in cases}), len(cases))
        for case in cases:
            with self.subTest(case["id"]):
                trace = (tree.ROOT / "traces" / case["trace"]).read_text()
                declared = set(re.findall(r"^param +(\w+)", trace, re.MULTILINE))
                self.assertLessEqual({param.split("=")[0] for param in case["params"].split()}, declared)
                self.assertTrue((tree.ROOT / "configs" / case["arch"]).is_file())
                self.assertTrue(case["source"] and case["unit"])

    def test_every_sanity_case_runs_and_the_misses_come_first(self):
        command = [sys.executable, "-B", str(BENCH), "--sanity", "--suite", "read", "--suite", "ffma", "--program",
                   str(self.program), "--json", str(self.program.parent / "out.json")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, self.bench.MISSED, done.stderr)
        first = next(line for line in done.stdout.splitlines() if line.startswith(("| ffma", "| read")))
        self.assertIn("**OUT**", first)
        rows = json.loads((self.program.parent / "out.json").read_text())["rows"]
        self.assertFalse(rows[0]["in_range"])
        self.assertTrue(rows[-1]["in_range"])


if __name__ == "__main__":
    unittest.main()
