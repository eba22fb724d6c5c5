// SPDX-License-Identifier: MIT
// What is known of each byte of a CTA's shared memory: which lane wrote it last, and which ones have read it since.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/exec/check/order.h"
#include "sim/exec/memory/fault.h"

namespace gpusim::exec {

/// What is wrong with an access.
enum class Hazard : std::uint8_t {
  kUninitialised,    ///< it reads what nobody has written
  kReadAfterWrite,   ///< races with a write before
  kWriteAfterRead,   ///< races with a read before
  kWriteAfterWrite,  ///< races with a write before, if it changes the value
};

class Shadow {
 public:
  explicit Shadow(std::size_t bytes) : cells_((bytes + kWord - 1) / kWord) {}
  void restart();

  struct Access {
    const Warp& warp;  ///< that does it, or commands it
    Stamp stamp;
    Address offset = 0;
    unsigned bytes = 0;
    AccessKind kind = AccessKind::kRead;
  };
  /// Calls found(hazard, stamp of the other access) for what is wrong, each hazard at most once.
  template <class Found>
  void access(const Order& order, const Access& access, const Found& found) {
    std::array<const Stamp*, kHazards> hazards{};
    Stamp uninitialised;
    for_each_cell(access.offset, access.bytes, [&](Cell& cell) { note(order, access, cell, hazards, uninitialised); });
    for (std::size_t i = 0; i < kHazards; ++i) {
      if (hazards[i] != nullptr) {
        found(static_cast<Hazard>(i), *hazards[i]);
      }
    }
    for_each_cell(access.offset, access.bytes, [&](Cell& cell) { update(order, access, cell); });
  }

 private:
  static constexpr unsigned kWord = 4;
  static constexpr std::size_t kHazards = 4;
  /// Bytes that have been accessed together alone so far.
  struct Cell {
    Stamp write;
    std::uint32_t first_reader = 0;  ///< in readers_; 0: none
    bool is_written = false;
    bool is_atomic = false;  ///< the write; atomics do not race with one another
    bool is_split = false;   ///< its bytes have cells of their own
  };
  struct Reader {
    Stamp stamp;
    std::uint32_t next = 0;
  };

  template <class Take>
  void for_each_cell(Address offset, unsigned bytes, const Take& take) {
    for (Address at = offset; at < offset + bytes; at = (at / kWord + 1) * kWord) {
      const auto word = static_cast<std::uint32_t>(at / kWord);
      const bool is_whole = at % kWord == 0 && offset + bytes - at >= kWord;
      if (!cells_[word].is_split && !is_whole) {
        split(word);
      }
      if (!cells_[word].is_split) {
        take(cells_[word]);
        continue;
      }
      for (Address byte = at; byte < offset + bytes && byte / kWord == word; ++byte) {
        take(split_[word][byte % kWord]);
      }
    }
  }
  void split(std::uint32_t word);
  void note(const Order& order, const Access& access, const Cell& cell, std::span<const Stamp*, kHazards> hazards,
            const Stamp& uninitialised) const;
  void update(const Order& order, const Access& access, Cell& cell);
  void add_reader(Cell& cell, const Stamp& stamp);

  std::vector<Cell> cells_;  ///< by word
  std::unordered_map<std::uint32_t, std::array<Cell, kWord>> split_;
  std::vector<Reader> readers_{1};
  std::vector<std::uint32_t> free_readers_;
};

}  // namespace gpusim::exec
