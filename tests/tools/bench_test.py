# SPDX-License-Identifier: MIT
"""tools/bench reads the program's JSON and judges it; the program is a stand-in with known answers."""
import contextlib
import importlib.machinery
import importlib.util
import pathlib
import sqlite3
import sys
import tempfile
import unittest

import tree

BENCH = tree.ROOT / "tools/bench"

# Two kernels; prints what a real run would.
PROGRAM = """\
#!{python}
import json
def kernel(time_us, tflops, bound):
    return dict(time_us=time_us, cycles=500, warp_instructions=2000000, bound=bound,
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

    def test_a_broken_promise_of_speed_is_named(self):
        result = self.bench.run(self.program, "a.yaml", "t.trace")
        self.assertIn("promised 3.0 M", "".join(self.bench.missed_promises("flashattn", 1, result)))
        self.assertEqual("".join(self.bench.missed_promises("saxpy", 1, result)), "")

    def test_a_gather_is_judged_by_its_sectors(self):
        result = self.bench.run(self.program, "a.yaml", "t.trace")
        self.assertIn("0.50 M sectors a second, promised 1.5 M",
                      "".join(self.bench.missed_promises("gather", 1, result)))

    def test_rows_over_their_budget_and_over_their_target_are_named(self):
        def row(trace, budget, target):
            return {"trace": trace, "params": [], "cache": "warm", "unit": "run", "budget": budget, "target": target}

        rows = [row("saxpy", 100, 50), row("gather", 100, 200)]
        self.assertEqual(self.bench.verdict(rows, [103, 100], 3),
                         (["Every row keeps its budget.", "Over target, times the target: saxpy 2.06."], False))
        self.assertEqual(self.bench.verdict(rows, [50, 104], 3),
                         (["Over budget: gather: 104 a run, the budget is 100"], True))


if __name__ == "__main__":
    unittest.main()
