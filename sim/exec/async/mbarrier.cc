// SPDX-License-Identifier: MIT
#include "sim/exec/async/mbarrier.h"

#include "sim/code/sass/code.h"

namespace gpusim::exec {
namespace {

constexpr unsigned kNeededBit = 1;
constexpr unsigned kBytesBit = 21;
constexpr unsigned kMissingBit = 43;
constexpr unsigned kPhaseBit = 63;
constexpr unsigned kCountBits = 20;
constexpr unsigned kByteBits = kMissingBit - kBytesBit;

std::uint64_t bits_of(std::uint64_t state, unsigned at, unsigned width) {
  return state >> at & sass::low_bits(width);
}

}  // namespace

Mbarrier::Mbarrier(std::uint64_t state)
    : needed_(static_cast<std::uint32_t>(0 - bits_of(state, kNeededBit, kCountBits)) & kCountMask),
      missing_(static_cast<std::uint32_t>(0 - bits_of(state, kMissingBit, kCountBits)) & kCountMask),
      bytes_(sass::sign_extended(bits_of(state, kBytesBit, kByteBits), kByteBits)),
      phase_(bits_of(state, kPhaseBit, 1) != 0) {}

std::uint64_t Mbarrier::state() const {
  return (std::uint64_t{0 - needed_} & kCountMask) << kNeededBit |
         (static_cast<std::uint64_t>(bytes_) & sass::low_bits(kByteBits)) << kBytesBit |
         (std::uint64_t{0 - missing_} & kCountMask) << kMissingBit | std::uint64_t{phase_} << kPhaseBit;
}

}  // namespace gpusim::exec
