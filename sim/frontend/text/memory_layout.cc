// SPDX-License-Identifier: MIT
#include "sim/frontend/text/memory_layout.h"

#include <algorithm>
#include <array>
#include <limits>

#include "sim/base/nearest.h"

namespace gpusim::frontend {
namespace {

using trace::Table;

/// 16 TiB: more than any part has, small enough that no sum of addresses overflows.
constexpr std::int64_t kMostBufferBytes = 1LL << 44U;
constexpr std::uint64_t kMostGlobalBytes = 1ULL << 46U;
/// What cudaMalloc aligns to at least.
constexpr std::uint64_t kAlignment = 256;

}  // namespace

std::optional<std::uint64_t> MemoryLayout::bytes_of(const BufferSyntax& syntax, Environment& names) {
  const auto count = names.constant_in(syntax.count, "the number of elements of '" + syntax.name.text + "'", 1,
                                       kMostBufferBytes / syntax.element_bytes);
  if (!count) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(*count) * syntax.element_bytes;
}

std::optional<MemoryLayout::TableKey> MemoryLayout::table_key(const BufferSyntax& syntax, Environment& names) {
  static constexpr std::array<std::string_view, 4> kKinds{"permutation", "hash", "chain", "affine"};
  TableKey key;
  if (!syntax.table) {
    return key;
  }
  const Word& kind = *syntax.table;
  key.kind = kind.text;
  if (std::find(kKinds.begin(), kKinds.end(), kind.text) == kKinds.end()) {
    names.reporter().add(kind.place, "unknown table '" + kind.text + "'", suggestion(kind.text, kKinds));
    return std::nullopt;
  }
  if (syntax.table_args.size() != 2) {
    names.reporter().add(kind.place,
                         "'" + kind.text + "' takes 2 arguments, not " + std::to_string(syntax.table_args.size()));
    return std::nullopt;
  }
  for (const SyntaxId arg : syntax.table_args) {
    const auto value = names.constant(arg, "an argument of '" + kind.text + "'");
    if (!value) {
      return std::nullopt;
    }
    key.args.push_back(*value);
  }
  return key;
}

std::shared_ptr<const Table> MemoryLayout::make_table(const BufferSyntax& syntax, Environment& names,
                                                      const TableKey& key, std::uint64_t count) {
  const Place where = syntax.table->place;
  if (key.kind == "affine") {
    return std::make_shared<Table>(Table::affine(count, key.args[0], key.args[1]));
  }
  if (key.kind == "hash") {
    if (key.args[1] < 1) {
      names.reporter().add(names.place(syntax.table_args[1]), "the modulus of 'hash' is " + std::to_string(key.args[1]),
                           "it must be at least 1");
      return nullptr;
    }
    return std::make_shared<Table>(Table::hashed(count, key.args[0], key.args[1]));
  }
  if (static_cast<std::uint64_t>(key.args[0]) != count) {
    names.reporter().add(
        where,
        "'" + key.kind + "' of " + std::to_string(key.args[0]) + " entries in a buffer of " + std::to_string(count),
        "the two must be equal");
    return nullptr;
  }
  if (count > Table::kMostEntries - table_entries_) {
    names.reporter().add(
        where, "the file's permutations and chains have more than " + std::to_string(Table::kMostEntries) + " entries",
        "'hash' and 'affine' take no memory");
    return nullptr;
  }
  table_entries_ += count;
  return std::make_shared<Table>(key.kind == "chain" ? Table::chain(count, key.args[1])
                                                     : Table::permutation(count, key.args[1]));
}

std::optional<PlacedBuffer> MemoryLayout::place(const BufferSyntax& syntax, Environment& names) {
  const std::optional<std::uint64_t> bytes = bytes_of(syntax, names);
  const std::optional<TableKey> table = table_key(syntax, names);
  if (!bytes || !table) {
    return std::nullopt;
  }
  for (const Global& global : globals_) {
    const bool same = global.placed.buffer.name == syntax.name.text && global.placed.buffer.bytes == *bytes;
    if (same && (!syntax.table || global.table == *table)) {
      PlacedBuffer again = global.placed;
      again.element_bytes = syntax.element_bytes;
      return again;
    }
  }
  Global global;
  global.table = *table;
  global.placed.buffer = {syntax.name.text, isa::MemSpace::kGlobal, next_, *bytes};
  global.placed.element_bytes = syntax.element_bytes;
  if (next_ - kGlobalBase + *bytes > kMostGlobalBytes) {
    names.reporter().add(syntax.name.place, "the file's buffers have more than 64 TiB");
    return std::nullopt;
  }
  if (syntax.table) {
    global.placed.table = make_table(syntax, names, *table, *bytes / syntax.element_bytes);
    if (global.placed.table == nullptr) {
      return std::nullopt;
    }
  }
  next_ += (*bytes + kAlignment - 1) / kAlignment * kAlignment;
  globals_.push_back(global);
  return global.placed;
}

std::optional<PlacedBuffer> MemoryLayout::place_shared(const BufferSyntax& syntax, Environment& names,
                                                       std::uint64_t shared_bytes) {
  const std::optional<std::uint64_t> bytes = bytes_of(syntax, names);
  const auto offset = names.constant_in(syntax.offset, "the offset of '" + syntax.name.text + "'", 0,
                                        std::numeric_limits<std::int32_t>::max());
  if (!bytes || !offset) {
    return std::nullopt;
  }
  const auto begin = static_cast<std::uint64_t>(*offset);
  if (begin + *bytes > shared_bytes) {
    names.reporter().add(syntax.name.place,
                         "shared buffer '" + syntax.name.text + "' ends at byte " + std::to_string(begin + *bytes) +
                             " of the CTA's shared memory",
                         "'shared static' and 'shared dynamic' give " + std::to_string(shared_bytes) + " bytes");
    return std::nullopt;
  }
  PlacedBuffer placed;
  placed.buffer = {syntax.name.text, isa::MemSpace::kShared, begin, *bytes};
  placed.element_bytes = syntax.element_bytes;
  return placed;
}

}  // namespace gpusim::frontend
