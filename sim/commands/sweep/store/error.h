// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/base/problem.h"

namespace gpusim::sweep {

/// What is wrong with a database file.
enum class StoreFault : std::uint8_t {
  kMissing,       ///< there is no such file
  kNotADatabase,  ///< another kind of file, or a database of another program
  kOtherVersion,  ///< another layout of the tables
  kDamaged,
  kReadOnly,  ///< it, or its folder, cannot be written
  kFull,      ///< no room on the disk
  kInUse,     ///< another process has it; the message names the process where it is known
  kBroken,    ///< the file system failed
};

/// A database that cannot be used, and what to do about it. What was stored before is still there.
class StoreError : public InputError {
 public:
  StoreError(StoreFault fault, const std::filesystem::path& file, std::string message, std::string hint)
      : InputError({{file.string(), 0, 0}, std::move(message), std::move(hint)}), fault_(fault) {}
  [[nodiscard]] StoreFault fault() const { return fault_; }

 private:
  StoreFault fault_;
};

}  // namespace gpusim::sweep
