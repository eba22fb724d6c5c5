# SPDX-License-Identifier: MIT
"""tools/silicon/tensor_clock.py reads the clocks of profiles, and the architecture files' tables are near them."""
import statistics
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools/silicon"))
import tensor_clock  # noqa: E402


class Tables(unittest.TestCase):
    def test_between_two_values_a_table_is_on_a_straight_line(self):
        self.assertEqual([tensor_clock.interpolated([1800, 1700, 1500], share) for share in (0, 0.25, 0.75, 1, 1.2)],
                         [1800, 1750, 1600, 1500, 1500])

    def test_a_table_of_one_value_holds_everywhere(self):
        self.assertEqual(tensor_clock.interpolated([1700], 0.6), 1700)


class Profiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found = tensor_clock.launches()

    def test_launches_of_both_gpus_and_of_every_kind_of_instruction_are_found(self):
        self.assertGreater(len(self.found), 80)
        self.assertEqual({one.gpu for one in self.found}, {"h100", "h200"})
        self.assertEqual({one.kind for one in self.found}, {"HMMA", "WGMMA 16 bits", "WGMMA e4m3", "WGMMA tf32"})

    def test_the_share_of_the_peak_meets_the_clocks_better_than_the_busy_time_of_the_pipe(self):
        by_share = tensor_clock.off_a_line(self.found, lambda one: one.share)
        self.assertLess(by_share, 0.9 * tensor_clock.off_a_line(self.found, lambda one: one.busy))

    def test_below_80_percent_each_file_is_within_30_mhz_on_average(self):
        for gpu in tensor_clock.HIGHEST:
            table = tensor_clock.table_of(gpu)
            off = [tensor_clock.interpolated(table, one.share) - one.mhz for one in self.found
                   if one.gpu == gpu and one.share < 0.8]
            self.assertLess(abs(statistics.fmean(off)), 30)


if __name__ == "__main__":
    unittest.main()
