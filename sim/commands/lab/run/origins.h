// SPDX-License-Identifier: MIT
// What each word that a kernel writes was computed from: loads, registers, shared memory and stores are followed, lane
// by lane. Values are not computed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/model/trace/kernel.h"

namespace gpusim::lab {

/// Which elements something was computed from, as two numbers: those of a union are the greater ones, so that neither
/// the order nor how often an element was used matters. Different sets have different numbers but for sets of many
/// elements that differ in few. A third number is the sum over all uses, which tells how often each was used.
struct Origin {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t uses = 0;
  void add(const Origin& other) {
    join(other);
    uses += other.uses;
  }
  /// Takes the elements and not how often they were used: of the further registers of one number.
  void join(const Origin& other) {
    first = std::max(first, other.first);
    second = std::max(second, other.second);
  }
  [[nodiscard]] bool has_elements_of(const Origin& other) const {
    return first == other.first && second == other.second;
  }
};

/// Words of 4 bytes of a buffer of global memory that were written, by their number.
using WrittenWords = std::map<std::uint64_t, Origin>;

struct Origins {
  std::string not_followed;  ///< what of the trace is not followed, and so nothing is known; empty: all is followed
  std::map<std::string, WrittenWords> buffers;
};

/// Warp instructions that are followed.
inline constexpr std::uint64_t kMostFollowed = 4'000'000;

/// Follows all kernels, CTA after CTA; the warps of a CTA meet at its barrier. Not followed are the TMA, mbarriers,
/// clusters, WGMMA, named barriers, matrix products other than 16 by 8, and shuffles by a register. Throws InputError
/// when the trace's behaviour is impossible.
[[nodiscard]] Origins origins_of(const trace::Trace& trace);

}  // namespace gpusim::lab
