// SPDX-License-Identifier: MIT
// Counters as plain struct fields, described once: a table of rows (name, unit, meaning, member) drives sums,
// differences, JSON, CSV, text and the documentation. A field without a row does not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace gpusim::stats {

enum class Unit : std::uint8_t { kCount, kCycles, kWarpCycles, kInstructions, kSectors, kBytes, kRequests };
inline constexpr std::array<std::string_view, 7> kUnitNames{"count",   "cycles", "warp-cycles", "instructions",
                                                            "sectors", "bytes",  "requests"};

template <class Block>
struct Field {
  std::string_view name;
  Unit unit;
  std::string_view what;
  std::uint64_t Block::*member;
};

/// True when the table has a row for every 64-bit field of the block, with distinct names and members.
template <class Block>
consteval bool covers_every_field() {
  static_assert(std::is_standard_layout_v<Block> && std::is_trivially_copyable_v<Block>);
  const auto& fields = Block::kFields;
  if (sizeof(Block) != fields.size() * sizeof(std::uint64_t)) {
    return false;
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (fields[i].name == fields[j].name || fields[i].member == fields[j].member) {
        return false;
      }
    }
  }
  return true;
}

/// Adds every field of `from` to `to`.
template <class Block>
constexpr void add(Block& to, const Block& from) {
  for (const auto& field : Block::kFields) {
    to.*(field.member) += from.*(field.member);
  }
}

}  // namespace gpusim::stats
