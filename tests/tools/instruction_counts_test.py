# SPDX-License-Identifier: MIT
"""tools/instruction_counts.py counts with valgrind, of which a stand-in with known answers takes the place."""
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import instruction_counts  # noqa: E402

# The start takes 1000 host instructions, an element of n 50; a warp instruction is ten elements.
VALGRIND = """\
#!{python}
import json, sys
log = next(word.split("=", 1)[1] for word in sys.argv if word.startswith("--log-file="))
n = next((int(word[2:]) for word in sys.argv if word.startswith("n=")), 0)
open(log, "w").write(f"==1== Collected : {{1000 + 50 * n}}\\n")
print(json.dumps(dict(kernels=[dict(warp_instructions=n // 10)])))
"""


def row(n, unit, **changes):
    return {"trace": "saxpy", "params": [f"n={n}"], "arch": "h100", "cache": "warm", "unit": unit, "before": 1500,
            "target": 400, "budget": 480, **changes}


ROWS = [row(0, "run"), row(200, "warp instruction")]


class InstructionCounts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusim counts ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        valgrind = self.folder / "valgrind"
        valgrind.write_text(VALGRIND.format(python=sys.executable))
        valgrind.chmod(0o755)
        path = unittest.mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}"})
        path.start()
        self.addCleanup(path.stop)

    def program(self, comment):
        path = self.folder / "gpusim"
        path.write_bytes(b"\x7fELF\0" + comment + b"\0")
        return path

    def test_a_row_leaves_the_start_of_the_program_out(self):
        self.assertEqual(instruction_counts.costs("gpusim", ROWS), [1000, 500])

    def test_a_row_may_be_over_its_budget_by_the_tolerance(self):
        self.assertFalse(instruction_counts.over_budget(ROWS[1], 494, 3))
        self.assertTrue(instruction_counts.over_budget(ROWS[1], 495, 3))

    def test_a_written_budget_is_read_again(self):
        budget = {"compiler": "g++ 12", "tolerance_percent": 3, "rows": ROWS}
        path = self.folder / "budget.json"
        path.write_text(instruction_counts.written_budget(budget, [1000.2, 500.4]))
        self.assertEqual([found["budget"] for found in instruction_counts.read_budget(path)["rows"]], [1000, 500])
        self.assertEqual(instruction_counts.read_budget(path)["compiler"], "g++ 12")

    def test_the_documents_show_the_budget(self):
        text = instruction_counts.markdown({"rows": [row(200, "warp instruction", cache="cold")]})
        self.assertIn("| `saxpy` n=200 cold | warp instruction | 1,500 | 400 | 480 | 1.2 |", text)

    def test_the_documents_show_how_far_the_budget_is_from_the_least(self):
        text = instruction_counts.distances(instruction_counts.read_budget())
        for what, _, least in instruction_counts.LEAST:
            self.assertRegex(text, rf"\| {what} \| {least} \| [0-9,]+ \| [0-9,]+ \| [0-9]+ times \|")

    def test_a_budget_says_nothing_about_another_compiler(self):
        budget = {"compiler": "g++ 12"}
        ours = self.program(b"GCC: (Debian 12.2.0-14) 12.2.0")
        self.assertEqual(instruction_counts.why_not_counted(ours, budget), "")
        other = self.program(b"GCC: (Debian 12.2.0-14) 12.2.0\0Debian clang version 14.0.6")
        self.assertIn("clang, g++ 12", instruction_counts.why_not_counted(other, budget))
        self.assertIn("g++ 13", instruction_counts.why_not_counted(self.program(b"GCC: (GNU) 13.1.0"), budget))

    def test_without_valgrind_nothing_is_counted(self):
        with unittest.mock.patch.dict(os.environ, {"PATH": "/nonexistent"}):
            self.assertIn("not installed", instruction_counts.why_not_counted("gpusim", {"compiler": "g++ 12"}))

    def test_every_row_of_the_budget_can_be_run(self):
        rows = instruction_counts.read_budget()["rows"]
        self.assertEqual(sum(found["unit"] == "run" for found in rows), 1)
        for found in rows:
            with self.subTest(json.dumps(found)):
                self.assertIn(found["unit"], instruction_counts.UNITS)
                self.assertTrue((tree.ROOT / f"configs/{found['arch']}.yaml").is_file())
                self.assertTrue((tree.ROOT / f"traces/{found['trace']}.trace").is_file())


if __name__ == "__main__":
    unittest.main()
