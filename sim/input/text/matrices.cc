// SPDX-License-Identifier: MIT
#include "sim/input/text/matrices.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sim/input/text/sparse_matrix.h"

namespace gpusim::frontend {
namespace {

using trace::Table;

constexpr std::int64_t kMostCount = 0xffffffffLL;

}  // namespace

bool check_offsets(const OffsetsCall& call, Place where, std::uint64_t count, Environment& names) {
  constexpr std::array<std::int64_t, 3> kLeast{0, 0, 1};
  constexpr std::array<std::int64_t, 3> kMost{Table::kMostStep, Table::kMostStep, Table::kMostPower};
  constexpr std::array<const char*, 3> kWhat{"least step", "greatest step", "power"};
  const std::string table(call.table);
  for (std::size_t i = 0; i < kWhat.size(); ++i) {
    const std::int64_t least = i == 1 ? call.arguments[1] : kLeast[i];
    const std::int64_t value = call.arguments[i + 1];
    if (value < least || value > kMost[i]) {
      names.reporter().add(call.places[i],
                           std::string("the ") + kWhat[i] + " of '" + table + "' is " + std::to_string(value),
                           "allowed: " + std::to_string(least) + " to " + std::to_string(kMost[i]));
      return false;
    }
  }
  constexpr auto kGreatest = static_cast<std::uint64_t>(kMostCount);
  if (count > kGreatest / static_cast<std::uint64_t>(std::max<std::int64_t>(call.arguments[2], 1))) {
    names.reporter().add(where, "the entries of '" + table + "' may grow beyond " + std::to_string(kGreatest),
                         "fewer entries, or a smaller greatest step");
    return false;
  }
  return true;
}

Matrix matrix_from_file(const std::filesystem::path& file, std::uint64_t most) {
  SparseMatrix read = read_sparse_matrix(file, most);
  Matrix made;
  made.rows = read.rows();
  made.columns = read.columns;
  made.entries = read.column.size();
  made.stored = made.rows + 1 + made.entries;
  made.row_begin = std::make_shared<const Table>(Table::stored(std::move(read.row_begin)));
  made.column = std::make_shared<const Table>(Table::stored(std::move(read.column)));
  return made;
}

std::optional<Matrix> random_matrix(const MatrixSyntax& syntax, std::uint64_t most, Environment& names) {
  const Place where = syntax.source.place;
  constexpr std::size_t kArguments = 6;
  if (syntax.random.size() != kArguments) {
    names.reporter().add(where, "'random' takes 6 arguments, not " + std::to_string(syntax.random.size()),
                         "random(rows, columns, least, most, power, seed)");
    return std::nullopt;
  }
  std::array<std::int64_t, kArguments> given{};
  for (std::size_t i = 0; i < kArguments; ++i) {
    const bool is_size = i < 2;
    const std::string what = i == 0   ? "the number of rows"
                             : i == 1 ? "the number of columns"
                                      : "an argument of 'random'";
    const auto value =
        is_size ? names.constant_in(syntax.random[i], what, 1, kMostCount - 1) : names.constant(syntax.random[i], what);
    if (!value) {
      return std::nullopt;
    }
    given[i] = *value;
  }
  const auto place = [&](std::size_t i) { return names.place(syntax.random[i]); };
  const OffsetsCall call{"random", {place(2), place(3), place(4)}, {given[5], given[2], given[3], given[4]}};
  Matrix made;
  made.rows = static_cast<std::uint64_t>(given[0]);
  made.columns = static_cast<std::uint64_t>(given[1]);
  made.stored = made.rows + 1;
  if (made.stored > most) {
    names.reporter().add(where, "the matrix has too many rows",
                         "tables of a file: " + std::to_string(most) + " entries are left");
    return std::nullopt;
  }
  if (!check_offsets(call, where, made.stored, names)) {
    return std::nullopt;
  }
  made.row_begin = std::make_shared<const Table>(Table::offsets(made.stored, given[5], {given[2], given[3], given[4]}));
  made.entries = static_cast<std::uint64_t>(made.row_begin->at(given[0]));
  if (made.entries == 0) {
    names.reporter().add(where, "the matrix has no entries", "give longer rows, or more of them");
    return std::nullopt;
  }
  made.column = std::make_shared<const Table>(Table::hashed(made.entries, given[5] + 1, given[1]));
  return made;
}

std::vector<std::uint32_t> levels_from(const Matrix& graph, std::uint64_t source) {
  std::vector<std::uint32_t> level(graph.rows, kUnreached);
  std::vector<std::uint32_t> front{static_cast<std::uint32_t>(source)};
  std::vector<std::uint32_t> next;
  level[source] = 0;
  for (std::uint32_t distance = 1; !front.empty(); ++distance) {
    next.clear();
    for (const std::uint32_t vertex : front) {
      const std::int64_t end = graph.row_begin->at(std::int64_t{vertex} + 1);
      for (std::int64_t edge = graph.row_begin->at(vertex); edge < end; ++edge) {
        const auto to = static_cast<std::uint32_t>(graph.column->at(edge));
        if (level[to] == kUnreached) {
          level[to] = distance;
          next.push_back(to);
        }
      }
    }
    front.swap(next);
  }
  return level;
}

}  // namespace gpusim::frontend
