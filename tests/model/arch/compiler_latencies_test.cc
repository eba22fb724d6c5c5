// SPDX-License-Identifier: MIT
// Dependence latencies of the architecture files against the distances that compilers keep between two instructions:
// tests/validation/compiler-latencies.csv.
#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/files.h"
#include "sim/model/isa/timing.h"

#include "tests/model/arch/support.h"
#include "tests/support/golden.h"

namespace compiler_latencies_test {

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

namespace {

struct Row {
  std::string compute_capability;
  std::string timing_class;
  std::string first;
  std::string second;
  std::uint32_t cycles = 0;
  std::string samples;
  std::string source;
  std::string kept;      ///< the latency of the architecture files where it is another one; "25 or 33" of several GPUs
  std::string decision;  ///< why: a word that the page explains
};

constexpr std::array<std::string_view, 5> kDecisions{"measured", "one", "forms", "counter", "doubt"};

std::vector<Row> rows() {
  std::ifstream file(std::string(GPUSIM_SOURCE_DIR) + "/tests/validation/compiler-latencies.csv");
  std::string line;
  std::getline(file, line);
  std::vector<Row> all;
  while (std::getline(file, line)) {
    std::stringstream cells(line + ",");
    Row row;
    std::string cycles;
    for (std::string* cell : {&row.compute_capability, &row.timing_class, &row.first, &row.second, &cycles,
                              &row.samples, &row.source, &row.kept, &row.decision}) {
      std::getline(cells, *cell, ',');
    }
    row.cycles = static_cast<std::uint32_t>(std::stoul(cycles));
    all.push_back(row);
  }
  return all;
}

const isa::Timing& timing_of(const Arch& arch, const std::string& key) {
  const auto found = std::ranges::find(isa::kTimingClasses, key, &isa::TimingClassInfo::key);
  REQUIRE(found != isa::kTimingClasses.end());
  return arch.sm.timing[static_cast<std::size_t>(found - isa::kTimingClasses.begin())];
}

/// The shipped GPUs by compute capability.
std::multimap<std::string, Arch> gpus() {
  const std::vector<std::filesystem::path> folders{kConfigs};
  std::multimap<std::string, Arch> by_capability;
  for (const ArchFile& file : list_archs(folders)) {
    Arch arch = load_arch(file.file, {});
    const std::string capability = arch.compute_capability;
    by_capability.emplace(capability, std::move(arch));
  }
  return by_capability;
}

/// The latencies that the architecture files may have, and shall have between them.
std::set<std::uint32_t> latencies_of(const Row& row) {
  if (row.kept.empty()) {
    return {row.cycles};
  }
  std::set<std::uint32_t> all;
  std::stringstream words(row.kept);
  for (std::string word; words >> word; words >> word) {
    all.insert(static_cast<std::uint32_t>(std::stoul(word)));
  }
  return all;
}

/// What GPUs and sources that say the same have in common.
struct Merged {
  std::vector<std::string> capabilities;
  std::set<std::string> sources;
};

std::string joined(const auto& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

/// The rows that differ, as a table, GPUs and sources that say the same together.
std::string differences() {
  using Key = std::tuple<std::string, std::string, std::string, std::uint32_t, std::string, std::string>;
  std::map<Key, Merged> merged;
  std::vector<Key> order;
  std::size_t agreeing = 0;
  const std::vector<Row> all = rows();
  for (const Row& row : all) {
    if (row.kept.empty()) {
      ++agreeing;
      continue;
    }
    const Key key{row.timing_class, row.first, row.second, row.cycles, row.kept, row.decision};
    Merged& one = merged[key];
    if (one.capabilities.empty()) {
      order.push_back(key);
    }
    if (std::ranges::find(one.capabilities, row.compute_capability) == one.capabilities.end()) {
      one.capabilities.push_back(row.compute_capability);
    }
    one.sources.insert(row.source);
  }
  std::ranges::stable_sort(order, {}, [](const Key& key) { return std::get<0>(key); });
  std::string text = std::to_string(agreeing) + " of " + std::to_string(all.size()) +
                     " rows agree. The others:\n\n"
                     "| class | from | to | GPUs | compilers | here | why | source |\n"
                     "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Key& key : order) {
    const auto& [timing_class, first, second, cycles, kept, decision] = key;
    text += "| `" + timing_class + "` | " + first + " | " + second + " | " + joined(merged[key].capabilities) + " | " +
            std::to_string(cycles) + " | " + kept + " | " + decision + " | " + joined(merged[key].sources) + " |\n";
  }
  return text;
}

}  // namespace

TEST_CASE("dependence latencies are those that compilers keep, but for the ones that are listed with a reason") {
  const std::multimap<std::string, Arch> all = gpus();
  for (const Row& row : rows()) {
    std::set<std::uint32_t> latencies;
    const auto [begin, end] = all.equal_range(row.compute_capability);
    for (auto gpu = begin; gpu != end; ++gpu) {
      INFO(gpu->second.name);
      const isa::Timing& timing = timing_of(gpu->second, row.timing_class);
      if (!timing.supported) {
        continue;  // GTX 16 lacks the tensor cores of other Turing
      }
      latencies.insert(row.second == "guard" ? gpu->second.sm.guard_latency : timing.latency);
    }
    INFO(row.compute_capability << ", " << row.timing_class << ": " << row.first << " to " << row.second << " by "
                                << row.source);
    CHECK(latencies == latencies_of(row));
  }
}

TEST_CASE("a difference from what compilers keep is one, and has a reason that the page explains") {
  const std::string page = committed("docs/validation/compiler-latencies.md");
  for (const std::string_view decision : kDecisions) {
    CHECK_THAT(page, Catch::Contains("| " + std::string(decision) + " |"));
  }
  for (const Row& row : rows()) {
    INFO(row.compute_capability << ", " << row.timing_class << ": " << row.first << " to " << row.second);
    CHECK(row.kept.empty() == row.decision.empty());
    CHECK((row.kept.empty() || !latencies_of(row).contains(row.cycles)));
    CHECK((row.decision.empty() || std::ranges::find(kDecisions, row.decision) != kDecisions.end()));
    CHECK((row.source == "nak" || row.source == "ptxas"));
  }
}

TEST_CASE("the page has every difference from what compilers keep") {
  CHECK(ends_with_generated("docs/validation/compiler-latencies.md",
                            "<!-- generated from the rows: GPUSIM_REGENERATE=1 test_model_arch -->\n", differences()));
}

}  // namespace compiler_latencies_test
