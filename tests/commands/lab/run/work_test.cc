// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/work.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/commands/lab/check/judge.h"
#include "sim/input/text/load.h"

using namespace gpusim;
using Catch::Matchers::Contains;

namespace {

/// Copies x to y, with this code for both.
trace::Trace copy(const std::string& code, const std::string& grid = "2") {
  return frontend::load_trace_text("gpusim trace 1\nkernel k\n  grid (" + grid +
                                       ")\n  block (32)\n  buffer x f32[64]\n  buffer y f32[64]\ncode\n"
                                       "  let i = ctaid.x*32 + tid\n" +
                                       code + "  EXIT\nend\n",
                                   "copy.trace", {});
}

const std::string kLoad = "  LDG.E R4, [R2.64] @ x[i]\n";
const std::string kStore = "  STG.E [R2.64], R4 @ y[i]\n";

lab::Work against_copy(const trace::Trace& own) {
  return lab::compare_work(own, copy(kLoad + kStore));
}

}  // namespace

TEST_CASE("the same work in another order is the same work") {
  const auto own = copy("  let j = 63 - i\n  LDG.E R4, [R2.64] @ x[j]\n  STG.E [R2.64], R4 @ y[j]\n");
  CHECK(against_copy(own).mistake.empty());
}

TEST_CASE("wider accesses of fewer threads are the same work") {
  const auto own = copy(
      "  @P0 LDG.E.128 R4, [R2.64] @ x + tid*16 when tid < 16\n"
      "  @P0 STG.E.128 [R2.64], R4 @ y + tid*16 when tid < 16\n",
      "1");
  CHECK(against_copy(own).mistake.empty());
}

TEST_CASE("what is left out is found, with its place") {
  const lab::Work unread = against_copy(copy("  LDG.E R4, [R2.64] @ x[i%32]\n" + kStore));
  CHECK(unread.mistake == "not-read");
  CHECK_THAT(unread.said, Contains("the first at byte 128 of 'x' (element 32, if one has 4 bytes), 128 bytes in all"));
  CHECK(against_copy(copy(kLoad + kStore, "1")).mistake == "not-written");
}

TEST_CASE("reading more is not a mistake, writing more is one") {
  CHECK(against_copy(copy(kLoad + "  LDG.E R5, [R2.64] @ y[i]\n" + kStore)).mistake.empty());
  CHECK(against_copy(copy(kLoad + kStore + "  STG.E [R2.64], R4 @ x[i]\n")).mistake == "written-beyond");
}

TEST_CASE("writing twice is a mistake where the reference writes once") {
  const std::string twice = kLoad + kStore + kStore;
  CHECK(against_copy(copy(twice)).mistake == "written-again");
  CHECK(lab::compare_work(copy(twice), copy(twice)).mistake.empty());
}

TEST_CASE("a kernel that takes for ever is given up") {
  const auto endless = copy("  loop t = 0..1000000000000\n    FADD R1, R1, R1\n  end\n" + kLoad + kStore);
  CHECK_THROWS_AS(against_copy(endless), CannotFinishError);
}

namespace {

const std::string kShared = "  shared static 128\n  shared_buffer s f32[32] at 0\n";

/// A kernel of one CTA of `threads`, with buffers x, y of 64 words and s of 32 words.
trace::Trace kernel(const std::string& code, int threads = 32) {
  return frontend::load_trace_text("gpusim trace 1\nkernel k\n  grid (1)\n  block (" + std::to_string(threads) + ")\n" +
                                       kShared + "  buffer x f32[64]\n  buffer y f32[64]\ncode\n" + code +
                                       "  EXIT\nend\n",
                                   "kernel.trace", {});
}

std::string mistake(const std::string& own, const std::string& like, int threads = 32) {
  return lab::compare_work(kernel(own, threads), kernel(like, threads)).mistake;
}

}  // namespace

