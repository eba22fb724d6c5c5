// SPDX-License-Identifier: MIT
#include "sim/app/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include <unistd.h>

#include "sim/base/problem.h"

namespace gpusim::app {
namespace {

namespace fs = std::filesystem;
struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void cannot_write(const fs::path& path, const std::string& why) {
  throw InputError({{path.string(), 0, 0}, "cannot write: " + why, ""});
}

bool is_device(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), temporary_(path) {
  std::error_code error;
  if (fs::is_directory(path_, error)) {
    cannot_write(path_, "it is a folder");
  }
  const bool device = is_device(path_);
  if (!device && fs::exists(path_, error) && ::access(path_.c_str(), W_OK) != 0) {
    cannot_write(path_, std::strerror(errno));
  }
  if (!device) {
    temporary_ += ".part" + std::to_string(::getpid());
  }
  if (!File(std::fopen(temporary_.c_str(), "w"))) {
    cannot_write(path_, std::strerror(errno));
  }
}

OutputFile::~OutputFile() {
  if (!committed_ && temporary_ != path_) {
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }
}

void OutputFile::commit(std::string_view text) {
  File file(std::fopen(temporary_.c_str(), "w"));
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fclose(file.release()) != 0) {
    cannot_write(path_, std::strerror(errno));
  }
  std::error_code error;
  if (temporary_ != path_) {
    fs::rename(temporary_, path_, error);
  }
  if (error) {
    cannot_write(path_, error.message());
  }
  committed_ = true;
}

}  // namespace gpusim::app
