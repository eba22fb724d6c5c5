// SPDX-License-Identifier: MIT
// One sweep at a time writes a database. Internal to the store.
#pragma once

#include <filesystem>

namespace gpusim::sweep {

/// Holds FILE.lock, which says who holds it. The kernel lets go of it when the process ends, however it ends, so a
/// killed sweep leaves nothing to clean up; on a network file system when the server learns of the end.
class WriterLock {
 public:
  /// Throws StoreError: kInUse with the holder's process and host, or kReadOnly.
  explicit WriterLock(const std::filesystem::path& database);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  [[nodiscard]] bool take(const std::filesystem::path& database);

  std::filesystem::path file_;
  int descriptor_ = -1;
};

}  // namespace gpusim::sweep
