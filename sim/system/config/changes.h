// SPDX-License-Identifier: MIT
// What a user changes of a system with --set, and what follows from it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/arch/override.h"

namespace gpusim::arch {
struct Key;
}  // namespace gpusim::arch

namespace gpusim::system {

struct System;

/// Keys of a system's file that hold maps of keys with values. "links" is a list, and has no keys.
inline constexpr std::array<std::string_view, 6> kChangeable{"hosts",      "gpus",        "switches",
                                                             "link_types", "collectives", "calls"};
/// What keys of the architectures of all GPUs begin with: "gpu.sm.count".
inline constexpr std::string_view kGpuPrefix = "gpu.";

struct Changes {
  std::vector<arch::Override> keys;     ///< "calls.launch", "link_types.nvlink4.bandwidth"
  std::vector<arch::Override> of_gpus;  ///< "sm.count", without the prefix
};

/// The same with what follows: a link's `usable` goes with its `bandwidth`, and `both_ways` with `usable`, in
/// proportion, unless they are changed as well. Values that cannot be read follow nothing: reading refuses them.
[[nodiscard]] Changes with_followers(const System& base, Changes changes);

/// The row of a key, with its whole path; nothing where no system has such a key.
[[nodiscard]] std::optional<arch::Key> find_system_key(std::string_view path);

/// What a system has under a key, as its file says it or, of calls, by default; empty where it has nothing.
[[nodiscard]] std::string text_of_key(const System& system, std::string_view path);

}  // namespace gpusim::system
