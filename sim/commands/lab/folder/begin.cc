// SPDX-License-Identifier: MIT
#include "sim/commands/lab/folder/begin.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/course/file_text.h"
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

/// Gives the file a second name that is free, and returns it. The file keeps its own name meanwhile, so an interruption
/// loses nothing.
std::string keep(const fs::path& folder, const std::string& file) {
  std::error_code error;
  for (int number = 1; !error || error == std::errc::file_exists; ++number) {
    const std::string name = file + ".old" + (number == 1 ? "" : std::to_string(number));
    error.clear();
    fs::create_hard_link(folder / file, folder / name, error);
    if (error == std::errc::operation_not_permitted || error == std::errc::operation_not_supported) {
      error.clear();
      fs::copy_file(folder / file, folder / name, error);  // a file system without links
    }
    if (!error) {
      return name;
    }
  }
  throw InputError({{(folder / file).string(), 0, 0}, "cannot be kept as " + file + ".old: " + error.message(), ""});
}

bool has_text(const fs::path& file, const std::string& text) {
  std::error_code error;
  return fs::is_regular_file(file, error) && fs::file_size(file, error) == text.size() && text_of(file) == text;
}

}  // namespace

bool is_begun(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / kStudentFile, error);
}

std::vector<std::string> begin(const Lab& lab, const Student& student, const fs::path& folder, Form form) {
  const std::vector<WorkFile> files = start_files(lab, student, form);
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

std::string begin_again(const Lab& lab, const Student& student, const fs::path& folder, const std::string& file) {
  const std::vector<WorkFile> files = start_files(lab, student, Form::kCuda);
  const auto found = std::ranges::find(files, file, &WorkFile::name);
  if (found == files.end()) {
    std::vector<std::string_view> known;
    for (const WorkFile& each : files) {
      known.push_back(each.name);
    }
    throw UsageError("--again: this lab has no file '" + file + "' (" + suggestion(file, known) + ")");
  }
  make_folder_of(folder, student);
  if (has_text(folder / file, found->text)) {
    return "";
  }
  std::error_code error;
  const std::string kept = fs::exists(fs::symlink_status(folder / file, error)) ? keep(folder, file) : "";
  write_file(folder, *found);
  return kept;
}

}  // namespace gpusim::lab
