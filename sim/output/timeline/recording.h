// SPDX-License-Identifier: MIT
// What a Result has that an option asks about: kernels, SMs, warp slots, cycles, and of those which are recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/types.h"

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::timeline {

/// A number that counts something, and how many of these there are.
struct Numbered {
  std::string_view name;
  std::uint64_t value;
  std::uint64_t count;
};

/// InputError of `option` when there is no such thing, with what there is.
void require_number(std::string_view option, const Numbered& number, const std::string& of);

/// InputError of `option` when the kernel, which must be there, has no such cycle.
void require_cycle(const stats::Result& result, std::string_view option, std::uint32_t kernel, Cycle cycle);

/// "recorded: SM 0, cycles 100 to 400; SM 3, ..." of a kernel; where there is nothing, how to record it.
[[nodiscard]] std::string recorded_text(const stats::Result& result, std::uint32_t kernel);

/// Warps of an SM over cycles [begin, end) of a kernel.
struct Watched {
  std::uint32_t kernel = 0;
  std::uint32_t sm = 0;
  std::optional<std::uint32_t> warp_slot{};  ///< all slots of the SM when empty
  Cycle begin = 0;
  Cycle end = kNever;
};

/// Leaves only these of the recorded intervals, cut to the cycles. Throws InputError when the result has no such
/// kernel, SM, warp slot or cycle, and when nothing of them is recorded, with what is.
void keep_watched(const Watched& wanted, stats::Result& result);

}  // namespace gpusim::timeline
