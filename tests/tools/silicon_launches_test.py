# SPDX-License-Identifier: MIT
"""What tools/silicon/simulate hands on: symbols, inputs as experiments make them, arguments of each measured case."""
import json
import lzma
import pathlib
import sys
import tempfile
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools/silicon"))
import launches  # noqa: E402

MEASURED = tree.ROOT / "tests/validation/silicon/h200/results.jsonl.xz"


def measured(experiment):
    with lzma.open(MEASURED, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    return [r for r in records if r["type"] == "measurement" and r["experiment"] == experiment]


class Launches(unittest.TestCase):
    def test_a_symbol_is_known_again_whatever_its_anonymous_namespace_is_called(self):
        first = "_ZN6gpusim7silicon45_GLOBAL__N__1e7bc425_7_copy_cu_0b3d0c91_3081910copy_itemsIfLj1EEEvPKT_PS3_j"
        second = "_ZN6gpusim7silicon46_GLOBAL__N__aabbccdd_7_copy_cu_0b3d0c91_12345610copy_itemsIfLj1EEEvPKT_PS3_j"
        self.assertEqual(launches.plain(first), "10copy_itemsIfLj1EEEvPKT_PS3_j")
        self.assertEqual(launches.plain(first), launches.plain(second))
        self.assertEqual(launches.plain("add_kernel"), "add_kernel")

    def test_the_matrix_has_as_many_elements_as_the_measured_one(self):
        counts = {r["params"]["rows"]: r["params"]["elements"] for r in measured("kernels/spmv_csr")}
        for rows in (4096, 65536):
            begins, columns = launches.make_matrix(rows)
            self.assertEqual(len(columns), counts[rows])
            self.assertEqual((begins[0], begins[-1], max(columns) < rows), (0, len(columns), True))

    def test_the_tree_ends_at_its_last_level_and_has_leaves_above(self):
        bits = launches.make_nodes()[1::2]
        self.assertEqual(len(bits), (1 << 15) - 1)
        self.assertFalse(any(word & 2 for word in bits[:7]))
        self.assertTrue(all(word & 2 for word in bits[(1 << 14) - 1:]))
        self.assertTrue(0.2 < sum(word >> 1 for word in bits[7:(1 << 14) - 1]) / ((1 << 14) - 8) < 0.3)

    def test_every_kernel_with_measured_times_has_its_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, arguments in launches.CUDA.items():
                cases = [r for r in measured("kernels/" + name) if r["metric"] == "time"]
                self.assertTrue(cases, name)
                smallest = min(cases, key=lambda case: case["value"])
                made = arguments(smallest["params"], smallest["launch"], pathlib.Path(folder))
                self.assertTrue(all(made), name)


if __name__ == "__main__":
    unittest.main()
