// SPDX-License-Identifier: MIT
// The matrices of a text trace: of a file or random, as tables that expressions can read.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/input/text/environment.h"
#include "sim/model/trace/table.h"

namespace gpusim::frontend {

/// Where the entries of a sparse matrix are, in compressed rows.
struct Matrix {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
  std::shared_ptr<const trace::Table> row_begin;  ///< rows + 1 entries
  std::shared_ptr<const trace::Table> column;     ///< one for each entry
  std::uint64_t stored = 0;                       ///< entries of the tables that take memory
};

/// Arguments of random row lengths: seed, least, most, power.
struct OffsetsCall {
  std::string_view table;       ///< the name of what has the arguments
  std::array<Place, 3> places;  ///< places of least, most and power
  std::array<std::int64_t, 4> arguments{};
};
/// True when a table of `count` offsets can be made so; else reports why not.
[[nodiscard]] bool check_offsets(const OffsetsCall& call, Place where, std::uint64_t count, Environment& names);

/// Reads a matrix of at most `most` rows + 1 and entries. Throws InputError.
[[nodiscard]] Matrix matrix_from_file(const std::filesystem::path& file, std::uint64_t most);

/// The random matrix that the declaration asks for, with at most `most` rows + 1; nothing (reported) when it makes no
/// sense. Rows are as long as `offsets` makes them, columns are hashed with the next seed.
[[nodiscard]] std::optional<Matrix> random_matrix(const MatrixSyntax& syntax, std::uint64_t most, Environment& names);

/// How many edges each vertex of the graph is away from `source`; kUnreached for those that no path leads to.
inline constexpr std::uint32_t kUnreached = 0xffffffffU;
[[nodiscard]] std::vector<std::uint32_t> levels_from(const Matrix& graph, std::uint64_t source);

}  // namespace gpusim::frontend
