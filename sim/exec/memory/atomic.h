// SPDX-License-Identifier: MIT
// What atomics calculate, and one warp's atomic instruction as a record: it can be applied at once, or kept and applied
// later.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/exec/memory/rows.h"

namespace gpusim::exec {

enum class AtomicAction : std::uint8_t { kAdd, kMin, kMax, kInc, kDec, kAnd, kOr, kXor, kExchange, kCompareSwap };
enum class AtomicElement : std::uint8_t { kU32, kS32, kU64, kS64, kF32, kF64, kF16x2, kBf16x2 };

struct AtomicKind {
  AtomicAction action = AtomicAction::kAdd;
  AtomicElement element = AtomicElement::kU32;
  std::uint8_t count = 1;  ///< elements of a lane, one behind the other: .F32x4

  [[nodiscard]] constexpr unsigned element_bytes() const {
    return element == AtomicElement::kU64 || element == AtomicElement::kS64 || element == AtomicElement::kF64 ? 8 : 4;
  }
  [[nodiscard]] constexpr unsigned bytes() const { return element_bytes() * count; }
};

/// The new value of one element. Integers are in the low bits. F32 flushes subnormal numbers, as the .FTZ says.
[[nodiscard]] std::uint64_t atomic_result(const AtomicKind& kind, std::uint64_t old, std::uint64_t operand,
                                          std::uint64_t compare);

/// One warp's instruction. Lanes are applied in ascending order.
struct AtomicAccess {
  static constexpr unsigned kMaxRows = 4;

  AtomicKind kind;
  AddressRow addresses;
  LaneMask mask = 0;
  alignas(kRowAlignment) std::array<std::uint32_t, kMaxRows * kRow> operand{};
  alignas(kRowAlignment) std::array<std::uint32_t, 2 * kRow> compare{};
  /// Where the old values go, rows as of a load; null where nobody wants them (RED). Valid as long as the warp lives.
  std::uint32_t* old_values = nullptr;

  /// Applies one lane to the bytes at its address, and keeps the old value.
  void apply(unsigned lane, std::byte* at) const;
};

}  // namespace gpusim::exec
