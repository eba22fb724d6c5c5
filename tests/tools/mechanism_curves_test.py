# SPDX-License-Identifier: MIT
"""tools/mechanism_curves.py draws a panel for each curve that a mechanism changed."""
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import mechanism_curves  # noqa: E402


def row(case, simulated, measured):
    error = 100 * (simulated / measured - 1)
    return f"| `{case}` | h100 | {simulated} | {measured} | {error:+.2f} % | cycles | a paper |"


def sources(before, rows):
    return "\n".join([f"{case},{value}" for case, value in before.items()] + rows)


class Curves(unittest.TestCase):
    def test_a_curve_of_three_points_has_its_three_values_at_each(self):
        rows = [row(f"silicon/spread/{n}-bytes", 100, 100) for n in (1, 2, 3)]
        text = sources({f"silicon/spread/{n}-bytes": 200 for n in (1, 2, 3)}, rows)
        self.assertEqual(mechanism_curves.curves_of(text), {("silicon/spread", "cycles"): [
            (f"{n}-bytes", 100.0, 200.0, 100.0) for n in (1, 2, 3)]})
        drawn = mechanism_curves.picture(text)
        self.assertEqual(drawn.count("silicon/spread/1-bytes, "), 3)
        self.assertNotIn("not known", drawn)

    def test_two_points_and_a_curve_that_did_not_change_are_no_panels(self):
        two = [row(f"silicon/spread/{n}-bytes", 100, 100) for n in (1, 2)]
        self.assertIsNone(mechanism_curves.picture(sources({f"silicon/spread/{n}-bytes": 200 for n in (1, 2)}, two)))
        same = [row(f"stream/a100/{n}", 100, 101) for n in (1, 2, 3)]
        other = [row("stream/t4/1", 100, 100)]
        before = {**{f"stream/a100/{n}": 100 for n in (1, 2, 3)}, "stream/t4/1": 50}
        self.assertIsNone(mechanism_curves.picture(sources(before, same + other)))

    def test_a_curve_of_which_nothing_was_kept_says_so(self):
        rows = [row(f"silicon/lone-kernel/{n}", 100, 100) for n in (1, 2, 3)]
        self.assertIn("before: not known", mechanism_curves.picture(sources({}, rows)))

    def test_gpus_with_check_bits_are_one_curve(self):
        rows = [row(f"check-bits/{name}", 100, 100) for name in ("t4/add", "t4/relu", "l4/read")]
        curves = mechanism_curves.curves_of(sources({}, rows))
        self.assertEqual([point for point, *_ in curves["check-bits", "cycles"]], ["t4 add", "t4 relu", "l4 read"])


if __name__ == "__main__":
    unittest.main()
