// SPDX-License-Identifier: MIT
#include "sim/exec/memory/atomic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/exec/memory/half.h"

namespace gpusim::exec {
namespace {

template <class T>
T integer_result(AtomicAction action, T old, T operand) {
  using Unsigned = std::make_unsigned_t<T>;
  switch (action) {
    case AtomicAction::kAdd: return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(operand));
    case AtomicAction::kMin: return std::min(old, operand);
    case AtomicAction::kMax: return std::max(old, operand);
    case AtomicAction::kInc: return old >= operand ? T{0} : static_cast<T>(old + 1);
    case AtomicAction::kDec: return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
    case AtomicAction::kAnd: return old & operand;
    case AtomicAction::kOr: return old | operand;
    case AtomicAction::kXor: return old ^ operand;
    default: return operand;
  }
}

/// NaN loses against a number.
template <class T>
T float_result(AtomicAction action, T old, T operand) {
  switch (action) {
    case AtomicAction::kAdd: return old + operand;
    case AtomicAction::kMin: return std::fmin(old, operand);
    case AtomicAction::kMax: return std::fmax(old, operand);
    default: return operand;
  }
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

std::uint64_t f32_result(AtomicAction action, std::uint64_t old, std::uint64_t operand) {
  const float a = flushed(std::bit_cast<float>(static_cast<std::uint32_t>(old)));
  const float b = flushed(std::bit_cast<float>(static_cast<std::uint32_t>(operand)));
  return std::bit_cast<std::uint32_t>(flushed(float_result(action, a, b)));
}

template <class Half>
std::uint64_t halves_result(AtomicAction action, std::uint64_t old, std::uint64_t operand) {
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 16) {
    const float a = Half::widen(static_cast<std::uint16_t>(old >> shift));
    const float b = Half::widen(static_cast<std::uint16_t>(operand >> shift));
    result |= std::uint64_t{Half::narrow(float_result(action, a, b))} << shift;
  }
  return result;
}

}  // namespace

std::uint64_t atomic_result(const AtomicKind& kind, std::uint64_t old, std::uint64_t operand, std::uint64_t compare) {
  if (kind.action == AtomicAction::kCompareSwap) {
    return old == compare ? operand : old;
  }
  if (kind.action == AtomicAction::kExchange) {
    return operand;
  }
  const auto u32 = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  const auto s32 = [](std::uint64_t value) { return static_cast<std::int32_t>(value); };
  const auto s64 = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  switch (kind.element) {
    case AtomicElement::kU32: return integer_result(kind.action, u32(old), u32(operand));
    case AtomicElement::kS32:
      return u32(static_cast<std::uint64_t>(integer_result(kind.action, s32(old), s32(operand))));
    case AtomicElement::kU64: return integer_result(kind.action, old, operand);
    case AtomicElement::kS64: return static_cast<std::uint64_t>(integer_result(kind.action, s64(old), s64(operand)));
    case AtomicElement::kF32: return f32_result(kind.action, old, operand);
    case AtomicElement::kF64:
      return std::bit_cast<std::uint64_t>(
          float_result(kind.action, std::bit_cast<double>(old), std::bit_cast<double>(operand)));
    case AtomicElement::kF16x2: return halves_result<Fp16>(kind.action, old, operand);
    case AtomicElement::kBf16x2: return halves_result<Bf16>(kind.action, old, operand);
  }
  return operand;
}

void AtomicAccess::apply(unsigned lane, std::byte* at) const {
  const unsigned words = kind.element_bytes() / 4;
  const auto value_of = [words](const std::uint32_t* row) {
    return std::uint64_t{row[0]} | (words == 2 ? std::uint64_t{row[kRow]} << 32 : 0);
  };
  for (unsigned i = 0; i < kind.count; ++i) {
    std::uint64_t old = 0;
    std::memcpy(&old, at + i * kind.element_bytes(), kind.element_bytes());
    const std::uint32_t* const row = operand.data() + i * words * kRow + lane;
    const std::uint64_t result =
        atomic_result(kind, old, value_of(row), kind.count == 1 ? value_of(compare.data() + lane) : 0);
    std::memcpy(at + i * kind.element_bytes(), &result, kind.element_bytes());
    if (old_values != nullptr) {
      for (unsigned word = 0; word < words; ++word) {
        old_values[(i * words + word) * kRow + lane] = static_cast<std::uint32_t>(old >> (32 * word));
      }
    }
  }
}

}  // namespace gpusim::exec
