# SPDX-License-Identifier: MIT
"""tools/silicon/counters finds the launch of each profile, and says where both sides differ."""
import importlib.machinery
import importlib.util
import sys
import unittest

import tree

SILICON = tree.ROOT / "tools/silicon"
sys.path.insert(0, str(SILICON))


def counters_module():
    loader = importlib.machinery.SourceFileLoader("counters", str(SILICON / "counters"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("counters", loader))
    loader.exec_module(module)
    return module


counters = counters_module()


def row(simulated_waits, measured_waits, simulated_bytes=100, **metrics):
    def side(waits, dram_bytes, place):
        values = {name: metrics.get(name, (1, 1))[place] for name in counters.NAMES}
        return values | {"stalls": waits, "dram_bytes": dram_bytes}
    return {"case": "kernels/a", "simulated": side(simulated_waits, simulated_bytes, 0),
            "measured": side(measured_waits, 100, 1)}


class Profiles(unittest.TestCase):
    def test_a_demangled_name_is_the_symbol_of_the_same_template_arguments(self):
        profile = counters.Profile(["Kernel Name"], [""], ["void unnamed>::copy_items<float2, 4>(const T1 *, T1 *)"])
        self.assertTrue(counters.is_of_symbol(profile, "_ZN1a10copy_itemsI6float2Lj4EEEvPKT_PS3_j"))
        self.assertFalse(counters.is_of_symbol(profile, "_ZN1a10copy_itemsI6float2Lj1EEEvPKT_PS3_j"))
        self.assertFalse(counters.is_of_symbol(profile, "_ZN1a10copy_itemsIfLj4EEEvPKT_PS3_j"))

    def test_every_profile_of_our_kernels_and_of_triton_has_its_launch(self):
        data = tree.ROOT / "tests/validation/silicon/h200"
        found = list(counters.launches(data, counters.simulate_module()))
        titles = [counters.title(case) for case, _ in found]
        self.assertEqual(len(set(titles)), len(titles))
        self.assertIn("kernels/transpose variant=swizzled n=8192", titles)
        self.assertIn("triton/softmax rows=4096 columns=1024 dtype=f16", titles)
        self.assertGreater(len(found), 70)


class Tables(unittest.TestCase):
    def test_the_wait_for_a_matrix_operation_is_part_of_barrier(self):
        waits = {"gmma": 30, "barrier": 15, "long_scoreboard": 40, "selected": 90}
        self.assertEqual(counters.top_wait(waits), "barrier")

    def test_the_summary_counts_equal_waits_and_near_bytes(self):
        rows = [row({"wait": 60, "barrier": 10}, {"wait": 50, "barrier": 40}, 109),
                row({"wait": 60, "barrier": 10}, {"wait": 10, "barrier": 40}, 111, IPC=(1.0, 1.5))]
        said = counters.summary(rows).replace("\n", " ")
        self.assertIn("for the same in 1 of 2 (50 %)", said)
        self.assertIn("within 10 % in 1 of 2 (50 %)", said)
        self.assertIn("IPC 0.25", said)

    def test_another_wait_stands_first_and_then_bytes_of_dram(self):
        same, far, other = (row({"wait": 1}, {"wait": 1}), row({"wait": 1}, {"wait": 1}, 150),
                            row({"wait": 1}, {"barrier": 1}))
        self.assertEqual(sorted([same, far, other], key=counters.badness), [other, far, same])


if __name__ == "__main__":
    unittest.main()
