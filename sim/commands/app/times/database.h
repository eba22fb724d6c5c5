// SPDX-License-Identifier: MIT
// Times of kernels that were simulated before, kept in a file from one run of the program to the next.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "sim/commands/sweep/store/store.h"

namespace gpusim::app {

/// Where the file is when nobody says: gpusim/kernels.sqlite below XDG_CACHE_HOME or ~/.cache; empty when there is no
/// such folder.
[[nodiscard]] std::filesystem::path default_database();

/// May be used by several threads. While another run writes the file, it is only read.
class Database {
 public:
  /// No file for an empty path.
  explicit Database(const std::filesystem::path& file);

  [[nodiscard]] std::optional<sweep::PointRow> find(std::string_view key);
  void put(const sweep::PointRow& row);
  /// Why the file cannot be used; empty when it can.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  void open(const std::filesystem::path& file);

  std::mutex mutex_;
  std::optional<sweep::Store> store_;
  bool is_writable_ = true;
  std::string problem_;
};

}  // namespace gpusim::app
