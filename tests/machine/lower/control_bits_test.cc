// SPDX-License-Identifier: MIT
#include "sim/machine/lower/control_bits.h"

#include <set>

#include <catch2/catch.hpp>

#include "tests/machine/lower/listing.h"

using namespace gpusim;

namespace {

std::vector<isa::ControlBits> bits_of(const std::string& listing) {
  return lower::assign_control_bits(test::kernel_from(listing), test::test_timing());
}

/// The bits of every instruction, a line each.
std::string text_of(const std::string& listing) {
  std::string text;
  for (const isa::ControlBits& bits : bits_of(listing)) {
    text += isa::to_text(bits) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("independent instructions wait for nothing and stall one cycle") {
  CHECK(text_of("FADD R0, R1, R2\n"
                "FADD R3, R4, R5\n"
                "EXIT\n") ==
        "[B------:R-:W-:-:S01]\n"
        "[B------:R-:W-:-:S01]\n"
        "[B------:R-:W-:-:S01]\n");
}

TEST_CASE("a fixed latency is counted in the stall just before its consumer") {
  CHECK(text_of("FADD R0, R1, R2\n"
                "FADD R3, R4, R5\n"
                "FADD R6, R0, R5\n"
                "FADD R7, R6, R5\n"
                "EXIT\n") ==
        "[B------:R-:W-:-:S01]\n"
        "[B------:R-:W-:-:S03]\n"
        "[B------:R-:W-:-:S04]\n"
        "[B------:R-:W-:-:S01]\n"
        "[B------:R-:W-:-:S01]\n");
}

TEST_CASE("an address made by a fixed-latency instruction needs one cycle more") {
  CHECK(bits_of("IADD3 R2, R3, R4, RZ\nLDS R0, [R2]\nEXIT")[0].stall == 5);
  CHECK(bits_of("IADD3 R2, R3, R4, RZ\nFADD R0, R2, R2\nEXIT")[0].stall == 4);
}

TEST_CASE("a predicate takes longer to guard an instruction than to be its source") {
  const auto bits = [](const std::string& listing) {
    return lower::assign_control_bits(test::kernel_from(listing), test::test_timing(), 9);
  };
  CHECK(bits("ISETP.NE.AND P0, PT, R0, R1, PT\n@P0 FADD R2, R3, R4\nEXIT")[0].stall == 13);
  CHECK(bits("ISETP.NE.AND P0, PT, R0, R1, PT\n@P0 LDS R2, [R3]\nEXIT")[0].stall == 13);
  CHECK(bits("ISETP.NE.AND P0, PT, R0, R1, PT\nSEL R2, R3, R4, P0\nEXIT")[0].stall == 4);
  CHECK(bits("ISETP.NE.AND P0, PT, R0, R1, PT\nISETP.NE.AND P0, PT, R2, R3, PT\nEXIT")[0].stall == 1);
}

TEST_CASE("a predicate is on its way to guards over the end of a block, when sources may have it") {
  const auto bits = lower::assign_control_bits(test::kernel_from("ISETP.NE.AND P0, PT, R0, R1, PT\n"
                                                                 "FADD R2, R2, R2\n"
                                                                 "BRA next\n"
                                                                 "next: SEL R5, R3, R4, P0\n"
                                                                 "@P0 FADD R5, R3, R4\n"
                                                                 "EXIT"),
                                               test::test_timing(), 9);
  CHECK(bits[0].stall + bits[1].stall + bits[2].stall == 4);
  CHECK(bits[3].stall == 9);
}

TEST_CASE("a guard that takes no longer than a source is the default") {
  CHECK(bits_of("ISETP.NE.AND P0, PT, R0, R1, PT\n@P0 FADD R2, R3, R4\nEXIT")[0].stall == 4);
}

TEST_CASE("a long tensor latency makes a stall beyond the hardware's field") {
  CHECK(bits_of("HMMA.16816.F32 R4, R8, R12, R4\nHMMA.16816.F32 R4, R8, R12, R4\nEXIT")[0].stall == 33);
  CHECK(bits_of("HMMA.16816.F32 R4, R8, R12, R4\nHMMA.16816.F32 R16, R8, R12, R16\nEXIT")[0].stall == 1);
}

TEST_CASE("predicates and uniform registers carry dependences too") {
  CHECK(bits_of("ISETP.GE.AND P0, PT, R0, R1, PT\n@P0 EXIT\nEXIT")[0].stall == 4);
  CHECK(bits_of("UMOV UR4, 0x1\nIADD3 R0, R1, UR4, RZ\nEXIT")[0].stall == 4);
  CHECK(bits_of("ISETP.GE.AND P0, PT, R0, R1, PT\n@P1 EXIT\nEXIT")[0].stall == 1);
}

TEST_CASE("a later write lands after an earlier one of longer latency") {
  // IMAD takes 5 cycles and FADD 4: issued two cycles later it writes second.
  CHECK(bits_of("IMAD R0, R1, R2, R3\nFADD R0, R4, R5\nEXIT")[0].stall == 2);
  CHECK(bits_of("FADD R0, R4, R5\nIMAD R0, R1, R2, R3\nEXIT")[0].stall == 1);
}

TEST_CASE("a load increments a counter and its consumer waits for it") {
  CHECK(text_of("LDG.E R0, [R2.64]\n"
                "FADD R4, R5, R6\n"
                "FADD R1, R0, R0\n"
                "FADD R7, R0, R0\n"
                "EXIT\n") ==
        "[B------:R-:W0:-:S01]\n"
        "[B------:R-:W-:-:S01]\n"
        "[B0-----:R-:W-:-:S01]\n"
        "[B------:R-:W-:-:S01]\n"
        "[B------:R-:W-:-:S01]\n");
}

TEST_CASE("a producer directly followed by its consumer stalls two cycles") {
  CHECK(bits_of("LDG.E R0, [R2.64]\nFADD R1, R0, R0\nEXIT")[0].stall == 2);
}

TEST_CASE("the upper registers of a wide load are waited for") {
  const auto bits = bits_of("LDG.E.128 R4, [R2.64]\nFADD R1, R0, R0\nFADD R1, R7, R0\nEXIT");
  CHECK(bits[1].wait_mask == 0);
  CHECK(bits[2].wait_mask == 1);
}

TEST_CASE("results wanted by one instruction share a counter, others do not") {
  const auto bits = bits_of(
      "LDG.E R0, [R2.64]\n"
      "LDG.E R1, [R2.64+0x10]\n"
      "LDG.E R4, [R2.64+0x20]\n"
      "FADD R5, R0, R1\n"
      "FADD R6, R4, R1\n"
      "EXIT");
  CHECK(bits[0].write_barrier == bits[1].write_barrier);
  CHECK(bits[2].write_barrier != bits[0].write_barrier);
  CHECK(bits[3].wait_mask == 1U << bits[0].write_barrier);
  CHECK(bits[4].wait_mask == 1U << bits[2].write_barrier);
}

TEST_CASE("a result that nobody reads or overwrites increments no counter") {
  CHECK(bits_of("LDG.E R0, [R2.64]\nEXIT")[0].write_barrier == isa::kNoBarrier);
}

TEST_CASE("an overwritten result is waited for") {
  const auto bits = bits_of("LDG.E R0, [R2.64]\nMOV R0, 0x1\nEXIT");
  CHECK(bits[0].write_barrier == 0);
  CHECK(bits[1].wait_mask == 1);
}

TEST_CASE("tens of thousands of stores of one register all keep its overwrite waiting") {
  // Quadratic work would take minutes here.
  constexpr std::size_t kStores = 50'000;
  std::string listing;
  for (std::size_t i = 0; i < kStores; ++i) {
    listing += "STG.E [R2.64], R4\n";
  }
  const auto bits = bits_of(listing + "MOV R4, 0x1\nEXIT");
  std::set<unsigned> incremented;
  for (std::size_t i = 0; i < kStores; ++i) {
    REQUIRE(bits[i].read_barrier != isa::kNoBarrier);
    incremented.insert(1U << bits[i].read_barrier);
  }
  unsigned waited = 0;
  for (const unsigned counter : incremented) {
    waited |= counter;
  }
  CHECK(bits[kStores].wait_mask == waited);
}

TEST_CASE("a store's source that is overwritten gets a read barrier") {
  CHECK(text_of("STG.E [R2.64], R4\n"
                "MOV R5, 0x1\n"
                "MOV R4, 0x1\n"
                "EXIT\n") ==
        "[B------:R0:W-:-:S01]\n"
        "[B------:R-:W-:-:S01]\n"
        "[B0-----:R-:W-:-:S01]\n"
        "[B------:R-:W-:-:S01]\n");
}

TEST_CASE("no read barrier is taken when the sources stay or the result is waited for first") {
  CHECK(bits_of("STG.E [R2.64], R4\nEXIT")[0].read_barrier == isa::kNoBarrier);
  CHECK(bits_of("LDG.E R0, [R2.64]\nFADD R1, R0, R0\nMOV R2, 0x1\nEXIT")[0].read_barrier == isa::kNoBarrier);
  CHECK(bits_of("LDG.E R0, [R2.64]\nIADD3 R2, R0, R1, RZ\nEXIT")[0].read_barrier == isa::kNoBarrier);
  CHECK(bits_of("LDG.E R0, [R2.64]\nMOV R2, 0x1\nFADD R1, R0, R0\nEXIT")[0].read_barrier != isa::kNoBarrier);
}

TEST_CASE("a loop's back edge carries dependences to its top") {
  const auto bits = bits_of(
      "MOV R0, 0x0\n"
      "top: FADD R1, R0, R4\n"
      "LDG.E R0, [R2.64]\n"
      "ISETP.GE.AND P0, PT, R7, R8, PT\n"
      "@P0 BRA top\n"
      "EXIT");
  CHECK(bits[0].stall == 4);
  CHECK(bits[1].wait_mask == 1U << bits[2].write_barrier);  // the barrier of the iteration before
  CHECK(bits[3].stall == 4);
}

TEST_CASE("a fixed latency is counted over a back edge") {
  const auto bits = bits_of(
      "top: FADD R1, R0, R4\n"
      "@P0 EXIT\n"
      "FADD R0, R5, R6\n"
      "BRA top\n");
  CHECK(bits[2].stall + bits[3].stall == 4);
}

TEST_CASE("a join waits for what either way left outstanding") {
  const auto bits = bits_of(
      "@P0 BRA other\n"
      "LDG.E R0, [R2.64]\n"
      "BRA join\n"
      "other: LDS R1, [R4]\n"
      "FADD R5, R6, R7\n"
      "join: FADD R8, R0, R1\n"
      "FADD R9, R5, R1\n"
      "EXIT");
  CHECK(bits[5].wait_mask == ((1U << bits[1].write_barrier) | (1U << bits[3].write_barrier)));
  CHECK(bits[6].wait_mask == 0);
  CHECK(bits[5].stall == 3);  // FADD R5 is two instructions before its use on one of the ways
}

TEST_CASE("of seven loads with seven consumers the two wanted last share a counter") {
  std::string listing;
  for (int i = 0; i < 7; ++i) {
    listing += "LDG.E R" + std::to_string(10 + i) + ", [R2.64]\n";
  }
  for (int i = 0; i < 7; ++i) {
    listing += "FADD R" + std::to_string(30 + i) + ", R" + std::to_string(10 + i) + ", R9\n";
  }
  const auto bits = bits_of(listing + "EXIT");
  std::set<unsigned> used;
  for (std::size_t i = 0; i < 6; ++i) {
    used.insert(bits[i].write_barrier);
  }
  CHECK(used == std::set<unsigned>{0, 1, 2, 3, 4, 5});
  CHECK(bits[6].write_barrier == bits[5].write_barrier);
}

TEST_CASE(
    "under pressure shared-memory loads, which return in order, share among themselves and not with global ones") {
  std::string listing;
  for (int i = 0; i < 5; ++i) {
    listing += "LDG.E R" + std::to_string(10 + i) + ", [R2.64]\n";
  }
  for (int i = 0; i < 3; ++i) {
    listing += "LDS R" + std::to_string(20 + i) + ", [R4]\n";
  }
  for (int i = 2; i >= 0; --i) {  // the last load is wanted first, so that waiting for the others with it is free
    listing += "FADD R" + std::to_string(30 + i) + ", R" + std::to_string(20 + i) + ", R9\n";
  }
  for (int i = 0; i < 5; ++i) {
    listing += "FADD R" + std::to_string(40 + i) + ", R" + std::to_string(10 + i) + ", R9\n";
  }
  const auto bits = bits_of(listing + "EXIT");
  CHECK(bits[5].write_barrier == 5);
  CHECK(bits[6].write_barrier == 5);
  CHECK(bits[7].write_barrier == 5);
  CHECK(bits[8].wait_mask == 1U << 5);
  CHECK(bits[9].wait_mask == 0);
}

TEST_CASE("a DEPBAR's counter is kept for the asynchronous copies' groups") {
  const auto bits = bits_of(
      "LDGSTS.E.BYPASS.128 [R30], [R2.64]\n"
      "LDGDEPBAR\n"
      "LDG.E R0, [R2.64]\n"
      "DEPBAR.LE SB0, 0x0\n"
      "BAR.SYNC 0x0\n"
      "FADD R1, R0, R0\n"
      "MOV R30, 0x0\n"
      "EXIT");
  CHECK(bits[0].write_barrier == isa::kNoBarrier);
  CHECK(bits[0].read_barrier != isa::kNoBarrier);
  CHECK(bits[0].read_barrier != 0);
  CHECK(bits[1].write_barrier == 0);
  CHECK(bits[2].write_barrier != 0);
  CHECK(bits[3].stall == 4);
  CHECK(bits[3].wait_mask == 0);
  CHECK(bits[4].wait_mask == 0);
  CHECK(bits[5].wait_mask == 1U << bits[2].write_barrier);
  CHECK(bits[6].wait_mask == 1U << bits[0].read_barrier);
}

TEST_CASE("a commit directly before its DEPBAR stalls until the increment is visible") {
  CHECK(bits_of("LDGDEPBAR\nDEPBAR.LE SB0, 0x0\nEXIT")[0].stall == 2);
}

TEST_CASE("an exit waits for nothing but its guard") {
  CHECK(bits_of("LDG.E R0, [R2.64]\nSTG.E [R4.64], R5\nEXIT")[2].wait_mask == 0);
}

TEST_CASE("recorded bits are returned as they are") {
  trace::Kernel kernel = test::kernel_from("FADD R0, R1, R2\nEXIT");
  kernel.control_recorded = true;
  kernel.code[0].control = *isa::parse_control_bits("[B-----5:R1:W2:Y:S13]");
  CHECK(lower::assign_control_bits(kernel, test::test_timing())[0] == kernel.code[0].control);
}

TEST_CASE("a kernel of more blocks and registers than any real one has is refused before it costs memory") {
  constexpr std::uint32_t kBlocks = 300'000;
  trace::Kernel kernel;
  kernel.name = "huge";
  kernel.where = {"huge.traceg", 1, 0};
  kernel.code.resize(kBlocks);
  kernel.code[0].sources[0] = {isa::RegFile::kGeneral, 250, 0, false, 0};
  for (std::uint32_t i = 0; i < kBlocks; ++i) {
    if (i + 1 < kBlocks) {
      kernel.edges.push_back({i, i + 1});
    }
    kernel.edges.push_back({i, trace::kExitNode});
  }
  CHECK_THROWS_WITH(
      lower::assign_control_bits(kernel, test::test_timing()),
      "huge.traceg:1: kernel 'huge' has 300,000 basic blocks and 250 registers: too many to assign control "
      "bits to (at most 67,108,864 blocks times registers)");
  kernel.control_recorded = true;
  CHECK(lower::assign_control_bits(kernel, test::test_timing()).size() == kBlocks);
}

TEST_CASE("an empty kernel has no bits") {
  CHECK(lower::assign_control_bits(trace::Kernel{}, test::test_timing()).empty());
}
