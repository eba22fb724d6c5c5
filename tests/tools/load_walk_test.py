# SPDX-License-Identifier: MIT
"""tools/load_walk reads what callgrind writes, and finds where a function stands."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

import tree


def load_tool():
    loader = importlib.machinery.SourceFileLoader("load_walk", str(tree.ROOT / "tools/load_walk"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("load_walk", loader))
    loader.exec_module(module)
    return module


TOOL = load_tool()

WRITTEN = """\
fn=(1) gpusim::A::run(int)
16 100
+3 20
cfn=(2) gpusim::B::step()
calls=7 0
+1 5000

fn=(2)
30 5000
fn=(1)
* 3
"""


class Costs(unittest.TestCase):
    def test_a_function_has_its_own_instructions_and_not_those_of_its_callees(self):
        self.assertEqual(TOOL.costs(WRITTEN.splitlines()), {"gpusim::A::run(int)": 123, "gpusim::B::step()": 5000})


class Places(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpusim walk ")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("sim/base/ring.h", "template <class T>\nclass Ring {\n  void push(T item);\n};\n")
        self.write("sim/sm/l1.h", "class L1 {\n  bool fill(int line);\n  int warp() const { return 0; }\n};\n")
        self.write("sim/sm/l1.cc", "namespace {\nint lines_of(int line) {\n}\n}\nbool L1::fill(int line) {\n}\n")
        self.write("sim/gpu/waits.h", "struct SmWaits {\n  int sm = 0;\n};\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def place(self, function):
        return TOOL.Sources(self.root).file_of(function)

    def test_a_method_stands_in_its_source_or_else_in_the_header_of_its_class(self):
        self.assertEqual(self.place("gpusim::sm::L1::fill(int)"), "sim/sm/l1.cc")
        self.assertEqual(self.place("gpusim::sm::L1::warp() const"), "sim/sm/l1.h")
        self.assertEqual(self.place("gpusim::Ring<gpusim::sm::Request<int> >::push(int const&)"), "sim/base/ring.h")

    def test_a_function_of_a_namespace_stands_where_it_is_defined(self):
        self.assertEqual(self.place("gpusim::sm::(anonymous namespace)::lines_of(int)"), "sim/sm/l1.cc")

    def test_a_part_that_the_compiler_has_split_off_is_of_the_same_function(self):
        self.assertEqual(self.place("gpusim::sm::L1::fill(int) [clone .cold]"), "sim/sm/l1.cc")
        self.assertEqual(self.place("gpusim::sm::L1::fill(int)'2"), "sim/sm/l1.cc")

    def test_a_function_that_stands_nowhere_has_no_place(self):
        self.assertIsNone(self.place("gpusim::sm::L2::fill(int)"))


class Named(unittest.TestCase):
    def test_a_name_alone_stands_beside_the_path_before_it(self):
        page = "## A load to DRAM and back\n`sim/a/b.cc` and `c.h` beside it, `sim/d/e.h`.\n## Next\n`sim/x/y.cc`\n"
        self.assertEqual(TOOL.named_files(page), {"sim/a/b.cc", "sim/a/c.h", "sim/d/e.h"})

    def test_the_walk_of_the_page_names_files_that_are_there(self):
        for name in TOOL.named_files((tree.ROOT / TOOL.PAGE).read_text()):
            self.assertTrue((tree.ROOT / name).is_file(), name)


if __name__ == "__main__":
    unittest.main()
