// SPDX-License-Identifier: MIT
// A folder of submissions as one table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/commands/lab/check/judge.h"
#include "sim/commands/lab/course/lab.h"
#include "sim/commands/lab/run/bench.h"
#include "sim/output/text/layout.h"

namespace gpusim::lab {

/// One submission.
struct Grade {
  std::string folder;  ///< its name
  Student student;
  std::uint32_t points = 0;
  std::uint32_t of_points = 0;
  bool passed = false;
  std::vector<std::pair<std::string, Standing>> tasks;
  std::uint64_t files_digest = 0;
  bool is_own_work = false;  ///< whether its files differ from those of the start
  std::string remark;        ///< why it was not graded, or what a teacher should look at
};

class Grading {
 public:
  /// The tasks of all labs of these folders, in the order in which they come; folders that nobody can read have none.
  [[nodiscard]] std::vector<std::string> tasks_of(const std::vector<std::filesystem::path>& folders);

  /// Grades one folder. What is wrong with it becomes its remark, and so does an earlier one with the same student, or
  /// with the same files under another name.
  void add(const std::filesystem::path& folder);
  [[nodiscard]] const std::vector<Grade>& grades() const { return grades_; }

 private:
  const Lab& lab_of(const std::string& name);
  void check(const std::filesystem::path& folder, Grade& grade);
  void mark_equal(Grade& grade) const;

  std::map<std::string, Lab> labs_;
  Memory memory_;
  std::vector<Grade> grades_;
};

/// One row per submission, one column per task; texts as RFC 4180 has them. The head names the columns.
[[nodiscard]] std::string csv_head(const std::vector<std::string>& tasks);
[[nodiscard]] std::string csv_row(const Grade& grade, const std::vector<std::string>& tasks);
[[nodiscard]] std::string grades_text(const std::vector<Grade>& grades, const layout::Look& look);

}  // namespace gpusim::lab
