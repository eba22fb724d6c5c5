// SPDX-License-Identifier: MIT
// The architecture that the user named, with what --set changes.
#pragma once

#include <string>
#include <vector>

namespace gpusim::arch {
struct Arch;
struct Resolved;
}  // namespace gpusim::arch

namespace gpusim::cli {

/// Throws UsageError for a --set that is not KEY=VALUE, InputError for everything else.
[[nodiscard]] arch::Resolved find_arch(const std::string& name, const std::vector<std::string>& set);
/// The same without the provenance.
[[nodiscard]] arch::Arch load_arch(const std::string& name, const std::vector<std::string>& set);

}  // namespace gpusim::cli