TEST_CASE("a copy to the wrong places is found, though the same bytes are read and written") {
  const std::string reversed = "  LDG.E R4, [R2.64] @ x[tid]\n  STG.E [R2.64], R4 @ y[31 - tid]\n";
  const std::string straight = "  LDG.E R4, [R2.64] @ x[tid]\n  STG.E [R2.64], R4 @ y[tid]\n";
  CHECK(mistake(straight, straight).empty());
  const lab::Work work = lab::compare_work(kernel(straight), kernel(reversed));
  CHECK(work.mistake == "other-sources");
  CHECK_THAT(work.said, Contains("at byte 0 of 'y'"));
}

TEST_CASE("data are followed through shared memory, past the barrier") {
  const std::string direct = "  LDG.E R4, [R2.64] @ x[tid]\n  STG.E [R2.64], R4 @ y[31 - tid]\n";
  const std::string shared =
      "  LDG.E R4, [R2.64] @ x[tid]\n  STS [R0], R4 @ s[tid]\n  BAR.SYNC 0x0\n  LDS R5, [R0] @ s[31 - tid]\n"
      "  STG.E [R2.64], R5 @ y[tid]\n";
  const std::string unturned =
      "  LDG.E R4, [R2.64] @ x[tid]\n  STS [R0], R4 @ s[tid]\n  BAR.SYNC 0x0\n"
      "  LDS R5, [R0] @ s[tid]\n  STG.E [R2.64], R5 @ y[tid]\n";
  CHECK(mistake(shared, direct).empty());
  CHECK(mistake(unturned, direct) == "other-sources");
  const std::string copied =
      "  LDGSTS.E [R0], [R2.64] @ s[tid] <- x[tid]\n  LDGDEPBAR\n  DEPBAR.LE SB0, 0x0\n"
      "  LDS R5, [R0] @ s[31 - tid]\n  STG.E [R2.64], R5 @ y[tid]\n";
  CHECK(mistake(copied, direct).empty());
}

TEST_CASE("an asynchronous copy arrives at the wait for its group, and not before") {
  const std::string direct = "  LDG.E R4, [R2.64] @ x[tid]\n  STG.E [R2.64], R4 @ y[tid]\n";
  const std::string issue = "  LDGSTS.E [R0], [R2.64] @ s[tid] <- x[tid]\n";
  const std::string close = "  LDGDEPBAR\n";
  const std::string wait = "  DEPBAR.LE SB0, 0x0\n";
  const std::string use = "  LDS R5, [R0] @ s[tid]\n  STG.E [R2.64], R5 @ y[tid]\n";
  CHECK(mistake(issue + close + wait + use, direct).empty());
  CHECK(mistake(issue + use, direct) == "other-sources");
  CHECK(mistake(issue + close + use + wait, direct) == "other-sources");
  CHECK(mistake(issue + wait + close + use, direct) == "other-sources");  // closes the group too late
  CHECK(mistake(issue + close + "  DEPBAR.LE SB0, 0x1\n" + use, direct) == "other-sources");
}

TEST_CASE("a wait leaves as many groups under way as it says, the youngest") {
  const std::string direct = "  LDG.E R4, [R2.64] @ x[tid]\n  STG.E [R2.64], R4 @ y[tid]\n";
  const std::string first = "  LDGSTS.E [R0], [R2.64] @ s[tid] <- x[tid]\n  LDGDEPBAR\n";
  const std::string second = "  LDGSTS.E [R0], [R2.64] @ s[tid] <- x[32 + tid]\n  LDGDEPBAR\n";
  const std::string use = "  LDS R5, [R0] @ s[tid]\n  STG.E [R2.64], R5 @ y[tid]\n";
  CHECK(mistake(first + second + "  DEPBAR.LE SB0, 0x1\n" + use, direct).empty());
  CHECK(mistake(first + second + "  DEPBAR.LE SB0, 0x0\n" + use, direct) == "other-sources");
}

