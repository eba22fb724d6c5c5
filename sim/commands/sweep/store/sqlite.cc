// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/store/sqlite.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include <sqlite3.h>

namespace gpusim::sweep {
namespace {

namespace fs = std::filesystem;

/// Another program's transaction (a reader's, a copy's) may take as long; a sweep's own are over in milliseconds.
constexpr int kPatienceMs = 20'000;

bool is_no_room(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

StoreError cannot_open(const fs::path& file, int error) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) {
    return {StoreFault::kNotADatabase, file, "is a folder, not a database", ""};
  }
  const fs::path folder = fs::absolute(file, ignored).parent_path();
  if (!fs::is_directory(folder, ignored)) {
    return {StoreFault::kMissing, file, "there is no folder '" + folder.string() + "' to make it in", ""};
  }
  return {StoreFault::kReadOnly, file,
          std::string("cannot be opened") + (error == 0 ? "" : std::string(": ") + std::strerror(error)),
          "a sweep must be able to write the file and its folder; --db names another"};
}

StoreError damaged(const fs::path& file, const std::string& what) {
  return {StoreFault::kDamaged, file, "is damaged: " + what,
          "take a copy of it and start with a new one; `gpusim sweep merge` of intact databases fills it"};
}

StoreError error_of(int code, int system_error, const std::string& said, const fs::path& file) {
  const std::string why = system_error == 0 ? said : std::string(std::strerror(system_error));
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return {StoreFault::kNotADatabase, file, "is not a database of sweeps", "--db names another file"};
    case SQLITE_CANTOPEN: return cannot_open(file, system_error);
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return {StoreFault::kReadOnly, file, "cannot be written: " + why,
              "a sweep must be able to write the file and its folder; --db names another"};
    case SQLITE_FULL: break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {StoreFault::kInUse, file, "is locked by another program",
              "what was stored is still there; start again when the other is done"};
    case SQLITE_IOERR:
      if (is_no_room(system_error)) {
        break;
      }
      return {StoreFault::kBroken, file, "the file system failed: " + why, "what was stored before is still there"};
    default: return damaged(file, "SQLite says '" + said + "'");
  }
  return {StoreFault::kFull, file, "no room is left on the disk",
          "all that was stored is still there; make room, and the same command goes on"};
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(const fs::path& file, Mode mode) : file_(file) {
  std::error_code ignored;
  if (mode == Mode::kExisting && !fs::exists(file, ignored)) {
    throw StoreError(StoreFault::kMissing, file, "no such database", "`gpusim sweep` makes one; --db names another");
  }
  // Absolute, since SQLite gives names such as ":memory:" a meaning. Writable if possible also for reading: whoever
  // comes first after a crash undoes the unfinished transaction.
  const std::string path = fs::absolute(file, ignored).string();
  const int flags = SQLITE_OPEN_READWRITE | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (handle == nullptr) {
    throw std::bad_alloc();
  }
  if (code != SQLITE_OK) {
    fail();
  }
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, kPatienceMs);
}

void Database::run(const char* sql) {
  if (sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail();
  }
}

std::int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.number(0) : 0;
}

std::string Database::text(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.text(0) : "";
}

std::int64_t Database::last_row() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

void Database::fail() const {
  const int last_error = errno;
  const int code = sqlite3_extended_errcode(handle_.get());
  if ((code & 0xff) == SQLITE_NOMEM) {
    throw std::bad_alloc();
  }
  // A failed write leaves its reason (a full quota, say) in errno alone.
  const int told = sqlite3_system_errno(handle_.get());
  const int system_error = told == 0 && (code & 0xff) == SQLITE_IOERR ? last_error : told;
  throw error_of(code, system_error, sqlite3_errmsg(handle_.get()), file_);
}

void Database::fail_damaged(const std::string& what) const {
  throw damaged(file_, what);
}

void Statement::Finalize::operator()(sqlite3_stmt* handle) const {
  sqlite3_finalize(handle);
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  sqlite3_stmt* handle = nullptr;
  const int code =
      sqlite3_prepare_v2(database.handle_.get(), sql.data(), static_cast<int>(sql.size()), &handle, nullptr);
  handle_.reset(handle);
  check(code);
}

void Statement::check(int code) {
  if (code != SQLITE_OK) {
    database_.fail();
  }
}

Statement& Statement::reset() {
  sqlite3_reset(handle_.get());  // repeats the error of the last step, which was reported there
  bound_ = 0;
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  check(sqlite3_bind_text64(handle_.get(), ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  check(sqlite3_bind_int64(handle_.get(), ++bound_, number));
  return *this;
}

Statement& Statement::bind(double number) {
  check(sqlite3_bind_double(handle_.get(), ++bound_, number));
  return *this;
}

Statement& Statement::bind_null() {
  check(sqlite3_bind_null(handle_.get(), ++bound_));
  return *this;
}

Statement& Statement::bind_blob(std::string_view bytes) {
  check(sqlite3_bind_blob64(handle_.get(), ++bound_, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    database_.fail();
  }
  return code == SQLITE_ROW;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

std::string Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  const int count = sqlite3_column_bytes(handle_.get(), column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(count));
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(handle_.get(), column);
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) {
    // Some errors have undone it already; there is nothing to do about a failure to undo, the next opener will.
    sqlite3_exec(database_.handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  open_ = false;
}

}  // namespace gpusim::sweep
