# SPDX-License-Identifier: MIT
"""tools/kernel_picture.py draws the times of the table of every kernel, and their ratios by kind."""
import re
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import kernel_picture  # noqa: E402


def row(kind, case, simulated, measured):
    error = 100 * (simulated / measured - 1)
    return f"| {kind} | `{case}` | h100 | boost, warm | {simulated} | {measured} | {error:+.1f} % |"


def dots_of(drawn, case):
    dot = rf'<circle class="dot" fill="([^"]+)"[^>]* cx="([\d.]+)" cy="([\d.]+)" r="3.2"><title>{case}:'
    found = re.findall(dot, drawn)
    return [(color, float(x), float(y)) for color, x, y in found]


class Picture(unittest.TestCase):
    def test_a_case_is_a_dot_among_the_times_and_one_among_the_ratios_of_its_kind(self):
        drawn = kernel_picture.picture("\n".join([row("copy", "copy/a", 100, 100), row("sum", "sum/a", 150, 100)]))
        (_, x, y), (_, ratio_x, _) = dots_of(drawn, "copy/a")
        self.assertAlmostEqual(x - kernel_picture.LEFT, kernel_picture.TOP + kernel_picture.SIZE - y, delta=0.11)
        self.assertAlmostEqual(ratio_x, kernel_picture.on_ratios(1), delta=0.11)
        (color, _, above), (same, _, _) = dots_of(drawn, "sum/a")
        self.assertLess(above, y)
        self.assertEqual(color, same)
        self.assertIn("sum, 1</text>", drawn)
        self.assertIn("50.0 %</text>", drawn)

    def test_kinds_keep_the_order_of_the_table_and_families_have_colours_of_their_own(self):
        kinds = ["tensor GEMM (FP8)", "SGEMM ladder", "FlashAttention-3 forward"]
        drawn = kernel_picture.picture("\n".join(row(kind, f"case/{i}", 1, 1) for i, kind in enumerate(kinds)))
        places = [drawn.index(f"{kind}, 1</text>") for kind in kinds]
        self.assertEqual(places, sorted(places))
        self.assertEqual(len({dots_of(drawn, f"case/{i}")[0][0] for i in range(3)}), 3)

    def test_a_ratio_beyond_the_axis_stands_at_its_end(self):
        drawn = kernel_picture.picture(row("copy", "copy/a", 900, 100))
        self.assertAlmostEqual(dots_of(drawn, "copy/a")[1][1], kernel_picture.STRIPS_RIGHT, delta=0.11)

    def test_a_page_without_cases_has_no_picture(self):
        self.assertIsNone(kernel_picture.picture("nothing"))


if __name__ == "__main__":
    unittest.main()
