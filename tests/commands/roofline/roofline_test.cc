// SPDX-License-Identifier: MIT
// Ceilings, ridges and bounds.
#include "sim/commands/roofline/roofline.h"

#include <algorithm>
#include <filesystem>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/base/source_kind.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/schema.h"

using namespace gpusim;
using namespace gpusim::roofline;
using Catch::Matchers::Contains;

namespace {

arch::Arch load(const std::string& name) {
  return arch::load_arch(std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / (name + ".yaml"), {});
}

/// 1000 FLOP/s, 10 B/s of DRAM, 40 B/s of L2.
Roofs simple() {
  return {"simple",
          {{"fp32", 1000, "boost", 1, arch::PeakUnit::kFlops}},
          {{"dram", 10, "memory", 1, arch::PeakUnit::kBytes}, {"l2", 40, "sm", 1, arch::PeakUnit::kBytes}},
          0};
}

std::string refusal(const std::string& name, const Request& request) {
  try {
    (void)make_roofs(load(name), request);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("below the ridge bandwidth bounds the work") {
  const Estimate e = estimate(simple(), {"", 500, 10, 0, 0});
  CHECK(e.intensity == 50);
  CHECK(e.ridge == 100);
  CHECK(e.bound == Bound::kMemory);
  CHECK(e.attainable == 500);
  CHECK(e.seconds == 1);
  CHECK(e.peak_pct == 50);
}

TEST_CASE("at and above the ridge the peak bounds it") {
  CHECK(estimate(simple(), {"", 1000, 10, 0, 0}).bound == Bound::kCompute);
  const Estimate e = estimate(simple(), {"", 4000, 10, 0, 0});
  CHECK(e.bound == Bound::kCompute);
  CHECK(e.attainable == 1000);
  CHECK(e.seconds == 4);
  CHECK(e.peak_pct == 100);
}

TEST_CASE("another level has another ridge") {
  Roofs roofs = simple();
  roofs.level = 1;
  const Estimate e = estimate(roofs, {"", 500, 10, 0, 0});
  CHECK(e.ridge == 25);
  CHECK(e.bound == Bound::kCompute);
}

TEST_CASE("work and time of an estimate agree") {
  for (const double flops : {1.0, 999.0, 1000.0, 1e30}) {
    const Estimate e = estimate(simple(), {"", flops, 10, 0, 0});
    CHECK(e.attainable * e.seconds == Approx(flops));
  }
}

TEST_CASE("the H100's BF16 roof is the vendor's dense peak at the tensor clock") {
  const Roofs roofs = make_roofs(load("h100"), {.type = "bf16"});
  CHECK(roofs.compute[0].name == "bf16_tensor");
  CHECK(roofs.compute[0].rate == Approx(989.4e12).epsilon(0.01));
  CHECK(roofs.compute[0].clock == "tensor_boost");
  CHECK(roofs.levels[0].name == "dram");
  CHECK(Roofs::ridge(roofs.compute[0], roofs.levels[0]) == Approx(295).epsilon(0.01));
}

TEST_CASE("at the SM clock the flat roof moves with it, and DRAM stays") {
  const arch::Arch h100 = load("h100");
  const Roofs vendor = make_roofs(h100, {.type = "bf16"});
  const Roofs sm = make_roofs(h100, {.type = "bf16", .clock = ClockChoice::kSm});
  CHECK(sm.compute[0].rate / vendor.compute[0].rate ==
        Approx(static_cast<double>(h100.clocks.sm) / static_cast<double>(h100.clocks.tensor_boost)));
  CHECK(sm.levels[0].rate == vendor.levels[0].rate);
  CHECK(sm.compute[0].hertz == static_cast<double>(h100.clocks.sm));
}

TEST_CASE("a type goes by its peak's name, with or without the word tensor") {
  for (const char* const word : {"bf16", "bf16_tensor"}) {
    CHECK(make_roofs(load("a100"), {.type = word}).compute[0].name == "bf16_tensor");
  }
  CHECK(make_roofs(load("a100"), {.type = "fp16"}).compute[0].name == "fp16");
  CHECK(make_roofs(load("a100"), {.type = "fp16"}).compute[0].rate == Approx(78e12).epsilon(0.01));
  CHECK(make_roofs(load("a100"), {.type = "fp16_tensor"}).compute[0].rate == Approx(312e12).epsilon(0.01));
}

TEST_CASE("without a type it is BF16") {
  CHECK(make_roofs(load("h100"), {}).compute[0].name == "bf16_tensor");
}

TEST_CASE("a type that the GPU lacks is answered with those it has") {
  CHECK_THROWS_AS(make_roofs(load("a100"), {.type = "fp8"}), InputError);
  CHECK_THAT(refusal("a100", {.type = "fp8"}),
             Contains("has no peak 'fp8_tensor' (it has: fp32, fp64, fp16, fp16_tensor"));
}

TEST_CASE("a misspelt type or level is answered with the nearest") {
  CHECK_THROWS_AS(make_roofs(load("a100"), {.type = "bf61"}), UsageError);
  CHECK_THAT(refusal("a100", {.type = "bf17"}), Contains("unknown type 'bf17' (did you mean 'bf16'?)"));
  CHECK_THAT(refusal("a100", {.type = "bf16_sparse_sparse"}), Contains("unknown type"));
  CHECK_THAT(refusal("a100", {.type = "bf16", .level = "dramm"}), Contains("did you mean 'dram'?"));
}

TEST_CASE("only tensor types have a sparse rate") {
  CHECK_THAT(refusal("h100", {.type = "fp32", .sparse = true}), Contains("has no sparse rate"));
  CHECK_THAT(refusal("h100", {.type = "fp64_tensor", .sparse = true}), Contains("has no sparse rate"));
}

TEST_CASE("elements are as large as their type") {
  CHECK(element_bytes("fp4_tensor") == 0.5);
  CHECK(element_bytes("fp8_tensor_sparse") == 1);
  CHECK(element_bytes("bf16_tensor") == 2);
  CHECK(element_bytes("tf32_tensor") == 4);
  CHECK(element_bytes("fp64") == 8);
}

TEST_CASE("every arithmetic peak is a type") {
  for (const arch::PeakInfo& info : arch::peak_infos()) {
    INFO(info.name);
    CHECK((element_bytes(info.name) > 0) == (info.unit != arch::PeakUnit::kBytes));
  }
}

TEST_CASE("the sparse rate of the H100 is twice the dense one") {
  const arch::Arch h100 = load("h100");
  for (const char* const type : {"bf16", "fp8", "int8", "tf32"}) {
    const double dense = make_roofs(h100, {.type = type}).compute[0].rate;
    CHECK(make_roofs(h100, {.type = type, .sparse = true}).compute[0].rate == 2 * dense);
    CHECK(make_roofs(h100, {.type = std::string(type) + "_tensor_sparse"}).compute[0].rate == 2 * dense);
  }
}

TEST_CASE("the H100's levels are DRAM, L2, L1 and shared memory, each faster than the one before") {
  const Roofs roofs = make_roofs(load("h100"), {.type = "bf16", .level = "l2"});
  REQUIRE(roofs.levels.size() == 4);
  CHECK(roofs.levels[roofs.level].name == "l2");
  CHECK(roofs.levels[0].rate < roofs.levels[1].rate);
  CHECK(roofs.levels[1].rate < roofs.levels[2].rate);
  CHECK(roofs.levels[2].rate <= roofs.levels[3].rate);
}

TEST_CASE("integer types count operations that are not FLOPs") {
  CHECK(make_roofs(load("h100"), {.type = "int8"}).compute[0].unit == arch::PeakUnit::kOps);
}

TEST_CASE("what a roof rests on are keys that there are") {
  for (const arch::PeakInfo& info : arch::peak_infos()) {
    const bool memory = info.unit == arch::PeakUnit::kBytes;
    Roofs roofs = simple();
    (memory ? roofs.levels : roofs.compute).front().name = info.name;
    for (const std::string& key : keys_behind(roofs)) {
      INFO(info.name << ": " << key);
      CHECK(std::ranges::any_of(arch::schema(), [&](const arch::Key& k) { return k.path == key; }));
    }
  }
}

TEST_CASE("an inherited rate is among the guesses behind the roof") {
  const arch::Arch gh200 = load("gh200");
  const std::vector<arch::Guess> guesses = guesses_behind(gh200, make_roofs(gh200, {.type = "bf16", .level = "l2"}));
  const auto found = std::ranges::find(guesses, "l2.slice_bytes_per_cycle", &arch::Guess::key);
  REQUIRE(found != guesses.end());
  CHECK(found->kind == SourceKind::kGuess);
}
