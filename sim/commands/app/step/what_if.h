// SPDX-License-Identifier: MIT
// What-ifs of a step: keys of the system's file, of the architectures of its GPUs ("gpu.sm.count"), and of the
// application's file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/config/changes.h"

namespace gpusim::arch {
struct Key;
}  // namespace gpusim::arch

namespace gpusim::app {

struct WhatIf {
  system::Changes of_system;
  std::vector<arch::Override> of_application;
  /// "with calls.launch=2 us, gpu.sm.count=66"; empty without any.
  [[nodiscard]] std::string text() const;
};

/// Sorts changes by the file that has their keys. Throws InputError for what no file has, with the nearest, and for a
/// key that is given twice.
[[nodiscard]] WhatIf sort_changes(std::span<const arch::Override> changes);

/// The row of a key; nothing where neither a system nor an application has such a key. Names within it are not checked.
[[nodiscard]] std::optional<arch::Key> find_what_if_key(std::string_view key);

/// What is allowed in place of a key that no file has.
[[nodiscard]] std::string suggest_what_if_key(const std::string& key);

}  // namespace gpusim::app
