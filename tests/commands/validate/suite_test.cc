// SPDX-License-Identifier: MIT
// The shipped cases: every figure that was measured is met as well as its case says.
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <thread>

#include <catch2/catch.hpp>

#include "sim/commands/validate/metric.h"

#include "tests/commands/validate/support.h"
#include "tests/support/golden.h"

using namespace gpusim;

namespace {

/// Which slow cases: all but the curves of memory; those curves, which take an hour. tools/regen_docs.py simulates the
/// others for the documents, and checks them there.
enum class Pace { kSlow, kCurves };

bool has_pace(const validate::Case& of, const std::string& file, Pace pace) {
  constexpr std::array<std::string_view, 4> kCurves{"bandwidth", "chase", "occupancy-curve", "strides"};
  const bool of_curve = std::ranges::find(kCurves, file) != kCurves.end();
  return of.slow && of_curve == (pace == Pace::kCurves);
}

/// Simulates slow cases of the micro suite; each must be within its tolerance. How many counted.
std::size_t counted_within(Pace pace) {
  const std::filesystem::path folder = std::filesystem::path(GPUSIM_SOURCE_DIR) / "tests" / "validation";
  const validate::GpuNames gpus = validate::read_gpu_names(folder / "gpus.yaml");
  validate::Sources sources = test::sources_of_tree();
  sources.slow_ones = true;
  sources.threads = std::max(1U, std::thread::hardware_concurrency());
  std::size_t counted = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "micro")) {
    auto cases = validate::read_cases(entry.path(), "micro", gpus);
    const std::string file = entry.path().stem().string();
    std::erase_if(cases, [&](const validate::Case& of) { return !has_pace(of, file, pace); });
    std::vector<validate::Outcome> outcomes;
    validate::run_cases(cases, sources, outcomes);
    for (const validate::Outcome& outcome : outcomes) {
      INFO(outcome.of.id << ": simulated " << outcome.simulated.value_or(-1) << ", measured " << outcome.measured);
      CHECK(outcome.simulated.has_value());
      CHECK((outcome.is_within() || !outcome.is_counted()));
      counted += outcome.is_counted() ? 1 : 0;
    }
  }
  return counted;
}

}  // namespace

TEST_CASE("every slow case of the micro suite is within its tolerance", "[.slow]") {
  CHECK(counted_within(Pace::kSlow) >= 3);
}

TEST_CASE("every slow case of memory's curves is within its tolerance", "[.curves]") {
  CHECK(counted_within(Pace::kCurves) >= 130);
}

TEST_CASE("every case of the kernel suite can be simulated: nothing of it is refused, and its architecture is there") {
  const std::filesystem::path folder = std::filesystem::path(GPUSIM_SOURCE_DIR) / "tests" / "validation";
  const validate::GpuNames gpus = validate::read_gpu_names(folder / "gpus.yaml");
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "kernels")) {
    for (const validate::Case& of : validate::read_cases(entry.path(), "kernels", gpus)) {
      INFO(of.id);
      CHECK(of.refusals.empty());
      CHECK(of.can_run());
      CHECK(of.is_kernel());
      ++cases;
    }
  }
  CHECK(cases >= 240);
}

TEST_CASE("every GPU of the table is described by an architecture that loads") {
  const std::filesystem::path root = GPUSIM_SOURCE_DIR;
  for (const auto& [name, gpu] : validate::read_gpu_names(root / "tests" / "validation" / "gpus.yaml")) {
    INFO(name);
    CHECK((gpu.arch.empty() || std::filesystem::exists(root / "configs" / gpu.arch)));
  }
}

TEST_CASE("docs/validation.md has the keys of cases and the metrics") {
  const std::string marker = "<!-- generated from the tables: GPUSIM_REGENERATE=1 test_commands_validate -->\n";
  const std::string file = "docs/validation.md";
  std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / file);
  std::stringstream content;
  content << in.rdbuf();
  const std::string by_hand = content.str().substr(0, content.str().find(marker));
  const std::string expected =
      by_hand + marker + "\n" + validate::case_keys_markdown() + "\n" + validate::metrics_markdown();
  CHECK(expected == golden(file, expected));
}
