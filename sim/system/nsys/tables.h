// SPDX-License-Identifier: MIT
// Tables of a database that nobody vouches for: read by the names of their columns. Internal to the module; tables.cc
// is its only home of sqlite3.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace gpusim::nsys {

/// The row that a scan stands on: columns in the order in which they were asked for.
class TableRow {
 public:
  explicit TableRow(sqlite3_stmt* statement) : statement_(statement) {}
  /// Whether there is no value, or no such column.
  [[nodiscard]] bool is_null(int column) const;
  /// 0 where there is no value.
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  sqlite3_stmt* statement_;
};

class Tables {
 public:
  /// Opens a file for reading. Throws InputError.
  explicit Tables(const std::filesystem::path& file);

  [[nodiscard]] bool has(const std::string& table) const;
  /// Calls `take` with each row. Columns beyond the first `required` may be absent. Throws InputError for a table or a
  /// column that is not there, for a damaged file, and for more than `most` rows.
  void scan(const std::string& table, std::span<const std::string_view> columns, std::size_t required,
            std::uint64_t most, const std::function<void(const TableRow&)>& take) const;

  [[noreturn]] void refuse(const std::string& message, const std::string& hint = {}) const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  [[nodiscard]] std::vector<std::string> columns_of(const std::string& table) const;
  [[noreturn]] void fail() const;

  std::string file_;
  std::unique_ptr<sqlite3, Close> handle_;
  std::vector<std::string> tables_;  ///< real ones: no views, and no virtual tables
};

}  // namespace gpusim::nsys
