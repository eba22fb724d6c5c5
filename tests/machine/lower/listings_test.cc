// SPDX-License-Identifier: MIT
// Whole pieces of kernels with the control bits that a person would write beside them. Latencies: 4 cycles, IMAD 5,
// HFMA2 6, one more for a consumer of variable latency.
#include <catch2/catch.hpp>

#include "sim/machine/lower/control_bits.h"

#include "tests/machine/lower/listing.h"

using namespace gpusim;

namespace {

/// "[B------:R-:W-:-:S01] FADD R0, R1, R2" a line, with a label or a guard in front of the opcode where there is one.
struct Annotated {
  std::string listing;
  std::vector<std::string> bits;
};

Annotated split_bits(const std::string& text) {
  Annotated annotated;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t end = line.find(']');
    if (end != std::string::npos) {
      annotated.bits.push_back(line.substr(0, end + 1));
      annotated.listing += line.substr(end + 1) + "\n";
    }
  }
  return annotated;
}

/// Assigns bits to the listing and puts them in place of its own.
std::string assigned(const std::string& text) {
  const Annotated annotated = split_bits(text);
  const auto bits = lower::assign_control_bits(test::kernel_from(annotated.listing), test::test_timing());
  std::istringstream in(annotated.listing);
  std::string out;
  std::size_t i = 0;
  for (std::string line; std::getline(in, line);) {
    out += isa::to_text(bits.at(i++)) + line + "\n";
  }
  return out;
}

void is_as_drawn(const std::string& text) {
  CHECK("\n" + assigned(text) == "\n" + text);
}

}  // namespace

