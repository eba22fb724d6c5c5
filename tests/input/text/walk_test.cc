// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <set>

#include <catch2/catch.hpp>

#include "tests/input/text/support.h"

namespace walk_test {

using namespace gpusim;
using namespace gpusim::test;

TEST_CASE("straight code issues once for all lanes of the warp") {
  const trace::Trace trace = load(kernel_text("grid (2)\nblock (40)\n", "FADD R1, R2, R3\nEXIT\n"));
  const trace::Kernel& kernel = trace.kernels.at(0);
  CHECK(opcodes(walk(kernel)) == "FADD EXIT");
  CHECK(walk(kernel).at(0).active == kAllLanes);
  CHECK(walk(kernel, {1, 0, 0}, 1).at(0).active == 0xffU);
}

TEST_CASE("a loop issues its body and one closing branch an iteration") {
  const auto events = walk(one_warp("loop i = 0..3\nFADD R1, R1, R2\nend\nEXIT\n").kernels.at(0));
  CHECK(opcodes(events) == "FADD BRA FADD BRA FADD BRA EXIT");
  CHECK(events[1].mask == kAllLanes);
  CHECK(events[3].mask == kAllLanes);
  CHECK(events[5].mask == 0);
}

TEST_CASE("a loop whose trips are known to be zero leaves no instruction") {
  CHECK(opcodes(walk(one_warp("loop i = 3..3\nFADD R1, R1, R2\nend\nEXIT\n").kernels.at(0))) == "EXIT");
}

TEST_CASE("addresses are base, CTA part, iteration part and lane part") {
  const trace::Trace trace = load(kernel_text("grid (4)\nblock (64)\nbuffer x f32[100000]\n",
                                              "loop i = 0..2\nLDG.E R4, [R2.64] @ x[(ctaid.x*64 + tid.x)*2 + i*1000]\n"
                                              "end\nEXIT\n"));
  const auto got = addresses(trace.kernels.at(0), {3, 0, 0}, 1);
  REQUIRE(got.size() == 2);
  for (unsigned i = 0; i < 2; ++i) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      CHECK(got[i][lane] == 0x7f0000000000ULL + 4 * ((3 * 64 + 32 + lane) * 2 + i * 1000));
    }
  }
}

TEST_CASE("a loop inside a loop starts again at each turn of the outer one") {
  const trace::Trace trace = one_warp("loop i = 0..3\nloop j = i..3\nLDG.E R4, [R2.64] @ x[i*10 + j]\nend\nend\nEXIT\n",
                                      "buffer x f32[100]\n");
  std::vector<Address> elements;
  for (const Lanes& lanes : addresses(trace.kernels.at(0))) {
    elements.push_back((lanes[0] - 0x7f0000000000ULL) / 4);
  }
  CHECK(elements == std::vector<Address>{0, 1, 2, 11, 12, 22});
}

TEST_CASE("a counter steps from its first value by its step") {
  const trace::Trace trace =
      one_warp("loop i = 5..20 step 7\nLDG.E R4, [R2.64] @ x[i]\nend\nEXIT\n", "buffer x f32[100]\n");
  std::vector<Address> elements;
  for (const Lanes& lanes : addresses(trace.kernels.at(0))) {
    elements.push_back((lanes[0] - 0x7f0000000000ULL) / 4);
  }
  CHECK(elements == std::vector<Address>{5, 12, 19});
}

TEST_CASE("loops nest deeper than the walker keeps without help") {
  std::string code;
  for (int i = 0; i < 9; ++i) {
    code += "loop i" + std::to_string(i) + " = 0..2\n";
  }
  code += "LDG.E R4, [R2.64] @ x[i0*256+i1*128+i2*64+i3*32+i4*16+i5*8+i6*4+i7*2+i8]\n";
  for (int i = 0; i < 9; ++i) {
    code += "end\n";
  }
  const trace::Trace trace = one_warp(code + "EXIT\n", "buffer x f32[512]\n");
  const auto got = addresses(trace.kernels.at(0));
  REQUIRE(got.size() == 512);
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i][0] == 0x7f0000000000ULL + 4 * i);
  }
}

