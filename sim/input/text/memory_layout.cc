// SPDX-License-Identifier: MIT
#include "sim/input/text/memory_layout.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "sim/base/address_space.h"
#include "sim/base/nearest.h"
#include "sim/model/trace/dealing.h"

namespace gpusim::frontend {
namespace {

using trace::Table;

/// 16 TiB: more than any GPU has, small enough that no sum of addresses overflows.
constexpr std::int64_t kMostBufferBytes = 1LL << 44U;
constexpr std::uint64_t kMostGlobalBytes = 1ULL << 46U;
/// What cudaMalloc aligns to at least.
constexpr std::uint64_t kAlignment = 256;

struct ElementType {
  std::string_view name;
  std::uint32_t bytes;
};
constexpr std::array<ElementType, 14> kTypes{{{"u8", 1},
                                              {"i8", 1},
                                              {"bytes", 1},
                                              {"e4m3", 1},
                                              {"e5m2", 1},
                                              {"f16", 2},
                                              {"bf16", 2},
                                              {"u16", 2},
                                              {"f32", 4},
                                              {"u32", 4},
                                              {"i32", 4},
                                              {"f64", 8},
                                              {"u64", 8},
                                              {"i64", 8}}};

struct TableKind {
  std::string_view name;
  std::size_t arguments;
  bool of_matrix = false;  ///< the first argument is a matrix
};
constexpr std::array<TableKind, 9> kTableKinds{{{"permutation", 2},
                                                {"hash", 2},
                                                {"chain", 2},
                                                {"affine", 2},
                                                {"offsets", 4},
                                                {"first_free", 8},
                                                {"row_begin", 1, true},
                                                {"column", 1, true},
                                                {"level", 2, true}}};

}  // namespace

std::uint32_t element_bytes(std::string_view type) {
  const auto known = std::ranges::find(kTypes, type, &ElementType::name);
  return known == kTypes.end() ? 0 : known->bytes;
}

std::optional<std::uint32_t> MemoryLayout::element_bytes_of(const BufferSyntax& syntax, Environment& names) {
  if (syntax.element_bytes != 0) {
    return syntax.element_bytes;
  }
  const std::string* const word = names.word_of(syntax.type.text);
  const std::string& type = word == nullptr ? syntax.type.text : *word;
  if (const std::uint32_t bytes = element_bytes(type)) {
    return bytes;
  }
  std::vector<std::string_view> known;
  for (const ElementType& one : kTypes) {
    known.push_back(one.name);
  }
  if (!names.reporter().excuses(type)) {
    names.reporter().add(syntax.type.place, "unknown element type '" + type + "'", suggestion(type, known));
  }
  names.reporter().consequence();
  return std::nullopt;
}

std::optional<std::uint64_t> MemoryLayout::bytes_of(const BufferSyntax& syntax, std::uint32_t element_bytes,
                                                    Environment& names) {
  const auto count = names.constant_in(syntax.count, "the number of elements of '" + syntax.name.text + "'", 1,
                                       kMostBufferBytes / element_bytes);
  if (!count) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(*count) * element_bytes;
}

void MemoryLayout::add_matrix(const std::string& name, Matrix matrix) {
  table_entries_ += matrix.stored;
  matrices_.emplace(name, std::move(matrix));
}

bool MemoryLayout::check_matrix(SyntaxId argument, const std::string& kind, Environment& names, TableKey& key) const {
  const std::string* const name = names.name_of(argument);
  if (name != nullptr && matrices_.contains(*name)) {
    key.matrix = *name;
    return true;
  }
  if (name != nullptr && names.reporter().excuses(*name)) {
    names.reporter().consequence();
    return false;
  }
  std::vector<std::string_view> known;
  for (const auto& [one, matrix] : matrices_) {
    known.push_back(one);
  }
  names.reporter().add(names.place(argument), "the first argument of '" + kind + "' must be a matrix",
                       known.empty()     ? "declare one: 'matrix A = \"file.mtx\"'"
                       : name == nullptr ? "there is '" + std::string(known.front()) + "'"
                                         : suggestion(*name, known));
  return false;
}

std::optional<MemoryLayout::TableKey> MemoryLayout::table_key(const BufferSyntax& syntax, Environment& names) const {
  TableKey key;
  if (!syntax.table) {
    return key;
  }
  const Word& kind = *syntax.table;
  key.kind = kind.text;
  const auto known = std::ranges::find(kTableKinds, kind.text, &TableKind::name);
  if (known == kTableKinds.end()) {
    std::vector<std::string_view> all;
    for (const TableKind& one : kTableKinds) {
      all.push_back(one.name);
    }
    names.reporter().add(kind.place, "unknown table '" + kind.text + "'", suggestion(kind.text, all));
    return std::nullopt;
  }
  if (syntax.table_args.size() != known->arguments) {
    names.reporter().add(kind.place, "'" + kind.text + "' takes " + std::to_string(known->arguments) +
                                         " arguments, not " + std::to_string(syntax.table_args.size()));
    return std::nullopt;
  }
  std::span<const SyntaxId> numbers = syntax.table_args;
  if (known->of_matrix) {
    if (!check_matrix(numbers.front(), kind.text, names, key)) {
      return std::nullopt;
    }
    numbers = numbers.subspan(1);
  }
  for (const SyntaxId arg : numbers) {
    const auto value = names.constant(arg, "an argument of '" + kind.text + "'");
    if (!value) {
      return std::nullopt;
    }
    key.args.push_back(*value);
  }
  return key;
}

bool MemoryLayout::take_entries(Place where, Environment& names, std::uint64_t count) {
  if (count > Table::kMostEntries - table_entries_) {
    names.reporter().add(where,
                         "the file's stored tables have more than " + std::to_string(Table::kMostEntries) + " entries",
                         "'hash' and 'affine' take no memory");
    return false;
  }
  table_entries_ += count;
  return true;
}

std::shared_ptr<const Table> MemoryLayout::make_offsets(const BufferSyntax& syntax, Environment& names,
                                                        const TableKey& key, std::uint64_t count) {
  const auto place = [&](std::size_t i) { return names.place(syntax.table_args[i]); };
  const OffsetsCall call{
      "offsets", {place(1), place(2), place(3)}, {key.args[0], key.args[1], key.args[2], key.args[3]}};
  if (!check_offsets(call, syntax.table->place, count, names)) {
    return nullptr;
  }
  if (!take_entries(syntax.table->place, names, count)) {
    return nullptr;
  }
  return std::make_shared<Table>(Table::offsets(count, key.args[0], {key.args[1], key.args[2], key.args[3]}));
}

std::shared_ptr<const Table> MemoryLayout::make_first_free(const BufferSyntax& syntax, Environment& names,
                                                           const TableKey& key, std::uint64_t count) {
  constexpr std::int64_t kGreatest = 1 << 24;
  constexpr std::array<std::string_view, 8> kNames{"workers", "heads", "section", "blocks",
                                                   "rows",    "keys",  "most",    "ahead"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const std::int64_t least = kNames[i] == "ahead" ? 0 : 1;
    if (key.args[i] < least || key.args[i] > kGreatest) {
      names.reporter().add(names.place(syntax.table_args[i]),
                           "'" + std::string(kNames[i]) + "' of 'first_free' is " + std::to_string(key.args[i]),
                           "allowed: " + std::to_string(least) + " to " + std::to_string(kGreatest));
      return nullptr;
    }
  }
  const auto arg = [&](std::size_t i) { return static_cast<std::uint32_t>(key.args[i]); };
  const trace::Dealing dealing{arg(0), arg(1), arg(2), arg(3), arg(4), arg(5), arg(6), arg(7)};
  if (dealing.entries() != count) {
    names.reporter().add(
        syntax.table->place,
        "'first_free' has " + std::to_string(dealing.entries()) + " entries here, the buffer " + std::to_string(count),
        "the two must be equal");
    return nullptr;
  }
  if (!take_entries(syntax.table->place, names, count)) {
    return nullptr;
  }
  return std::make_shared<Table>(Table::first_free(dealing));
}

std::shared_ptr<const Table> MemoryLayout::make_of_matrix(const BufferSyntax& syntax, Environment& names,
                                                          const TableKey& key, std::uint64_t count) {
  const Matrix& matrix = matrices_.at(key.matrix);
  const std::uint64_t wanted = key.kind == "row_begin" ? matrix.rows + 1
                               : key.kind == "column"  ? matrix.entries
                                                       : matrix.rows;
  if (count != wanted) {
    names.reporter().add(
        syntax.table->place,
        "'" + key.kind + "' has " + std::to_string(wanted) + " entries here, the buffer " + std::to_string(count),
        "the two must be equal");
    return nullptr;
  }
  if (key.kind == "row_begin") {
    return matrix.row_begin;
  }
  if (key.kind == "column") {
    return matrix.column;
  }
  if (matrix.rows != matrix.columns) {
    names.reporter().add(syntax.table->place, "'level' needs a graph: the matrix has " + std::to_string(matrix.rows) +
                                                  " rows and " + std::to_string(matrix.columns) + " columns");
    return nullptr;
  }
  if (key.args[0] < 0 || static_cast<std::uint64_t>(key.args[0]) >= matrix.rows) {
    names.reporter().add(names.place(syntax.table_args[1]),
                         "the source of 'level' is vertex " + std::to_string(key.args[0]),
                         "allowed: 0 to " + std::to_string(matrix.rows - 1));
    return nullptr;
  }
  if (matrix.entries > Table::kMostEntries) {
    names.reporter().add(syntax.table->place, "'level' searches at most " + std::to_string(Table::kMostEntries) +
                                                  " edges, the graph has " + std::to_string(matrix.entries));
    return nullptr;
  }
  if (!take_entries(syntax.table->place, names, count)) {
    return nullptr;
  }
  return std::make_shared<Table>(Table::stored(levels_from(matrix, static_cast<std::uint64_t>(key.args[0]))));
}

std::shared_ptr<const Table> MemoryLayout::make_table(const BufferSyntax& syntax, Environment& names,
                                                      const TableKey& key, std::uint64_t count) {
  const Place where = syntax.table->place;
  if (!key.matrix.empty()) {
    return make_of_matrix(syntax, names, key, count);
  }
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
  if (key.kind == "offsets") {
    return make_offsets(syntax, names, key, count);
  }
  if (key.kind == "first_free") {
    return make_first_free(syntax, names, key, count);
  }
  if (static_cast<std::uint64_t>(key.args[0]) != count) {
    names.reporter().add(
        where,
        "'" + key.kind + "' of " + std::to_string(key.args[0]) + " entries in a buffer of " + std::to_string(count),
        "the two must be equal");
    return nullptr;
  }
  if (!take_entries(where, names, count)) {
    return nullptr;
  }
  return std::make_shared<Table>(key.kind == "chain" ? Table::chain(count, key.args[1])
                                                     : Table::permutation(count, key.args[1]));
}

std::optional<PlacedBuffer> MemoryLayout::place(const BufferSyntax& syntax, Environment& names) {
  const std::optional<std::uint32_t> element = element_bytes_of(syntax, names);
  if (!element) {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> bytes = bytes_of(syntax, *element, names);
  const std::optional<TableKey> table = table_key(syntax, names);
  if (!bytes || !table) {
    return std::nullopt;
  }
  for (const Global& global : globals_) {
    const bool same = global.placed.buffer.name == syntax.name.text && global.placed.buffer.bytes == *bytes;
    if (same && (!syntax.table || global.table == *table)) {
      PlacedBuffer again = global.placed;
      again.element_bytes = *element;
      return again;
    }
  }
  Global global;
  global.table = *table;
  global.placed.buffer = {syntax.name.text, isa::MemSpace::kGlobal, next_, *bytes};
  global.placed.element_bytes = *element;
  static_assert(kGlobalBase + kMostGlobalBytes <= kGlobalEnd);
  if (next_ - kGlobalBase + *bytes > kMostGlobalBytes) {
    names.reporter().add(syntax.name.place, "the file's buffers have more than 64 TiB");
    return std::nullopt;
  }
  if (syntax.table) {
    global.placed.table = make_table(syntax, names, *table, *bytes / *element);
    if (global.placed.table == nullptr) {
      return std::nullopt;
    }
  }
  next_ += (*bytes + kAlignment - 1) / kAlignment * kAlignment;
  globals_.push_back(global);
  return global.placed;
}

std::optional<PlacedBuffer> MemoryLayout::place_within(const BufferSyntax& syntax, Environment& names,
                                                       std::uint64_t all_bytes) {
  const std::optional<std::uint32_t> element = element_bytes_of(syntax, names);
  if (!element) {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> bytes = bytes_of(syntax, *element, names);
  const auto offset = names.constant_in(syntax.offset, "the offset of '" + syntax.name.text + "'", 0,
                                        std::numeric_limits<std::int32_t>::max());
  if (!bytes || !offset) {
    return std::nullopt;
  }
  const auto begin = static_cast<std::uint64_t>(*offset);
  if (begin + *bytes > all_bytes) {
    const bool shared = syntax.space == isa::MemSpace::kShared;
    names.reporter().add(syntax.name.place,
                         (shared ? "shared buffer '" : "local buffer '") + syntax.name.text + "' ends at byte " +
                             std::to_string(begin + *bytes) +
                             (shared ? " of the CTA's shared memory" : " of a thread's local memory"),
                         (shared ? "'shared static' and 'shared dynamic' give " : "'local' gives ") +
                             std::to_string(all_bytes) + " bytes");
    return std::nullopt;
  }
  PlacedBuffer placed;
  placed.buffer = {syntax.name.text, syntax.space, begin, *bytes};
  placed.element_bytes = *element;
  return placed;
}

}  // namespace gpusim::frontend
