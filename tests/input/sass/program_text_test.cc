// SPDX-License-Identifier: MIT
#include "sim/input/sass/program_text.h"

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/input/text/load.h"
#include "sim/model/trace/walker.h"

#include "tests/input/listing/listings.h"

namespace program_text_test {

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

std::string lines_of(const std::string& listing) {
  const std::string code = code_of(program_from_listing(listing, "k.sass"));
  return code.substr(code.find("code\n"));
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
  loop i_L1 = 0..trips_L1 using !P0 [B------:R-:W-:-:S05]
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
  loop i_L1 = 0..trips_L1 using PT
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
  CHECK(import_error("/*0000*/ BRA 0x50 ;").find("k.sass:1:10: BRA goes to '0x50', which is not a place in") == 0);
  CHECK(import_error("/*0000*/ CALL.ABS.NOINC `(vprintf) ;\n/*0010*/ EXIT ;")
            .find("k.sass:1:10: CALL.ABS.NOINC calls '`(vprintf)', which is not in 'kernel' (have it inlined") == 0);
  CHECK(import_error("/*0000*/ BRX R2 -0x50 (*\"BRANCH_TARGETS .L_1,.L_2\"*) ;\n/*0010*/ EXIT ;")
            .find("k.sass:1:10: BRX jumps to a place that is known at run time only (a jump table)") == 0);
  CHECK(
      import_error("/*0000*/ RET.REL.NODEC R20 `(k) ;").find("RET.REL.NODEC returns from a subroutine that nothing") !=
      std::string::npos);
  CHECK(
      import_error("/*0000*/ NOP ;\n/*0010*/ CALL.REL.NOINC 0x10 ;\n/*0020*/ EXIT ;").find("calls what calls itself") !=
      std::string::npos);
  CHECK(import_error("/*0000*/ NOP ;").find("can run past its end") != std::string::npos);
  CHECK(
      import_error("/*0000*/ @P0 BRA 0x20 ;\n/*0010*/ NOP ;\n/*0020*/ NOP ;\n/*0030*/ @P0 BRA 0x10 ;\n/*0040*/ EXIT ;")
          .find("k.sass:1:14: BRA enters a loop from outside") == 0);
  CHECK(import_error("/*0000*/ NOP ;\n/*0010*/ NOP ;\n/*0020*/ @P0 BRA 0x0 ;\n/*0030*/ @P0 BRA 0x10 ;\n/*0040*/ EXIT ;")
            .find("overlaps another") != std::string::npos);
}

TEST_CASE("a subroutine stands wherever it is called, and returns there") {
  const std::string code = lines_of(R"(Function : f
/*0000*/ MOV R4, 0x20 ;
/*0010*/ CALL.REL.NOINC 0x60 ;
/*0020*/ MOV R4, 32@lo((f + .L_1@srel)) ;
/*0030*/ @P1 CALL.REL.NOINC 0x60 ;
.L_1:
/*0040*/ NOP ;
/*0050*/ EXIT ;
/*0060*/ FADD R0, R0, R0 ;
/*0070*/ @P0 BRA 0x60 ;
/*0080*/ RET.REL.NODEC R4 `(f) ;
)");
  CHECK(code == R"(code
  MOV R4, 0x20
  CALL.REL.NOINC at_0060_1
  at_0060_1:
  loop i_L1 = 0..trips_L1 using P0
    FADD R0, R0, R0
  end
  RET.REL.NODEC R4, at_0020
  at_0020:
  MOV R4, 0x0
  @!P1 CALL.REL.NOINC at_0040  when ?  # the other way round than in line 5
  loop i_L2 = 0..trips_L2 using P0
    FADD R0, R0, R0
  end
  RET.REL.NODEC R4, at_0040
  at_0040:
  NOP
  EXIT
end
)");
}

TEST_CASE("code that stands behind the exit and leads back is put behind the branch to it") {
  const std::string code = lines_of(R"(/*0000*/ @P0 BRA 0x40 ;
/*0010*/ FADD R0, R0, R0 ;
/*0020*/ FADD R1, R1, R1 ;
/*0030*/ EXIT ;
/*0040*/ FMUL R0, R0, R0 ;
/*0050*/ BRA 0x20 ;
)");
  CHECK(code == R"(code
  @!P0 BRA at_0010  when ?  # the other way round than in line 1
  FMUL R0, R0, R0
  BRA at_0020
  at_0010:
  FADD R0, R0, R0
  at_0020:
  FADD R1, R1, R1
  EXIT
end
)");
}

TEST_CASE("guards that one instruction decides are one hole, those that several decide are a hole each") {
  const std::string code = lines_of(R"(/*0000*/ ISETP.GT.AND P0, PT, R0, R1, PT ;
/*0010*/ @P0 FADD R2, R2, R2 ;
/*0020*/ @!P0 FMUL R2, R2, R2 ;
/*0030*/ ISETP.LT.AND P0, P1, R0, R1, PT ;
/*0040*/ @P0 NOP ;
/*0050*/ @P0 FADD R3, R3, R3 ;
/*0060*/ @P1 ISETP.EQ.AND P0, PT, R0, R1, PT ;
/*0070*/ @P0 FADD R4, R4, R4 ;
/*0080*/ @P0 EXIT ;
/*0090*/ EXIT ;
)");
  CHECK(code == R"(code
  ISETP.GT.AND P0, PT, R0, R1, PT
  let P0_at_0000 = ?
  @P0 FADD R2, R2, R2  when P0_at_0000
  @!P0 FMUL R2, R2, R2  when !P0_at_0000
  ISETP.LT.AND P0, P1, R0, R1, PT
  let P0_at_0030 = ?
  @P0 NOP  when P0_at_0030
  @P0 FADD R3, R3, R3  when P0_at_0030
  @P1 ISETP.EQ.AND P0, PT, R0, R1, PT  when ?
  @P0 FADD R4, R4, R4  when ?
  @P0 EXIT  when ?
  EXIT
end
)");
}

TEST_CASE("a predicate of a loop is not named behind the loop") {
  const std::string code = lines_of(R"(/*0000*/ ISETP.GT.AND P0, PT, R0, R1, PT ;
/*0010*/ @P0 FADD R2, R2, R2 ;
/*0020*/ @P2 BRA 0x0 ;
/*0030*/ @P0 FADD R2, R2, R2 ;
/*0040*/ EXIT ;
)");
  CHECK(code.find("let") == std::string::npos);
}

TEST_CASE("branches of uniform predicates, of whole warps, and instructions that never execute") {
  const std::string code = lines_of(R"(/*0000*/ BRA.U !UP0, 0x30 ;
/*0010*/ BRA.DIV UR4, 0x50 ;
/*0020*/ @!PT LDS RZ, [RZ] ;
/*0030*/ @P1 BRA P2, 0x60 ;
/*0040*/ EXIT ;
/*0050*/ BRA 0x20 ;
/*0060*/ EXIT ;
)");
  CHECK(code == R"(code
  @!UP0 BRA.U at_0030  when ?
  NOP  # BRA.DIV in line 2: no lane executes it
  NOP  # LDS in line 3: no lane executes it
  at_0030:
  @P1 BRA P2, at_0060  when ?
  EXIT
  at_0060:
  EXIT
end
)");
}

TEST_CASE("a branch that two predicates decide is a hole of its own") {
  const std::string code = lines_of(R"(/*0000*/ ISETP.GT.AND P0, PT, R0, R1, PT ;
/*0010*/ @P0 BRA P1, 0x40 ;
/*0020*/ @P0 FADD R2, R2, R2 ;
/*0030*/ @!P0 FADD R2, R2, R2 ;
/*0040*/ EXIT ;
)");
  CHECK(code.find("@P0 BRA P1, at_0040  when ?\n") != std::string::npos);
  CHECK(code.find("@P0 FADD R2, R2, R2  when P0_at_0000\n") != std::string::npos);
}

TEST_CASE("a launch has the dimensions that the code asks for") {
  const auto head = [](const std::string& code) {
    const std::string text = program_from_listing(code, "k");
    const std::size_t begin = text.find("  grid (");
    return text.substr(begin, text.find("\n  registers") - begin);
  };
  CHECK(head("S2R R0, SR_CTAID.Y ;\nEXIT ;") == "  grid (ctas_kernel, ctas_y_kernel)\n  block (threads_kernel)");
  CHECK(head("S2UR UR4, SR_TID.Z ;\nEXIT ;") ==
        "  grid (ctas_kernel)\n  block (threads_kernel, threads_y_kernel, threads_z_kernel)");
  CHECK(head("MOV R4, c[0x0][0x4] ;\nEXIT ;") == "  grid (ctas_kernel)\n  block (threads_kernel, threads_y_kernel)");
  CHECK(program_from_listing("S2R R0, SR_TID.Z ;\nEXIT ;", "k")
            .find("param threads_z_kernel = ? in 1..64 \"threads of a "
                  "CTA along z\"") != std::string::npos);
}

TEST_CASE("shared memory is a hole unless the listing says how much it is") {
  const std::string code = ".text.f:\nLDS R0, [R1] ;\nEXIT ;\n";
  CHECK(program_from_listing(code, "k").find("shared static shared_f\n") != std::string::npos);
  CHECK(program_from_listing(".section .nv.shared.f,\"aw\",@nobits\n.align 16\n.zero 1024\n.zero 0x10\n" + code, "k")
            .find("  shared static 1040\n  shared_buffer shared_memory bytes[1040] at 0\n") != std::string::npos);
  const std::string usage = program_from_listing(
      " Function f:\n  REG:24 STACK:0 SHARED:512 LOCAL:0 CONSTANT[0]:372 TEXTURE:0 SURFACE:0 SAMPLER:0\n" + code, "k");
  CHECK(usage.find("  registers 24\n  shared static 512\n") != std::string::npos);
  CHECK(program_from_listing(".section .nv.shared.f,\"aw\",@nobits\n" + code, "k").find("shared dynamic shared_f\n") !=
        std::string::npos);
}

TEST_CASE("spills lie where the stack pointer says, and the listing or a hole says how many bytes they are") {
  const std::string code = ".text.f:\nSTL.64 [R1+0x8], R4 ;\nLDL R0, [R1] ;\nLDL R0, [R5] ;\nEXIT ;\n";
  const std::string text = program_from_listing(code, "k");
  CHECK(text.find("param local_f = ? in 1..524288") != std::string::npos);
  CHECK(text.find("  local local_f\n  local_buffer local_memory bytes[local_f] at 0\n") != std::string::npos);
  CHECK(text.find("STL.64 [R1+0x8], R4  @ local_memory + 0x8\n") != std::string::npos);
  CHECK(text.find("LDL R0, [R1]  @ local_memory\n") != std::string::npos);
  CHECK(text.find("LDL R0, [R5]  @ local_memory[?]\n") != std::string::npos);
  const std::string usage =
      program_from_listing(" Function f:\n  REG:24 STACK:40 SHARED:0 LOCAL:0 CONSTANT[0]:372\n" + code, "k");
  CHECK(usage.find("  local 40\n  local_buffer local_memory bytes[40] at 0\n") != std::string::npos);
}

TEST_CASE("named barriers are taken") {
  CHECK(program_from_listing("BAR.SYNC 0x3, 0x40 ;\nEXIT ;", "k").find("  barriers 4\n") != std::string::npos);
}

TEST_CASE("functions whose names are the same as a program writes them get names of their own") {
  const std::string text = program_from_listing("Function : a.b\nEXIT ;\nFunction : a_b\nEXIT ;\n", "k");
  CHECK(text.find("kernel a_b\n") != std::string::npos);
  CHECK(text.find("kernel a_b_2\n") != std::string::npos);
}

TEST_CASE("arguments begin where the architecture has them") {
  const std::string code =
      "/*0000*/ LDC.64 R2, c[0x0][0x210] ;\n/*0010*/ ULDC.64 UR4, c[0x0][0x208] ;\n"
      "/*0020*/ LDG.E R4, desc[UR4][R2.64] ;\n/*0030*/ LDG.E R5, desc[UR4][R6.64] ;\n/*0040*/ EXIT ;\n";
  const std::string hopper = program_from_listing("code for sm_90a\nFunction : f\n" + code, "k");
  CHECK(hopper.find("R4, desc[UR4][R2.64]  @ arg_210[?]") != std::string::npos);
  CHECK(hopper.find("R5, desc[UR4][R6.64]  @ global_memory[?]") != std::string::npos);
}

}  // namespace program_text_test
