// SPDX-License-Identifier: MIT
// Times of kernels that were simulated before, kept in a file from one run of the program to the next.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sim/commands/sweep/store/store.h"

namespace gpusim::app {

/// Where the file is when nobody says: gpusim/kernels.sqlite below XDG_CACHE_HOME or ~/.cache; empty when there is no
/// such folder.
[[nodiscard]] std::filesystem::path default_database();

/// The file of --kernel-times: the default one for no text, none (empty) for "none".
[[nodiscard]] std::filesystem::path database_named(const std::string& text);

/// May be used by several threads. While another run writes the file, it is only read.
class Database {
 public:
  /// No file for an empty path.
  explicit Database(const std::filesystem::path& file);

  /// What is known of a kernel. If nothing is, the caller is to simulate it, and others who ask wait until it has
  /// called put() or give_up(). Failures count as unknown.
  [[nodiscard]] std::optional<sweep::PointRow> find_or_claim(const std::string& key);
  void put(const sweep::PointRow& row);
  void give_up(const std::string& key);
  /// Why the file cannot be used; empty when it can.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  void open(const std::filesystem::path& file);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> claimed_;
  std::map<std::string, sweep::PointRow> unkept_;  ///< rows that no file keeps
  std::optional<sweep::Store> store_;
  bool is_writable_ = true;
  std::string problem_;
};

}  // namespace gpusim::app
