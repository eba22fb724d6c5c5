# SPDX-License-Identifier: MIT
"""tools/same_results tells how the results of two programs differ; both are stand-ins with known answers."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

import tree

TOOL = tree.ROOT / "tools/same_results"

# Prints a result, and with more than one thread what else it has then; exits with what it is told to.
PROGRAM = """\
#!{python}
import json, sys
result = json.loads({result!r})
if sys.argv[sys.argv.index("--threads") + 1] != "1":
    result.update(json.loads({threaded!r}))
print(json.dumps(result))
sys.exit({status})
"""
RESULT = {"host": {"seconds": 1.0}, "clock_mhz": 1000, "kernels": [{"cycles": 500, "bound": "dram"}]}


def load_tool():
    loader = importlib.machinery.SourceFileLoader("same_results", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("same_results", loader))
    loader.exec_module(module)
    return module


class SameResults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusim results ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tool = load_tool()
        self.old = self.program("old", RESULT)

    def program(self, name, result, threaded=None, status=0):
        path = self.folder / name
        path.write_text(PROGRAM.format(python=sys.executable, result=json.dumps(result), status=status,
                                       threaded=json.dumps(threaded or {})))
        path.chmod(0o755)
        return path

    def compare(self, new, *options):
        """(exit status, what is printed) of one run compared."""
        words = ["same_results", "--against", str(self.old), "--program", str(new), *options]
        one = [("h100", tree.ROOT / "traces/saxpy.trace", ("n=32",), ())]
        printed = io.StringIO()
        with unittest.mock.patch.object(self.tool, "runs", lambda quick: one), \
                unittest.mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(printed):
            return self.tool.main(), printed.getvalue()

    def changed(self, **changes):
        return {**RESULT, **changes}

    def test_equal_results_are_the_same_whatever_the_host_took(self):
        new = self.program("new", self.changed(host={"seconds": 9.0}))
        self.assertEqual(self.compare(new), (0, "1 runs give the same results\n"))

    def test_a_new_key_is_allowed(self):
        new = self.program("new", self.changed(kernels=[{**RESULT["kernels"][0], "more": 1}]))
        self.assertEqual(self.compare(new)[0], 0)

    def test_a_changed_value_is_named_with_its_place(self):
        new = self.program("new", self.changed(kernels=[{"cycles": 501, "bound": "dram"}]))
        status, printed = self.compare(new)
        self.assertEqual(status, 1)
        self.assertIn("traces/saxpy.trace --param n=32 --threads 1: 1 differences", printed)
        self.assertIn("    kernels[0].cycles: was 500, is 501\n", printed)

    def test_a_key_that_is_missing_is_named(self):
        new = self.program("new", self.changed(kernels=[{"cycles": 500}]))
        status, printed = self.compare(new)
        self.assertEqual(status, 1)
        self.assertIn("    kernels[0].bound: is missing\n", printed)
        self.assertEqual(self.compare(new, "--ignore", "bound")[0], 0)

    def test_each_number_of_threads_is_compared(self):
        new = self.program("new", RESULT, threaded={"clock_mhz": 999})
        self.assertEqual(self.compare(new)[0], 0)
        status, printed = self.compare(new, "--threads", "1", "2", "3")
        self.assertEqual(status, 1)
        self.assertNotIn("--threads 1:", printed)
        self.assertIn("--threads 2: 1 differences", printed)
        self.assertIn("--threads 3: 1 differences", printed)

    def test_a_program_that_refuses_a_run_differs_from_one_that_does_not(self):
        status, printed = self.compare(self.program("new", RESULT, status=2))
        self.assertEqual(status, 1)
        self.assertIn("clock_mhz: is missing", printed)

    def test_every_run_is_of_a_shipped_trace_and_of_a_gpu_that_is_there(self):
        found = list(self.tool.runs(quick=False))
        self.assertGreater(len(found), len(list(self.tool.runs(quick=True))))
        for arch, path, _, _ in found:
            self.assertTrue(path.is_file(), path)
            self.assertTrue((tree.ROOT / f"configs/{arch}.yaml").is_file(), arch)
        larger = {path.stem for _, path, params, _ in found if params in self.tool.LARGER.get(path.stem, ())}
        self.assertEqual(larger, set(self.tool.LARGER))


if __name__ == "__main__":
    unittest.main()
