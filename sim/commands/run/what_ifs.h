// SPDX-License-Identifier: MIT
// The one table of what-ifs: a machine without one cost, and the findings that it puts to the test.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::commands {

struct WhatIf {
  std::string_view name;
  std::string_view what;  ///< as a clause: "no access has a bank conflict"
  std::string overrides;  ///< the keys that it sets, as --set has them
  void (*apply)(arch::Arch& arch);
  std::string_view finding;     ///< id of the advice
  bool with_launch = false;     ///< its time counts the launch
  bool adds_residency = false;  ///< nothing to see where an SM holds no more CTAs for it
};

[[nodiscard]] std::span<const WhatIf> what_ifs();

/// The table for docs/advice.md.
[[nodiscard]] std::string what_ifs_markdown();

}  // namespace gpusim::commands
