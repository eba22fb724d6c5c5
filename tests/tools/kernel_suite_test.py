# SPDX-License-Identifier: MIT
"""tools/kernel_suite.py makes tables of the kernel suite's JSON."""
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import kernel_suite  # noqa: E402


def case(name, kind, simulated, measured, **more):
    error = 0 if simulated is None else 100 * (simulated / measured - 1)
    return {"id": name, "kind": kind, "arch": "t4", "metric": "total_us", "simulated": simulated, "measured": measured,
            "error_pct": error, "unit": "us", "counted": simulated is not None, "note": "",
            "missing": f"what {kind} lacks", "clock_mhz": None, "unlocked": "clock_mhz" not in more, "cache": "warm",
            "slow": False, "fault": "", **more}


def group(name, mean):
    return {"name": name, "cases": 1, "mean_abs_error_pct": mean, "median_abs_error_pct": mean,
            "p90_abs_error_pct": mean, "max_abs_error_pct": mean, "mean_error_pct": -mean}


SUITE = {
    "complete": False,
    "cases": [case("copy/a", "copy", 99, 100), case("copy/b", "copy", 80, 100, clock_mhz=1410, cache="dirty"),
              case("sum/a", "sum", 150, 100), case("sum/slow", "sum", None, 100, slow=True),
              case("sum/broken", "sum", None, 100, fault="messages are left"),
              case("sum/a/dram", "sum", 30.0, 33.5, unit="%", metric="throughput.dram_pct", counted=False)],
    "summary": {"cases": 3, "mean_abs_error_pct": 23.7, "median_abs_error_pct": 20, "p90_abs_error_pct": 50,
                "max_abs_error_pct": 50, "mean_error_pct": 9.7, "log_correlation": 0.99},
    "by_kind": [group("sum", 50), group("copy", 10.5)], "by_part": [group("t4", 23.7)]}


def cells(markdown):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown.splitlines()[2:]]


class Tables(unittest.TestCase):
    def test_the_cases_stand_by_kind_and_in_each_the_worst_first(self):
        rows = cells(kernel_suite.cases(SUITE))
        self.assertEqual([row[1] for row in rows], ["`sum/a`", "`copy/b`", "`copy/a`"])
        self.assertEqual(rows[1][3:], ["1410 MHz, dirty", "80", "100", "-20.0 %"])

    def test_an_unlocked_card_has_at_most_the_clock_that_was_read(self):
        read = case("sum/a", "sum", 99, 100, clock_mhz=1980, unlocked=True)
        self.assertEqual(kernel_suite.state_of(read), "at most 1980 MHz, warm")
        self.assertIn("| boost, not locked | warm | 1 |", kernel_suite.by_state({"cases": [read]}))

    def test_a_kind_says_what_is_believed_to_be_missing(self):
        rows = cells(kernel_suite.by_kind(SUITE))
        self.assertEqual([(row[0], row[-1]) for row in rows], [("sum", "what sum lacks"), ("copy", "what copy lacks")])

    def test_a_percentage_is_off_by_points_and_tells_what_differs(self):
        rows = cells(kernel_suite.counters(SUITE))
        self.assertEqual(rows, [["`sum/a/dram`", "throughput.dram_pct", "30", "33.5", "-3.5 points", "%", ""]])

    def test_bytes_of_dram_near_the_profile_are_counted(self):
        read = {"unit": "B", "metric": "counters.dram.read_bytes", "counted": False, "note": "half of the rows"}
        told = kernel_suite.counters({"cases": [case("a/read", "copy", 95, 100, **read),
                                                case("b/read", "copy", 80, 100, **read)]})
        self.assertTrue(told.startswith("Bytes of DRAM are within 10 % of the profile's in 1 of 2 cases."))
        self.assertIn("| -20.0 % | B | half of the rows |", told)

    def test_a_top_stall_is_equal_or_not_and_others_come_first(self):
        def stall(name, simulated, measured, counted=True):
            words = {"simulated_word": simulated, "measured_word": measured, "word_counted": counted}
            return case(name, "copy", None, None, **words)
        told = kernel_suite.top_stalls({"cases": [stall("a", "wait", "wait"), stall("b", "wait", "barrier"),
                                                  stall("c", "wait", "barrier", counted=False)]})
        self.assertTrue(told.startswith("The top stall is equal in 1 of 2 cases, 50 %."))
        self.assertLess(told.index("`b`"), told.index("`a`"))
        self.assertNotIn("`c`", told)
        self.assertEqual(kernel_suite.top_stalls({"cases": []}), "No top stall was simulated.")

    def test_a_ladder_names_the_steps_that_the_simulation_turns_round(self):
        steps = [case("ladder/t4/naive", "SGEMM ladder", 90, 100), case("ladder/t4/tiled", "SGEMM ladder", 95, 60),
                 case("ladder/t4/wide", "SGEMM ladder", 96, 59.5)]
        said = kernel_suite.ladders({**SUITE, "cases": SUITE["cases"] + steps})
        self.assertIn("0 of 1 ladders have their steps in the order of silicon", said)
        self.assertIn("| naive, tiled, wide | naive and tiled; naive and wide |", said)

    def test_steps_of_other_sizes_caches_or_clocks_are_other_ladders(self):
        steps = [case("ladder/t4/own-naive-2048-warm", "transpose", 90, 100),
                 case("ladder/t4/own-padded-2048-warm", "transpose", 20, 25),
                 case("ladder/t4/own-padded-512-warm", "transpose", 200, 200),
                 case("ladder/t4/own-padded-2048-cold", "transpose", 200, 200, cache="cold")]
        said = kernel_suite.ladders({**SUITE, "cases": steps})
        self.assertIn("1 of 1 ladders have", said)
        self.assertIn("| transpose | t4 | 2048, boost, warm | naive, padded | as on silicon |", said)

    def test_the_summary_tells_slow_cases_and_faults(self):
        said = kernel_suite.summary(SUITE)
        self.assertIn("3 times count: the mean error is 23.7 %", said)
        self.assertIn("1 more case is slow", said)
        self.assertIn("The run was ended early", said)
        self.assertIn("A fault of the simulator: `sum/broken`: messages are left", said)

    def test_known_clocks_are_told_from_boost(self):
        rows = cells(kernel_suite.by_state(SUITE))
        self.assertEqual([row[:3] for row in rows], [["boost, not locked", "warm", "2"], ["known", "dirty", "1"]])


if __name__ == "__main__":
    unittest.main()
