// SPDX-License-Identifier: MIT
// Whose result a stall count is for.
#include "sim/machine/lower/wait_producers.h"

#include <catch2/catch.hpp>

#include "sim/machine/lower/kernel_image.h"
#include "sim/model/arch/arch.h"

#include "tests/machine/lower/listing.h"

using namespace gpusim;

namespace {

std::vector<std::uint32_t> producers(const std::string& listing) {
  const trace::Kernel kernel = test::kernel_from(listing);
  arch::Arch arch;
  arch.sm.timing = test::test_timing();
  arch.sm.constant.model = gpusim::arch::ConstantModel::kIdeal;
  return lower::make_image(kernel, arch).wait_producers;
}

constexpr std::uint32_t kNone = lower::kNoProducer;

}  // namespace

TEST_CASE("a stall is for the result that is there last, not for the instruction right before") {
  CHECK(producers("FADD R0, R1, R2\n"
                  "IMAD R3, R4, R5, R6\n"
                  "FADD R7, R0, R8\n"
                  "FADD R9, R3, R7\n"
                  "EXIT") == std::vector<std::uint32_t>{kNone, 0, 0, 2, 3});
}

TEST_CASE("what a variable latency writes is not a stall count's concern") {
  CHECK(producers("FADD R0, R1, R2\n"
                  "LDS R0, [R4]\n"
                  "FADD R3, R0, R0\n"
                  "EXIT") == std::vector<std::uint32_t>{kNone, 0, 1, 2});
}

TEST_CASE("a producer is sought in the same basic block alone") {
  CHECK(producers("FADD R0, R1, R2\n"
                  "@P0 BRA end\n"
                  "FADD R3, R0, R2\n"
                  "end: EXIT") == std::vector<std::uint32_t>{kNone, 0, kNone, kNone});
}
