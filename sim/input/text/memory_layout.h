// SPDX-License-Identifier: MIT
// Where the buffers of a file lie in global memory, and the contents of those that are tables.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/text/environment.h"
#include "sim/input/text/matrices.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend {

/// Bytes of an element of this type; 0 for a name that is none.
[[nodiscard]] std::uint32_t element_bytes(std::string_view type);

struct PlacedBuffer {
  trace::Buffer buffer;
  std::uint32_t element_bytes = 1;
  std::shared_ptr<const trace::Table> table;
};

/// Lays out global buffers in order of declaration. Equal name and size in several kernels is the same memory.
class MemoryLayout {
 public:
  /// Nothing (reported) when the declaration makes no sense.
  [[nodiscard]] std::optional<PlacedBuffer> place(const BufferSyntax& syntax, Environment& names);
  /// A region of a CTA's shared memory, or of a thread's local memory. `all_bytes`: the whole allocation, which the
  /// region must lie in.
  [[nodiscard]] std::optional<PlacedBuffer> place_within(const BufferSyntax& syntax, Environment& names,
                                                         std::uint64_t all_bytes);

  /// Entries that tables may still have.
  [[nodiscard]] std::uint64_t entries_left() const { return trace::Table::kMostEntries - table_entries_; }
  /// A matrix whose tables buffers may have as contents. It stores at most entries_left().
  void add_matrix(const std::string& name, Matrix matrix);

 private:
  /// The kind of a table and its arguments; empty for a buffer of unknown contents.
  struct TableKey {
    std::string kind;
    std::string matrix;  ///< whose table it is; empty for one of its own
    std::vector<std::int64_t> args;
    friend bool operator==(const TableKey&, const TableKey&) = default;
  };
  [[nodiscard]] std::optional<TableKey> table_key(const BufferSyntax& syntax, Environment& names) const;
  /// False (reported) when there is no such matrix.
  [[nodiscard]] bool check_matrix(SyntaxId argument, const std::string& kind, Environment& names, TableKey& key) const;
  [[nodiscard]] static std::optional<std::uint32_t> element_bytes_of(const BufferSyntax& syntax, Environment& names);
  [[nodiscard]] static std::optional<std::uint64_t> bytes_of(const BufferSyntax& syntax, std::uint32_t element_bytes,
                                                             Environment& names);
  [[nodiscard]] bool take_entries(Place where, Environment& names, std::uint64_t count);
  [[nodiscard]] std::shared_ptr<const trace::Table> make_offsets(const BufferSyntax& syntax, Environment& names,
                                                                 const TableKey& key, std::uint64_t count);
  [[nodiscard]] std::shared_ptr<const trace::Table> make_first_free(const BufferSyntax& syntax, Environment& names,
                                                                    const TableKey& key, std::uint64_t count);
  [[nodiscard]] std::shared_ptr<const trace::Table> make_of_matrix(const BufferSyntax& syntax, Environment& names,
                                                                   const TableKey& key, std::uint64_t count);
  [[nodiscard]] std::shared_ptr<const trace::Table> make_table(const BufferSyntax& syntax, Environment& names,
                                                               const TableKey& key, std::uint64_t count);

  struct Global {
    PlacedBuffer placed;
    TableKey table;
  };
  std::vector<Global> globals_;
  std::map<std::string, Matrix> matrices_;
  std::uint64_t next_ = kGlobalBase;
  std::uint64_t table_entries_ = 0;

  /// Where cudaMalloc's addresses lie in the traces people record; any place far from zero does.
  static constexpr std::uint64_t kGlobalBase = 0x7f0000000000ULL;
};

}  // namespace gpusim::frontend
