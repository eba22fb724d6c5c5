// SPDX-License-Identifier: MIT
// Writes that fail, in the commands that write a file: a limit on the size of files stands for a disk without room.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/app/program.h"

namespace full_disk_test {

using namespace gpusim;
using app::Workshop;
using Catch::Matchers::Contains;

namespace {

/// Names of what is in the shop's folder, but for what the shell writes.
std::string files_in(const Workshop& shop) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shop.folder())) {
    const std::string name = entry.path().lexically_relative(shop.folder()).string();
    const bool is_of_tries = entry.path().filename() == ".gpusim-lab.json";  // a check wrote it
    if (name != "out" && name != "err" && !is_of_tries) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) {
    all += name + " ";
  }
  return all;
}

}  // namespace

TEST_CASE("a disk without room is one line that names the file, and what was there stays") {
  const std::string command =
      GENERATE("-a h100 -t saxpy --test-params --json made", "-a h100 -t saxpy --test-params --html made",
               "-a h100 -t saxpy --test-params --timeline made", "compare one.json one.json --html made",
               "compare one.json one.json --json made", "trace make gemm-mma -o made",
               "lab show coalescing --student mary --page made", "lab check work --wait 600 --junit made");
  CAPTURE(command);
  const Workshop shop;
  REQUIRE(shop.run("-a h100 -t saxpy --test-params --quiet --json one.json").code == 0);
  REQUIRE(shop.run("lab start coalescing work --student mary").code == 0);
  shop.write("made", "what was there");
  const std::string before = files_in(shop);
  const Workshop::Said said =
      shop.shell("(ulimit -f 1; '" GPUSIM_PROGRAM "' --quiet " + command + " >/dev/null 2>err); echo $? >out");
  CHECK(said.out == "2\n");
  CHECK_THAT(said.err, Contains("made: cannot write: File too large"));
  CHECK(std::count(said.err.begin(), said.err.end(), '\n') == 1);
  CHECK(app::content_of(shop.folder() / "made") == "what was there");
  CHECK(files_in(shop) == before);
}

}  // namespace full_disk_test
