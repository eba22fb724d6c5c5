# SPDX-License-Identifier: MIT
"""tools/advice_pairs.py sets what advice promises against what the changed kernel gains."""
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import advice_pairs  # noqa: E402


def pair(**changes):
    return advice_pairs.Pair("`naive`", "naive --param n=32", "stalls", "`better`", "better --param n=32", **changes)


def result(time_us, *findings, launch_us=2):
    return {"total": {"time_us": time_us, "launch_us": launch_us}, "kernels": [{"findings": list(findings)}]}


def finding(estimate, gain=None):
    return {"id": "stalls", "estimate_pct": estimate, "gain_pct": estimate if gain is None else gain,
            "simulated": gain is not None}


class AdvicePairs(unittest.TestCase):
    def test_the_real_gain_is_what_the_second_kernel_takes_less(self):
        got = advice_pairs.outcome(pair(), result(8, finding(30, 20)), result(6))
        self.assertEqual((got.estimate, got.simulated, got.real), (30, 20, 25))

    def test_an_estimate_is_no_simulated_gain(self):
        self.assertIsNone(advice_pairs.outcome(pair(), result(8, finding(30)), result(6)).simulated)

    def test_more_work_counts_by_its_unit_with_the_launch(self):
        got = advice_pairs.outcome(pair(work=4, with_launch=True), result(8, finding(30)), result(18))
        self.assertEqual(got.real, 50)

    def test_a_finding_that_is_not_there_is_named(self):
        with self.assertRaisesRegex(ValueError, "'naive --param n=32' has no finding 'stalls'"):
            advice_pairs.outcome(pair(), result(8), result(6))

    def test_the_worst_row_comes_first_and_a_gain_below_one_percent_is_none(self):
        good = advice_pairs.Outcome(pair(), 30, 24, 25)
        bad = advice_pairs.Outcome(pair(), 30, 0.4, 25)
        rows = advice_pairs.table([good, bad]).splitlines()[2:]
        self.assertEqual(rows, ["| `naive` | `stalls` | 30 % | none (0.4 %) | `better` | 25.0 % |",
                                "| `naive` | `stalls` | 30 % | 24.0 % | `better` | 25.0 % |"])

    def test_each_command_names_the_run_and_asks_for_advice_where_a_what_if_tests_it(self):
        self.assertEqual(advice_pairs.commands(pair()),
                         ("--arch h100 --trace naive --param n=32 --advise", "--arch h100 --trace better --param n=32"))
        self.assertNotIn("--advise", advice_pairs.commands(pair(advise=False))[0])


if __name__ == "__main__":
    unittest.main()
