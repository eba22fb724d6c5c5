# SPDX-License-Identifier: MIT
"""tools/ratio_errors.py predicts each case that was measured on two GPUs from the other one."""
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import ratio_errors  # noqa: E402

GPUS = """
  a100         8.0  108  19.5  9.75   312     -   624     40  80 GiB HBM2e      2000   300     92
  h100         9.0  132  66.9  33.5   989  1979  1979     50  80 GiB HBM3       4000   450     61
  p100*        6.0   56  10.6  5.30     -     -     -      4  16 GiB HBM2        732    80    215
"""


def case(kind, name, file, simulated, measured):
    return f"| {kind} | `{name}` | {file} | boost, warm | {simulated} | {measured} | +1.0 % |"


def errors(*cases, kinds=("softmax",), which="DRAM"):
    groups = ratio_errors.groups_of("\n".join(cases), kinds, which == "DRAM")
    found = ratio_errors.errors_of(groups, ratio_errors.peaks_of(GPUS, which))
    return [tuple(round(error) for error in pair) for pair in found]


class Ratios(unittest.TestCase):
    def test_a_case_goes_with_both_simulations_and_with_both_peaks_both_ways(self):
        self.assertEqual(errors(case("softmax", "softmax/a100/torch-4096", "a100", 90, 100),
                                case("softmax", "softmax/h100/torch-4096", "h100", 54, 50)), [(20, 0), (-17, 0)])

    def test_other_shapes_and_other_kinds_are_no_pairs(self):
        self.assertEqual(errors(case("softmax", "softmax/a100/torch-4096", "a100", 90, 100),
                                case("softmax", "softmax/h100/torch-1024", "h100", 54, 50),
                                case("scan", "softmax/h100/torch-4096", "h100", 54, 50)), [])

    def test_short_cases_and_gpus_without_a_file_are_left_out(self):
        self.assertEqual(errors(case("softmax", "softmax/a100/torch-4096", "a100", 9, 9),
                                case("softmax", "softmax/h100/torch-4096", "h100", 54, 50),
                                case("softmax", "softmax/rtx4070tis/torch-4096", "rtx4090", 54, 50)), [])

    def test_the_same_chip_on_another_board_has_its_peak_of_compute_alone(self):
        cases = (case("SGEMM of a library", "cublas/a800/4096", "a100", 90, 100),
                 case("SGEMM of a library", "cublas/h100/4096", "h100", 45, 50))
        self.assertEqual(len(errors(*cases, kinds=("SGEMM of a library",), which="FP32")), 2)
        self.assertEqual(errors(*cases, kinds=("SGEMM of a library",), which="DRAM"), [])

    def test_a_gpu_without_a_peak_has_none(self):
        self.assertEqual(ratio_errors.peaks_of(GPUS, "BF16"), {"a100": 312, "h100": 989})

    def test_the_table_has_a_row_for_each_group_that_has_pairs_and_one_for_all(self):
        text = "\n".join((case("softmax", "softmax/a100/torch-4096", "a100", 90, 100),
                          case("softmax", "softmax/h100/torch-4096", "h100", 54, 50)))
        self.assertEqual(ratio_errors.table(text, GPUS).splitlines()[2:],
                         ["| norms and softmax | 2 | 18.3 % | 0.0 % |", "| all | 2 | 18.3 % | 0.0 % |"])


if __name__ == "__main__":
    unittest.main()
