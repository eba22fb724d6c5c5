// SPDX-License-Identifier: MIT
#include "sim/model/isa/decode.h"

#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/isa/mio.h"

namespace decode_test {

using namespace gpusim::isa;

namespace {

std::string name_of(const Operand& operand) {
  static constexpr std::string_view kPrefixes[] = {"-", "R", "UR", "P", "UP"};
  std::string text = std::string(kPrefixes[static_cast<std::size_t>(operand.file)]) + std::to_string(operand.index);
  if (operand.width != 1) {
    text += "x" + std::to_string(operand.width);
  }
  return text;
}

template <typename Operands>
std::string names_of(const Operands& operands) {
  std::string text;
  for (const Operand& operand : operands) {
    if (operand.file != RegFile::kNone) {
      text += (text.empty() ? "" : " ") + name_of(operand);
    }
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    parts.push_back(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 2);
  }
  return parts;
}

struct Line {
  std::string_view guard, opcode, operands;
};

Instr decode(const Line& line) {
  Instr instr = decode_opcode(line.opcode);
  const auto parts = split(line.operands);
  const auto error = assign_operands(line.opcode, line.guard, parts, instr);
  INFO(line.opcode << " " << line.operands << ": " << error.value_or(""));
  REQUIRE_FALSE(error);
  return instr;
}

/// "written <- read"
std::string roles(std::string_view opcode, std::string_view operands) {
  const Instr instr = decode({"", opcode, operands});
  return names_of(instr.destinations) + " <- " + names_of(instr.sources);
}

std::string error_of(std::string_view opcode, std::string_view operands, std::string_view guard = "") {
  Instr instr = decode_opcode(opcode);
  const auto parts = split(operands);
  return assign_operands(opcode, guard, parts, instr).value_or("no error");
}

}  // namespace

TEST_CASE("arithmetic writes its first operand and reads the others") {
  CHECK(roles("FFMA", "R0, R1, R2, R3") == "R0 <- R1 R2 R3");
  CHECK(roles("FADD.FTZ", "R0, -R1, |R2|") == "R0 <- R1 R2");
  CHECK(roles("LOP3.LUT", "R0, R1, 0x1f, ~R2, 0xc0, !PT") == "R0 <- R1 R2");
  CHECK(roles("FMUL", "R0, R1, 1.4426950216293334961") == "R0 <- R1");
  CHECK(roles("FMNMX", "R0, R1, -INF, !PT") == "R0 <- R1");
  CHECK(roles("SEL", "R0, RZ, 0x1, !P3") == "R0 <- P3");
  CHECK(roles("IMAD.MOV.U32", "R1, RZ, RZ, c[0x0][0x28]") == "R1 <- ");
  CHECK(roles("HADD2.F32", "R0, -RZ, R2.H0_H0") == "R0 <- R2");
}

TEST_CASE("forms with a long immediate write as their short ones do") {
  CHECK(roles("FFMA32I", "R0, R1, 1.5, R2") == "R0 <- R1 R2");
  CHECK(roles("LOP32I.AND", "R0, R1, 0xffff") == "R0 <- R1");
}

TEST_CASE("carries and comparisons write predicates") {
  CHECK(roles("IADD3", "R0, P0, P1, R2, R3, R4") == "R0 P0 P1 <- R2 R3 R4");
  CHECK(roles("IADD3.X", "R0, R2, R3, RZ, P0, !PT") == "R0 <- R2 R3 P0");
  CHECK(roles("ISETP.GE.AND", "P0, PT, R4, R5, PT") == "P0 <- R4 R5");
  CHECK(roles("ISETP.GE.AND.EX", "P0, P2, R4, c[0x0][0x160], P1, P3") == "P0 P2 <- R4 P1 P3");
  CHECK(roles("PLOP3.LUT", "P0, PT, P1, P2, P3, 0x80, 0x0") == "P0 <- P1 P2 P3");
  CHECK(roles("LOP3.LUT", "P0, RZ, R1, R2, RZ, 0xc0, !PT") == "P0 <- R1 R2");
  CHECK(roles("DSETP.GT.AND", "P0, PT, R2, R4, PT") == "P0 <- R2x2 R4x2");
  CHECK(roles("FCHK", "P0, R1, R2") == "P0 <- R1 R2");
  CHECK(roles("R2P", "PR, R2, 0x7f") == "P0x7 <- R2");
  CHECK(roles("P2R", "R0, PR, R1, 0x7f") == "R0 <- P0x7 R1");
  CHECK(roles("UISETP.NE.AND", "UP0, UPT, UR4, URZ, UPT") == "UP0 <- UR4");
}

TEST_CASE("exchanges between lanes write what SASS puts first") {
  CHECK(roles("SHFL.BFLY", "PT, R0, R1, 0x10, 0x1f") == "R0 <- R1");
  CHECK(roles("SHFL.IDX", "P0, R0, R1, R2, R3") == "P0 R0 <- R1 R2 R3");
  CHECK(roles("VOTE.ANY", "R0, PT, P2") == "R0 <- P2");
  CHECK(roles("VOTE.ALL", "P0, P2") == "P0 <- P2");
  CHECK(roles("ELECT", "P1, URZ, PT") == "P1 <- ");
  CHECK(roles("MATCH.ALL", "P1, R0, R1") == "P1 R0 <- R1");
  CHECK(roles("VOTEU.ANY", "UR4, UPT, P1") == "UR4 <- P1");
}

TEST_CASE("wide results and sources take register pairs") {
  CHECK(roles("IMAD.WIDE", "R2, R4, R5, R6") == "R2x2 <- R4 R5 R6x2");
  CHECK(roles("IMAD.WIDE.U32", "R2, P0, R4, R5, c[0x0][0x168]") == "R2x2 P0 <- R4 R5");
  CHECK(roles("IMAD.HI.U32", "R3, R3, R5, R2") == "R3 <- R3 R5 R2x2");
  CHECK(roles("UIMAD.WIDE", "UR4, UR5, UR6, UR8") == "UR4x2 <- UR5 UR6 UR8x2");
  CHECK(roles("DFMA", "R2, R4, R6, R2") == "R2x2 <- R4x2 R6x2 R2x2");
  CHECK(roles("F2F.F64.F32", "R2, R0") == "R2x2 <- R0");
  CHECK(roles("F2F.F32.F64", "R0, R2") == "R0 <- R2x2");
  CHECK(roles("I2F.F64", "R2, R0") == "R2x2 <- R0");
  CHECK(roles("F2I.S64.F64.TRUNC", "R2, R4") == "R2x2 <- R4x2");
  CHECK(roles("CS2R", "R2, SRZ") == "R2x2 <- ");
  CHECK(roles("CS2R.32", "R2, SR_CLOCKLO") == "R2 <- ");
  CHECK(roles("ULDC.64", "UR4, c[0x0][0x118]") == "UR4x2 <- ");
  CHECK(roles("UIADD3.64", "UR4, UR6, UR8, URZ") == "UR4x2 <- UR6x2 UR8x2");
  CHECK(roles("LEPC", "R20") == "R20x2 <- ");
}

TEST_CASE("loads and stores take the width of their access, and addresses are pairs in global memory") {
  CHECK(roles("LDG.E", "R0, [R2.64]") == "R0 <- R2x2");
  CHECK(roles("LDG.E.128.CONSTANT", "R4, [R2.64+0x10]") == "R4x4 <- R2x2");
  CHECK(roles("LDG.E.64", "R4, desc[UR4][R2.64+UR6+-0x10]") == "R4x2 <- UR4x2 R2x2 UR6x2");
  CHECK(roles("LDG.E.SYS", "R0, [R2]") == "R0 <- R2x2");
  CHECK(roles("LDG.E", "R0, [R2.U32+UR4]") == "R0 <- R2 UR4x2");
  CHECK(roles("STG.E.64", "[R2.64], R4") == " <- R2x2 R4x2");
  CHECK(roles("STG.E.U8", "desc[UR4][R2.64], R4") == " <- UR4x2 R2x2 R4");
  CHECK(roles("LDS.U.128", "R4, [R0.X4+0x100]") == "R4x4 <- R0");
  CHECK(roles("LDS", "R4, [UR4]") == "R4 <- UR4");
  CHECK(roles("STS.64", "[R0+UR4], R2") == " <- R0 UR4 R2x2");
  CHECK(roles("LDC.64", "R2, c[0x3][R0]") == "R2x2 <- R0");
  CHECK(roles("LDSM.16.M88.4", "R4, [R0+0x800]") == "R4x4 <- R0");
  CHECK(roles("LDSM.16.MT88.2", "R4, [R0]") == "R4x2 <- R0");
  CHECK(roles("ATOMG.E.ADD.STRONG.GPU", "PT, R0, [R2.64], R4") == "R0 <- R2x2 R4");
  CHECK(roles("ATOMG.E.CAS.64.STRONG.GPU", "PT, R0, [R2.64], R4, R6") == "R0x2 <- R2x2 R4x2 R6x2");
  CHECK(roles("ATOMS.CAS", "R0, [R2], R4, R5") == "R0 <- R2 R4 R5");
  CHECK(roles("RED.E.ADD.F64.RN.STRONG.GPU", "[R2.64], R4") == " <- R2x2 R4x2");
  CHECK(roles("LDGSTS.E.BYPASS.128", "[R30+0x100], [R2.64], !P0") == " <- R30 R2x2 P0");
}

TEST_CASE("matrix instructions take the fragments of their shape") {
  CHECK(roles("HMMA.16816.F32.BF16", "R4, R8, R12, R4") == "R4x4 <- R8x4 R12x2 R4x4");
  CHECK(roles("HMMA.16816.F16", "R4, R8, R12, R4") == "R4x2 <- R8x4 R12x2 R4x2");
  CHECK(roles("HMMA.1688.F32", "R4, R8, R12, RZ") == "R4x4 <- R8x2 R12");
  CHECK(roles("HMMA.1688.F32.TF32", "R4, R8, R12, R4") == "R4x4 <- R8x4 R12x2 R4x4");
  CHECK(roles("HMMA.884.F32.F32.STEP1", "R4, R8.reuse.ROW, R12.reuse.COL, R4") == "R4x2 <- R8x2 R12x2 R4x2");
  CHECK(roles("IMMA.16832.S8.S8", "R4, R8.ROW, R12.COL, R4") == "R4x4 <- R8x4 R12x2 R4x4");
  CHECK(roles("DMMA.884", "R4, R8, R10, R4") == "R4x4 <- R8x2 R10x2 R4x4");
}

TEST_CASE("matrix instructions count 2 M N K FLOPs a warp in the class of their inputs") {
  const auto check = [](std::string_view opcode, std::uint32_t flops, FlopClass flop_class) {
    const Instr instr = decode_opcode(opcode);
    CHECK(instr.flops == flops);
    CHECK(instr.flop_class == flop_class);
    CHECK(instr.pipe() == Pipe::kTensor);
  };
  check("HMMA.16816.F32", 2 * 16 * 8 * 16, FlopClass::kTensorFp16);
  check("HMMA.16816.F32.BF16", 2 * 16 * 8 * 16, FlopClass::kTensorBf16);
  check("HMMA.1688.F32.TF32", 2 * 16 * 8 * 8, FlopClass::kTensorTf32);
  check("HMMA.1684.F32.TF32", 2 * 16 * 8 * 4, FlopClass::kTensorTf32);
  check("HMMA.884.F32.F32.STEP0", 2 * 16 * 16 * 16 / 16, FlopClass::kTensorFp16);
  check("HMMA.884.F16.F16.STEP0", 2 * 16 * 16 * 16 / 8, FlopClass::kTensorFp16Fp16Acc);
  check("IMMA.16832.S8.S8", 2 * 16 * 8 * 32, FlopClass::kTensorInt8);
  check("IMMA.8816.S8.S8", 2 * 8 * 8 * 16, FlopClass::kTensorInt8);
  check("DMMA.884", 2 * 8 * 8 * 4, FlopClass::kTensorFp64);
}

TEST_CASE("arithmetic counts its FLOPs a lane") {
  CHECK(decode_opcode("FFMA.FTZ").flops == 2);
  CHECK(decode_opcode("FADD").flops == 1);
  CHECK(decode_opcode("HFMA2.MMA").flops == 4);
  CHECK(decode_opcode("HADD2").flops == 2);
  CHECK(decode_opcode("HADD2.F32").flops == 0);
  CHECK(decode_opcode("DFMA").flop_class == FlopClass::kFp64);
  CHECK(decode_opcode("FSETP.GT.AND").flops == 0);
}

TEST_CASE("memory opcodes say space, size and whether they pass by L1") {
  CHECK(decode_opcode("LDG.E").bytes_per_lane == 4);
  CHECK(decode_opcode("LDG.E.U8").bytes_per_lane == 1);
  CHECK(decode_opcode("LDS.S16").bytes_per_lane == 2);
  CHECK(decode_opcode("STL.64").space == MemSpace::kLocal);
  CHECK(decode_opcode("LDSM.16.M88.4").matrices == 4);
  CHECK(decode_opcode("LDSM.16.M88.4").bytes_per_lane == 16);
  CHECK(decode_opcode("LDSM.16.M88").bytes_per_lane == 4);
  CHECK(decode_opcode("LDGSTS.E.BYPASS.128").bypass_l1);
  CHECK(decode_opcode("LDG.E.STRONG.GPU").bypass_l1);
  CHECK_FALSE(decode_opcode("LDG.E.SYS").bypass_l1);  // every Volta load says .SYS
  CHECK_FALSE(decode_opcode("LDG.E.STRONG.SM").bypass_l1);
  CHECK(decode_opcode("LDG.E.LTC64B").fetch_sectors == 2);
  CHECK(decode_opcode("LDGSTS.E.BYPASS.LTC128B.128").fetch_sectors == 4);
  CHECK(decode_opcode("LDG.E").fetch_sectors == 0);
}

TEST_CASE("guards are read with and without their sign") {
  const Instr instr = decode({"@!P2", "FADD", "R0, R1, R2"});
  CHECK(instr.guarded);
  CHECK(instr.guard_negated);
  CHECK(names_of(std::array{instr.guard}) == "P2");
  CHECK_FALSE(decode({"@PT", "EXIT", ""}).guarded);
  CHECK(decode({"@UP1", "BRA", "top"}).guard.file == RegFile::kUniformPredicate);
  CHECK(error_of("EXIT", "", "@P9").find("'@P9' is not a predicate") != std::string::npos);
}

TEST_CASE("the reuse flag and the slot of a source are kept") {
  const Instr instr = decode({"", "FFMA", "R5, RZ, R4.reuse, R8"});
  CHECK(instr.sources[0].reuse);
  CHECK(instr.sources[0].slot == 1);
  CHECK_FALSE(instr.sources[1].reuse);
  CHECK(instr.sources[1].slot == 2);
}

TEST_CASE("barriers and dependence counters are read") {
  const Instr all = decode({"", "BAR.SYNC.DEFER_BLOCKING", "0x3"});
  CHECK(all.barrier_id == 3);
  CHECK(all.barrier_threads == 0);
  CHECK(all.barrier_waits);
  const Instr depbar = decode({"", "DEPBAR.LE", "SB0, 0x1"});
  CHECK(depbar.depbar_counter == 0);
  CHECK(depbar.depbar_limit == 1);
  CHECK(error_of("DEPBAR.LE", "SB6, 0x1").find("'SB6' is not a dependence counter") != std::string::npos);
  CHECK(error_of("DEPBAR.LE", "SB0, 0x40").find("0 to 63") != std::string::npos);
  CHECK(error_of("DEPBAR.LE", "").find("names no counter") != std::string::npos);
  CHECK(error_of("BAR.SYNC", "0x10").find("barrier 16 does not exist") != std::string::npos);
}

TEST_CASE("barriers count threads, and BAR.ARV does not wait") {
  CHECK(decode({"", "BAR.SYNC.DEFER_BLOCKING", "0x1, 0x80"}).barrier_threads == 128);
  CHECK(decode({"", "BAR.RED.POPC.DEFER_BLOCKING", "0x1, 64, P0"}).barrier_threads == 64);
  CHECK(decode({"", "BAR.RED.POPC.DEFER_BLOCKING", "0x0, P0"}).barrier_threads == 0);
  const Instr arrive = decode({"", "BAR.ARV", "0x2, 0x40"});
  CHECK(arrive.barrier_id == 2);
  CHECK(arrive.barrier_threads == 64);
  CHECK_FALSE(arrive.barrier_waits);
  CHECK(decode({"", "BAR.ARV", "0x2, R4"}).barrier_waits);
  CHECK(error_of("BAR.ARV", "0x2").find("needs the number of threads") != std::string::npos);
  CHECK(error_of("BAR.SYNC", "0x2, 0x0").find("barrier of 0 threads: expected 1 to 1024") != std::string::npos);
  CHECK(error_of("BAR.SYNC", "0x2, 1025").find("expected 1 to 1024") != std::string::npos);
}

TEST_CASE("a NANOSLEEP has its nanoseconds when they are a number") {
  CHECK(decode({"", "NANOSLEEP", "0x64"}).sleep_ns == 100);
  CHECK(decode({"", "NANOSLEEP", "0xffffffff"}).sleep_ns == kMostSleepNs);
  CHECK(decode({"", "NANOSLEEP", "R4"}).sleep_ns == 0);
}

TEST_CASE("control flow takes labels and targets relative to a register") {
  CHECK(roles("BRA", "`(.L_x_1)") == " <- ");
  CHECK(roles("BRA", "loop_top") == " <- ");
  CHECK(roles("BSSY", "B0, `(.L_1)") == " <- ");
  CHECK(roles("RET.REL.NODEC", "R20 `(f)") == " <- R20x2");
  CHECK(roles("WARPSYNC", "0xffffffff") == " <- ");
}

TEST_CASE("an operand that makes no sense is named") {
  CHECK(error_of("FADD", "R0, R256, R1").find("'R256' is not a register: expected R0 to R254, or RZ") !=
        std::string::npos);
  CHECK(error_of("FADD", "R0, R4x, R1").find("'R4x' is not a register") != std::string::npos);
  CHECK(error_of("FADD", "R0, foo, R1").find("'foo' makes no sense") != std::string::npos);
  CHECK(error_of("FADD", "R0, 12abc, R1").find("'12abc' makes no sense") != std::string::npos);
  CHECK(error_of("FADD", "R0, , R1") == "an operand is empty");
  CHECK(error_of("LDG.E", "R0, [R2.64").find("has no closing ']'") != std::string::npos);
  CHECK(error_of("LDG.E", "R0, [foo]").find("the address term 'foo'") != std::string::npos);
  CHECK(error_of("LDG.E", "R0, [R2.64]]").find("text after ']'") != std::string::npos);
  CHECK(error_of("LDG.E.128", "R251, [R2.64]") == "no error");
  CHECK(error_of("LDG.E.128", "R252, [R2.64]").find("'R252' begins a group of 4") != std::string::npos);
  CHECK(error_of("FFMA", "R0, R1, R2, R3, R4, R5, R6").find("more registers") != std::string::npos);
}

TEST_CASE("no text of an operand crashes the decoder") {
  std::mt19937 random(5);
  constexpr std::string_view kBytes = "RUPSBTZ0129.[]+-|~!c, xdesc'`(){}";
  for (const char* opcode : {"LDG.E.128", "FFMA", "DEPBAR.LE", "BAR.SYNC", "BRA", "VOTE", "R2P", "HMMA.16816.F32"}) {
    for (int round = 0; round < 3000; ++round) {
      std::string text;
      for (auto i = random() % 24; i > 0; --i) {
        text += kBytes[random() % kBytes.size()];
      }
      CHECK_NOTHROW(error_of(opcode, text, round % 2 == 0 ? "" : text));
    }
  }
}

TEST_CASE("an unknown opcode gets the default class and a near name") {
  const Instr instr = decode_opcode("FOOBAR.X");
  CHECK_FALSE(instr.known_opcode);
  CHECK(instr.timing == TimingClass::kDefault);
  CHECK(nearest_opcode("FFMB.FTZ") == "FFMA");
  CHECK(nearest_opcode("QQQQQQQQ").empty());
}

TEST_CASE("base registers alone give the same widths as full operands") {
  const auto assigned = [](std::string_view opcode, std::vector<std::uint16_t> d, std::vector<std::uint16_t> s) {
    Instr instr = decode_opcode(opcode);
    assign_registers(opcode, d, s, instr);
    return names_of(instr.destinations) + " <- " + names_of(instr.sources);
  };
  CHECK(assigned("LDG.E.128", {4}, {2}) == "R4x4 <- R2x2");
  CHECK(assigned("STG.E.64", {}, {2, 4}) == " <- R2x2 R4x2");
  CHECK(assigned("STS.64", {}, {2, 4}) == " <- R2 R4x2");
  CHECK(assigned("HFMA2.MMA", {7}, {255, 255}) == "R7 <- ");
  CHECK(assigned("IMAD.WIDE", {2}, {6, 7}) == "R2x2 <- R6 R7");
  CHECK(assigned("IMAD.WIDE", {2}, {6, 8}) == "R2x2 <- R6 R8x2");
  CHECK(assigned("HMMA.16816.F32", {4}, {8, 12, 4}) == "R4x4 <- R8x4 R12x2 R4x4");
  CHECK(assigned("LDGSTS.E.128", {}, {30, 2}) == " <- R30 R2x2");
  CHECK(assigned("FADD", {300}, {1, 2, 3, 4, 5, 6, 7}) == " <- R1 R2 R3 R4 R5");
}

TEST_CASE("control bits print as they are read") {
  const std::string text = "[B--2--5:R0:W3:Y:S04]";
  const auto bits = parse_control_bits(text);
  REQUIRE(bits);
  CHECK(bits->wait_mask == 0b100100);
  CHECK(bits->read_barrier == 0);
  CHECK(bits->write_barrier == 3);
  CHECK(bits->yield);
  CHECK(bits->stall == 4);
  CHECK(to_text(*bits) == text);
  CHECK(to_text(ControlBits{}) == "[B------:R-:W-:-:S01]");
  CHECK(parse_control_bits("[B------:R-:W-:-:S113]")->stall == 113);
  CHECK(parse_control_bits("[B------:R-:W-:-:S00]")->stall == 1);
}

TEST_CASE("malformed control bits are refused") {
  for (const char* text : {"", "[B------:R-:W-:-:S1]", "[B2-----:R-:W-:-:S01]", "[B------:R6:W-:-:S01]",
                           "[B------:R-:W-:-:S01", "[B------:R-:W-:-:S01]x", "[B------:R-:W-:-:S256]"}) {
    INFO(text);
    CHECK_FALSE(parse_control_bits(text));
  }
}

TEST_CASE("no row of the table is hidden by an earlier one") {
  for (const OpcodeRow& row : opcode_table()) {
    const std::string opcode = std::string(row.base) + (row.modifiers.empty() ? "" : "." + std::string(row.modifiers));
    INFO(opcode);
    CHECK(find_opcode(opcode) == &row);
  }
}

TEST_CASE("accesses and shuffles go to the load/store unit; constants, barriers and special registers to the ADU") {
  const auto unit = [](std::string_view opcode, std::string_view operands) {
    return mio_unit(decode({"", opcode, operands}));
  };
  CHECK(unit("LDG.E", "R0, [R2]") == MioUnit::kLsu);
  CHECK(unit("STS", "[R0], R1") == MioUnit::kLsu);
  CHECK(unit("LDSM.16.M88.4", "R4, [R0]") == MioUnit::kLsu);
  CHECK(unit("LDGDEPBAR", "") == MioUnit::kLsu);
  CHECK(unit("SHFL.BFLY", "PT, R0, R1, 0x1, 0x1f") == MioUnit::kLsu);
  CHECK(unit("LDC", "R1, c[0x0][0x28]") == MioUnit::kAdu);
  CHECK(unit("BAR.SYNC.DEFER_BLOCKING", "0x0") == MioUnit::kAdu);
  CHECK(unit("S2R", "R0, SR_CTAID.X") == MioUnit::kAdu);
  CHECK(unit("S2UR", "UR5, SR_CgaCtaId") == MioUnit::kAdu);
  CHECK(unit("R2UR", "UR4, R2") == MioUnit::kNone);
  CHECK(unit("UTMALDG.2D", "[UR4], [UR6]") == MioUnit::kNone);
  CHECK(unit("FFMA", "R0, R1, R2, R3") == MioUnit::kNone);
}

TEST_CASE("a store brings the load/store unit the registers of its width, a load none") {
  CHECK(data_registers(decode({"", "STG.E.128", "[R2], R4"})) == 4);
  CHECK(data_registers(decode({"", "STG.E", "[R2], R4"})) == 1);
  CHECK(data_registers(decode({"", "STS.U16", "[R2], R4"})) == 1);
  CHECK(data_registers(decode({"", "STSM.16.M88.4", "[R0], R4"})) == 4);
  CHECK(data_registers(decode({"", "RED.E.ADD.F32", "[R2], R4"})) == 1);
  CHECK(data_registers(decode({"", "SHFL.IDX", "PT, R0, R1, R2, 0x1f"})) == 1);
  CHECK(data_registers(decode({"", "LDG.E.128", "R4, [R2]"})) == 0);
}

}  // namespace decode_test
