// SPDX-License-Identifier: MIT
// Sparse matrices in Matrix Market's format, and lists of edges: what is read has sorted rows within its sizes.
#include <algorithm>
#include <sstream>
#include <string>

#include "sim/input/text/sparse_matrix.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t kMost = 1U << 16U;
  std::istringstream in(std::string(fuzz::text_of(data, size)));
  fuzz::is_accepted([&] {
    const frontend::SparseMatrix m = frontend::read_sparse_matrix(in, "x.mtx", kMost);
    fuzz::require(m.row_begin.size() + m.column.size() <= kMost, "a matrix keeps the limit");
    fuzz::require(m.row_begin.front() == 0 && m.row_begin.back() == m.column.size(), "rows hold all entries");
    fuzz::require(std::ranges::is_sorted(m.row_begin), "rows follow each other");
    fuzz::require(std::ranges::all_of(m.column, [&](std::uint32_t c) { return c < m.columns; }), "columns are within");
  });
  return 0;
}
