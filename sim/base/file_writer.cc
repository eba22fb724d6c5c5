// SPDX-License-Identifier: MIT
#include "sim/base/file_writer.h"

#include <string>
#include <system_error>

#include "sim/base/problem.h"

namespace gpusim {
namespace {

namespace fs = std::filesystem;

/// A name beside the file that nobody has.
fs::path unused_name_beside(const fs::path& path) {
  std::error_code ignored;
  fs::path name = path;
  name += ".part";
  for (int i = 2; fs::exists(fs::symlink_status(name, ignored)); ++i) {
    name = path;
    name += ".part" + std::to_string(i);
  }
  return name;
}

}  // namespace

FileWriter::FileWriter(const fs::path& path) : path_(path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  const bool is_file = !fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status);
  temporary_ = is_file ? unused_name_beside(path) : path;
  out_.open(temporary_, std::ios::binary | std::ios::trunc);
  check();
}

FileWriter::~FileWriter() {
  if (!committed_ && temporary_ != path_) {
    out_.close();
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }
}

void FileWriter::write(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check();
}

void FileWriter::commit() {
  out_.close();
  check();
  if (temporary_ != path_) {
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error) {
      throw InputError(Problem{{path_.string(), 0, 0}, "cannot be written: " + error.message(), ""});
    }
  }
  committed_ = true;
}

void FileWriter::check() const {
  if (!out_) {
    throw InputError(
        Problem{{path_.string(), 0, 0}, "cannot be written", "is its folder there, and room on the disk?"});
  }
}

}  // namespace gpusim
