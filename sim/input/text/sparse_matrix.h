// SPDX-License-Identifier: MIT
// Sparse matrices and graphs as people exchange them: Matrix Market's coordinate format and lists of edges, read into
// compressed rows (CSR).
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace gpusim::frontend {

/// Where the entries of a matrix are. A graph is one, too: a row per vertex, an entry per edge.
struct SparseMatrix {
  std::uint64_t columns = 0;
  std::vector<std::uint32_t> row_begin;  ///< one more than rows: where each row begins among the entries
  std::vector<std::uint32_t> column;     ///< column of each entry, in ascending order within a row

  [[nodiscard]] std::uint64_t rows() const { return row_begin.size() - 1; }
};

/// Reads a matrix. A first line that begins with "%%MatrixMarket" announces Matrix Market's format, in which entries of
/// a symmetric matrix stand for two. Any other text is a list of edges, "from to" in each line with vertices counted
/// from 0; with a comment that begins "# Undirected graph", as SNAP's lists have it, each edge goes both ways. Values
/// are checked and left out. `most`: rows + 1 and entries together. `name` stands for the file in messages, which never
/// quote what it holds. Throws InputError with file, line and column.
[[nodiscard]] SparseMatrix read_sparse_matrix(std::istream& in, const std::string& name, std::uint64_t most);

/// The same from a file, which must be a regular one.
[[nodiscard]] SparseMatrix read_sparse_matrix(const std::filesystem::path& path, std::uint64_t most);

}  // namespace gpusim::frontend
