# SPDX-License-Identifier: MIT
"""The tables of traces: a row a file, walked again only where that is needed."""
import pathlib
import sys
import tempfile
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import trace_tables  # noqa: E402

KERNEL = {"grid": [4, 2, 1], "block": [32, 1, 1], "warp_instructions": 1234, "flops": {"fp32": 2048, "fp64": 0},
          "bytes": {"global": {"read": 4096, "written": 1024, "atomic": 1024}}}


class Shipped(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.files = [pathlib.Path(folder.name, name) for name in ("b.trace", "a.trace")]
        for path in self.files:
            path.write_text("x" * 100)
        self.walked = []

    def table(self, old="", again=False):
        def info_of(path, test):
            self.walked.append((path.stem, test))
            return {"kernels": [KERNEL] if test else [KERNEL, KERNEL]}

        return trace_tables.shipped(self.files, old, again, info_of)

    def test_each_file_has_a_row_in_the_order_of_names_and_kernels_are_added_up(self):
        rows = self.table().splitlines()[2:]
        self.assertEqual(rows, [f"| `{name}` | 8 x 32, 8 x 32 | 2.468 k | 4.096 k | 8 KiB | 4 KiB | 1.234 k | 100 B |"
                                for name in "ab"])

    def test_a_row_stays_as_long_as_its_file_has_the_same_size(self):
        old = self.table()
        self.walked.clear()
        self.files[0].write_text("x" * 101)
        self.table(old)
        self.assertEqual(self.walked, [("b", False), ("b", True)])

    def test_all_are_walked_again_on_request(self):
        old = self.table()
        self.walked.clear()
        self.assertEqual(self.table(old, again=True), old)
        self.assertEqual(len(self.walked), 4)


if __name__ == "__main__":
    unittest.main()
