# SPDX-License-Identifier: MIT
"""tools/check_layers.py accepts what the table allows and names what it does not."""
import sys
import unittest
import unittest.mock

import tree

sys.path.insert(0, str(tree.ROOT / "tools"))
import check_layers  # noqa: E402, found through the line above

TOOL = "check_layers.py"


class Layers(tree.TreeTest):
    def setUp(self):
        super().setUp()
        for name, entry in check_layers.MODULES.items():
            uses = " ".join(entry.uses)
            self.plant(f"sim/{name}/CMakeLists.txt", f"gpusim_module(DEPENDS {uses} LINK other)\n")
        self.plant_tree(check_layers.MODULES)

    def plant_tree(self, modules):
        tops = dict.fromkeys(name.split("/")[0] for name in modules)
        lines = [f"  {top}/  " + " ".join(f"{name}/" for name in modules if name.startswith(f"{top}/")) for top in tops]
        self.plant("docs/architecture.md", "\n".join(["# A tour", "```", "sim/", *lines, "```"]) + "\n")

    def test_a_tree_inside_the_table_is_accepted(self):
        self.plant_source("sim/machine/mem/l2/slice.h", "#include <vector>",
                          '#include "sim/machine/mem/dram/channel.h"')
        self.plant_source("sim/input/text/lexer.cc", '#include "sim/input/text/lexer.h"', "#include <zstd.h>")
        self.assert_clean(TOOL)

    def test_an_include_against_the_direction_is_refused(self):
        self.plant_source("sim/base/types.h", '#include "sim/machine/gpu/simulate.h"')
        self.assert_refused(TOOL, "sim/base/types.h:2: base must not use machine/gpu")

    def test_siblings_under_mem_do_not_see_each_other(self):
        self.plant_source("sim/machine/mem/noc/router.cc", '#include "sim/machine/mem/dram/channel.h"')
        self.assert_refused(TOOL, "sim/machine/mem/noc/router.cc:2: machine/mem/noc must not use machine/mem/dram")

    def test_what_a_first_run_builds_stands_on_nothing_that_takes_long(self):
        run = check_layers.MODULES["commands/run"]
        heavier = check_layers.Module((*run.uses, "output/compare"), run.purpose)
        with unittest.mock.patch.dict(check_layers.MODULES, {"commands/run": heavier}):
            self.assertEqual(check_layers.check_lean(),
                             ["app/core must not stand on output/compare: a first run would wait for it"])
        self.assertEqual(check_layers.check_lean(), [])

    def test_a_third_party_header_away_from_home_is_refused(self):
        self.plant_source("sim/machine/sm/sm.cc", "#include <yaml-cpp/yaml.h>")
        self.assert_refused(TOOL, "sim/machine/sm/sm.cc:2: <yaml-cpp/yaml.h> is only for model/arch")

    def test_a_library_without_a_row_is_refused(self):
        self.plant_source("sim/app/main.cc", "#include <readline/readline.h>")
        self.assert_refused(TOOL, "<readline/readline.h> has no home")

    def test_an_include_that_is_not_from_the_root_is_refused(self):
        self.plant_source("sim/machine/sm/sm.cc", '#include "sm.h"')
        self.assert_refused(TOOL, "must be written from the root")

    def test_a_file_outside_every_module_is_refused(self):
        self.plant_source("sim/utils/misc.h")
        self.assert_refused(TOOL, "sim/utils/misc.h: is in no module")

    def test_the_sources_that_reach_most_headers_are_listed_and_not_refused(self):
        names = [f"sim/base/h{number}.h" for number in range(40)]
        for name, below in zip(names, names[1:] + [""]):
            self.plant_source(name, *([f'#include "{below}"'] if below else []))
        self.plant_source("sim/base/few.cc", f'#include "{names[10]}"')
        self.plant_source("sim/base/many.cc", f'#include "{names[0]}"')
        status, output = self.check(TOOL)
        self.assertEqual(status, 0, output)
        self.assertIn("1 of 2 sources reach more than 35 headers: sim/base/many.cc 40\n", output)

    def test_a_section_that_reaches_back_to_the_result_is_refused(self):
        self.plant_source("sim/model/stats/result.h")
        self.plant_source("sim/output/view/view.h", '#include "sim/model/stats/result.h"')
        self.plant_source("sim/output/view/view.cc", '#include "sim/output/view/view.h"')
        self.assert_clean(TOOL)
        self.plant_source("sim/output/report/sections.cc", '#include "sim/output/view/view.h"')
        self.assert_refused(TOOL, "sim/output/report/sections.cc: must not lead to sim/model/stats/result.h")

    def test_a_library_that_prints_is_refused(self):
        self.plant_source("sim/machine/sm/sm.cc", '  std::printf("%d", 1);')
        self.assert_refused(TOOL, "sim/machine/sm/sm.cc:2: only the command line prints")

    def test_the_library_of_a_command_does_not_reach_the_console(self):
        include = '#include "sim/commands/cli/console.h"'
        self.plant_source("sim/commands/arch/command.cc", include)
        self.assert_clean(TOOL)
        self.plant_source("sim/commands/arch/show.cc", include)
        self.assert_refused(TOOL, "sim/commands/arch/show.cc:2: only the command line prints")

    def test_a_link_the_table_does_not_allow_is_refused(self):
        self.plant("sim/model/isa/CMakeLists.txt", "gpusim_module(DEPENDS base model/stats)\n")
        self.assert_refused(TOOL, "model/isa links model/stats, which the table does not allow")

    def test_a_link_that_is_missing_is_refused(self):
        self.plant("sim/machine/mem/l2/CMakeLists.txt",
                   "gpusim_module(DEPENDS base model/arch model/stats machine/msg machine/engine machine/mem/dram)\n")
        self.assert_refused(TOOL, "machine/mem/l2 does not link machine/mem/cache, which the table names")

    def test_a_module_that_is_not_built_is_refused(self):
        (self.root / "sim/machine/lower/CMakeLists.txt").unlink()
        self.assert_refused(TOOL, "sim/machine/lower/CMakeLists.txt: does not define the module machine/lower")

    def test_a_module_that_the_tree_does_not_show_is_refused(self):
        self.plant_tree([name for name in check_layers.MODULES if name != "output/advice"])
        self.assert_refused(TOOL, "docs/architecture.md: its tree does not have sim/output/advice/")
        self.plant_tree([name for name in check_layers.MODULES if not name.startswith("exec/")])
        self.assert_refused(TOOL, "docs/architecture.md: its tree does not have sim/exec/run/")

    def test_a_group_of_modules_is_those_of_it_that_stand_above(self):
        self.assertEqual(check_layers.expanded(["a", "b/"], ["a", "b/c", "b/d/e", "f"]), ("a", "b/c", "b/d/e"))

    def test_a_cycle_in_the_table_itself_is_refused(self):
        tangled = {"a": check_layers.module("", "b"), "b": check_layers.module("", "a")}
        with unittest.mock.patch.object(check_layers, "MODULES", tangled):
            self.assertRaisesRegex(ValueError, "a before b", check_layers.layers)

    def test_the_graph_is_printed_for_both_readers(self):
        self.assertIn("`sim/machine/mem/dram`", self.check(TOOL, "--markdown")[1])
        self.assertIn('"model/trace" -> "model/isa";', self.check(TOOL, "--dot")[1])


if __name__ == "__main__":
    unittest.main()