TEST_CASE("warps of a CTA see what others copied only when those waited before the barrier") {
  const std::string copy_of = "  LDGSTS.E [R0], [R2.64] @ s[lane] <- x[lane]\n  LDGDEPBAR\n";
  const std::string wait = "  DEPBAR.LE SB0, 0x0\n";
  const std::string barrier = "  BAR.SYNC 0x0\n";
  const std::string tail = "  if P0: warp == 0\n    LDS R5, [R0] @ s[lane]\n    STG.E [R2.64], R5 @ y[lane]\n  end\n";
  const std::string direct =
      "  if P0: warp == 0\n    LDG.E R4, [R2.64] @ x[lane]\n    STG.E [R2.64], R4 @ y[lane]\n"
      "  end\n";
  const auto with = [](const std::string& code) { return "  if P1: warp == 1\n" + code + "  end\n"; };
  CHECK(mistake(with(copy_of + wait) + barrier + tail, direct, 64).empty());
  CHECK(mistake(with(copy_of) + barrier + with(wait) + tail, direct, 64) == "other-sources");
}

TEST_CASE("warps of a CTA see what others stored before the barrier") {
  const std::string head = "  if P0: warp == 1\n    LDG.E R4, [R2.64] @ x[lane]\n    STS [R0], R4 @ s[lane]\n  end\n";
  const std::string tail = "  if P0: warp == 0\n    LDS R5, [R0] @ s[lane]\n    STG.E [R2.64], R5 @ y[lane]\n  end\n";
  const std::string direct =
      "  if P0: warp == 0\n    LDG.E R4, [R2.64] @ x[lane]\n    STG.E [R2.64], R4 @ y[lane]\n"
      "  end\n";
  CHECK(mistake(head + "  BAR.SYNC 0x0\n" + tail, direct, 64).empty());
  CHECK(mistake(head + tail, direct, 64) == "other-sources");
}

TEST_CASE("a sum is the same in any order, and another one without a part") {
  const auto sum = [](const std::string& first, const std::string& second) {
    return "  LDG.E R4, [R2.64] @ x[" + first + "]\n  LDG.E R5, [R2.64] @ x[" + second +
           "]\n  FADD R6, R4, R5\n  STG.E [R2.64], R6 @ y[tid]\n";
  };
  CHECK(mistake(sum("tid + 32", "tid"), sum("tid", "tid + 32")).empty());
  CHECK(mistake("  LDG.E R5, [R2.64] @ x[tid + 32]\n" + sum("tid", "tid"), sum("tid", "tid + 32")) == "other-sources");
}

TEST_CASE("a sum with an element twice is another one only where each counts as often") {
  const std::string loads = "  LDG.E R4, [R2.64] @ x[tid]\n  LDG.E R5, [R2.64] @ x[tid + 32]\n";
  const std::string store = "  STG.E [R2.64], R6 @ y[tid]\n";
  const std::string once = loads + "  FADD R6, R4, R5\n" + store;
  const std::string twice = loads + "  FADD R6, R4, R5\n  FADD R6, R6, R4\n" + store;
  CHECK(lab::compare_work(kernel(twice), kernel(once)).mistake.empty());
  const lab::Work work = lab::compare_work(kernel(twice), kernel(once), true);
  CHECK(work.mistake == "other-counts");
  CHECK_THAT(work.said, Contains("some of them more or less often than it should"));
  const std::string other_order = loads + "  FADD R6, R5, RZ\n  FADD R6, R4, R6\n" + store;
  CHECK(lab::compare_work(kernel(other_order), kernel(once), true).mistake.empty());
}

TEST_CASE("a sum of doubles counts each once, in whatever order they are added") {
  const auto sum = [](const std::string& first, const std::string& second, const std::string& more) {
    return "  CS2R R8, SRZ\n  LDG.E.64 R4, [R2.64] @ x[" + first + "]\n  LDG.E.64 R6, [R2.64] @ x[" + second +
           "]\n  DADD R8, R8, R4\n  DADD R8, R8, R6\n" + more + "  STG.E.64 [R2.64], R8 @ y[2*lane]\n";
  };
  const auto of = [&](const std::string& own) {
    return lab::compare_work(kernel(own), kernel(sum("2*lane", "62 - 2*lane", "")), true).mistake;
  };
  CHECK(of(sum("62 - 2*lane", "2*lane", "")).empty());
  CHECK(of(sum("2*lane", "62 - 2*lane", "  DADD R8, R8, R6\n")) == "other-counts");
}

