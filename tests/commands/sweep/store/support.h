// SPDX-License-Identifier: MIT
// A folder for databases, and rows to put into them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/commands/sweep/store/store.h"

namespace gpusim::sweep {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gpusim-store-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::filesystem::path file(const std::string& name = "sweep.db") const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline PointRow done_row(const std::string& key, std::uint64_t cycles) {
  PointRow row;
  row.key = key;
  row.status = kDone;
  row.cycles = cycles;
  row.time_us = static_cast<double>(cycles) / 1.83e3;
  row.bound = "dram";
  row.metrics = {{"dram_gbs", 2900.123456789}, {"tflops", 1.0 / 3}};
  row.host_seconds = 0.25;
  return row;
}

inline PointRow failed_row(const std::string& key, const std::string& reason) {
  PointRow row;
  row.key = key;
  row.status = kFailed;
  row.reason = reason;
  return row;
}

/// A point for each key; an empty key is a skipped one.
inline StudyRecord study_of(const std::vector<std::string>& keys, const std::string& name = "") {
  StudyRecord study{name, "vary: sm.count", {}};
  for (const std::string& key : keys) {
    PointRow row;
    row.key = key;
    row.arch = "h100";
    row.trace = "saxpy";
    row.parameters = {{"sm.count", std::to_string(study.points.size() + 1)}};
    row.derived = {{"noc.gpcs", "9"}};
    if (key.empty()) {
      row.status = kSkipped;
      row.reason = "contradicts itself";
    }
    study.points.push_back(row);
  }
  return study;
}

}  // namespace gpusim::sweep
