// SPDX-License-Identifier: MIT
#include "sim/system/nsys/tables.h"

#include <algorithm>
#include <array>

#include <sqlite3.h>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::nsys {
namespace {

/// Longest text or row; names of kernels have some thousand characters.
constexpr int kMostBytes = 1'000'000;

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// A name within SQL; nothing that a file says gets there but names of its own columns.
std::string sql_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    text += c == '"' ? "\"\"" : std::string(1, c);
  }
  return text + '"';
}

}  // namespace

bool TableRow::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t TableRow::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string TableRow::text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr ? "" : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

void Tables::Close::operator()(sqlite3* handle) const {
  sqlite3_close(handle);
}

Tables::Tables(const std::filesystem::path& file) : file_(file.string()) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file_.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) {
    fail();
  }
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMostBytes);
  // Functions and tables that a file's own schema could call in are not to be trusted.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(handle, "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0", -1, &raw,
                         nullptr) != SQLITE_OK) {
    fail();
  }
  const Statement statement(raw);
  for (int step = sqlite3_step(raw); step != SQLITE_DONE; step = sqlite3_step(raw)) {
    if (step != SQLITE_ROW) {
      fail();
    }
    tables_.push_back(TableRow(raw).text(0));
  }
}

void Tables::refuse(const std::string& message, const std::string& hint) const {
  throw InputError({{file_, 0, 0}, message, hint});
}

void Tables::fail() const {
  refuse("cannot be read as a database: " +
         std::string(handle_ == nullptr ? "no memory" : sqlite3_errmsg(handle_.get())));
}

bool Tables::has(const std::string& table) const {
  return std::ranges::find(tables_, table) != tables_.end();
}

std::vector<std::string> Tables::columns_of(const std::string& table) const {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), ("PRAGMA table_info(" + sql_name(table) + ")").c_str(), -1, &raw, nullptr) !=
      SQLITE_OK) {
    fail();
  }
  const Statement statement(raw);
  std::vector<std::string> columns;
  while (sqlite3_step(raw) == SQLITE_ROW) {
    columns.push_back(TableRow(raw).text(1));
  }
  return columns;
}

void Tables::scan(const std::string& table, std::span<const std::string_view> columns, std::size_t required,
                  std::uint64_t most, const std::function<void(const TableRow&)>& take) const {
  if (!has(table)) {
    refuse("has no table '" + table + "'",
           suggestion(table, std::vector<std::string_view>(tables_.begin(), tables_.end())));
  }
  const std::vector<std::string> known = columns_of(table);
  std::string list;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool is_there = std::ranges::find(known, columns[i]) != known.end();
    if (!is_there && i < required) {
      refuse("the table '" + table + "' has no column '" + std::string(columns[i]) + "'",
             suggestion(columns[i], std::vector<std::string_view>(known.begin(), known.end())));
    }
    list += (i == 0 ? "" : ", ") + (is_there ? sql_name(columns[i]) : std::string("NULL"));
  }
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(handle_.get(), ("SELECT " + list + " FROM " + sql_name(table)).c_str(), -1, &raw, nullptr) !=
      SQLITE_OK) {
    fail();
  }
  const Statement statement(raw);
  std::uint64_t rows = 0;
  for (int step = sqlite3_step(raw); step != SQLITE_DONE; step = sqlite3_step(raw)) {
    if (step != SQLITE_ROW) {
      fail();
    }
    if (++rows > most) {
      refuse("the table '" + table + "' has more than " + with_thousands(most) + " rows", "profile a few steps");
    }
    take(TableRow(raw));
  }
}

}  // namespace gpusim::nsys
