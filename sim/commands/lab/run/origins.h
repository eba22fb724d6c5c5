// SPDX-License-Identifier: MIT
// What each word that a kernel writes was computed from: loads, registers, shared memory and stores are followed, lane
// by lane. Values are not computed.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

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
class WrittenWords {
 public:
  /// Null when it was not written.
  [[nodiscard]] const Origin* find(std::uint64_t word) const {
    const auto found = chunks_.find(word / kChunkWords);
    return found != chunks_.end() && found->second.is_written[word % kChunkWords]
               ? &found->second.words[word % kChunkWords]
               : nullptr;
  }
  /// The word, written from here on.
  [[nodiscard]] Origin& write(std::uint64_t word) {
    Chunk& chunk = chunks_[word / kChunkWords];
    chunk.is_written.set(word % kChunkWords);
    return chunk.words[word % kChunkWords];
  }
  /// The first written word for which `is_wanted` holds, given its number and its origin.
  template <typename Predicate>
  [[nodiscard]] std::optional<std::uint64_t> first_where(const Predicate& is_wanted) const {
    for (const auto& [number, chunk] : chunks_) {
      for (std::uint64_t i = 0; i < kChunkWords; ++i) {
        if (chunk.is_written[i] && is_wanted(number * kChunkWords + i, chunk.words[i])) {
          return number * kChunkWords + i;
        }
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kChunkWords = 256;
  struct Chunk {
    std::array<Origin, kChunkWords> words;
    std::bitset<kChunkWords> is_written;
  };
  std::map<std::uint64_t, Chunk> chunks_;
};

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
