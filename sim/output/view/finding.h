// SPDX-License-Identifier: MIT
// What is worth changing in a kernel, as the rules of advice find it: the evidence, the place, the change, and what it
// should gain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpusim::report {

/// An estimate below this is printed as 0.
inline constexpr double kLeastEstimatePct = 0.5;

/// What a rule found in a kernel.
struct Hit {
  std::string evidence;                     ///< a sentence with numbers
  std::string change;                       ///< what to change in the kernel or its launch
  double gain_pct = 0;                      ///< share of the kernel's time that the change may save, estimated
  std::optional<std::uint32_t> index = {};  ///< instruction where it shows most, in code order
  std::string lesson = {};                  ///< a clause for the verdict; empty: not that bad
};

/// A hit, and the rule it is of.
struct Finding : Hit {
  std::string_view id;
  std::string_view title;
  std::uint32_t line = 0;   ///< line of the instruction; 0: unknown, or no instruction stands out
  bool simulated = false;   ///< gain_pct is that of a what-if that was simulated
  double estimate_pct = 0;  ///< what was estimated
};

}  // namespace gpusim::report
