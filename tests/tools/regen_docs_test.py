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


class RegenDocs(unittest.TestCase):
    def check(self, cases, *options):
        """Of no document, so that nothing but the cases is looked at."""
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

    def test_cases_that_are_kept_are_not_looked_at(self):
        self.assertEqual(self.check([BEYOND], "--keep-cases").returncode, 0)


if __name__ == "__main__":
    unittest.main()
