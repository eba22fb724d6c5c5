// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/store/writer_lock.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/commands/sweep/store/error.h"

namespace gpusim::sweep {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

/// "process 4711 on node7"; the holder may not have written it yet.
std::string holder(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  constexpr std::size_t kLongest = 300;
  return std::getline(in, line) && !line.empty() ? line.substr(0, kLongest) : "another process";
}

[[noreturn]] void refuse_in_use(const fs::path& database, const fs::path& file) {
  throw StoreError(StoreFault::kInUse, database, "is in use by the sweep of " + holder(file),
                   "wait for it; or use another file with --db, and join the two with `gpusim sweep merge`");
}

[[noreturn]] void refuse(const fs::path& database, const std::string& what, int error) {
  std::error_code ignored;
  const fs::path folder = fs::absolute(database, ignored).parent_path();
  if (error == ENOSPC || error == EDQUOT) {
    throw StoreError(StoreFault::kFull, database, "no room is left on the disk", "make room, or use --db");
  }
  if (!fs::is_directory(folder, ignored)) {
    throw StoreError(StoreFault::kMissing, database, "there is no folder '" + folder.string() + "' to make it in", "");
  }
  throw StoreError(StoreFault::kReadOnly, database, what + ": " + std::strerror(error),
                   "a sweep must be able to write the file and its folder; --db names another");
}

/// Whether the open file is still the one of that name: its last holder removed it if not.
bool is_current(int descriptor, const fs::path& file) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(file.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

}  // namespace

WriterLock::WriterLock(const fs::path& database) : file_(database) {
  file_ += ".lock";
  while (!take(database)) {
  }
  const std::string who = "process " + std::to_string(::getpid()) + " on " + host_name() + "\n";
  if (::ftruncate(descriptor_, 0) != 0 || ::write(descriptor_, who.data(), who.size()) < 0) {
    const int error = errno;
    ::close(descriptor_);
    refuse(database, "its lock '" + file_.string() + "' cannot be written", error);
  }
}

bool WriterLock::take(const fs::path& database) {
  constexpr mode_t kEveryoneMayRead = 0644;
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kEveryoneMayRead);
  if (descriptor_ < 0) {
    refuse(database, "its lock '" + file_.string() + "' cannot be made", errno);
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    ::close(descriptor_);
    if (error == EWOULDBLOCK) {
      refuse_in_use(database, file_);
    }
    refuse(database, "its lock '" + file_.string() + "' cannot be taken", error);
  }
  if (!is_current(descriptor_, file_)) {
    ::close(descriptor_);
    return false;
  }
  return true;
}

WriterLock::~WriterLock() {
  // Removed while it is held: whoever opened it meanwhile sees that it is gone and makes a new one.
  std::error_code ignored;
  fs::remove(file_, ignored);
  ::close(descriptor_);
}

}  // namespace gpusim::sweep