TEST_CASE("the inner loop of a GEMM: both loads share a counter, the address is ready when the loop comes around") {
  // The FFMAs wait for both loads at once, so one counter does. IADD3 R2 four cycles before its ISETP; nothing keeps
  // the sources of the loads, which have been read when their results were waited for.
  is_as_drawn(
      "[B------:R-:W-:-:S01] MOV R20, RZ\n"
      "[B------:R-:W0:-:S01] top: LDS.128 R8, [R2]\n"
      "[B------:R-:W0:-:S02] LDS.128 R12, [R3]\n"
      "[B0-----:R-:W-:-:S01] FFMA R20, R8, R12, R20\n"
      "[B------:R-:W-:-:S01] FFMA R21, R8, R13, R21\n"
      "[B------:R-:W-:-:S01] FFMA R22, R9, R12, R22\n"
      "[B------:R-:W-:-:S01] FFMA R23, R9, R13, R23\n"
      "[B------:R-:W-:-:S01] IADD3 R2, R2, 0x40, RZ\n"
      "[B------:R-:W-:-:S03] IADD3 R3, R3, 0x40, RZ\n"
      "[B------:R-:W-:-:S04] ISETP.NE.AND P0, PT, R2, R5, PT\n"
      "[B------:R-:W-:-:S01] @P0 BRA top\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("a GEMM that loads a step ahead: each buffer has its own counter, the back edge brings the wait") {
  // R8 is loaded in two places for one FFMA: one counter, not two.
  is_as_drawn(
      "[B------:R-:W0:-:S01] LDS R8, [R2]\n"
      "[B------:R-:W1:-:S01] top: LDS R9, [R2+0x4]\n"
      "[B0-----:R-:W-:-:S01] FFMA R20, R8, R8, R20\n"
      "[B------:R-:W0:-:S01] LDS R8, [R2+0x8]\n"
      "[B-1----:R-:W-:-:S01] FFMA R21, R9, R9, R21\n"
      "[B------:R-:W-:-:S04] ISETP.NE.AND P0, PT, R3, R5, PT\n"
      "[B------:R-:W-:-:S01] @P0 BRA top\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("a piece of softmax: each result in its counter, one cycle more before an instruction of variable latency") {
  is_as_drawn(
      "[B------:R-:W-:-:S04] FADD R4, R4, -R10\n"
      "[B------:R-:W-:-:S05] FMUL R4, R4, R9\n"
      "[B------:R-:W0:-:S02] MUFU.EX2 R5, R4\n"
      "[B0-----:R-:W-:-:S05] FADD R11, R11, R5\n"
      "[B------:R-:W1:-:S02] MUFU.RCP R6, R11\n"
      "[B-1----:R-:W-:-:S05] FMUL R5, R5, R6\n"
      "[B------:R-:W-:-:S01] STG.E [R2.64], R5\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("a pointer chase waits for the load of the iteration before and for nothing else") {
  is_as_drawn(
      "[B------:R-:W-:-:S01] MOV R6, 0x40\n"
      "[B------:R-:W-:-:S01] MOV R7, RZ\n"
      "[B------:R-:W-:-:S01] MOV R8, RZ\n"
      "[B0-----:R-:W0:-:S01] top: LDG.E.64 R2, [R2.64]\n"
      "[B------:R-:W-:-:S04] IADD3 R6, R6, -0x1, RZ\n"
      "[B------:R-:W-:-:S04] ISETP.NE.AND P0, PT, R6, RZ, PT\n"
      "[B------:R-:W-:-:S01] @P0 BRA top\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("a pipeline of asynchronous copies: DEPBAR's counter is the groups', the address keeps its own") {
  is_as_drawn(
      "[B------:R-:W-:-:S01] LDGSTS.E.BYPASS.128 [R30], [R2.64]\n"
      "[B------:R-:W0:-:S01] LDGDEPBAR\n"
      "[B------:R1:W-:-:S01] top: LDGSTS.E.BYPASS.128 [R31], [R4.64]\n"
      "[B------:R-:W0:-:S02] LDGDEPBAR\n"
      "[B------:R-:W-:-:S04] DEPBAR.LE SB0, 0x1\n"
      "[B------:R-:W-:-:S01] BAR.SYNC 0x0\n"
      "[B------:R-:W2:-:S02] LDS R8, [R30]\n"
      "[B--2---:R-:W-:-:S01] FFMA R9, R8, R8, R9\n"
      "[B-1----:R-:W-:-:S01] IADD3 R4, R4, 0x10, RZ\n"
      "[B------:R-:W-:-:S04] ISETP.NE.AND P0, PT, R6, R7, PT\n"
      "[B------:R-:W-:-:S01] @P0 BRA top\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("stores whose data is overwritten next: the overwrite waits until they have read it, and not for them all") {
  is_as_drawn(
      "[B------:R0:W-:-:S01] STG.E [R2.64], R4\n"
      "[B------:R1:W-:-:S01] STG.E [R2.64+0x80], R5\n"
      "[B0-----:R-:W-:-:S01] FADD R4, R8, R9\n"
      "[B-1----:R-:W-:-:S04] FADD R5, R8, R10\n"
      "[B------:R-:W-:-:S01] STG.E [R2.64+0x100], R4\n"
      "[B------:R-:W-:-:S01] STG.E [R2.64+0x180], R5\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("predicates: made four cycles before, kept until a guarded load has issued") {
  // The guard of the load is read at issue: overwriting P0 right after needs no wait.
  is_as_drawn(
      "[B------:R-:W-:-:S04] ISETP.GE.AND P0, PT, R6, R7, PT\n"
      "[B------:R-:W0:-:S01] @P0 LDG.E R4, [R2.64]\n"
      "[B------:R-:W-:-:S04] ISETP.GE.AND P0, PT, R6, R8, PT\n"
      "[B------:R-:W-:-:S01] @P0 FADD R9, R9, R10\n"
      "[B0-----:R-:W-:-:S01] SEL R11, R4, R10, P0\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("64-bit addresses: the carry, the pair, and the load that takes both halves") {
  is_as_drawn(
      "[B------:R-:W-:-:S04] IADD3 R4, P0, R4, R8, RZ\n"
      "[B------:R-:W-:-:S05] IADD3.X R5, R5, R9, RZ, P0, !PT\n"
      "[B------:R-:W0:-:S01] LDG.E R6, [R4.64]\n"
      "[B------:R-:W-:-:S06] IMAD.WIDE R10, R12, R13, R14\n"
      "[B------:R-:W1:-:S01] LDG.E R7, [R10.64]\n"
      "[B0-----:R-:W-:-:S01] FADD R16, R6, R17\n"
      "[B-1----:R-:W-:-:S01] FADD R18, R7, R17\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("a load before a loop does not make the loop wait for the loop's own loads") {
  // R4 is loaded once. Its wait stays at its first use, inside; the load of the loop must not share its counter, or
  // every turn would wait for the load of the turn before.
  is_as_drawn(
      "[B------:R-:W0:-:S02] LDG.E R4, [R2.64]\n"
      "[B0-----:R-:W-:-:S01] top: FFMA R20, R4, R21, R20\n"
      "[B------:R-:W-:-:S04] IADD3 R6, R6, -0x1, RZ\n"
      "[B------:R-:W-:-:S01] ISETP.NE.AND P0, PT, R6, RZ, PT\n"
      "[B-1----:R-:W-:-:S01] FADD R22, R22, R8\n"
      "[B------:R-:W1:-:S02] LDG.E R8, [R10.64]\n"
      "[B------:R-:W-:-:S01] @P0 BRA top\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("a loop that names no register has nothing to wait for") {
  is_as_drawn(
      "[B------:R-:W-:-:S01] NOP\n"
      "[B------:R-:W-:-:S01] top: NOP\n"
      "[B------:R-:W-:-:S01] BRA top\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("what a loop needs of the code before it is waited for once, in front of the loop") {
  // R20 is there four cycles after its MOV, and the second line of the loop reads it: the last line before the loop
  // waits, not the first one in it. In the loop R20 comes round in time.
  is_as_drawn(
      "[B------:R-:W-:-:S03] MOV R20, RZ\n"
      "[B------:R-:W-:-:S01] top: IADD3 R6, R6, -0x1, RZ\n"
      "[B------:R-:W-:-:S01] FADD R20, R20, R21\n"
      "[B------:R-:W-:-:S02] FADD R24, R24, R25\n"
      "[B------:R-:W-:-:S04] ISETP.NE.AND P0, PT, R6, RZ, PT\n"
      "[B------:R-:W-:-:S01] @P0 BRA top\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE(
    "a result that the loop needs late enough is not waited for at all, and one behind the loop's first block is") {
  is_as_drawn(
      "[B------:R-:W-:-:S01] MOV R20, RZ\n"
      "[B------:R-:W-:-:S02] MOV R30, RZ\n"
      "[B------:R-:W-:-:S01] top: FADD R22, R22, R25\n"
      "[B------:R-:W-:-:S01] @P1 BRA over\n"
      "[B------:R-:W-:-:S01] FADD R30, R30, R25\n"
      "[B------:R-:W-:-:S01] over: IADD3 R6, R6, -0x1, RZ\n"
      "[B------:R-:W-:-:S03] FADD R24, R20, R25\n"
      "[B------:R-:W-:-:S04] ISETP.NE.AND P0, PT, R6, RZ, PT\n"
      "[B------:R-:W-:-:S01] @P0 BRA top\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}

TEST_CASE("a chain of matrix products waits for its accumulator alone, and fragments share a counter") {
  is_as_drawn(
      "[B------:R-:W0:-:S01] LDSM.16.M88.4 R8, [R2]\n"
      "[B------:R-:W0:-:S02] LDSM.16.M88.2 R12, [R3]\n"
      "[B0-----:R-:W-:-:S01] HMMA.16816.F32 R16, R8, R12, R16\n"
      "[B------:R-:W-:-:S32] HMMA.16816.F32 R20, R8, R12, R20\n"
      "[B------:R-:W-:-:S33] HMMA.16816.F32 R16, R8, R12, R16\n"
      "[B------:R-:W-:-:S01] FADD R24, R16, R25\n"
      "[B------:R-:W-:-:S01] EXIT\n");
}
