# SPDX-License-Identifier: MIT
"""tools/labs/figures.py finds figures of a handout that are stale, or that nothing ties to a run."""
import json
import stat
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools/labs"))
import figures  # noqa: E402

HANDOUT = """# A lab

## Goals

Read 5 things.

## Discussion

It takes 12.5 us for 1,000 cycles, {TAIL}
See [more](a7.md), `x9` and {{{{n * 3}}}}, as in [1].

## Sources

- [1] 2019
"""
FIGURES = """runs:
  one: {trace: start/kernel.trace, arch: t4, params: {n: 4, fast: yes}, kernel: k}
figures:
  - says: "takes 12.5 us for 1,000 cycles"
    is: [one.time_us, one.cycles]
"""


class Figures(tree.TreeTest):
    """A lab whose program is a script that prints a result."""

    def setUp(self):
        super().setUp()
        self.write()

    def write(self, tail="and no more.", described=FIGURES, time_us=12.46, shown="X(3)L"):
        self.plant("lab/handout.md", HANDOUT.replace("{TAIL}", tail).replace("{{{{", "{{").replace("}}}}", "}}"))
        self.plant("lab/figures.yaml", described)
        self.plant("lab/start/kernel.trace", "")
        result = {"kernels": [{"name": "k", "time_us": time_us, "cycles": 1000, "idle": None},
                              {"name": "other", "time_us": 1, "cycles": 1}], "machine": {"sms": 40}}
        self.plant("result.json", json.dumps(result))
        self.program = self.plant("gpusim", f"""#!/bin/sh
echo "$@" > '{self.root}/said'
case "$*" in *--watch*) echo '  w0  {shown}  X';; *) cat '{self.root}/result.json';; esac
""")
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)
        figures.Runs.result.cache_clear()
        figures.Runs.printed.cache_clear()

    def problems(self, write=False):
        return figures.problems_of(self.root / "lab", str(self.program), write)

    def test_figures_of_today_are_no_problem_and_the_run_is_as_described(self):
        self.assertEqual(self.problems(), [])
        said = (self.root / "said").read_text()
        self.assertIn(f"--arch t4 --trace {self.root}/lab/start/kernel.trace --param n=4 --param fast=yes", said)

    def test_a_figure_that_is_off_by_more_than_its_last_digit_is_stale(self):
        self.write(time_us=12.61)
        (problem,) = self.problems()
        self.assertIn("says 12.5, and one.time_us is 12.61", problem)

    def test_a_figure_may_be_off_by_what_it_says_itself(self):
        self.write(time_us=12.61, described=FIGURES + "    within: 2 %\n")
        self.assertEqual(self.problems(), [])

    def test_a_number_that_no_figure_has_is_found_with_its_line(self):
        self.write(tail="and 7 more.")
        self.assertEqual(self.problems(), ["line 9: no figure has 7"])

    def test_what_is_given_needs_no_run_and_has_to_be_there(self):
        self.write(tail="and 7 more.", described=FIGURES + 'given:\n  - "and 7 more"\n')
        self.assertEqual(self.problems(), [])
        self.write(described=FIGURES + 'given:\n  - "and 7 more"\n')
        self.assertEqual(self.problems(), ["'and 7 more' is given and not in handout.md"])

    def test_a_timeline_has_to_be_what_is_printed(self):
        described = FIGURES + '  - {shows: "X(3)L", run: one, with: --watch warp=0}\n'
        self.write(tail="X(3)L", described=described)
        self.assertEqual(self.problems(), [])
        self.write(tail="X(3)L", described=described, shown="X(4)L")
        (problem,) = self.problems()
        self.assertIn("'X(3)L' is not in what", problem)

    def test_a_piece_that_the_handout_lacks_is_found(self):
        self.write(described=FIGURES.replace("takes", "took"))
        self.assertIn("'took 12.5 us for 1,000 cycles' is not in handout.md", self.problems())

    def test_with_write_the_handout_and_its_figures_have_todays_numbers(self):
        self.write(time_us=14.04)
        self.assertEqual(len(self.problems(write=True)), 1)
        self.assertIn("takes 14.0 us for 1,000 cycles", (self.root / "lab/handout.md").read_text())
        self.assertEqual(self.problems(), [])

    def test_a_formula_may_use_the_machine_and_names_what_is_unknown(self):
        runs = figures.Runs(str(self.program), self.root / "lab", {"one": {"trace": "t", "arch": "a"}})
        self.assertEqual(figures.calculated("2 * one.machine.sms + one.cycles", runs), 1081)
        for formula, message in (("two.cycles", "there is no run 'two'"), ("one.cycle", "no value is called 'cycle'"),
                                 ("__import__('os')", "is not a formula")):
            with self.assertRaisesRegex(ValueError, message):
                figures.calculated(formula, runs)

    def test_each_lab_has_its_figures(self):
        labs = [path.parent for path in figures.LABS.glob("*/lab.yaml")]
        self.assertGreaterEqual(len(labs), 12)
        self.assertEqual([lab.name for lab in labs if not (lab / figures.FILE).exists()], [])


if __name__ == "__main__":
    unittest.main()
