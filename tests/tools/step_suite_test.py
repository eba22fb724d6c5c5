# SPDX-License-Identifier: MIT
"""tools/step_suite.py makes a table of the step suite's JSON, and keeps the rows that it does not have."""
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import step_suite  # noqa: E402


def case(name, simulated, measured=1000.0):
    error = None if simulated is None else (simulated / measured - 1) * 100
    return {"id": name, "mechanism": "decode, tested", "measured": measured, "simulated": simulated, "error_pct": error}


class Steps(unittest.TestCase):
    def test_rows_of_a_run_replace_those_of_one_before_and_others_stay(self):
        first = step_suite.cases("", [{"cases": [case("a/1", 900.0), case("a/2", 1500.0)]}])
        second = step_suite.cases(first, [{"cases": [case("a/2", 1050.0)]}, {"cases": [case("a/3", None)]}])
        self.assertIn("| a/1 | decode, tested | 1 ms | 900 us | -10.0 % |", second)
        self.assertIn("| a/2 | decode, tested | 1 ms | 1.05 ms | +5.0 % |", second)
        self.assertNotIn("+50.0 %", second)
        self.assertNotIn("a/3", second)
        self.assertTrue(second.startswith("2 steps: the mean error is 7.5 %, and 2 of them are within 10 %."))
        self.assertEqual(second.count("| case |"), 1)

    def test_numbers_in_names_are_sorted_by_their_value(self):
        table = step_suite.cases("", [{"cases": [case(f"train {n}x16", 1000.0) for n in (16, 2, 128)]}])
        self.assertEqual([line.split()[2] for line in table.splitlines()[4:]], ["2x16", "16x16", "128x16"])

    def test_kinds_are_of_tested_rows_by_how_many_gpus_they_have(self):
        def row(name, about, simulated):
            return {**case(name, simulated), "mechanism": about}
        steps = step_suite.cases("", [{"cases": [
            row("h100/a", "bound by the GPU, tested", 1100.0), row("h100/b", "bound by the CPU, tested", 700.0),
            row("h100/c", "bound by the GPU, fitted", 5000.0), row("llama-2-7b-decode/1", "decode, tested", 980.0),
            row("llama-2-7b-decode/8", "decode, tested", 1300.0), row("resnet50-train/a x8", "training, tested", 900.0),
            row("mpt/h100 7b 8x512", "MPT on 8 GPUs, tested", 850.0)]}])
        self.assertEqual(step_suite.kinds(steps).splitlines()[2:], [
            "| one GPU, published or bound by the GPU | 2 | 6.0 % |  |",
            "| one GPU, bound by the CPU of a virtual machine, whose times vary by a fifth and more | 1 | 30.0 % |  |",
            "| one GPU, together | 3 | 14.0 % | 12 % |",
            "| eight H100, MPT | 1 | 15.0 % | 10 % |",
            "| several GPUs, others | 2 | 20.0 % |  |"])

    def test_times_are_in_the_unit_that_suits_them(self):
        self.assertEqual([step_suite.time(us) for us in (57.8, 1234.0, 1.5e6)], ["57.8 us", "1.234 ms", "1.5 s"])


if __name__ == "__main__":
    unittest.main()
