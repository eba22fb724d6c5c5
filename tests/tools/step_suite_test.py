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

    def test_times_are_in_the_unit_that_suits_them(self):
        self.assertEqual([step_suite.time(us) for us in (57.8, 1234.0, 1.5e6)], ["57.8 us", "1.234 ms", "1.5 s"])


if __name__ == "__main__":
    unittest.main()
