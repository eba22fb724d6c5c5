# SPDX-License-Identifier: MIT
"""tools/regen_docs.py --check holds the micro cases that it simulates to their tolerances."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import tree

WITHIN = {"id": "a/within", "counted": True, "within_tolerance": True, "simulated": 1, "measured": 1}
BEYOND = {"id": "b/beyond", "counted": True, "within_tolerance": False, "simulated": 2, "measured": 1}
NOT_COUNTED = {**BEYOND, "id": "c/not-counted", "counted": False}
# Writes the cases as gpusim does, and says so on standard error unless it shall be quiet.
PROGRAM = """#!/usr/bin/env python3
import pathlib, sys
if "--quiet" not in sys.argv:
    print("gpusim: info: wrote a file", file=sys.stderr)
pathlib.Path(sys.argv[sys.argv.index("--json") + 1]).write_text('CASES')
"""
FAILING = """#!/usr/bin/env python3
import sys
sys.exit("gpusim: error: no such suite")
"""


class RegenDocs(unittest.TestCase):
    def check(self, cases, *options):
        """Checks no document, so that nothing but the cases is looked at."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "cases.json"
            path.write_text(json.dumps({"cases": cases}))
            command = [sys.executable, tree.ROOT / "tools/regen_docs.py", "--check", "--only", "no such document",
                       "--program", "/bin/false", "--cases", path, *options]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_a_counted_case_beyond_its_tolerance_fails(self):
        done = self.check([WITHIN, BEYOND, NOT_COUNTED])
        self.assertEqual((done.returncode, done.stdout),
                         (1, "case b/beyond: simulated 2, measured 1: beyond its tolerance\n"), done.stderr)

    def test_cases_within_their_tolerance_pass(self):
        self.assertEqual(self.check([WITHIN, NOT_COUNTED]).returncode, 0)

    def run_program(self, text):
        """As `check`, with cases that this program simulates."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "gpusim"
            program.write_text(text)
            program.chmod(0o755)
            command = [sys.executable, tree.ROOT / "tools/regen_docs.py", "--check", "--only", "no such document",
                       "--program", program]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_the_cases_that_the_program_simulates_are_looked_at(self):
        done = self.run_program(PROGRAM.replace("CASES", json.dumps({"cases": [WITHIN, BEYOND]})))
        self.assertEqual((done.returncode, done.stdout.partition(":")[0]), (1, "case b/beyond"), done.stderr)

    def test_a_program_that_fails_is_named_in_one_line(self):
        done = self.run_program(FAILING)
        self.assertEqual((done.returncode, done.stdout.count("\n"), done.stderr), (1, 1, ""))
        self.assertIn("gpusim: error: no such suite", done.stdout)

    def test_cases_that_are_kept_are_not_looked_at(self):
        self.assertEqual(self.check([BEYOND], "--keep-cases").returncode, 0)


if __name__ == "__main__":
    unittest.main()
