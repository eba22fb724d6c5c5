// SPDX-License-Identifier: MIT
// The memory of this process and of the machine it runs on.
#pragma once

#include <cstdint>
#include <filesystem>

namespace gpusim::cli {

/// The most that was in memory at once.
[[nodiscard]] std::uint64_t peak_rss_bytes();

/// What may still be used: of the machine, and of the control group that the process is in (a batch system's limit). No
/// limit where neither is known.
[[nodiscard]] std::uint64_t available_memory_bytes();

/// What the control groups of a process leave it, of either version: `list` is like /proc/self/cgroup, `root` like
/// /sys/fs/cgroup. No limit where none is set.
[[nodiscard]] std::uint64_t available_in_groups(const std::filesystem::path& list, const std::filesystem::path& root);

}  // namespace gpusim::cli
