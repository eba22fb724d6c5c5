# SPDX-License-Identifier: MIT
"""A small tree in which a test plants one fault, and the means to run a tool on it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LICENCE = "SPDX-License-Identifier: MIT"


class TreeTest(unittest.TestCase):
    """Gives each test `self.root`, an empty tree. The folder's name has a space."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusim tree ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def plant(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def plant_source(self, name, *lines):
        return self.plant(name, "\n".join([f"// {LICENCE}", *lines]) + "\n")

    def check(self, tool, *options):
        """(exit status, everything printed) of a check run on the tree."""
        command = [sys.executable, "-B", str(ROOT / "tools" / tool), "--root", str(self.root), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def assert_clean(self, tool, *options):
        status, output = self.check(tool, *options)
        self.assertEqual(status, 0, output)

    def assert_refused(self, tool, message, *options):
        status, output = self.check(tool, *options)
        self.assertEqual(status, 1, output)
        self.assertIn(message, output)
