// SPDX-License-Identifier: MIT
// The program's only clock: how long something took on the host.
#pragma once

namespace gpusim::cli {

/// Since a moment that stays the same while the program runs.
[[nodiscard]] double host_seconds();

}  // namespace gpusim::cli
