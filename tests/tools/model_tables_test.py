# SPDX-License-Identifier: MIT
"""tools/model_tables.py makes the tables of docs/model and docs/validation."""
import collections
import re
import sys
import unittest

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import model_tables  # noqa: E402


def case(name, **changes):
    return {"id": name, "arch": "h100", "file": "clusters.yaml", "line": 3, "mechanism": "clusters", "simulated": 4.4,
            "measured": 4.0, "error_pct": 10.0, "counted": True, "slow": False, "unit": "cycles", "source": "a paper",
            **changes}


def cases(*all_of_them, old=""):
    return model_tables.mechanism_cases("clusters", {"cases": list(all_of_them)}, old)


def parts(**values):
    nothing = {"values": []}
    listed = [{"key": key, "value": value, "kind": "guess", "sources": ["nobody", "knows"]}
              for key, value in values.items()]
    return {name: nothing for name in model_tables.OTHERS} | {model_tables.MAIN: {"values": listed}}


class Tables(unittest.TestCase):
    def test_a_parameter_has_its_value_kind_and_source_and_what_differs_elsewhere(self):
        described = parts(**{"sm.dependence": "control_bits", "sm.count": "132"})
        described["v100"] = {"values": [{"key": "sm.dependence", "value": "scoreboard"}]}
        text = model_tables.parameters("dependences", described)
        self.assertIn("| `sm.dependence` | control_bits | guess | nobody; knows | scoreboard (v100) |", text)
        self.assertNotIn("sm.count", text)

    def test_a_timing_class_is_a_row_over_parts(self):
        described = parts(**{"sm.timing.fma.latency": "4 cycles", "sm.timing.fma.interval": "25/4",
                             "sm.timing.imad": "unsupported"})
        text = model_tables.parameters("pipes", described)
        self.assertIn("| `fma` |  |  |  |  | 4 g, 25/4 g |  |", text)
        self.assertIn("| `imad` |  |  |  |  | - |  |", text)

    def test_a_case_has_both_numbers_and_one_that_does_not_count_its_error_in_brackets(self):
        text = cases(case("b", line=9, counted=False), case("a", measured_range=[3, 4.25], error_pct=-1.5))
        rows = [line for line in text.splitlines() if line.startswith("| `")]
        self.assertEqual(rows, ["| `a` | h100 | 4.4 | 3 to 4.25 | -1.50 % | cycles | a paper |",
                                "| `b` | h100 | 4.4 | 4 | (+10.00 %) | cycles | a paper |"])
        self.assertIn("of the 1 counted ones the mean error is 1.50 %, the worst 1.50 %", text)

    def test_the_index_has_a_row_for_each_page_and_counts_what_counts(self):
        page = "# Cases: two\n\n" + cases(case("a", counted=False), case("b"), case("c", error_pct=-5))
        other = "# Cases: one\n\n" + cases(case("d", error_pct=-30))
        rows = model_tables.index({"validation/two.md": page, "validation/one.md": other}).splitlines()[2:]
        self.assertEqual(rows[0], "| [two](validation/two.md) | 3 | 2 | 7.50 % | 10.00 % |")
        self.assertEqual(rows[-1], "| all, with the slow ones | 4 | 3 | 15.00 % | 30.00 % |")

    def test_a_slow_case_keeps_its_number_until_it_is_simulated_or_changes(self):
        old = cases(case("a", slow=True))
        left_out = case("a", slow=True, simulated=None, counted=False)
        kept = cases(left_out, old=old)
        self.assertIn("| 4.4 | 4 | +10.00 % |", kept)
        self.assertIn("of the 1 counted ones the mean error is 10.00 %", kept)
        self.assertIn("| - | 5 | - |", cases({**left_out, "measured": 5}, old=old))

    def test_a_case_of_no_section_is_refused(self):
        with self.assertRaisesRegex(ValueError, "no table for the mechanism of a"):
            cases(case("a", mechanism=""))

    def test_hand_checked_listings_are_found_by_their_tags(self):
        text = ('TEST_CASE("one, (two)", "[hand-checked][lsu]") {}\n'
                'TEST_CASE(\n    "a "\n    "b",\n    "[hand-checked][fetch]")')
        table = model_tables.timelines({"tests/x_test.cc": text + '\nTEST_CASE("other") {}'})
        self.assertEqual(table.splitlines()[2:], ["| fetch | a b | `tests/x_test.cc` |",
                                                  "| lsu | one, (two) | `tests/x_test.cc` |"])
        with self.assertRaisesRegex(ValueError, "no mechanism is called 'nothing'"):
            model_tables.timelines({"a": 'TEST_CASE("x", "[hand-checked][nothing]")'})


def ids_of(text):
    """The cases of a file of tests/validation/micro: a row's name is put behind that of its case."""
    for block in re.split(r"^(?=  - )", text, flags=re.MULTILINE)[1:]:
        name = re.search(r"\bid: *([^\s,}]+)", block)[1]
        rows = re.findall(r'^      - \{?id: *"?([^\s,}"]+)', block, re.MULTILINE)
        yield from (f"{name}/{row}" for row in rows) if rows else [name]


class Shipped(unittest.TestCase):
    def test_every_mechanism_with_parameters_has_one_page(self):
        placed = collections.Counter(name for names in model_tables.PARAMETER_PAGES.values() for name in names)
        some = (name for name, keys in model_tables.MECHANISMS.items() if any(keys))
        self.assertEqual(placed, collections.Counter(some))

    def test_every_micro_case_is_on_one_page_of_cases_once(self):
        files = (tree.ROOT / "tests/validation/micro").glob("*.yaml")
        suite = collections.Counter(name for file in files for name in ids_of(file.read_text()))
        self.assertGreater(len(suite), 900)
        pages = (path.read_text() for path in (tree.ROOT / "docs").rglob("*.md"))
        shown = collections.Counter(name for page in pages for part in re.findall(
            r"^<!-- generated: [\w-]+-cases -->\n(.*?)^<!-- end", page, re.DOTALL | re.MULTILINE)
            for name in re.findall(r"^\| `([^`]+)` \|", part, re.MULTILINE))
        self.assertEqual(suite, shown)


if __name__ == "__main__":
    unittest.main()
