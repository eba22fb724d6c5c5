# SPDX-License-Identifier: MIT
"""tools/check_text.py finds what does not belong. The planted words are put together so that this file has none."""
import unittest

import tree

TOOL = "check_text.py"


class Text(tree.TreeTest):
    def test_plain_text_is_accepted(self):
        self.plant("README.md", "A scratch file goes to /tmp/x.json; mktemp takes XXXXXX.\n")
        self.assert_clean(TOOL)

    def test_unwanted_text_is_refused_with_its_place(self):
        faults = {
            "a mark of unfinished work": "// TO" + "DO: later",
            "a path of one machine": "see /ho" + "me/ann/notes",
            "a package registry": "from py" + "pi.org",
            "talk about how the text came about": "as the previous ses" + "sion left it",
            "a tab": "a\tb",
            "a line end of another system": "a\r",
            "white space at the end of the line": "a ",
        }
        for what, line in faults.items():
            with self.subTest(what):
                self.plant("docs/guide.md", f"first\n{line}\n")
                self.assert_refused(TOOL, f"docs/guide.md:2: {what}")

    def test_a_document_names_only_what_is_there(self):
        self.plant("docs/guide.md", "[a](b.md#part), [web](https://a.org/x), `tools`, `sim/*/x`, `tools/run --all`\n")
        self.plant("docs/b.md", "b\n")
        self.plant("tools/run", "run\n")
        self.assert_clean(TOOL)
        self.plant("docs/guide.md", "[a](c.md)\n\n`sim/sm/none.h`\n")
        self.assert_refused(TOOL, "docs/guide.md:1: names c.md, which is not there")
        self.assert_refused(TOOL, "docs/guide.md:3: names sim/sm/none.h, which is not there")

    def test_the_end_of_a_file_is_one_newline(self):
        self.plant("a.md", "text")
        self.assert_refused(TOOL, "a.md: does not end with a newline")
        self.plant("a.md", "text\n\n")
        self.assert_refused(TOOL, "a.md: ends with empty lines")

    def test_bytes_that_are_no_text_are_refused(self):
        (self.root / "a.md").write_bytes(b"caf\xe9\n")
        self.assert_refused(TOOL, "a.md: is not UTF-8 at byte 3")

    def test_build_folders_are_left_alone(self):
        self.plant("build/dev/log.txt", "a\t\n")
        self.assert_clean(TOOL)


class GeneratedParts(tree.TreeTest):
    def setUp(self):
        super().setUp()
        self.plant("tools/check_layers.py", (tree.ROOT / "tools/check_layers.py").read_text())
        self.part = "<!-- generated: include-graph -->\nold\n<!-- end of generated part -->"

    def test_a_stale_part_is_refused_and_then_brought_up_to_date(self):
        path = self.plant("docs/architecture.md", f"before\n\n{self.part}\n\nafter\n")
        self.assert_refused("regen_docs.py", "'include-graph' is stale", "--check")
        self.assert_clean("regen_docs.py")
        self.assert_clean("regen_docs.py", "--check")
        text = path.read_text()
        self.assertTrue(text.startswith("before\n") and text.endswith("\nafter\n") and "`sim/base`" in text)

    def test_a_document_without_the_part_is_refused(self):
        self.plant("docs/architecture.md", "no markers\n")
        self.assert_refused("regen_docs.py", "has no part", "--check")


if __name__ == "__main__":
    unittest.main()
