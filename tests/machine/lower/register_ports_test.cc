// SPDX-License-Identifier: MIT
// What instructions ask of the register file, and which operands an assembler keeps in the reuse cache.
#include "sim/machine/lower/register_ports.h"

#include <catch2/catch.hpp>

#include "tests/machine/lower/listing.h"

using namespace gpusim;

namespace {

using Counts = std::array<std::uint8_t, lower::kRegisterBanks>;

lower::RegisterPorts ports_of(const std::string& instruction) {
  const trace::Kernel kernel = test::kernel_from(instruction + "\nEXIT");
  return lower::register_ports(kernel.code[0], lower::reuse_bits(kernel)[0]);
}

std::vector<unsigned> reuse_of(const std::string& listing) {
  const std::vector<std::uint8_t> bits = lower::reuse_bits(test::kernel_from(listing));
  return {bits.begin(), bits.end()};
}

constexpr unsigned kFirst = 1;
constexpr unsigned kSecond = 2;

}  // namespace

TEST_CASE("reads are counted by the parity of the register") {
  CHECK(ports_of("FFMA R1, R2, R4, R7").reads[0] == Counts{2, 1});
  CHECK(ports_of("FFMA R1, R3, c[0x0][0x160], RZ").reads[0] == Counts{0, 1});
  CHECK(ports_of("IADD3 R1, R2, UR4, RZ").reads[0] == Counts{1, 0});
  CHECK(ports_of("IADD3 R1, R2, R2, R2").reads[0] == Counts{1, 0});
}

TEST_CASE("a pair is a read of each bank") {
  CHECK(ports_of("IMAD.WIDE R2, R5, R7, R8").reads[0] == Counts{1, 3});
  CHECK(ports_of("IMAD.WIDE R2, R5, R7, R8").reads[0b111] == Counts{1, 1});
}

TEST_CASE("only fixed-latency instructions of other than the tensor pipe must read in their window") {
  CHECK(ports_of("FADD R1, R2, R3").reserves);
  CHECK_FALSE(ports_of("MUFU.EX2 R1, R2").reserves);
  CHECK_FALSE(ports_of("LDG.E R1, [R2.64]").reserves);
  CHECK_FALSE(ports_of("HMMA.16816.F32 R4, R8, R12, R4").reserves);
}

TEST_CASE("a result takes the write port of each bank that it lies in") {
  CHECK(ports_of("FADD R1, R2, R3").fixed_writes == 0b10);
  CHECK(ports_of("IMAD.WIDE R2, R5, R7, R8").fixed_writes == 0b11);
  CHECK(ports_of("LDG.E R4, [R2.64]").variable_writes == 0b01);
  CHECK(ports_of("LDG.E.128 R4, [R2.64]").variable_writes == 0b11);
  CHECK(ports_of("LDG.E.128 R4, [R2.64]").fixed_writes == 0);
  CHECK(ports_of("STG.E [R2.64], R4").variable_writes == 0);
}

TEST_CASE("an operand is kept for the next instruction that reads it from the same slot") {
  CHECK(reuse_of("FFMA R8, R4, R5, R8\nFFMA R9, R4, R6, R9\nEXIT") == std::vector<unsigned>{kFirst, 0, 0});
  CHECK(reuse_of("FFMA R8, R4, R5, R8\nFFMA R9, R4, R5, R9\nFFMA R10, R6, R5, R10\nEXIT") ==
        std::vector<unsigned>{kFirst | kSecond, kSecond, 0, 0});
}

TEST_CASE("nothing is kept for another slot, across an instruction between, or past its overwrite") {
  CHECK(reuse_of("FFMA R8, R4, R5, R8\nFFMA R9, R6, R4, R9\nEXIT")[0] == 0);
  CHECK(reuse_of("FFMA R8, R4, R5, R8\nNOP\nFFMA R9, R4, R6, R9\nEXIT")[0] == 0);
  CHECK(reuse_of("FADD R4, R4, R5\nFADD R9, R4, R6\nEXIT")[0] == 0);
}

TEST_CASE("nothing is kept for or from a variable-latency or matrix instruction, or across a jump's target") {
  CHECK(reuse_of("FADD R8, R4, R5\nMUFU.EX2 R9, R4\nEXIT")[0] == 0);
  CHECK(reuse_of("MUFU.EX2 R9, R4\nFADD R8, R4, R5\nEXIT")[0] == 0);
  CHECK(reuse_of("FADD R8, R4, R5\ntop: FADD R9, R4, R6\n@P0 BRA top\nEXIT")[0] == 0);
}

TEST_CASE("the reuse bits of a trace stay as they are") {
  CHECK(reuse_of("FFMA R8, R4, R5.reuse, R8\nFFMA R9, R4, R6, R9\nEXIT") == std::vector<unsigned>{kSecond, 0, 0});
  trace::Kernel kernel = test::kernel_from("FFMA R8, R4, R5, R8\nFFMA R9, R4, R6, R9\nEXIT");
  kernel.control_recorded = true;
  CHECK(lower::reuse_bits(kernel) == std::vector<std::uint8_t>{0, 0, 0});
}