TEST_CASE("shuffles carry data between lanes") {
  const auto shuffled = [](const std::string& opcode, const std::string& by) {
    return "  LDG.E R4, [R2.64] @ x[tid]\n  " + opcode + " PT, R5, R4, " + by +
           ", 0x1f\n  STG.E [R2.64], R5 @ y[tid]\n";
  };
  const auto direct = [](const std::string& index) {
    return "  LDG.E R4, [R2.64] @ x[tid]\n  LDG.E R5, [R2.64] @ x[" + index + "]\n  STG.E [R2.64], R5 @ y[tid]\n";
  };
  CHECK(mistake(shuffled("SHFL.BFLY", "0x10"), direct("tid ^ 16")).empty());
  CHECK(mistake(shuffled("SHFL.DOWN", "0x1"), direct("min(tid + 1, 31)")).empty());
  CHECK(mistake(shuffled("SHFL.BFLY", "0x8"), direct("tid ^ 16")) == "other-sources");
  CHECK(mistake(shuffled("SHFL.BFLY", "{8 + 8}"), direct("tid ^ 16")).empty());
  CHECK(mistake(shuffled("SHFL.BFLY", "{8}"), direct("tid ^ 16")) == "other-sources");
}

TEST_CASE("matrix products join rows and columns, however they are fed") {
  // Row g of A and column g of B come from x[g]; lane l holds rows l / 4 and l / 4 + 8.
  const auto product = [](const std::string& a) {
    return "  LDG.E R4, [R2.64] @ x[" + a +
           "]\n  MOV R5, RZ\n  MOV R6, R4\n  MOV R7, RZ\n  LDG.E R8, [R2.64] @ x[32 + lane/4]\n  MOV R9, R8\n"
           "  HMMA.16816.F32.BF16 R12, R4, R8, RZ\n  STG.E [R2.64], R12 @ y[tid]\n";
  };
  const std::string direct =
      "  LDG.E R4, [R2.64] @ x[lane/4]\n  LDG.E R8, [R2.64] @ x[32 + lane%4*2]\n"
      "  LDG.E R9, [R2.64] @ x[32 + lane/4]\n"
      "  FADD R12, R4, R8\n  STG.E [R2.64], R12 @ y[tid]\n";
  CHECK(mistake(product("lane/4"), direct).empty());
  CHECK(mistake("  LDG.E R4, [R2.64] @ x[lane/4]\n" + product("7 - lane/4"), direct) == "other-sources");
}

TEST_CASE("LDSM gives each lane two neighbours of a row, and with .T of a column") {
  // 8 x 8 halves in 32 words of s, four words a row: the lane l gets columns 2 (l % 4) and the next one of row l / 4.
  const std::string stored = "  LDG.E R4, [R2.64] @ x[tid]\n  STS [R0], R4 @ s[tid]\n  BAR.SYNC 0x0\n";
  const auto matrix = [&stored](const std::string& opcode) {
    return stored + "  " + opcode + " R5, [R0] @ s + lane%8*16\n  STG.E [R2.64], R5 @ y[tid]\n";
  };
  const std::string straight = "  LDG.E R4, [R2.64] @ x[tid]\n  STG.E [R2.64], R4 @ y[tid]\n";
  CHECK(mistake(matrix("LDSM.16.M88"), straight).empty());
  // A lane takes rows 2 (l % 4) and the next from column l / 4: halves of two words.
  const std::string transposed =
      "  LDG.E R4, [R2.64] @ x[lane%4*8 + lane/8]\n  LDG.E R5, [R2.64] @ x[lane%4*8 + 4 + lane/8]\n"
      "  IADD3 R4, R4, R5, RZ\n  STG.E [R2.64], R4 @ y[tid]\n";
  CHECK(mistake(matrix("LDSM.16.MT88"), transposed).empty());
  CHECK(mistake(matrix("LDSM.16.M88"), transposed) == "other-sources");
}

