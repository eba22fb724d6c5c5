// SPDX-License-Identifier: MIT
// SQLite with scopes and typed errors. Internal to the store; sqlite.cc is the only home of sqlite3.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "sim/commands/sweep/store/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace gpusim::sweep {

/// An open connection. Every failure becomes a StoreError.
class Database {
 public:
  enum class Mode : std::uint8_t { kExisting, kCreate };
  Database(const std::filesystem::path& file, Mode mode);

  /// Runs statements that give no rows.
  void run(const char* sql);
  /// The first column of the first row.
  [[nodiscard]] std::int64_t number(const char* sql);
  [[nodiscard]] std::string text(const char* sql);
  [[nodiscard]] std::int64_t last_row() const;

  /// Throws what the connection's last error means.
  [[noreturn]] void fail() const;
  [[noreturn]] void fail_damaged(const std::string& what) const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  friend class Statement;
  friend class Transaction;
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A prepared statement: bind what it asks for in order, then step through its rows.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);

  /// Forgets the rows and the bound values.
  Statement& reset();
  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(double number);
  Statement& bind_null();
  Statement& bind_blob(std::string_view bytes);

  /// False after the last row.
  bool step();
  /// One that gives no rows.
  void run();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::string text(int column) const;  ///< or the bytes of a blob
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] double real(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  void check(int code);

  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
  int bound_ = 0;
};

/// All or nothing: what was run since is undone unless commit() was reached.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace gpusim::sweep
