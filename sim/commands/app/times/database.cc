// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/database.h"

#include <cstdlib>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/commands/sweep/run/model_version.h"

namespace gpusim::app {
namespace {

std::filesystem::path folder_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path default_database() {
  std::filesystem::path folder = folder_of("XDG_CACHE_HOME");
  if (folder.empty() && !folder_of("HOME").empty()) {
    folder = folder_of("HOME") / ".cache";
  }
  return folder.empty() ? folder : folder / "gpusim" / "kernels.sqlite";
}

std::filesystem::path database_named(const std::string& text) {
  return text.empty() ? default_database() : text == "none" ? std::filesystem::path() : std::filesystem::path(text);
}

Database::Database(const std::filesystem::path& file) {
  if (!file.empty()) {
    open(file);
  }
}

void Database::open(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  try {
    store_.emplace(file, sweep::Store::Access::kWrite);
    return;
  } catch (const InputError&) {  // another run writes: what it has can be read
    is_writable_ = false;
  }
  try {
    store_.emplace(file, sweep::Store::Access::kRead);
  } catch (const InputError& problem) {
    problem_ = to_text(problem.problems().front());
  }
}

std::optional<sweep::PointRow> Database::find_or_claim(const std::string& key) {
  std::unique_lock lock(mutex_);
  while (true) {
    std::optional<sweep::PointRow> known = store_ ? store_->find(key) : std::nullopt;
    if (known && known->status == sweep::kDone) {
      return known;
    }
    if (const auto unkept = unkept_.find(key); unkept != unkept_.end()) {
      return unkept->second;
    }
    if (claimed_.insert(key).second) {
      return std::nullopt;
    }
    changed_.wait(lock);
  }
}

void Database::put(const sweep::PointRow& row) {
  const std::lock_guard guard(mutex_);
  if (store_ && is_writable_) {
    store_->put(row, {}, sweep::program_version());
  } else {
    unkept_.emplace(row.key, row);
  }
  claimed_.erase(row.key);
  changed_.notify_all();
}

void Database::give_up(const std::string& key) {
  const std::lock_guard guard(mutex_);
  claimed_.erase(key);
  changed_.notify_all();
}

}  // namespace gpusim::app