TEST_CASE("a loop whose trips differ between CTAs has a guard branch that zero trips take") {
  const trace::Trace trace =
      load(kernel_text("grid (3)\nblock (32)\n", "loop i = 0..ctaid.x\nFADD R1, R1, R2\nend\nEXIT\n"));
  const trace::Kernel& kernel = trace.kernels.at(0);
  const auto none = walk(kernel, {0, 0, 0});
  CHECK(opcodes(none) == "BRA EXIT");
  CHECK(none[0].mask == kAllLanes);
  const auto two = walk(kernel, {2, 0, 0});
  CHECK(opcodes(two) == "BRA FADD BRA FADD BRA EXIT");
  CHECK(two[0].mask == 0);
}

TEST_CASE("lanes that are done with a loop wait behind it for the others") {
  const auto events = walk(one_warp("loop i = 0..lane%3\nFADD R1, R1, R2\nend\nEXIT\n").kernels.at(0));
  CHECK(opcodes(events) == "BRA FADD BRA FADD BRA EXIT");
  constexpr LaneMask kZero = 0x49249249U;  // lanes 0, 3, 6 ...
  constexpr LaneMask kTwo = 0x24924924U;
  CHECK(events[0].mask == kZero);
  CHECK(events[1].active == ~kZero);
  CHECK(events[2].mask == kTwo);
  CHECK(events[3].active == kTwo);
  CHECK(events[4].mask == 0);
  CHECK(events[5].active == kAllLanes);
}

TEST_CASE("the side that does not jump runs first, and both meet behind") {
  const auto events =
      walk(one_warp("if lane < 4\nFADD R1, R1, R2\nelse\nFMUL R1, R1, R2\nend\nNOP\nEXIT\n").kernels.at(0));
  CHECK(opcodes(events) == "BRA FADD BRA FMUL NOP EXIT");
  CHECK(events[0].mask == 0xfffffff0U);
  CHECK(events[1].active == 0xfU);
  CHECK(events[2].mask == 0xfU);
  CHECK(events[3].active == 0xfffffff0U);
  CHECK(events[4].active == kAllLanes);
}

TEST_CASE("a warp that agrees jumps without diverging") {
  const trace::Trace trace =
      load(kernel_text("grid (1)\nblock (64)\n", "if warp == 1\nFADD R1, R1, R2\nelse\nFMUL R1, R1, R2\nend\nEXIT\n"));
  CHECK(opcodes(walk(trace.kernels.at(0), {}, 0)) == "BRA FMUL EXIT");
  CHECK(opcodes(walk(trace.kernels.at(0), {}, 1)) == "BRA FADD BRA EXIT");
}

TEST_CASE("lanes that exit on one side are gone, and the others still meet") {
  const auto events = walk(one_warp("if lane < 4\n@P0 EXIT when lane < 2\nFADD R1, R1, R2\nif lane == 3\nEXIT\nend\n"
                                    "end\nNOP\nEXIT\n")
                               .kernels.at(0));
  CHECK(opcodes(events) == "BRA EXIT FADD BRA EXIT NOP EXIT");
  CHECK(events[1].mask == 0x3U);
  CHECK(events[2].active == 0xcU);
  CHECK(events[4].active == 0x8U);
  CHECK(events[5].active == 0xfffffff4U);
}

TEST_CASE("an EXIT whose guard is true for no lane issues and ends none") {
  const auto events = walk(one_warp("@P0 EXIT when lane > 40\nNOP\nEXIT\n").kernels.at(0));
  CHECK(opcodes(events) == "EXIT NOP EXIT");
  CHECK(events[0].mask == 0);
  CHECK(events[1].active == kAllLanes);
}

TEST_CASE("an early EXIT in the straight path does not keep the other path from running") {
  const auto events = walk(
      one_warp("@P0 BRA slow when lane >= 30\nFADD R1, R1, R2\nEXIT\nslow:\nFMUL R1, R1, R2\nEXIT\n").kernels.at(0));
  CHECK(opcodes(events) == "BRA FADD EXIT FMUL EXIT");
  CHECK(events[3].active == 0xc0000000U);
}

TEST_CASE("lanes that break out of a loop wait where the loop's lanes arrive") {
  const auto events = walk(
      one_warp("loop i = 0..3\nFADD R1, R1, R2\n@P0 BRA out when lane == i\nend\nout:\nNOP\nEXIT\n").kernels.at(0));
  CHECK(opcodes(events) == "FADD BRA BRA FADD BRA BRA FADD BRA BRA NOP EXIT");
  CHECK(events[3].active == 0xfffffffeU);
  CHECK(events[6].active == 0xfffffffcU);
  CHECK(events[9].active == kAllLanes);
}

