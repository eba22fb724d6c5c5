// SPDX-License-Identifier: MIT
// The memory of this process and of the machine it runs on.
#pragma once

#include <cstdint>

namespace gpusim::app {

/// The most that was in memory at once.
[[nodiscard]] std::uint64_t peak_rss_bytes();

/// What may still be used: of the machine, and of the control group that the process is in (a batch system's limit). No
/// limit where neither is known.
[[nodiscard]] std::uint64_t available_memory_bytes();

}  // namespace gpusim::app
