// SPDX-License-Identifier: MIT
// Rates of collectives on systems whose links were changed.
#include "sim/system/collective/carried.h"

#include <filesystem>
#include <span>

#include <catch2/catch.hpp>

#include "sim/system/config/loader.h"

namespace carried_test {

using namespace gpusim;

namespace {

const std::filesystem::path kConfigs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";

system::System h100(const system::Changes& changes) {
  const std::filesystem::path file = kConfigs / "systems" / "dgx-h100.yaml";
  system::System system = system::load_system(file, std::span(&kConfigs, 1), changes);
  collective::carry_rates(system::load_system(file, std::span(&kConfigs, 1)), changes, system);
  return system;
}

}  // namespace

TEST_CASE("rates that were measured on other links go with the links") {
  const system::System system = h100({{{"link_types.nvlink4.bandwidth", "50 GB/s"}}, {}});
  CHECK(static_cast<double>(system.collectives.ring) == Approx(2 * 368e9));
  CHECK(static_cast<double>(system.collectives.nvls) == Approx(2 * 496e9));
  CHECK(system.collectives.middle_ns == 8'500);
}

TEST_CASE("a rate that the user gives stays, and changes beside the links change none") {
  const system::System given =
      h100({{{"link_types.nvlink4.bandwidth", "50 GB/s"}, {"collectives.ring", "400 GB/s"}}, {}});
  CHECK(given.collectives.ring == 400'000'000'000);
  CHECK(h100({{{"calls.launch", "2 us"}}, {}}).collectives.ring == 368'000'000'000);
}

}  // namespace carried_test
