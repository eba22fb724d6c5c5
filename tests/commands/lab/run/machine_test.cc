// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/machine.h"

#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"

#include "tests/support/lab_folder.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

/// base.yaml, and a file of the student beside it.
class Machines {
 public:
  explicit Machines(const std::string& own, const std::string& base = "extends: t4.yaml\nname: Base\n") {
    folder_.write("base.yaml", base);
    folder_.write("own/base.yaml", "extends: t4.yaml\nname: Base\n");
    folder_.write("own/machine.yaml", own);
  }
  [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }
  [[nodiscard]] lab::Machine compared() const {
    std::vector<lab::NamedFormula> costs;
    for (const char* const key : {"sm.count", "l2.bytes"}) {
      costs.push_back({key, lab::Formula::number("", "1")});
    }
    return lab::compare_machine(folder_.path() / "own/machine.yaml", folder_.path() / "base.yaml", costs);
  }

 private:
  testing::LabFolder folder_{"", ""};
};

}  // namespace

TEST_CASE("a machine that changes keys with a price has their values, and nothing else differs") {
  const lab::Machine machine =
      Machines("extends: base.yaml\nname: Mine\nsm: {count: 36}\nl2: {bytes: 2 MiB}\n").compared();
  CHECK(machine.other.empty());
  CHECK(machine.values.at("sm.count").number == 36);
  CHECK(machine.values.at("l2.bytes").text == "2 MiB");
  CHECK(machine.values.at("l2.bytes").number == 2097152);
}

TEST_CASE("any other key that differs is named, wherever it was changed") {
  const std::string own = "extends: base.yaml\nclocks: {sm: 1.8 GHz}\n";
  CHECK_THAT(Machines(own).compared().other, Contains("clocks.sm is 1.8 GHz, that of base.yaml 1.59 GHz."));
  // As if the student had changed the file that machine.yaml extends.
  const std::string base = "extends: t4.yaml\nsm: {lsu: {lanes: 8}}\n";
  CHECK_THAT(Machines("extends: base.yaml\n", base).compared().other,
             Contains("sm.lsu.lanes is 16, that of base.yaml 8."));
}

TEST_CASE("a value that is only written differently is the same") {
  CHECK(Machines("extends: base.yaml\nclocks: {sm: 1590 MHz}\n").compared().other.empty());
}

TEST_CASE("a machine that is not an architecture is refused with its place") {
  CHECK_THROWS_WITH(Machines("extends: base.yaml\nsm: {cuont: 3}\n").compared(),
                    Contains("machine.yaml:2:6: ") && Contains("did you mean"));
  CHECK_THROWS_WITH(Machines("extends: basis.yaml\n").compared(), Contains("basis.yaml"));
}

TEST_CASE("a machine extends files of its own folder, and reads nobody else's") {
  const std::string path = GENERATE("../base.yaml", "../base", "/etc/passwd", "./../base.yaml");
  CHECK_THROWS_WITH(Machines("extends: " + path + "\nsm: {count: 3}\n").compared(),
                    Contains("machine.yaml:1:10: ") && Contains("which is a path") && !Contains("root"));
}

TEST_CASE("a machine extends no path by way of another file of its folder") {
  const Machines machines("extends: middle.yaml\n");
  std::ofstream(machines.folder() / "own/middle.yaml") << "extends: ../base.yaml\n";
  CHECK_THROWS_WITH(machines.compared(), Contains("middle.yaml:1:10: ") && Contains("which is a path"));
}

TEST_CASE("a machine extends no link") {
  const Machines machines("extends: link\n");
  std::filesystem::create_symlink("../base.yaml", machines.folder() / "own/link.yaml");
  CHECK_THROWS_WITH(machines.compared(), Contains("link.yaml") && Contains("is a link"));
}

TEST_CASE("a machine extends an architecture that came along by its name") {
  CHECK(Machines("extends: t4\nname: Mine\n", "extends: t4.yaml\n").compared().other.empty());
}
