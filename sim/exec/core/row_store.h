// SPDX-License-Identifier: MIT
// Memory for rows: zero at first, aligned for the host's vector registers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

#include "sim/exec/memory/rows.h"

namespace gpusim::exec {

class RowStore {
 public:
  RowStore() = default;
  explicit RowStore(std::uint32_t rows) { grow(rows); }

  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  [[nodiscard]] std::uint32_t* data() { return words_.get(); }
  [[nodiscard]] const std::uint32_t* data() const { return words_.get(); }
  /// Keeps what is there; more rows are zero.
  void grow(std::uint32_t rows) {
    if (rows > capacity_) {
      const std::uint32_t capacity = std::max(rows, 2 * capacity_);
      Words words(new (std::align_val_t{kRowAlignment}) std::uint32_t[std::size_t{capacity} * kRow]());
      std::copy_n(words_.get(), std::size_t{rows_} * kRow, words.get());
      words_ = std::move(words);
      capacity_ = capacity;
    }
    rows_ = std::max(rows_, rows);
  }
  void clear() { std::fill_n(words_.get(), std::size_t{rows_} * kRow, 0U); }

 private:
  struct Delete {
    void operator()(std::uint32_t* words) const { ::operator delete[](words, std::align_val_t{kRowAlignment}); }
  };
  using Words = std::unique_ptr<std::uint32_t[], Delete>;

  Words words_;
  std::uint32_t rows_ = 0;
  std::uint32_t capacity_ = 0;
};

}  // namespace gpusim::exec
