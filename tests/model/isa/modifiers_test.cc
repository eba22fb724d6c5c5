// SPDX-License-Identifier: MIT
// What modifiers say about caches and about the units for atomics.
#include <catch2/catch.hpp>

#include "sim/model/isa/decode.h"

namespace modifiers_test {

using gpusim::AtomicType;
using gpusim::Eviction;
using gpusim::isa::decode_opcode;

TEST_CASE("modifiers of global accesses say how soon their lines leave, and whether they come at all") {
  CHECK(decode_opcode("LDG.E").eviction == Eviction::kNormal);
  CHECK(decode_opcode("LDG.E.EF.128").eviction == Eviction::kFirst);
  CHECK(decode_opcode("LDG.E.LU").eviction == Eviction::kFirst);
  CHECK(decode_opcode("STG.E.EF").eviction == Eviction::kFirst);
  CHECK(decode_opcode("LDG.E.EL.CONSTANT").eviction == Eviction::kLast);
  CHECK(decode_opcode("LDG.E.NA").no_allocate);
  CHECK_FALSE(decode_opcode("LDG.E").no_allocate);
}

TEST_CASE("an atomic's modifiers say what it calculates with") {
  CHECK(decode_opcode("RED.E.ADD.STRONG.GPU").atomic_type == AtomicType::kInteger);
  CHECK(decode_opcode("ATOMG.E.ADD.64.STRONG.GPU").atomic_type == AtomicType::kInteger);
  CHECK(decode_opcode("RED.E.ADD.F32.FTZ.RN.STRONG.GPU").atomic_type == AtomicType::kFloat);
  CHECK(decode_opcode("ATOMG.E.ADD.F64.RN.STRONG.GPU").atomic_type == AtomicType::kFloat);
  CHECK(decode_opcode("RED.E.ADD.F16x2.RN.STRONG.GPU").atomic_type == AtomicType::kHalf);
  CHECK(decode_opcode("UBLKRED.G.S.ADD.BF16_V2").atomic_type == AtomicType::kHalf);
}

}  // namespace modifiers_test
