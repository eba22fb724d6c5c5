// SPDX-License-Identifier: MIT
// The system that the user named.
#pragma once

#include <span>
#include <string>

namespace gpusim::system {
struct Changes;
struct System;
}  // namespace gpusim::system

namespace gpusim::cli {

/// A path, or a name searched in configs/systems. Throws InputError.
[[nodiscard]] system::System find_system(const std::string& name);
/// The same with what the user changed of it and what follows: rates of collectives that were measured on other links
/// are scaled.
[[nodiscard]] system::System find_system(const std::string& name, const system::Changes& changes);

/// What --set changes where only a system is named: KEY=VALUE of its file or, with "gpu." before it, of the
/// architecture of its GPUs. Throws InputError for what neither has, with what they have, and for a key that is given
/// twice.
[[nodiscard]] system::Changes system_changes(std::span<const std::string> set);

inline constexpr const char* kSetSystem =
    "Change a key of the system's file, or of its GPUs, such as link_types.nvlink3.bandwidth=50GB/s or "
    "gpu.dram.bandwidth=2TB/s (repeatable)";

}  // namespace gpusim::cli
