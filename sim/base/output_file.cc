// SPDX-License-Identifier: MIT
#include "sim/base/output_file.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "sim/base/problem.h"

namespace gpusim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStandardOutput = "/dev/stdout";

/// What stands for something else is written and never replaced: devices and pipes, and the links of /dev and /proc to
/// what a process has open, such as /dev/stdout. Any other link is replaced: it could lead anywhere.
bool is_written_in_place(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  const std::string folder = fs::weakly_canonical(fs::absolute(path, ignored).parent_path(), ignored).string();
  return (fs::exists(status) && !fs::is_regular_file(status)) ||
         (fs::is_symlink(path, ignored) && (folder == "/dev" || folder.starts_with("/proc/")));
}

/// Temporary files of this process.
class Unfinished {
 public:
  /// Throws std::bad_alloc.
  void add(const std::string& file) {
    const std::lock_guard guard(mutex_);
    files_.insert(file);
  }
  /// Allocates nothing, as a file that is committed must not fail afterwards.
  void drop(const std::string& file) {
    const std::lock_guard guard(mutex_);
    files_.erase(file);
  }
  void remove_all() noexcept {
    if (!mutex_.try_lock()) {
      return;
    }
    for (const std::string& file : files_) {
      ::unlink(file.c_str());
    }
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
  std::set<std::string> files_;
};

Unfinished& unfinished() {
  static Unfinished all;
  return all;
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), temporary_(path_) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) {
    fail("it is a folder");
  }
  if (path_ == kStandardOutput) {
    // Opened by its name it would begin anew, and lose what was written to it before.
    file_.reset(::fdopen(::dup(STDOUT_FILENO), "wb"));
  } else if (is_written_in_place(path_)) {
    file_.reset(std::fopen(path_.c_str(), "wb"));
  } else if (!fs::exists(path_, ignored) || std::unique_ptr<std::FILE, Close>(std::fopen(path_.c_str(), "r+b"))) {
    open_beside();
  }
  if (!file_) {
    fail(std::strerror(errno));
  }
}

void OutputFile::open_beside() {
  int number = 1;
  do {
    temporary_ = path_;
    temporary_ += ".part" + (number == 1 ? "" : std::to_string(number));
    file_.reset(std::fopen(temporary_.c_str(), "wbx"));  // x: only when nobody has a file of that name
    ++number;
  } while (!file_ && errno == EEXIST);
  if (!file_) {
    return;
  }
  try {
    unfinished().add(temporary_.native());
  } catch (const std::bad_alloc&) {
    file_.reset();
    ::unlink(temporary_.c_str());
    throw;
  }
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      file_(std::move(other.file_)),
      committed_(std::exchange(other.committed_, true)) {}

OutputFile::~OutputFile() {
  if (!committed_ && temporary_ != path_) {
    file_.reset();
    std::error_code ignored;
    fs::remove(temporary_, ignored);
    unfinished().drop(temporary_.native());
  }
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    fail(std::strerror(errno));
  }
}

void OutputFile::close() {
  if (file_ && std::fclose(file_.release()) != 0) {
    fail(std::strerror(errno));
  }
}

void OutputFile::commit() {
  close();
  std::error_code error;
  if (temporary_ != path_) {
    fs::rename(temporary_, path_, error);
  }
  if (error) {
    fail(error.message());
  }
  committed_ = true;
  unfinished().drop(temporary_.native());
}

void OutputFile::commit(std::string_view text) {
  write(text);
  commit();
}

void OutputFile::fail(std::string_view why) const {
  throw InputError({{path_.string(), 0, 0}, "cannot write: " + std::string(why), ""});
}

void remove_unfinished_outputs() noexcept {
  unfinished().remove_all();
}

void refuse_to_replace(const fs::path& output, const fs::path& input) {
  if (std::error_code ignored; fs::equivalent(output, input, ignored)) {
    throw InputError({{output.string(), 0, 0}, "is what is to be read", "name another file for the output"});
  }
}

}  // namespace gpusim
