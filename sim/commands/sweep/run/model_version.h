// SPDX-License-Identifier: MIT
// Which program a stored result is of.
#pragma once

#include <string>
#include <string_view>

namespace gpusim::sweep {

/// Digest of the sources that decide a result (front ends, machine, metrics, JSON), made when the program is built: a
/// model that was changed has no results yet.
[[nodiscard]] std::string_view model_digest();

/// "0.1.0, model 1f2e3d4c5b6a".
[[nodiscard]] std::string program_version();

}  // namespace gpusim::sweep
