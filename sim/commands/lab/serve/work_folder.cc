// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/work_folder.h"

#include <algorithm>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/check/attempts.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/course/lab_file.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

/// Those that a page edits, first those that are changed most.
std::vector<std::string> edited_names(const Lab& lab) {
  std::vector<std::string> names = lab.files;
  names.emplace_back(kAnswersFile);
  for (const CudaForm& form : lab.cuda) {
    names.insert(names.end(), {form.source, form.launch});
  }
  names.insert(names.end(), lab.given.begin(), lab.given.end());
  return names;
}

std::string version_of(std::string_view text) {
  return std::to_string(digest_of(text));
}

}  // namespace

void WorkFolder::require_plain() const {
  std::error_code error;
  const fs::file_status folder = fs::symlink_status(folder_, error);
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    throw InputError({{folder_.string(), 0, 0}, "is a link or no folder, and is left alone", ""});
  }
  if (fs::is_symlink(folder_ / kPicturesFolder, error)) {
    throw InputError({{(folder_ / kPicturesFolder).string(), 0, 0}, "is a link, and is left alone", ""});
  }
  std::vector<std::string> names = edited_names(lab_);
  names.insert(names.end(), {kStudentFile, kReadmeFile, kAttemptsFile});
  for (const std::string& name : names) {
    const fs::file_status file = fs::symlink_status(folder_ / name, error);
    if (fs::exists(file) && !fs::is_regular_file(file)) {
      throw InputError({{(folder_ / name).string(), 0, 0}, "is a link or no file, and is left alone", ""});
    }
  }
}

EditedFile WorkFolder::read(const std::string& name) const {
  const auto form = std::ranges::find_if(
      lab_.cuda, [&name](const CudaForm& each) { return each.source == name || each.launch == name; });
  const bool is_cuda = form != lab_.cuda.end();
  EditedFile file{name, "", "", "", is_cuda || lab_.is_of_student(name) || name == kAnswersFile};
  std::error_code error;
  const fs::path path = folder_ / name;
  if (!fs::exists(path, error) && is_cuda) {
    file.problem = "is not there, and need not be: 'Begin anew' writes it. " + form->source +
                   " is CUDA, checked in place of " + form->file + ".";
  } else if (!fs::exists(path, error)) {
    file.problem = "is missing: 'Begin anew' writes it once more";
  } else if (fs::file_size(path, error) > kLargestFile || error) {
    file.problem = "is larger than " + with_binary_prefix(kLargestFile) + ", too large for this page";
  } else {
    file.text = text_of(path);
    file.version = version_of(file.text);
  }
  return file;
}

std::vector<EditedFile> WorkFolder::files() const {
  require_plain();
  std::vector<EditedFile> files;
  for (const std::string& name : edited_names(lab_)) {
    files.push_back(read(name));
  }
  return files;
}

WorkFolder::Saved WorkFolder::save(std::string_view name, std::string_view version, std::string_view text) const {
  const std::vector<std::string> names = edited_names(lab_);
  const auto known = std::ranges::find(names, name);
  if (known == names.end()) {
    throw InputError({{std::string(clipped(name, 100)), 0, 0}, "is not a file of this lab that can be edited", ""});
  }
  if (text.size() > kLargestFile) {
    throw InputError({{*known, 0, 0}, "would be larger than " + with_binary_prefix(kLargestFile), ""});
  }
  require_plain();
  EditedFile now = read(*known);
  if (now.version != version) {
    return {false, now.version, std::move(now.text)};
  }
  OutputFile(folder_ / *known).commit(text);
  return {true, version_of(text), ""};
}

}  // namespace gpusim::lab