TEST_CASE("an endless loop around a guarded EXIT still brings its lanes together") {
  const auto events =
      walk(one_warp("top:\nif lane < 16\nFADD R1, R1, R2\nend\n@P0 EXIT when lane < 32\nBRA top\n").kernels.at(0));
  CHECK(opcodes(events) == "BRA FADD EXIT");
  CHECK(events[2].active == kAllLanes);
}

TEST_CASE("places in a block of three dimensions run x first") {
  const trace::Trace trace = load(kernel_text("grid (2, 3, 4)\nblock (4, 5, 3)\nbuffer x u8[1000000]\n",
                                              "LDG.E.U8 R4, [R2.64] @ x[tid.x + tid.y*10 + tid.z*100 + ctaid.x*1000 + "
                                              "ctaid.y*10000 + ctaid.z*100000]\nEXIT\n"));
  const auto got = addresses(trace.kernels.at(0), trace::cta_at(2 * 3 * 3 + 2 * 2 + 1, {2, 3, 4}), 1).at(0);
  for (unsigned lane = 0; lane < 60 - 32; ++lane) {
    const unsigned tid = 32 + lane;
    CHECK(got[lane] - 0x7f0000000000ULL == tid % 4 + tid / 4 % 5 * 10 + tid / 20 * 100 + 1000 + 20000 + 300000);
  }
}

TEST_CASE("addresses that differ by warp and iteration alone share one pattern") {
  const trace::Trace trace = load(kernel_text(
      "grid (4)\nblock (128)\nbuffer x f32[100000]\n",
      "loop i = 0..3\nLDG.E R4, [R2.64] @ x[ctaid.x*128 + tid + i*512]\nend\nLDG.E R4, [R2.64] @ x[lane]\nEXIT\n"));
  const trace::Kernel& kernel = trace.kernels.at(0);
  std::set<std::uint32_t> patterns;
  for (std::uint32_t warp = 0; warp < 4; ++warp) {
    trace::Walker walker(kernel, {1, 0, 0}, warp);
    trace::Step step;
    while (walker.next(step)) {
      if (kernel.code[step.pc].is_memory()) {
        patterns.insert(walker.addresses(trace::AccessSlot::kPrimary).pattern);
      }
    }
  }
  CHECK(patterns.size() == 1);
  CHECK(*patterns.begin() < trace::Walker::pattern_count(kernel));
}

TEST_CASE("addresses whose lanes depend on a counter have no pattern and are right all the same") {
  const trace::Trace trace = one_warp("loop i = 0..40\nLDG.E R4, [R2.64] @ x[(lane*i) ^ hash(i, lane)%8]\nend\nEXIT\n",
                                      "buffer x f32[4096]\n");
  const auto got = addresses(trace.kernels.at(0));
  trace::Fault none;
  for (unsigned i = 0; i < 40; ++i) {
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      const auto random = static_cast<std::uint64_t>(trace::apply(trace::ExprOp::kHash, i, lane, 0, none));
      REQUIRE(got[i][lane] == 0x7f0000000000ULL + 4 * ((lane * i) ^ random % 8));
    }
  }
}

TEST_CASE("a value of the warp is the same alone and among values of lanes, whichever an address needs first") {
  const std::string alone = "STS [R1], R4 @ s[warp/2*8]\n";
  const std::string among = "STS [R1], R4 @ s[(warp/2*8) ^ (lane&7)]\n";
  for (const std::string& body : {alone + among, among + alone}) {
    const trace::Trace trace =
        load(kernel_text("grid (1)\nblock (128)\nshared static 64\nshared_buffer s f32[16] at 0\n", body + "EXIT\n"));
    const auto got = addresses(trace.kernels.at(0), {0, 0, 0}, 3);
    REQUIRE(got.size() == 2);
    CHECK(got[body.starts_with(alone) ? 1 : 0][5] == 4 * (8 + 5));
    CHECK(got[body.starts_with(alone) ? 0 : 1][5] == 4 * 8);
  }
}

TEST_CASE("a copy to shared memory has both addresses") {
  const trace::Trace trace = one_warp("LDGSTS.E.128 [R3], [R2.64] @ s + 512 + lane*16 <- x[lane*8]\nEXIT\n",
                                      "shared dynamic 2048\nshared_buffer s bytes[1024] at 1024\nbuffer x bf16[256]\n");
  CHECK(addresses(trace.kernels.at(0)).at(0)[3] == 0x7f0000000000ULL + 48);
  CHECK(addresses(trace.kernels.at(0), {}, 0, trace::AccessSlot::kSharedDestination).at(0)[3] == 1024 + 512 + 48);
}

