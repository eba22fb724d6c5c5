// SPDX-License-Identifier: MIT
// What the shipped files must hold: the vendor's figures, provenance of every value, latencies that add up.
#include <algorithm>
#include <cstdlib>

#include <catch2/catch.hpp>

#include "sim/arch/files.h"
#include "sim/arch/peaks.h"
#include "sim/arch/schema.h"

#include "tests/arch/support.h"

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

namespace {

std::vector<ArchFile> shipped() {
  const std::vector<std::filesystem::path> folders{kConfigs};
  return list_archs(folders);
}

/// SM cycles of a load: L1 miss, request, tags, data, reply.
std::uint32_t near_hit(const Arch& a) {
  return a.sm.l1.hit_latency + a.noc.sm_to_gpc_latency + a.noc.gpc_to_l2_latency + a.l2.tag_latency +
         a.l2.data_latency + a.noc.l2_to_gpc_latency + a.noc.gpc_to_sm_latency;
}

std::uint32_t far_hit(const Arch& a) {
  return near_hit(a) + 2 * a.noc.partition_link_latency + a.l2.tag_latency;
}

/// What a miss in a closed row adds.
double miss(const Arch& a) {
  const DramTimings& t = a.dram.timing;
  return a.dram.controller_latency + static_cast<double>(t.RCDRD + t.CL + t.BL) * static_cast<double>(a.clocks.sm) /
                                         static_cast<double>(a.dram.command_hz);
}

}  // namespace

TEST_CASE("every shipped architecture loads") {
  REQUIRE(shipped().size() >= 4);
  for (const ArchFile& file : shipped()) {
    CHECK(problems_of(file.file).empty());
  }
}

TEST_CASE("every value of a shipped file carries a kind and a source") {
  for (const ArchFile& file : shipped()) {
    for (const Guess& guess : load_arch(file.file, {}).guesses) {
      INFO(file.name << " " << guess.key);
      CHECK(guess.source != "user");
      CHECK_FALSE(guess.source.empty());
    }
  }
}

TEST_CASE("computed peaks equal the vendor's figures at their clocks within one percent") {
  for (const ArchFile& file : shipped()) {
    const Arch arch = load_arch(file.file, {});
    const std::vector<Peak> peaks = computed_peaks(arch);
    for (const Peak& quoted : arch.peaks) {
      INFO(file.name << " " << quoted.name << " at " << quoted.clock);
      const auto computed = std::ranges::find(peaks, quoted.name, &Peak::name);
      REQUIRE(computed != peaks.end());
      CHECK(computed->value == Approx(quoted.vendor).epsilon(0.01));
    }
  }
}

TEST_CASE("every shipped part has the vendor's figures of FP32 and of DRAM") {
  for (const ArchFile& file : shipped()) {
    for (const Peak& peak : computed_peaks(load_arch(file.file, {}))) {
      INFO(file.name << " " << peak.name);
      CHECK((peak.vendor > 0 || (peak.name != "fp32" && peak.name != "dram")));
    }
  }
}

TEST_CASE("sparsity doubles the tensor rates but not FP64's") {
  const Arch arch = h100();
  const std::vector<Peak> peaks = computed_peaks(arch);
  const auto value = [&peaks](std::string_view name) { return std::ranges::find(peaks, name, &Peak::name)->value; };
  CHECK(value("bf16_tensor_sparse") == 2 * value("bf16_tensor"));
  CHECK(std::ranges::find(peaks, "fp64_tensor_sparse", &Peak::name) == peaks.end());
}

TEST_CASE("the peak of L2 is that of the narrowest place on the way to the SMs") {
  const auto l2 = [](const std::vector<Override>& overrides) {
    const std::vector<Peak> peaks = computed_peaks(h100(overrides));
    return std::ranges::find(peaks, "l2", &Peak::name)->value;
  };
  CHECK(l2({}) == Approx(80 * 64 * 1.98e9));
  CHECK(l2({{"noc.gpc_reply_bytes_per_cycle", "320"}}) == Approx(8 * 320 * 1.98e9));
  CHECK(l2({{"noc.sm_reply_bytes_per_cycle", "16"}}) == Approx(132 * 16 * 1.98e9));
}

TEST_CASE("a type without a tensor path has no peak") {
  for (const Peak& peak : computed_peaks(load_arch(kConfigs / "a100.yaml", {}))) {
    CHECK(peak.name != "fp8_tensor");
  }
}

