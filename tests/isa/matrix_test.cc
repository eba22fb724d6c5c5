// SPDX-License-Identifier: MIT
// Products of sparse matrices and of 4-bit integers: registers as the PTX ISA defines the fragments of mma and mma.sp,
// derived here from the shape.
#include <algorithm>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/isa/decode.h"

using namespace gpusim::isa;

namespace {

struct Product {
  std::string_view opcode;
  unsigned k = 0;
  unsigned bits = 0;    ///< of an element of A and B
  unsigned c_bits = 0;  ///< of an element of C and D
  FlopClass flop_class = FlopClass::kNone;
};

constexpr unsigned kM = 16;
constexpr unsigned kN = 8;

/// Registers a lane.
unsigned registers(unsigned elements, unsigned bits) {
  constexpr unsigned kLanes = 32;
  constexpr unsigned kRegisterBits = 32;
  return elements * bits / (kLanes * kRegisterBits);
}

void check_product(const Product& product) {
  const bool sparse = product.opcode.find(".SP.") != std::string_view::npos;
  const unsigned stored_k = sparse ? product.k / 2 : product.k;
  Instr instr = decode_opcode(product.opcode);
  std::vector<std::string_view> operands{"R4", "R8", "R12", "R16"};
  if (sparse) {
    operands.insert(operands.end(), {"R20", "0x0"});  // metadata, and which lanes have it
  }
  INFO(product.opcode);
  REQUIRE_FALSE(assign_operands(product.opcode, "", operands, instr));
  CHECK(instr.destinations[0].width == registers(kM * kN, product.c_bits));
  CHECK(instr.sources[0].width == registers(kM * stored_k, product.bits));
  CHECK(instr.sources[1].width == registers(kN * product.k, product.bits));
  CHECK(instr.sources[2].width == registers(kM * kN, product.c_bits));
  CHECK(instr.sources[3].width == (sparse ? 1 : instr.sources[3].width));
  CHECK(instr.flop_class == product.flop_class);
  CHECK(instr.flops == (product.flop_class == FlopClass::kNone ? 0 : 2 * kM * kN * stored_k));
  CHECK(instr.pipe() == Pipe::kTensor);
}

TimingClass timing_of(std::string_view opcode) {
  return decode_opcode(opcode).timing;
}

}  // namespace

TEST_CASE("a sparse product has the registers and FLOPs of the half of A that is there") {
  const std::vector<Product> products{
      {"HMMA.SP.16832.F32", 32, 16, 32, FlopClass::kTensorFp16},
      {"HMMA.SP.16832.F32.BF16", 32, 16, 32, FlopClass::kTensorBf16},
      {"HMMA.SP.16832.F16", 32, 16, 16, FlopClass::kTensorFp16Fp16Acc},
      {"HMMA.SP.16816.F32", 16, 16, 32, FlopClass::kTensorFp16},
      {"HMMA.SP.16816.F32.BF16", 16, 16, 32, FlopClass::kTensorBf16},
      {"HMMA.SP.16816.F16", 16, 16, 16, FlopClass::kTensorFp16Fp16Acc},
      {"HMMA.SP.16816.F32.TF32", 16, 32, 32, FlopClass::kTensorTf32},
      {"HMMA.SP.1688.F32.TF32", 8, 32, 32, FlopClass::kTensorTf32},
      {"IMMA.SP.16864.S8.S8", 64, 8, 32, FlopClass::kTensorInt8},
      {"IMMA.SP.16864.U8.S8.SAT", 64, 8, 32, FlopClass::kTensorInt8},
      {"IMMA.SP.16832.S8.S8", 32, 8, 32, FlopClass::kTensorInt8},
  };
  std::for_each(products.begin(), products.end(), check_product);
}

TEST_CASE("products of 4-bit integers have half the registers of 8-bit ones, and no FLOPs of theirs") {
  const std::vector<Product> products{
      {"IMMA.16864.S4.S4", 64, 4, 32},    {"IMMA.16832.S4.S4", 32, 4, 32},      {"IMMA.16832.U4.S4.SAT", 32, 4, 32},
      {"IMMA.16832.S4.U4", 32, 4, 32},    {"IMMA.SP.168128.S4.S4", 128, 4, 32}, {"IMMA.SP.16864.S4.U4", 64, 4, 32},
      {"IMMA.SP.16864.U4.U4", 64, 4, 32},
  };
  std::for_each(products.begin(), products.end(), check_product);
}

TEST_CASE("a sparse product is timed as the dense one of half its depth, which is marked as a guess") {
  CHECK(timing_of("HMMA.SP.16816.F32") == timing_of("HMMA.1688.F32"));
  CHECK(timing_of("HMMA.SP.16816.F16") == timing_of("HMMA.1688.F16"));
  CHECK(timing_of("HMMA.SP.16816.F32.TF32") == timing_of("HMMA.1688.F32.TF32"));
  CHECK(timing_of("HMMA.SP.1688.F32.TF32") == timing_of("HMMA.1684.F32.TF32"));
  CHECK(timing_of("IMMA.SP.16864.S8.S8") == timing_of("IMMA.16832.S8.S8"));
  CHECK(timing_of("IMMA.SP.16832.S8.S8") == timing_of("IMMA.16816.S8.S8"));
  for (const char* opcode : {"HMMA.SP.16816.F32", "IMMA.SP.16832.S8.S8", "IMMA.16832.S4.S4"}) {
    CHECK(find_opcode(opcode)->guess);
  }
  CHECK_FALSE(find_opcode("IMMA.16832.S8.S8")->guess);
}

TEST_CASE("the arrival of asynchronous copies at a barrier is known, and not modelled") {
  Instr instr = decode_opcode("ARRIVES.LDGSTSBAR.64");
  CHECK_FALSE(instr.known_opcode);
  REQUIRE(find_opcode("ARRIVES.LDGSTSBAR.64") != nullptr);
  CHECK(find_opcode("ARRIVES.LDGSTSBAR.64")->guess);
  const std::vector<std::string_view> operands{"[UR4+0x8]"};
  REQUIRE_FALSE(assign_operands("ARRIVES.LDGSTSBAR.64", "", operands, instr));
  CHECK(instr.destinations[0].file == RegFile::kNone);
  CHECK(instr.sources[0].file == RegFile::kUniform);
  CHECK(instr.sources[0].width == 1);
}