TEST_CASE("registers in braces are computed in each turn of an unroll") {
  const trace::Trace trace = one_warp("unroll k = 0..3 step 2\nFADD R{16+4*k}, R{k*k}, R2\nend\nEXIT\n");
  CHECK(trace.kernels.at(0).texts.at(0).text == "FADD R16, R0, R2");
  CHECK(trace.kernels.at(0).texts.at(1).text == "FADD R24, R4, R2");
  CHECK(trace.kernels.at(0).code.at(1).destinations[0].index == 24);
}

TEST_CASE("each turn of an unroll has labels of its own") {
  const auto events = walk(one_warp("unroll k = 0..3\n@P0 BRA skip when lane >= 0\nFADD R1, R1, R2\nskip:\nend\nNOP\n"
                                    "EXIT\n")
                               .kernels.at(0));
  CHECK(opcodes(events) == "BRA BRA BRA NOP EXIT");
}

TEST_CASE("kernels that name a buffer alike share its memory, others lie behind") {
  const std::string text =
      "gpusim trace 1\nbuffer all f32[100]\n"
      "kernel a\ngrid (1)\nblock (32)\nbuffer x f32[64]\ncode\nEXIT\nend\n"
      "kernel b\ngrid (1)\nblock (32)\nbuffer y f32[64]\nbuffer x f32[64]\nbuffer all2 f32[100]\ncode\nEXIT\nend\n";
  const trace::Trace trace = load(text);
  const auto& a = trace.kernels.at(0).buffers;
  const auto& b = trace.kernels.at(1).buffers;
  CHECK(a.at(0).base == 0x7f0000000000ULL);
  CHECK(a.at(0).base == b.at(0).base);
  CHECK(a.at(1).base == 0x7f0000000000ULL + 512);
  CHECK(b.at(2).base == a.at(1).base);
  CHECK(b.at(1).base == a.at(1).base + 256);
}

TEST_CASE("edges connect instructions, an exit among them") {
  const trace::Kernel kernel = one_warp("loop i = 0..4\nNOP\nend\n@P0 EXIT when lane < 3\nEXIT\n").kernels.at(0);
  using trace::Edge;
  CHECK(kernel.edges ==
        std::vector<Edge>{{0, 1}, {1, 0}, {1, 2}, {2, 3}, {2, trace::kExitNode}, {3, trace::kExitNode}});
}

TEST_CASE("recorded control bits are kept, those of a loop on its branch") {
  const trace::Kernel kernel = one_warp(
                                   "loop i = 0..4 using P2 [B0-----:R-:W-:Y:S05]\n[B------:R-:W3:-:S02] NOP\nend\n"
                                   "[B------:R-:W-:-:S01] EXIT\n")
                                   .kernels.at(0);
  CHECK(kernel.control_recorded);
  CHECK(kernel.code.at(0).control.write_barrier == 3);
  CHECK(kernel.code.at(1).control.stall == 5);
  CHECK(kernel.code.at(1).guard.index == 2);
  CHECK_FALSE(one_warp("EXIT\n").kernels.at(0).control_recorded);
}

TEST_CASE("precedence is that of C") {
  const auto element = [](const std::string& expression) {
    const trace::Trace trace =
        one_warp("LDG.E.U8 R4, [R2.64] @ x[" + expression + "]\nEXIT\n", "buffer x u8[1000000]\n");
    return static_cast<std::int64_t>(addresses(trace.kernels.at(0)).at(0)[0] - 0x7f0000000000ULL);
  };
  CHECK(element("1 + 2 * 3 << 1 & 0xff ^ 1 | 8") == (((((1 + 2 * 3) << 1) & 0xff) ^ 1) | 8));
  CHECK(element("10 - 4 - 3") == 3);
  CHECK(element("100 / 10 / 5 % 3") == 2);
  CHECK(element("1 ? 2 : 0 ? 3 : 4") == 2);
  CHECK(element("0 ? 2 : 0 ? 3 : 4") == 4);
  CHECK(element("1 < 2 == 1") == 1);
  CHECK(element("5 > 3 && 2 >= 2 || 0") == 1);
  CHECK(element("-(-7) / 2") == 3);
  CHECK(element("~0 + 2") == 1);
  CHECK(element("!0 + !5") == 1);
  CHECK(element("min(3, max(1, 2)) + abs(-4) + bit(5, 2)") == 7);
}

