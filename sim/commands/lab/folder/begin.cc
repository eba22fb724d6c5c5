// SPDX-License-Identifier: MIT
#include "sim/commands/lab/folder/begin.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/folder/folders.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

void require_same_student(const fs::path& folder, const Student& student) {
  if (!is_begun(folder)) {
    return;
  }
  const Student there = read_student(folder);
  if (there.lab != student.lab || there.id != student.id) {
    throw InputError({{folder.string(), 0, 0},
                      fmt::format("has the lab '{}' of '{}' already", printable(there.lab), printable(there.id)),
                      "name another folder"});
  }
}

void make_folder_of(const fs::path& folder, const Student& student) {
  require_same_student(folder, student);
  make_folder(folder);
}

}  // namespace

bool is_begun(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / kStudentFile, error);
}

std::vector<std::string> begin(const Lab& lab, const Student& student, const fs::path& folder) {
  const std::vector<WorkFile> files = start_files(lab, student);
  make_folder_of(folder, student);
  std::vector<std::string> written;
  for (const WorkFile& file : files) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(folder / file.name, error))) {
      write_file(folder, file);
      written.push_back(file.name);
    }
  }
  return written;
}

void begin_again(const Lab& lab, const Student& student, const fs::path& folder, const std::string& file) {
  const std::vector<WorkFile> files = start_files(lab, student);
  const auto found = std::ranges::find(files, file, &WorkFile::name);
  if (found == files.end()) {
    std::vector<std::string_view> known;
    for (const WorkFile& each : files) {
      known.push_back(each.name);
    }
    throw UsageError("--again: this lab has no file '" + file + "' (" + suggestion(file, known) + ")");
  }
  make_folder_of(folder, student);
  std::error_code error;
  if (fs::exists(folder / file, error)) {
    fs::rename(folder / file, folder / (file + ".old"), error);
  }
  write_file(folder, *found);
}

}  // namespace gpusim::lab
