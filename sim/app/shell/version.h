// SPDX-License-Identifier: MIT
// What this program is and what it was built from.
#pragma once

#include <string>
#include <string_view>

namespace gpusim::app {

/// The commit of the source tree, with "-dirty" when it was changed; empty when it was not a repository. A generated
/// file.
[[nodiscard]] std::string_view commit();

/// "gpusim 0.1.0 (commit 0123456789, g++ 12.2.0)".
[[nodiscard]] std::string version_line();

}  // namespace gpusim::app
