# SPDX-License-Identifier: MIT
"""tools/curve_plots.py and curve_errors.py draw what the tables of docs/validation hold."""
import re
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import curve_errors  # noqa: E402
import curve_plots  # noqa: E402
import regen_docs  # noqa: E402


def row(case, simulated, measured, error):
    return f"| `{case}` | v100 | {simulated} | {measured} | {error} | cycles | a paper |"


def table(*rows):
    return "\n".join(["| case | GPU | simulated | measured | error | unit | source |", "| --- |", *rows])


def circles(svg):
    """(class, x, y) of every mark in the panels, without those of the legend."""
    found = re.findall(r'<circle class="([^"]*)" cx="([\d.]+)" cy="([\d.]+)"', svg)
    return [(kind, float(x), float(y)) for kind, x, y in found if float(y) > curve_plots.HEAD]


def lines(svg):
    """The places along every curve."""
    ways = re.findall(r'<path class="line c\d" d="M([\d. ]+)"/>', svg)
    numbers = [[float(number) for number in way.split()] for way in ways]
    return [list(zip(way[::2], way[1::2])) for way in numbers]


class Curves(unittest.TestCase):
    def test_a_row_is_a_point_and_what_is_simulated_a_line_through_it_where_both_agree(self):
        svg = curve_plots.picture("chase", table(row("chase/v100/32-kb", 30, 30, "0 %"),
                                                 row("chase/v100/16-mb", 430, 430, "0 %")))
        self.assertEqual([(x, y) for _, x, y in circles(svg)], lines(svg)[0])

    def test_sizes_stand_on_a_log_axis(self):
        svg = curve_plots.picture("chase", table(*(row(f"chase/v100/{size}", 30, 30, "0 %")
                                                   for size in ("64-kb", "1024-kb", "16-mb"))))
        first, second, third = (x for _, x, _ in circles(svg))
        self.assertAlmostEqual(second - first, third - second, delta=0.11)

    def test_a_case_in_brackets_is_hollow_and_one_without_simulation_has_no_line(self):
        svg = curve_plots.picture("chase", table(row("chase/v100/32-kb", 33, 30, "(+10.00 %)"),
                                                 row("chase/v100/64-kb", "-", 30, "-"),
                                                 row("chase/v100/96-kb", 30, 30, "0 %")))
        self.assertEqual([kind for kind, _, _ in circles(svg)], ["c0 off", "c0 off", "c0 met"])
        self.assertEqual([len(way) for way in lines(svg)], [2])

    def test_every_part_has_a_panel_and_every_curve_a_colour(self):
        svg = curve_plots.picture("occupancy-curve", table(*(
            row(f"stream-{curve}/{part}/{share}", 100, 100, "0 %")
            for curve in ("read", "scale") for part in ("v100", "gh200") for share in (3, 100))))
        self.assertEqual(re.findall(r'<text class="panel"[^>]*>([^<]*)<', svg), ["V100", "GH200"])
        self.assertEqual([kind for kind, _, _ in circles(svg)], 2 * (2 * ["c0 met"] + 2 * ["c1 met"]))

    def test_cases_of_other_families_are_left_out_and_nothing_is_drawn_of_none(self):
        self.assertIsNone(curve_plots.picture("chase", table(row("fma/v100", 4, 4, "0 %"))))
        self.assertIsNone(curve_errors.picture(table(row("fma/v100", 4, 4, "0 %"))))


class Errors(unittest.TestCase):
    TABLE = table(row("chase/v100/32-kb", 30, 30, "0 %"), row("chase/v100/64-kb", 33, 30, "(+10.00 %)"),
                  row("l2-read/gh200/4-mb", 2, 1, "(+100.00 %)"), row("chase/v100/1-mb", "-", 30, "-"))

    def test_a_curve_of_a_part_is_a_row_the_worst_first(self):
        rows = curve_errors.summary(self.TABLE).splitlines()[2:]
        self.assertIn("| GH200 | 10 % | 0 of 1 | 100.0 % | +100.0 % | `l2-read/gh200/4-mb` |", rows[0])
        self.assertIn("| V100 | 5 %, in knees 20 % | 1 of 2 | 5.0 % | +10.0 % | `chase/v100/64-kb` |", rows[1])

    def test_a_case_is_a_mark_at_its_error_and_an_arrowhead_at_the_edge_when_beyond(self):
        svg = curve_errors.picture(self.TABLE)
        kinds = sorted((x, kind) for kind, x, _ in circles(svg))
        self.assertEqual([kind for _, kind in kinds], ["c0 met", "c0 off"])
        self.assertEqual(len(re.findall(r'<path class="c0 off" d="M[\d. ]+l5 3', svg)), 1)


class Shipped(unittest.TestCase):
    def test_the_pictures_of_the_tree_are_what_its_tables_make(self):
        for name, pages, draw in regen_docs.PICTURES:
            with self.subTest(name):
                self.assertEqual(draw(regen_docs.tables_of(pages, tree.ROOT)), (tree.ROOT / name).read_text())


if __name__ == "__main__":
    unittest.main()
