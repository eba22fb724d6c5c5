// SPDX-License-Identifier: MIT
// Labs by name, and the folders that students work in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/commands/lab/check/student.h"
#include "sim/commands/lab/course/lab.h"

namespace gpusim::lab {

/// All labs that are found by name. Each comes after those it needs, else by name.
[[nodiscard]] std::vector<Lab> known_labs();

/// A lab by its name or its folder. Throws InputError with the nearest name.
[[nodiscard]] Lab find_lab(const std::string& name);

/// What a student's folder is made of: a name, and the text.
struct WorkFile {
  std::string name;
  std::string text;
};
/// All files of the student, as they are at the start.
[[nodiscard]] std::vector<WorkFile> start_files(const Lab& lab, const Student& student);

/// A hash of the files that the student changes; a missing file counts as empty.
[[nodiscard]] std::uint64_t digest_of_files(const Lab& lab, const std::filesystem::path& folder);

/// The text of a file. Throws InputError when it cannot be read.
[[nodiscard]] std::string text_of(const std::filesystem::path& file);

/// A folder of its own below that for temporary files, removed at the end.
class TemporaryFolder {
 public:
  /// Throws InputError when none can be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gpusim::lab
