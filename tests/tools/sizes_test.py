# SPDX-License-Identifier: MIT
"""tools/check_sizes.py holds functions and lines to their limits and lists the largest files and classes."""
import shutil
import unittest

import tree

TOOL = "check_sizes.py"


class Sizes(tree.TreeTest):
    def test_small_files_are_accepted(self):
        self.plant_source("sim/machine/sm/sm.cc", "int one() {", "  return 1;", "}")
        self.assert_clean(TOOL)

    def test_the_longest_files_of_a_kind_are_listed_and_not_refused(self):
        self.plant_source("sim/a.h", *["//"] * 999)
        self.plant_source("sim/b.h", *["//"] * 99)
        self.plant_source("tests/machine/sm/a_test.cc", *["//"] * 9)
        status, output = self.check(TOOL)
        self.assertEqual(status, 0, output)
        self.assertIn("lines of a header: sim/a.h 1000, sim/b.h 100\n", output)
        self.assertIn("lines of a test: tests/machine/sm/a_test.cc 10\n", output)

    @unittest.skipUnless(shutil.which("ctags"), "needs universal-ctags")
    def test_the_classes_with_most_methods_and_files_are_listed(self):
        self.plant_source("sim/a.h", "struct A {", "  A();", "  int f() { return 1; }", "  int f(n::I);", "};")
        self.plant_source("sim/a.cc", "A::A() {}")
        self.plant_source("sim/more.cc", "int A::f(I) { return 2; }", "class B { void g(); };")
        status, output = self.check(TOOL)
        self.assertEqual(status, 0, output)
        self.assertIn("methods of a class: A 3, B 1\n", output)
        self.assertIn("files of a class: A 3, B 1\n", output)
        self.assertIn("methods of a class: A 3\n", self.check(TOOL, "--list", "1")[1])

    @unittest.skipUnless(shutil.which("ctags"), "needs universal-ctags")
    def test_a_long_function_is_refused(self):
        self.plant_source("sim/machine/sm/sm.cc", "int f() {", *["  g();"] * 58, "}")
        self.assert_clean(TOOL)
        self.plant_source("sim/machine/sm/sm.cc", "int f() {", *["  g();"] * 59, "}")
        self.assert_refused(TOOL, "sim/machine/sm/sm.cc:2: f() has 61 lines")

    def test_a_wide_line_is_refused(self):
        self.plant_source("sim/machine/sm/sm.cc", "// " + "x" * 118)
        self.assert_refused(TOOL, "sim/machine/sm/sm.cc:2: 121 columns")

    def test_a_table_laid_out_by_hand_may_be_wide(self):
        self.plant_source("sim/machine/sm/sm.cc", "// clang-format off", "// " + "x" * 130, "// clang-format on")
        self.assert_clean(TOOL)

    def test_the_licence_stands_first(self):
        self.plant("sim/machine/sm/sm.cc", f"int x;\n// {tree.LICENCE}\n")
        self.assert_refused(TOOL, "sim/machine/sm/sm.cc:1: the first line must be")

    def test_in_a_script_the_licence_follows_the_interpreter(self):
        self.plant("tools/run", f"#!/bin/sh\n# {tree.LICENCE}\n")
        self.assert_clean(TOOL)


if __name__ == "__main__":
    unittest.main()