TEST_CASE("LDSM of four matrices fills four registers, from the rows of eight lanes each") {
  // The wide load of lane l takes word l / 4 * 4 + l % 4 of each of four blocks of 32 bytes.
  const auto kernel_of = [](const std::string& code) {
    return frontend::load_trace_text(
        "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\n  shared static 512\n  shared_buffer s f32[128] at 0\n"
        "  buffer x f32[128]\n  buffer y f32[128]\ncode\n  LDG.E.128 R4, [R2.64] @ x[tid*4]\n" +
            code + "  EXIT\nend\n",
        "kernel.trace", {});
  };
  const auto wide = [&](const std::string& matrix) {
    return kernel_of(
        "  STS.128 [R0], R4 @ s[tid*4]\n  BAR.SYNC 0x0\n  LDSM.16.M88.4 R8, [R0] @ s[lane*4]\n"
        "  STG.E [R2.64], R" +
        matrix + " @ y[tid]\n");
  };
  const auto direct = [&](const std::string& at) {
    return kernel_of("  LDG.E R12, [R2.64] @ x[" + at + "]\n  STG.E [R2.64], R12 @ y[tid]\n");
  };
  CHECK(lab::compare_work(wide("8"), direct("lane")).mistake.empty());
  CHECK(lab::compare_work(wide("11"), direct("96 + lane")).mistake.empty());
  CHECK(lab::compare_work(wide("11"), direct("64 + lane")).mistake == "other-sources");
}

TEST_CASE("an atomic adds to what is there, and its result is what was there") {
  const auto adding = [](const std::string& from, const std::string& to) {
    return "  LDG.E R4, [R2.64] @ x[" + from + "]\n  RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R2.64], R4 @ y[" + to + "]\n";
  };
  CHECK(mistake(adding("tid", "tid/8"), adding("31 - tid", "3 - tid/8")).empty());
  CHECK(mistake(adding("tid", "tid/8"), adding("tid", "tid%4")) == "other-sources");
  const auto ticket = [](const std::string& counter) {
    return "  ATOMG.E.ADD.STRONG.GPU PT, R5, [R2.64], R4 @ x[" + counter + "]\n  STG.E [R2.64], R5 @ y[tid]\n";
  };
  CHECK(mistake(ticket("tid"), ticket("tid")).empty());
  CHECK(mistake(ticket("tid"), ticket("tid ^ 1")) == "other-sources");
}

TEST_CASE("half a word keeps the other half's origin, and both halves of a sum join their columns") {
  const auto halves = [](const std::string& second) {
    return frontend::load_trace_text(
        "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\n  buffer x f16[64]\n"
        "  buffer y f16[64]\ncode\n"
        "  LDG.E.U16 R4, [R2.64] @ x[2*tid]\n  STG.E.U16 [R2.64], R4 @ y[2*tid]\n"
        "  LDG.E.U16 R4, [R2.64] @ x[" +
            second +
            "]\n"
            "  STG.E.U16 [R2.64], R4 @ y[2*tid + 1]\n  EXIT\nend\n",
        "kernel.trace", {});
  };
  CHECK(lab::compare_work(halves("2*tid + 1"), halves("2*tid + 1")).mistake.empty());
  CHECK(lab::compare_work(halves("63 - 2*tid"), halves("2*tid + 1")).mistake == "other-sources");
  // A sum in f16 has two columns of a row in a register: in lane l, row l / 4 and columns 2 (l % 4) and the next.
  const std::string product =
      "  LDG.E R4, [R2.64] @ x[lane/4]\n  MOV R5, RZ\n  MOV R6, RZ\n  MOV R7, RZ\n  LDG.E R8, [R2.64] @ x[32 + "
      "lane/4]\n"
      "  MOV R9, RZ\n  HMMA.16816.F16 R12, R4, R8, RZ\n  STG.E [R2.64], R12 @ y[tid]\n";
  const auto direct = [](const std::string& column) {
    return "  LDG.E R4, [R2.64] @ x[lane/4]\n  LDG.E R8, [R2.64] @ x[32 + lane%4*2]\n  LDG.E R9, [R2.64] @ x[" +
           column + "]\n  FADD R12, R4, R8\n  FADD R12, R12, R9\n  STG.E [R2.64], R12 @ y[tid]\n";
  };
  CHECK(mistake(product, direct("32 + lane%4*2 + 1")).empty());
  CHECK(mistake(product, direct("32 + (lane%4*2 + 2)%8")) == "other-sources");
}