TEST_CASE("a peak names its clock: the vendor's, or the usual one") {
  const Folder folder;
  std::string text = read(kConfigs / "h100.yaml");
  const std::size_t start = text.find("peaks:");
  text.erase(start, text.find("sources:") - start);
  const std::vector<Peak> peaks = computed_peaks(load_arch(folder.write("v.yaml", text), {}));
  CHECK(peaks.front().clock == "boost");
  CHECK(peaks.front().vendor == 0);
  CHECK(peaks.front().value == Approx(66.9e12).epsilon(0.001));
  CHECK(std::ranges::find(peaks, "dram", &Peak::name)->clock == "memory");
}

TEST_CASE("the latencies of the shipped files add up to the measured ones") {
  const Arch pcie = load_arch(kConfigs / "h100-pcie.yaml", {});
  CHECK(near_hit(pcie) == 265);
  CHECK(far_hit(pcie) == 414);
  CHECK(near_hit(pcie) + miss(pcie) == Approx(555).margin(2));
  const Arch a100 = load_arch(kConfigs / "a100.yaml", {});
  CHECK(near_hit(a100) == 208);
  CHECK(far_hit(a100) == 357);
  CHECK(near_hit(a100) + miss(a100) == Approx(475).margin(2));
  CHECK(far_hit(a100) + miss(a100) == Approx(623).margin(3));
  const Arch gh200 = load_arch(kConfigs / "gh200.yaml", {});
  CHECK(near_hit(gh200) == 280);
  CHECK((near_hit(gh200) + far_hit(gh200)) / 2 + miss(gh200) == Approx(688).margin(3));
}

TEST_CASE("a dump loads to the same architecture, with overrides and provenance") {
  const Folder folder;
  const std::vector<Override> changes{{"dram.bandwidth", "4.8TB/s"}, {"dram.stacks", "6"}, {"name", "\"\\ # x"}};
  for (const ArchFile& file : shipped()) {
    for (const std::vector<Override>& overrides : {std::vector<Override>(), changes}) {
      if (!overrides.empty() && file.name == "gh200") {
        continue;  // has six stacks already
      }
      Arch original = load_arch(file.file, overrides);
      const std::filesystem::path dumped = folder.write("dump.yaml", dump_arch(file.file, overrides));
      INFO(file.name);
      CHECK(problems_of(dumped).empty());
      original.path = dumped.string();
      CHECK(load_arch(dumped, {}) == original);
      CHECK(dump_arch(dumped, {}) == read(dumped));
    }
  }
}

TEST_CASE("a dump marks what was set, and by what") {
  const std::string text = dump_arch(kConfigs / "h100.yaml", std::vector<Override>{{"sm.count", "160"}});
  CHECK_THAT(text, Catch::Contains("  count: [160, set, \"--set\"]\n"));
  CHECK_THAT(text, Catch::Contains("  gpcs: [9, set, \"--set sm.count=160\"]\n"));
  CHECK_THAT(text,
             Catch::Contains("    hmma_884_f32: [unsupported, inferred, \"a Volta shape; later parts emulate it\"]\n"));
}

TEST_CASE("the documentation of the keys is up to date") {
  const std::filesystem::path file = std::filesystem::path(GPUSIM_SOURCE_DIR) / "docs" / "architecture-files.md";
  const std::string text = read(file);
  const std::string marker = "<!-- generated from the schema: GPUSIM_REGENERATE=1 test_arch -->\n";
  const std::size_t start = text.find(marker);
  REQUIRE(start != std::string::npos);
  const std::string expected = text.substr(0, start + marker.size()) + "\n" + schema_markdown();
  if (std::getenv("GPUSIM_REGENERATE") != nullptr) {
    std::ofstream(file, std::ios::binary) << expected;
  }
  const bool up_to_date = read(file) == expected;
  CHECK(up_to_date);
}

TEST_CASE("the variant that the documentation shows loads") {
  const std::string text = read(std::filesystem::path(GPUSIM_SOURCE_DIR) / "docs" / "architecture-files.md");
  const std::size_t start = text.find("extends: h100.yaml");
  REQUIRE(start != std::string::npos);
  const Folder folder;
  folder.write("h100.yaml", read(kConfigs / "h100.yaml"));
  const std::filesystem::path file = folder.write("v.yaml", text.substr(start, text.find("```", start) - start));
  CHECK(problems_of(file).empty());
  CHECK(load_arch(file, {}).sm.count == 160);
}

TEST_CASE("every key of the schema has a meaning and a range, and is found by its path") {
  for (const Key& key : schema()) {
    INFO(key.path);
    CHECK_FALSE(key.meaning.empty());
    CHECK(key.min <= key.max);
    CHECK(find_key(key.path).has_value());
  }
}
