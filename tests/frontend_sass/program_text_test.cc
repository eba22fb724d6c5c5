// SPDX-License-Identifier: MIT
#include "sim/frontend/sass/program_text.h"

#include <random>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/frontend/text/load.h"
#include "sim/trace/walker.h"

#include "tests/frontend_sass/listings.h"

using namespace gpusim;
using frontend::sass::program_from_listing;

namespace {

std::string code_of(const std::string& program) {
  return program.substr(program.find("\nkernel "));
}

std::string import_error(const std::string& listing) {
  try {
    (void)program_from_listing(listing, "k.sass");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

/// The loop over the listing with its holes filled: 4 warps, 8 turns.
trace::Trace filled() {
  std::string text = with(program_from_listing(test::kCuobjdump, "k.sass"), "[?]", "[tid]");
  text = with(with(text, "buffer arg_160 = ?", "buffer arg_160 f32[128]"), "arg_168 = ?", "arg_168 f32[128]");
  text = with(text, "when ?", "when tid >= 128");
  trace::ParameterChoice choice;
  choice.overrides = {{"trips_L1", 8}, {"ctas_sums", 1}, {"threads_sums", 128}};
  return frontend::load_trace_text(text, "k.trace", choice);
}

}  // namespace

TEST_CASE("a loop in a listing becomes a loop with a hole for its turns") {
  CHECK(code_of(program_from_listing(test::kCuobjdump, "k.sass")) == R"(
kernel sums
  grid (ctas_sums)
  block (threads_sums)
  registers 10
  buffer arg_160 = ?
  buffer arg_168 = ?
code
  [B------:R-:W-:-:S02] MOV R1, c[0x0][0x28]
  [B------:R-:W0:-:S04] S2R R2, SR_CTAID.X
  [B------:R-:W0:-:S02] S2R R3, SR_TID.X
  [B0-----:R-:W-:Y:S05] IMAD R2, R2, c[0x0][0x0], R3
  [B------:R-:W-:Y:S13] ISETP.GE.AND P0, PT, R2, c[0x0][0x170], PT
  [B------:R-:W-:-:S05] @P0 EXIT  when ?
  [B------:R-:W-:Y:S09] ULDC.64 UR4, c[0x0][0x118]
  [B------:R-:W-:-:S01] MOV R7, RZ
  [B------:R-:W-:-:S02] IMAD.MOV.U32 R0, RZ, RZ, RZ
  [B------:R-:W-:-:S01] MOV R9, 0x4
  [B------:R-:W-:-:S02] IMAD.WIDE R4, R2, R9, c[0x0][0x168]
  [B------:R-:W-:Y:S05] IMAD.WIDE R2, R2, R9, c[0x0][0x160]
  loop i_L1 = 0..trips_L1 using P0 [B------:R-:W-:-:S05]
    [B------:R0:W2:-:S01] LDG.E R6, [R2.64]  @ arg_160[?]
    [B------:R-:W-:Y:S04] IADD3 R0, R0, 0x1, RZ
    [B------:R-:W-:-:S01] ISETP.GE.AND P0, PT, R0, c[0x0][0x170], PT
    [B0-----:R-:W-:Y:S04] IMAD.WIDE R2, R9, c[0x0][0x170], R2
    [B--2---:R-:W-:Y:S08] FADD R7, R6, R7
  end
  [B------:R-:W-:-:S01] STG.E [R4.64], R7  @ arg_168[?]
  [B------:R-:W-:-:S05] EXIT
end
)");
}

TEST_CASE("what an import leaves open is named, each line once, and keeps the trace from being used") {
  const std::string program = program_from_listing(test::kCuobjdump, "k.sass");
  try {
    (void)frontend::load_trace_text(program, "k.trace", {});
    FAIL("a trace with holes was loaded");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 8);
    CHECK(error.problems()[0].message.find("to be filled in: param trips_L1 = ?") == 0);
    CHECK(error.problems()[0].hint == "or give --param trips_L1=VALUE");
    CHECK(error.problems()[3].message == "to be filled in: buffer arg_160 = ?");
    CHECK(error.problems()[6].message.find("LDG.E R6, [R2.64]  @ arg_160[?]") != std::string::npos);
    CHECK(error.problems()[6].where.line > error.problems()[5].where.line);
  }
}

TEST_CASE("with its holes filled, an import runs the instructions of the listing") {
  const trace::Trace trace = filled();
  REQUIRE(trace.kernels.size() == 1);
  CHECK(trace.kernels[0].control_recorded);
  trace::Walker walker(trace.kernels[0], {}, 3);
  trace::Step step;
  std::size_t steps = 0;
  while (walker.next(step)) {
    ++steps;
  }
  CHECK(steps == 12 + 8 * 6 + 2);
}

TEST_CASE("labels, branches forward and branches back inside a loop are kept") {
  const std::string code = code_of(program_from_listing(R"(Function : f
.L_0:
/*0000*/ @P0 BRA `(.L_1) ;
/*0010*/ @P1 BRA `(.L_0) ;
/*0020*/ LDS R4, [R2] ;
/*0030*/ BRA `(.L_0) ;
.L_1:
/*0040*/ EXIT ;
)",
                                                        "k.sass"));
  CHECK(code.substr(code.find("code\n")) == R"(code
  loop i_L1 = 0..trips_L1
    @P0 BRA at_0040  when ?
    @P1 BRA at_0030  when ?
    LDS R4, [R2]  @ shared_memory[?]
    at_0030:
  end
  at_0040:
  EXIT
end
)");
}

TEST_CASE("a loop that only a branch out of it leaves is followed by an exit") {
  const std::string code = code_of(program_from_listing("/*0000*/ @P0 EXIT ;\n/*0010*/ BRA 0x0 ;\n", "k"));
  CHECK(code.find("  end\n  EXIT  # never reached") != std::string::npos);
}

TEST_CASE("code that no program can be is refused with its place") {
  CHECK(import_error("/*0000*/ BRA 0x50 ;").find("k.sass:1:10: BRA goes to '0x50', which is no place in") == 0);
  CHECK(import_error("/*0000*/ CALL.REL.NOINC `(f) ;\n/*0010*/ EXIT ;").find("k.sass:1:10: CALL.REL.NOINC cannot") ==
        0);
  CHECK(import_error("/*0000*/ NOP ;").find("can run past its end") != std::string::npos);
  CHECK(
      import_error("/*0000*/ @P0 BRA 0x20 ;\n/*0010*/ NOP ;\n/*0020*/ NOP ;\n/*0030*/ @P0 BRA 0x10 ;\n/*0040*/ EXIT ;")
          .find("k.sass:1:14: BRA enters a loop from outside") == 0);
  CHECK(import_error("/*0000*/ NOP ;\n/*0010*/ NOP ;\n/*0020*/ @P0 BRA 0x0 ;\n/*0030*/ @P0 BRA 0x10 ;\n/*0040*/ EXIT ;")
            .find("overlaps another") != std::string::npos);
}

TEST_CASE("no damage to a listing makes an import fail in another way than by naming the line") {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::string text = round % 2 == 0 ? test::kCuobjdump : test::kNvdisasm;
    for (auto i = 1 + random() % 4; i > 0; --i) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0: text[at] = static_cast<char>(random() % 127 + 1); break;
        case 1: text.erase(at, random() % 40); break;
        default: text.insert(at, text.substr(random() % text.size(), random() % 60)); break;
      }
    }
    try {
      (void)program_from_listing(text, "k.sass");
    } catch (const InputError&) {
    }
  }
  SUCCEED();
}