TEST_CASE("spilled registers come back as they were") {
  const auto code = [](const std::string& other) {
    return "  LDG.E R4, [R2.64] @ x[tid]\n  STL [R1], R4 @ l[0]\n  LDG.E R4, [R2.64] @ x[tid + 32]\n  STL [R1+4], R4 @ "
           "l[1]\n  LDL R5, [R1] @ l[" +
           other + "]\n  STG.E [R2.64], R5 @ y[tid]\n";
  };
  const auto spilling = [&code](const std::string& other) {
    return frontend::load_trace_text(
        "gpusim trace 1\nkernel k\n  grid (1)\n  block (32)\n  local 8\n  local_buffer l f32[2] at 0\n  buffer x "
        "f32[64]\n  buffer y f32[64]\ncode\n" +
            code(other) + "  EXIT\nend\n",
        "kernel.trace", {});
  };
  CHECK(lab::compare_work(spilling("0"), spilling("0")).mistake.empty());
  CHECK(lab::compare_work(spilling("1"), spilling("0")).mistake == "other-sources");
}

constexpr const char* kNamedBarrier =
    "  LDG.E R4, [R2.64] @ x[tid]\n  BAR.SYNC 0x1, 0x20\n  STG.E [R2.64], R4 @ y[31 - tid]\n";
constexpr const char* kStraight = "  LDG.E R4, [R2.64] @ x[tid]\n  STG.E [R2.64], R4 @ y[tid]\n";

TEST_CASE("an instruction that cannot be followed does not hide where results come from, but is named") {
  const lab::Work work = lab::compare_work(kernel(kNamedBarrier), kernel(kStraight));
  CHECK(work.mistake == "not-followed");
  CHECK_THAT(work.said, Contains("cannot follow 'BAR.SYNC 0x1, 0x20' at line 11."));
}

TEST_CASE("where the lab's own kernel cannot be followed, bytes alone are compared, and that is said") {
  const lab::Work work = lab::compare_work(kernel(kStraight), kernel(kNamedBarrier));
  CHECK(work.mistake.empty());
  CHECK_THAT(work.said, Contains("cannot follow 'BAR.SYNC 0x1, 0x20' at line 11 of the lab's own kernel."));
}

TEST_CASE("a lane that accesses several elements tells no number of one") {
  const std::string wide = "  LDG.E.128 R4, [R2.64] @ x[4*(tid % 8)]\n  STG.E.128 [R2.64], R4 @ y[4*(tid % 8)]\n";
  const lab::Work work = lab::compare_work(kernel("  LDG.E.128 R4, [R2.64] @ x[4*(tid % 8)]\n"), kernel(wide));
  CHECK(work.mistake == "not-written");
  CHECK_THAT(work.said, Contains("the first at byte 0 of 'y', 128 bytes in all") && !Contains("element"));
}

TEST_CASE("a kernel that leaves the arithmetic out is found, and one that saves a little of it is not") {
  const std::string load = "  LDG.E R4, [R2.64] @ x[tid]\n";
  const std::string store = "  STG.E [R2.64], R4 @ y[tid]\n";
  const std::string add = "  FADD R4, R4, R4\n";
  const std::string five = add + add + add + add + add;
  CHECK(mistake(load + add + add + add + add + store, load + five + store).empty());
  const lab::Work work = lab::compare_work(kernel(load + add + add + add + store), kernel(load + five + store));
  CHECK(work.mistake == "fewer-flops");
  CHECK(work.said == "The kernel does 96 FLOPs, and the work takes 160.");
  CHECK(mistake(load + store, load + five + store) == "fewer-flops");
  CHECK(mistake(load + five + five + store, load + five + store).empty());
}
