// SPDX-License-Identifier: MIT
// The names under which measurements know a GPU, and the architectures that stand for them.
#include "tests/support/gpus.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"

namespace gpus_test {

using namespace gpusim;

namespace {

const std::filesystem::path kRoot = GPUSIM_SOURCE_DIR;

}  // namespace

TEST_CASE("every GPU of the table has an architecture that loads with its changes, or says why it has none") {
  for (const auto& [name, gpu] : test::known_gpus()) {
    INFO(name);
    if (gpu.arch.empty()) {
      CHECK_FALSE(gpu.note.empty());
      continue;
    }
    std::vector<arch::Override> overrides;
    for (const auto& [key, value] : gpu.set) {
      overrides.push_back({key, value});
    }
    CHECK_NOTHROW(arch::load_arch(kRoot / "configs" / gpu.arch, overrides));
  }
}

TEST_CASE("every shipped architecture stands for a GPU of the table") {
  for (const auto& file : std::filesystem::directory_iterator(kRoot / "configs")) {
    if (!file.is_regular_file()) {
      continue;  // systems
    }
    const std::string name = file.path().filename().string();
    const auto stands_for = [&name](const auto& gpu) { return gpu.second.arch == name; };
    INFO(name);
    // No measurement names an L40S yet.
    CHECK((std::ranges::any_of(test::known_gpus(), stands_for) || name == "l40s.yaml"));
  }
}

}  // namespace gpus_test
