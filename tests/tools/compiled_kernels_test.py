# SPDX-License-Identifier: MIT
"""The machine code of tests/exec/kernels belongs to the sources beside it."""
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "exec/kernels/compile.py"


class CompiledKernels(unittest.TestCase):
    def test_no_source_has_changed_since_it_was_compiled(self):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


if __name__ == "__main__":
    unittest.main()
