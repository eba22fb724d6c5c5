// SPDX-License-Identifier: MIT
// WGMMA operations: shape, type, FLOPs and registers out of the name and the operands as disassemblies print
// them.
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/isa/decode.h"

namespace wgmma_test {

using namespace gpusim::isa;

namespace {

using Operands = std::vector<std::string_view>;

Instr decoded(std::string_view opcode, const Operands& operands) {
  Instr instr = decode_opcode(opcode);
  const auto error = assign_operands(opcode, "", operands, instr);
  INFO(error.value_or(""));
  REQUIRE_FALSE(error);
  return instr;
}

std::string error_of(std::string_view opcode, const Operands& operands) {
  Instr instr = decode_opcode(opcode);
  return assign_operands(opcode, "", operands, instr).value_or("");
}

struct Type {
  std::string_view opcode;
  FlopClass flop_class;
  unsigned k;
  unsigned accumulators;  ///< registers a lane for 128 columns
};

}  // namespace

TEST_CASE("a WGMMA operation has the type, depth, accumulators and FLOPs that its name says") {
  const std::vector<Type> types{
      {"HGMMA.64x128x16.F32", FlopClass::kTensorFp16, 16, 64},
      {"HGMMA.64x128x16.F16", FlopClass::kTensorFp16Fp16Acc, 16, 32},
      {"HGMMA.64x128x16.F32.BF16", FlopClass::kTensorBf16, 16, 64},
      {"HGMMA.64x128x8.F32.TF32", FlopClass::kTensorTf32, 8, 64},
      {"QGMMA.64x128x32.F32.E4M3.E4M3", FlopClass::kTensorFp8, 32, 64},
      {"QGMMA.64x128x32.F16.E4M3.E5M2", FlopClass::kTensorFp8Fp16Acc, 32, 32},
      {"IGMMA.64x128x32.S8.S8", FlopClass::kTensorInt8, 32, 64},
      {"BGMMA.64x128x256.AND.POPC", FlopClass::kTensorBinary, 256, 64},
  };
  for (const Type& type : types) {
    INFO(type.opcode);
    const Instr instr = decoded(type.opcode, {"R24", "gdesc[UR8]", "R24", "gsb0"});
    CHECK(instr.kind == OpKind::kWgmma);
    CHECK(instr.known_opcode);
    CHECK(instr.pipe() == Pipe::kTensor);
    CHECK(instr.wgmma == WgmmaForm{128, static_cast<std::uint16_t>(type.k), false, false, true});
    CHECK(instr.flop_class == type.flop_class);
    CHECK(instr.flops == 2 * 16 * 128 * type.k);
    CHECK(instr.destinations[0].width == type.accumulators);
  }
}

TEST_CASE("a sparse WGMMA operation is twice as deep, and has the FLOPs of the half of A that is there") {
  const Instr instr = decoded("HGMMA.SP.64x256x32.F32", {"R24", "gdesc[UR8]", "R24", "R2", "gsb0"});
  CHECK(instr.wgmma == WgmmaForm{256, 32, true, false, true});
  CHECK(instr.flops == 2 * 16 * 256 * 16);
}

TEST_CASE("the metadata of a sparse WGMMA operation are one register, behind C and also without it") {
  const Instr adds = decoded("HGMMA.SP.64x256x32.F32", {"R24", "gdesc[UR8]", "R24", "R200", "0x0", "gsb0"});
  CHECK(adds.sources[1].width == 128);
  CHECK(adds.sources[2].index == 200);
  CHECK(adds.sources[2].width == 1);
  const Instr first = decoded("HGMMA.SP.64x256x32.F32", {"R24", "gdesc[UR8]", "RZ", "!UPT", "R200", "0x0"});
  CHECK(first.sources[1].index == 200);
  CHECK(first.sources[1].width == 1);
}

TEST_CASE("a WGMMA operation takes A from registers or from shared memory, and closes a group with gsb0 alone") {
  const Instr shared = decoded("HGMMA.64x64x16.F32.BF16", {"R24", "gdesc[UR8].tnspB", "R24"});
  CHECK_FALSE(shared.wgmma.a_in_registers);
  CHECK_FALSE(shared.wgmma.closes_group);
  CHECK(shared.sources[0].width == 4);
  const Instr registers = decoded("HGMMA.64x64x16.F32", {"R24", "R4", "gdesc[UR8]", "R24", "gsb0"});
  CHECK(registers.wgmma.a_in_registers);
  CHECK(registers.wgmma.closes_group);
  CHECK(registers.sources[0].index == 4);
  CHECK(registers.sources[2].width == 32);
}

TEST_CASE("a WGMMA operation that does not add reads no accumulators, whatever register stands there") {
  const Instr instr = decoded("HGMMA.64x192x16.F32", {"R24", "gdesc[UR44]", "R2", "!UPT"});
  CHECK(instr.destinations[0].width == 96);
  CHECK(instr.sources[0].file == RegFile::kUniform);
  CHECK(instr.sources[1].file == RegFile::kNone);
}

TEST_CASE("a shape that no warpgroup multiplies is refused with what is allowed") {
  const Operands operands{"R24", "gdesc[UR8]", "R24", "gsb0"};
  CHECK(error_of("HGMMA.64x12x16.F32", operands) == "N is 12: expected a multiple of 8 from 8 to 256");
  CHECK(error_of("HGMMA.64x264x16.F32", operands) == "N is 264: expected a multiple of 8 from 8 to 256");
  CHECK(error_of("HGMMA.64x0x16.F32", operands) == "N is 0: expected a multiple of 8 from 8 to 256");
  CHECK(error_of("IGMMA.64x40x32.S8.S8", operands) ==
        "N is 40: expected 8, 16, 24, or a multiple of 16 from 32 to 256 for integers and bits");
  CHECK(error_of("IGMMA.64x24x32.S8.U8", operands).empty());
  CHECK(error_of("HGMMA.64x64x8.F32", operands) == "K is 8: expected 16 for this type");
  CHECK(error_of("HGMMA.64x64x16.F32.TF32", operands) == "K is 16: expected 8 for this type");
  CHECK(error_of("HGMMA.SP.64x64x16.F32", operands) == "K is 16: expected 32 for this type");
  CHECK(error_of("HGMMA.16816.F32", operands) ==
        "'HGMMA.16816.F32' names no shape: expected 64 x N x K, as in 'HGMMA.64x128x16.F32'");
  CHECK(error_of("HGMMA.32x64x16.F32", operands).find("names no shape") != std::string::npos);
}

TEST_CASE("a wait for groups of WGMMA operations names the one counter there is, and how many may be under way") {
  const Instr instr = decoded("WARPGROUP.DEPBAR.LE", {"gsb0", "0x1"});
  CHECK(instr.kind == OpKind::kWgmmaWait);
  CHECK(instr.depbar_limit == 1);
  CHECK(decoded("WARPGROUP.ARRIVE", {}).kind == OpKind::kNop);
  CHECK(error_of("WARPGROUP.DEPBAR.LE", {"gsb1", "0x0"}) == "operand 'gsb1' is not a group counter: expected gsb0");
  CHECK(error_of("WARPGROUP.DEPBAR.LE", {"SB0", "0x0"}) ==
        "WARPGROUP.DEPBAR names no group counter: expected 'WARPGROUP.DEPBAR.LE gsb0, 0x1'");
  CHECK(error_of("WARPGROUP.DEPBAR.LE", {"gsb0"}) ==
        "WARPGROUP.DEPBAR's second operand must be a number of groups from 0 to 63");
}

}  // namespace wgmma_test
