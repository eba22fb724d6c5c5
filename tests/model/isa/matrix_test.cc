// SPDX-License-Identifier: MIT
// Products of matrices across a warp, by type, shape and sparsity: registers as the PTX ISA defines the fragments of
// mma and mma.sp, and FLOPs, derived here from the shape. How long each takes is a row of every architecture file.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/isa/decode.h"

namespace matrix_test {

using namespace gpusim::isa;

namespace {

struct Product {
  std::string_view opcode;
  unsigned k = 0;
  unsigned bits = 0;    ///< bits of an element of A and B
  unsigned c_bits = 0;  ///< bits of an element of C and D
  FlopClass flop_class = FlopClass::kNone;
  unsigned m = 16;
};

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
  CHECK(instr.destinations[0].width == registers(product.m * kN, product.c_bits));
  CHECK(instr.sources[0].width == registers(product.m * stored_k, product.bits));
  CHECK(instr.sources[1].width == registers(kN * product.k, product.bits));
  CHECK(instr.sources[2].width == registers(product.m * kN, product.c_bits));
  CHECK(instr.sources[3].width == (sparse ? 1 : instr.sources[3].width));
  CHECK(instr.flop_class == product.flop_class);
  CHECK(instr.flops == 2 * product.m * kN * stored_k);
  CHECK(instr.pipe() == Pipe::kTensor);
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

TEST_CASE("products of 4-bit integers have half the registers of 8-bit ones, and their own peak") {
  constexpr FlopClass kInt4 = FlopClass::kTensorInt4;
  const std::vector<Product> products{
      {"IMMA.16864.S4.S4", 64, 4, 32, kInt4},     {"IMMA.16832.S4.S4", 32, 4, 32, kInt4},
      {"IMMA.16832.U4.S4.SAT", 32, 4, 32, kInt4}, {"IMMA.16832.S4.U4", 32, 4, 32, kInt4},
      {"IMMA.8832.S4.S4", 32, 4, 32, kInt4, 8},   {"IMMA.SP.168128.S4.S4", 128, 4, 32, kInt4},
      {"IMMA.SP.16864.S4.U4", 64, 4, 32, kInt4},  {"IMMA.SP.16864.U4.U4", 64, 4, 32, kInt4},
  };
  std::for_each(products.begin(), products.end(), check_product);
}

TEST_CASE("products of single bits have an eighth of the registers of 8-bit ones, and their own peak") {
  const std::vector<Product> products{
      {"BMMA.168256.AND.POPC", 256, 1, 32, FlopClass::kTensorBinary},
      {"BMMA.168128.XOR.POPC", 128, 1, 32, FlopClass::kTensorBinary},
      {"BMMA.88128.XOR.POPC", 128, 1, 32, FlopClass::kTensorBinary, 8},
  };
  std::for_each(products.begin(), products.end(), check_product);
}

TEST_CASE("products of FP8 are known by accumulator, depth and sparsity") {
  const std::vector<Product> products{
      {"QMMA.16832.F32.E4M3.E4M3", 32, 8, 32, FlopClass::kTensorFp8},
      {"QMMA.16832.F16.E5M2.E4M3", 32, 8, 16, FlopClass::kTensorFp8Fp16Acc},
      {"QMMA.16816.F32.E4M3.E4M3", 16, 8, 32, FlopClass::kTensorFp8},
      {"QMMA.16816.F16.E4M3.E5M2", 16, 8, 16, FlopClass::kTensorFp8Fp16Acc},
      {"QMMA.SP.16864.F32.E4M3.E4M3", 64, 8, 32, FlopClass::kTensorFp8},
      {"QMMA.SP.16864.F16.E4M3.E4M3", 64, 8, 16, FlopClass::kTensorFp8Fp16Acc},
  };
  std::for_each(products.begin(), products.end(), check_product);
  CHECK_FALSE(decode_opcode("QMMA.SF.16832.F32.E4M3.E4M3.E8").known_opcode);
}

TEST_CASE("Hopper's larger products of FP64 have registers and FLOPs of their shape") {
  const std::vector<Product> products{
      {"DMMA.16x8x4", 4, 64, 64, FlopClass::kTensorFp64},
      {"DMMA.16x8x8", 8, 64, 64, FlopClass::kTensorFp64},
      {"DMMA.16x8x16", 16, 64, 64, FlopClass::kTensorFp64},
      {"DMMA.8x8x4", 4, 64, 64, FlopClass::kTensorFp64, 8},
  };
  std::for_each(products.begin(), products.end(), check_product);
}

TEST_CASE("no two tensor instructions of different type, shape or sparsity share a timing class") {
  std::map<TimingClass, std::string_view> first;
  for (const OpcodeRow& row : opcode_table()) {
    if (row.timing == TimingClass::kWgmma || info(row.timing).pipe != Pipe::kTensor) {
      continue;  // the first has no times of its own
    }
    const auto [at, is_new] = first.try_emplace(row.timing, row.base);
    INFO(row.base << "." << row.modifiers);
    CHECK((is_new || at->second == row.base));
  }
  const std::set<TimingClass> all{decode_opcode("HMMA.16816.F32").timing,     decode_opcode("HMMA.SP.16832.F32").timing,
                                  decode_opcode("HMMA.SP.16816.F32").timing,  decode_opcode("HMMA.1688.F32").timing,
                                  decode_opcode("IMMA.16832.S8.S8").timing,   decode_opcode("IMMA.16832.S4.S4").timing,
                                  decode_opcode("IMMA.SP.16864.S8.S8").timing};
  CHECK(all.size() == 7);
}

TEST_CASE("the arrival of asynchronous copies at a barrier is an operation on an mbarrier") {
  Instr instr = decode_opcode("ARRIVES.LDGSTSBAR.64");
  CHECK(instr.known_opcode);
  CHECK(instr.kind == OpKind::kMbarrier);
  CHECK(instr.timing == TimingClass::kMbarrier);
  const std::vector<std::string_view> operands{"[UR4+0x8]"};
  REQUIRE_FALSE(assign_operands("ARRIVES.LDGSTSBAR.64", "", operands, instr));
  CHECK(instr.destinations[0].file == RegFile::kNone);
  CHECK(instr.sources[0].file == RegFile::kUniform);
  CHECK(instr.sources[0].width == 1);
}

}  // namespace matrix_test
