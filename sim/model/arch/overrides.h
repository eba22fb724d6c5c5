// SPDX-License-Identifier: MIT
// --set: any key, and the what-ifs that change several keys together.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/problem.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/sheet.h"

namespace gpusim::arch {

/// A key whose override carries others along.
struct DerivedOverride {
  std::string_view key;
  std::string_view meaning;
};

inline constexpr std::array<DerivedOverride, 3> kDerivedOverrides{{
    {"dram.bandwidth", "scales the pin rate (clocks.memory, dram.command_hz); timings in ns keep their ns"},
    {"dram.stacks", "scales dram.channels, dram.capacity_bytes, l2.partitions, l2.slices and l2.bytes with it"},
    {"sm.count", "regroups the SMs: noc.gpcs = count / noc.max_sms_per_gpc, rounded up"},
}};

/// For a key that does not exist: "did you mean 'l2.bytes'?", the keys of its group, or where all are listed.
[[nodiscard]] std::string suggest_key(std::string_view key);

/// Applies all overrides: plain keys first, then what they carry along, except keys that were set themselves.
void apply_overrides(std::span<const Override> overrides, Sheet& sheet, ProblemList& problems);

}  // namespace gpusim::arch