TEST_CASE("a walk that passes over what is of no interest comes to all else, with the same lanes and addresses") {
  const trace::Trace trace = load(kernel_text(
      "grid (1)\nblock (32)\nbuffer x f32[1000]\n",
      "FADD R1, R2, R3\nFADD R1, R2, R3\nloop i = 0..3\nFADD R1, R1, R2\nLDG.E R4, [R2.64] @ x[i*32 + tid.x]\n"
      "FADD R1, R1, R2\nif tid.x < 7\nFADD R5, R1, R2\nFADD R5, R1, R2\nSTG.E [R2.64], R5 @ x[tid.x]\n"
      "FADD R5, R1, R2\nend\nFADD R1, R1, R2\nend\nFADD R1, R2, R3\nEXIT\n"));
  const trace::Kernel& kernel = trace.kernels.at(0);
  const std::vector<trace::FlowOp>& ops = kernel.behaviour->program()->ops;
  std::vector<std::uint32_t> stops(ops.size());
  for (auto at = static_cast<std::uint32_t>(ops.size()); at-- > 0;) {
    const bool passes = ops[at].kind == trace::FlowKind::kPlain && !kernel.code[ops[at].instr].is_memory();
    stops[at] = passes ? stops[at + 1] : at;
  }
  trace::Walker every(kernel, {}, 0);
  trace::Walker some(kernel, {}, 0);
  trace::Step step;
  std::uint32_t passed_over = 0;
  std::uint32_t skipped = 0;
  while (every.next(step)) {
    const isa::Instr& instr = kernel.code[step.pc];
    if (!instr.is_memory()) {
      ++passed_over;
      continue;
    }
    trace::Step other;
    do {
      const std::uint32_t more = some.skip(stops);
      skipped += more;
      REQUIRE(some.next(other));
      skipped += kernel.code[other.pc].is_memory() ? 0 : 1;
    } while (!kernel.code[other.pc].is_memory());
    CHECK(other.pc == step.pc);
    CHECK(other.active == step.active);
    CHECK(other.mask == step.mask);
    CHECK(skipped == passed_over);
    CHECK(some.addresses(trace::AccessSlot::kPrimary).base == every.addresses(trace::AccessSlot::kPrimary).base);
  }
  CHECK(passed_over > 20);
}

TEST_CASE("a walk that takes plain steps together comes to the same instructions, lanes and addresses") {
  const trace::Trace trace = load(kernel_text(
      "grid (1)\nblock (32)\nbuffer x f32[1000]\n",
      "FADD R1, R2, R3\nloop i = 0..3\nFADD R1, R1, R2\nFADD R1, R1, R2\nLDG.E R4, [R2.64] @ x[i*32 + tid.x]\n"
      "if tid.x < 7\nFADD R5, R1, R2\nLDG.E R5, [R2.64] @ x[i + tid.x]\nFADD R5, R1, R2\nend\nFADD R1, R1, R2\n"
      "end\nEXIT\n"));
  const trace::Kernel& kernel = trace.kernels.at(0);
  for (const trace::Simt simt : {trace::Simt::kStack, trace::Simt::kIndependent}) {
    for (const std::uint32_t most : {1U, 2U, 255U}) {
      trace::Walker single(kernel, {}, 0, trace::PollAnswers::kAlwaysYes, simt);
      trace::Walker together(kernel, {}, 0, trace::PollAnswers::kAlwaysYes, simt);
      trace::Step step;
      trace::Step last;
      std::uint32_t taken = 0;
      while (together.next(last)) {
        REQUIRE(single.next(step));
        const std::uint32_t steps = std::min(together.sources()->plain_ahead(), most);
        if (steps != 0) {
          together.sources()->pass_plain(steps, last);
        }
        for (std::uint32_t i = 0; i < steps; ++i) {
          REQUIRE(single.next(step));
        }
        taken += steps;
        CHECK(last.pc == step.pc);
        CHECK(last.active == step.active);
        CHECK(last.mask == step.mask);
        if (kernel.code[step.pc].is_memory()) {
          const auto address = [](trace::Walker& walker) { return walker.addresses(trace::AccessSlot::kPrimary).base; };
          CHECK(address(together) == address(single));
        }
      }
      CHECK_FALSE(single.next(step));
      CHECK(taken > 10);
    }
  }
}

}  // namespace walk_test
