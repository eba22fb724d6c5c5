# SPDX-License-Identifier: MIT
"""tools/check_sizes.py holds files, functions and lines to their limits."""
import shutil
import unittest

import tree

TOOL = "check_sizes.py"


class Sizes(tree.TreeTest):
    def test_small_files_are_accepted(self):
        self.plant_source("sim/sm/sm.cc", "int one() {", "  return 1;", "}")
        self.assert_clean(TOOL)

    def test_each_kind_of_file_has_its_limit(self):
        for name, most in (("sim/a.h", 250), ("sim/a.cc", 450), ("tests/sm/a_test.cc", 350)):
            with self.subTest(name):
                path = self.plant_source(name, *["//"] * (most - 1))
                self.assert_clean(TOOL)
                self.plant_source(name, *["//"] * most)
                self.assert_refused(TOOL, f"{name}: {most + 1} lines")
                path.unlink()

    @unittest.skipUnless(shutil.which("ctags"), "needs universal-ctags")
    def test_a_long_function_is_refused(self):
        self.plant_source("sim/sm/sm.cc", "int f() {", *["  g();"] * 58, "}")
        self.assert_clean(TOOL)
        self.plant_source("sim/sm/sm.cc", "int f() {", *["  g();"] * 59, "}")
        self.assert_refused(TOOL, "sim/sm/sm.cc:2: f() has 61 lines")

    def test_a_wide_line_is_refused(self):
        self.plant_source("sim/sm/sm.cc", "// " + "x" * 118)
        self.assert_refused(TOOL, "sim/sm/sm.cc:2: 121 columns")

    def test_a_table_laid_out_by_hand_may_be_wide(self):
        self.plant_source("sim/sm/sm.cc", "// clang-format off", "// " + "x" * 130, "// clang-format on")
        self.assert_clean(TOOL)

    def test_the_licence_stands_first(self):
        self.plant("sim/sm/sm.cc", f"int x;\n// {tree.LICENCE}\n")
        self.assert_refused(TOOL, "sim/sm/sm.cc:1: the first line must be")

    def test_in_a_script_the_licence_follows_the_interpreter(self):
        self.plant("tools/run", f"#!/bin/sh\n# {tree.LICENCE}\n")
        self.assert_clean(TOOL)


if __name__ == "__main__":
    unittest.main()
