# SPDX-License-Identifier: MIT
"""An installed program works from any folder, without the right to write where it lies."""
import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("GPUSIM_BUILD")


@unittest.skipUnless(BUILD, "GPUSIM_BUILD names the build folder whose program is installed")
class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="gpusim installed ")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name) / "opt"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True, capture_output=True)
        cls.elsewhere = pathlib.Path(cls.folder.name) / "elsewhere"
        cls.elsewhere.mkdir()

    def gpusim(self, *words):
        done = subprocess.run([self.prefix / "bin/gpusim", *words], cwd=self.elsewhere, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_names_are_found_in_the_installed_folders(self):
        self.assertIn("Speed of light", self.gpusim("--arch", "h100", "--trace", "saxpy", "--test-params"))
        self.assertIn("rms-norm", self.gpusim("trace", "make", "--list"))
        self.assertIn("coalescing", self.gpusim("lab", "list"))
        known = subprocess.run([self.prefix / "bin/gpusim", "--arch", "h1000", "--trace", "saxpy"], cwd=self.elsewhere,
                               capture_output=True, text=True, check=False).stderr
        self.assertIn(str(self.prefix / "share/gpusim/configs"), known)

    def test_a_run_writes_nothing_into_the_installed_folders(self):
        def listed():
            return sorted((path, path.stat().st_mtime_ns) for path in self.prefix.rglob("*"))

        before = listed()
        self.gpusim("--arch", "h100", "--trace", "saxpy", "--test-params", "--json", "result.json")
        self.gpusim("lab", "start", "coalescing", "work", "--student", "ann")
        self.assertEqual(before, listed())

    def test_the_documents_and_the_cases_that_they_tell_of_are_there(self):
        share = self.prefix / "share/gpusim"
        self.assertTrue((share / "docs/first-report.md").exists())
        for suite in ("micro", "kernels"):
            with self.subTest(suite):
                self.assertTrue(list((share / "tests/validation" / suite).glob("*.yaml")))

    def test_the_man_page_and_the_completions_are_there(self):
        share = self.prefix / "share"
        self.assertIn(".TH GPUSIM 1", (share / "man/man1/gpusim.1").read_text())
        self.assertIn("complete -F _gpusim", (share / "bash-completion/completions/gpusim").read_text())
        self.assertIn("#compdef gpusim", (share / "zsh/vendor-completions/_gpusim").read_text())
        self.assertIn("complete -c gpusim", (share / "fish/vendor_completions.d/gpusim.fish").read_text())


if __name__ == "__main__":
    unittest.main()
