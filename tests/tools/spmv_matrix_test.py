# SPDX-License-Identifier: MIT
"""traces/recorded/spmv_matrix.py makes the matrix whose product was measured and recorded."""
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "traces/recorded"))
import spmv_matrix  # noqa: E402


class Matrix(unittest.TestCase):
    def test_it_has_the_rows_and_elements_of_the_measured_one(self):
        begin, column = spmv_matrix.matrix(4096)
        lengths = [end - start for start, end in zip(begin, begin[1:])]
        self.assertEqual((len(lengths), begin[-1], len(column)), (4096, 61789, 61789))
        self.assertEqual((min(lengths), max(lengths)), (4, 2048))

    def test_columns_of_a_row_rise_and_lie_in_the_matrix(self):
        begin, column = spmv_matrix.matrix(512)
        for start, end in zip(begin, begin[1:]):
            self.assertEqual(sorted(column[start:end]), column[start:end])
        self.assertLess(max(column), 512)


if __name__ == "__main__":
    unittest.main()
