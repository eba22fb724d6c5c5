// SPDX-License-Identifier: MIT
// What the shipped files must hold: the vendor's figures, provenance of every value, latencies that add up.
#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

#include "sim/model/arch/files.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/schema.h"

#include "tests/model/arch/support.h"
#include "tests/support/golden.h"

namespace configs_test {

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
      INFO(file.name << " " << quoted.name << " at " << word_of(quoted.clock));
      const auto computed = std::ranges::find(peaks, quoted.name, &Peak::name);
      REQUIRE(computed != peaks.end());
      CHECK(computed->value == Approx(quoted.vendor).epsilon(0.01));
    }
  }
}

TEST_CASE("every shipped GPU has the vendor's figures of what buyers compare, where it has the units") {
  for (const ArchFile& file : shipped()) {
    const std::vector<Peak> peaks = computed_peaks(load_arch(file.file, {}));
    for (const char* name :
         {"fp32", "fp64", "fp16_tensor", "bf16_tensor", "tf32_tensor", "fp8_tensor", "int8_tensor", "dram"}) {
      INFO(file.name << " " << name);
      const Peak* const peak = find_peak(peaks, name);
      CHECK((peak == nullptr || peak->vendor > 0));
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

TEST_CASE("the peak of L2 is what the slices read, as vendors count it") {
  const std::vector<Peak> peaks = computed_peaks(load_arch(kConfigs / "a100.yaml", {}));
  CHECK(std::ranges::find(peaks, "l2", &Peak::name)->value == Approx(5120 * 1.41e9));
}

TEST_CASE("the rows that DRAM can open in a second are those of its tightest timing, less the time in refresh") {
  // 160 channels of 1309.5 MHz: four ACTs in FAW = 20 clocks, of 3.9 us 230 ns (302 of 5108 clocks) in refresh.
  DramConfig dram = load_arch(kConfigs / "h100.yaml", {}).dram;
  CHECK(activates_per_second(dram) == Approx(160 * 1309.5e6 / 5 * (1 - 302.0 / 5108)));
  dram.refresh = arch::DramRefresh::kPerBank;
  CHECK(activates_per_second(dram) == Approx(160 * 1309.5e6 / 5));
  dram.row_bus = arch::RowBus::kShared;
  dram.activate_clocks = 2;
  CHECK(activates_per_second(dram) == Approx(160 * 1309.5e6 / 6));
  dram.timing.RC = 16 * 7;
  CHECK(activates_per_second(dram) == Approx(160 * 1309.5e6 / 7));
  dram.timing.RRDL = 4 * 8;
  CHECK(activates_per_second(dram) == Approx(160 * 1309.5e6 / 8));
  dram.timing.RRDS = 9;
  CHECK(activates_per_second(dram) == Approx(160 * 1309.5e6 / 9));
  dram.model = arch::DramModel::kIdeal;
  CHECK(activates_per_second(dram) == 0);
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
  CHECK(peaks.front().clock == PeakClock::kBoost);
  CHECK(peaks.front().vendor == 0);
  CHECK(peaks.front().value == Approx(66.9e12).epsilon(0.001));
  CHECK(std::ranges::find(peaks, "dram", &Peak::name)->clock == PeakClock::kMemory);
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
  // V100 was measured at the clock of the PCIe GPU; 17 cycles of the 428 are waits for refreshes.
  const Arch v100 = load_arch(kConfigs / "v100.yaml", std::vector<Override>{{"clocks.sm", "1.38GHz"}});
  CHECK(near_hit(v100) == 212);
  CHECK(near_hit(v100) + miss(v100) + 17 == Approx(428).margin(2));
  const Arch a40 = load_arch(kConfigs / "a40.yaml", {});
  CHECK(near_hit(a40) == 250);
  CHECK(near_hit(a40) + miss(a40) == Approx(547).margin(2));
  const Arch t4 = load_arch(kConfigs / "t4.yaml", {});
  CHECK(near_hit(t4) == 188);
  const Arch p100 = load_arch(kConfigs / "p100.yaml", {});
  CHECK(near_hit(p100) == 234);
  const Arch rtx2080ti = load_arch(kConfigs / "rtx2080ti.yaml", {});
  CHECK(near_hit(rtx2080ti) == 236);
  const Arch gh200 = load_arch(kConfigs / "gh200.yaml", {});
  CHECK(near_hit(gh200) == 280);
  // A miss takes 685 cycles, of which 41 close another row and wait for refreshes.
  CHECK((near_hit(gh200) + far_hit(gh200)) / 2 + miss(gh200) + 41 == Approx(685).margin(3));
}

TEST_CASE("the limits of a GPU are those of its compute capability") {
  struct Row {
    std::string_view gpu;
    std::string_view capability;
    std::uint32_t warps;
    std::uint32_t ctas;
    std::uint64_t largest_carveout;
    std::uint64_t most_per_cta;
    std::uint64_t reserved;
    std::uint64_t unit;
  };
  const std::uint64_t kib = 1024;
  const auto row = GENERATE_COPY(values<Row>({{"p100", "6.0", 64, 32, 64 * kib, 48 * kib, 0, 256},
                                              {"v100", "7.0", 64, 32, 96 * kib, 96 * kib, 0, 256},
                                              {"t4", "7.5", 32, 16, 64 * kib, 64 * kib, 0, 256},
                                              {"rtx2080ti", "7.5", 32, 16, 64 * kib, 64 * kib, 0, 256},
                                              {"gtx1660ti", "7.5", 32, 16, 64 * kib, 64 * kib, 0, 256},
                                              {"a100", "8.0", 64, 32, 164 * kib, 163 * kib, kib, 128},
                                              {"a100-40gb", "8.0", 64, 32, 164 * kib, 163 * kib, kib, 128},
                                              {"rtx3090", "8.6", 48, 16, 100 * kib, 99 * kib, kib, 128},
                                              {"a6000", "8.6", 48, 16, 100 * kib, 99 * kib, kib, 128},
                                              {"a40", "8.6", 48, 16, 100 * kib, 99 * kib, kib, 128}}));
  INFO(row.gpu);
  const Arch arch = load_arch(kConfigs / (std::string(row.gpu) + ".yaml"), {});
  CHECK(arch.compute_capability == row.capability);
  CHECK(arch.sm.limits.warps_per_sm == row.warps);
  CHECK(arch.sm.limits.ctas_per_sm == row.ctas);
  CHECK(arch.sm.limits.registers_per_sm == 65536);
  CHECK(arch.sm.limits.barriers_per_sm == 0);
  CHECK(arch.sm.limits.ctas_per_cluster == 0);
  CHECK(arch.sm.shared.carveouts.back() == row.largest_carveout);
  CHECK(arch.sm.shared.max_per_cta == row.most_per_cta);
  CHECK(arch.sm.shared.max_per_cta_default == 48 * kib);
  CHECK(arch.sm.shared.reserved_per_cta == row.reserved);
  CHECK(arch.sm.shared.allocation_unit == row.unit);
}

TEST_CASE("a generation lacks the instructions that came after it") {
  using C = isa::TimingClass;
  const auto lacks = [](std::string_view gpu) {
    const Arch arch = load_arch(kConfigs / (std::string(gpu) + ".yaml"), {});
    std::vector<std::string> keys;
    for (const C c : {C::kUniform, C::kHmma16816F32, C::kHmma1688F32, C::kHmma1688Tf32, C::kHmma884F32, C::kImma16832,
                      C::kImma8816, C::kDmma884, C::kRedux, C::kAsyncCopy, C::kMatrixLoad}) {
      if (!arch.sm.timing[static_cast<std::size_t>(c)].supported) {
        keys.emplace_back(isa::info(c).key);
      }
    }
    return keys;
  };
  using Keys = std::vector<std::string>;
  CHECK(lacks("p100") == Keys{"uniform", "hmma_16816_f32", "hmma_1688_f32", "hmma_1688_tf32", "hmma_884_f32",
                              "imma_16832", "imma_8816", "dmma_884", "redux", "async_copy", "matrix_load"});
  CHECK(lacks("gtx1660ti") == Keys{"hmma_16816_f32", "hmma_1688_f32", "hmma_1688_tf32", "hmma_884_f32", "imma_16832",
                                   "imma_8816", "dmma_884", "redux", "async_copy"});
  CHECK(lacks("rtx2080ti") == lacks("t4"));
  CHECK(lacks("v100") == Keys{"uniform", "hmma_16816_f32", "hmma_1688_f32", "hmma_1688_tf32", "imma_16832", "imma_8816",
                              "dmma_884", "redux", "async_copy", "matrix_load"});
  CHECK(lacks("t4") ==
        Keys{"hmma_16816_f32", "hmma_1688_tf32", "hmma_884_f32", "imma_16832", "dmma_884", "redux", "async_copy"});
  CHECK(lacks("a100") == Keys{"hmma_884_f32"});
  CHECK(lacks("rtx3090") == Keys{"hmma_884_f32"});
}

TEST_CASE("Pascal has two sub-cores, L1 beside shared memory, and no independent threads") {
  const Arch p100 = load_arch(kConfigs / "p100.yaml", {});
  CHECK(p100.maturity == arch::Maturity::kExperimental);
  CHECK(p100.sm.sub_cores == 2);
  CHECK(p100.sm.simt == Simt::kStack);
  CHECK(p100.sm.shared.carveouts == std::vector<std::uint64_t>{64 * 1024});
  CHECK(p100.sm.l1.unified_bytes - p100.sm.shared.carveouts.front() == 24 * 1024);
}

TEST_CASE("a tensor instruction issues at the rate of its type, or below it") {
  using C = isa::TimingClass;
  struct Shape {
    C shape;
    double flops;
    std::uint32_t TensorFlops::*rate;
  };
  constexpr std::array kShapes{
      Shape{C::kHmma16816F32, 4096, &TensorFlops::fp16}, Shape{C::kHmma16816F16, 4096, &TensorFlops::fp16_fp16acc},
      Shape{C::kHmma1688F32, 2048, &TensorFlops::fp16},  Shape{C::kHmma1688F16, 2048, &TensorFlops::fp16_fp16acc},
      Shape{C::kHmma1688Tf32, 2048, &TensorFlops::tf32}, Shape{C::kHmma1684Tf32, 1024, &TensorFlops::tf32},
      Shape{C::kHmma884F32, 512, &TensorFlops::fp16},    Shape{C::kHmma884F16, 1024, &TensorFlops::fp16_fp16acc},
      Shape{C::kImma16816, 4096, &TensorFlops::int8},    Shape{C::kImma16832, 8192, &TensorFlops::int8},
      Shape{C::kImma8816, 2048, &TensorFlops::int8},     Shape{C::kDmma884, 512, &TensorFlops::fp64}};
  for (const ArchFile& file : shipped()) {
    const Arch arch = load_arch(file.file, {});
    for (const Shape& shape : kShapes) {
      const isa::Timing& timing = arch.sm.timing[static_cast<std::size_t>(shape.shape)];
      INFO(file.name << " " << isa::info(shape.shape).key);
      CHECK((!timing.supported || arch.sm.sub_cores * shape.flops / timing.interval.value() <=
                                      1.001 * (arch.sm.tensor.flops_per_cycle.*shape.rate)));
    }
  }
}

TEST_CASE("a dump loads to the same architecture, with overrides and provenance") {
  const Folder folder;
  const std::vector<Override> changes{{"dram.bandwidth", "600GB/s"}, {"dram.stacks", "3"}, {"name", "\"\\ # x"}};
  for (const ArchFile& file : shipped()) {
    for (const std::vector<Override>& overrides : {std::vector<Override>(), changes}) {
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
             Catch::Contains("    hmma_884_f32: [unsupported, inferred, \"a Volta shape; later GPUs emulate it\"]\n"));
}

TEST_CASE("the documentation of the keys is up to date") {
  CHECK(ends_with_generated("docs/architecture-keys.md",
                            "<!-- generated from the schema: GPUSIM_REGENERATE=1 test_model_arch -->\n",
                            schema_markdown()));
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

}  // namespace configs_test
