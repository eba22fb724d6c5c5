// SPDX-License-Identifier: MIT
#include "sim/output/timeline/recording.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/stats/result.h"

namespace gpusim::timeline {

using stats::WatchInterval;

void require_number(std::string_view option, const Numbered& number, const std::string& of) {
  if (number.value >= number.count) {
    throw InputError({{std::string(option), 0, 0},
                      fmt::format("{}={}: there is no such {} in {}", number.name, number.value, number.name, of),
                      number.count == 0 ? "there is none" : "allowed: 0 to " + with_thousands(number.count - 1)});
  }
}

void require_cycle(const stats::Result& result, std::string_view option, std::uint32_t kernel, Cycle cycle) {
  const Cycle cycles = result.kernels[kernel].cycles;
  require_number(option, {"cycle", cycle, cycles},
                 fmt::format("kernel {}, which has {} cycles", kernel, with_thousands(cycles)));
}

std::string recorded_text(const stats::Result& result, std::uint32_t kernel) {
  std::string text;
  const auto of_kernel = [&](const WatchInterval& i) { return i.kernel == kernel; };
  std::set<std::uint32_t> sms;
  for (const WatchInterval& interval : result.watch) {
    if (!of_kernel(interval) || !sms.insert(interval.sm).second) {
      continue;
    }
    Cycle begin = interval.begin;
    Cycle end = interval.end;
    for (const WatchInterval& other : result.watch) {
      if (of_kernel(other) && other.sm == interval.sm) {
        begin = std::min(begin, other.begin);
        end = std::max(end, other.end);
      }
    }
    text += fmt::format("{}SM {}, cycles {} to {}", text.empty() ? "recorded: " : "; ", interval.sm,
                        with_thousands(begin), with_thousands(end - 1));
  }
  return text.empty() ? "record them with --record warps=SM[:A..B]" : text;
}

void keep_watched(const Watched& wanted, stats::Result& result) {
  constexpr std::string_view kWatch = "--watch";
  require_number(kWatch, {"kernel", wanted.kernel, result.kernels.size()}, "the run");
  require_number(kWatch, {"sm", wanted.sm, result.machine.sms}, printable(result.arch_name));
  require_number(kWatch,
                 {"warp", wanted.warp_slot.value_or(0), result.kernels[wanted.kernel].occupancy.max_warps_per_sm},
                 "an SM");
  require_cycle(result, kWatch, wanted.kernel, wanted.begin);
  std::vector<WatchInterval> kept;
  for (WatchInterval interval : result.watch) {
    interval.begin = std::max(interval.begin, wanted.begin);
    interval.end = std::min(interval.end, wanted.end);
    if (interval.kernel == wanted.kernel && interval.sm == wanted.sm && interval.begin < interval.end &&
        wanted.warp_slot.value_or(interval.warp_slot) == interval.warp_slot) {
      kept.push_back(interval);
    }
  }
  if (kept.empty()) {
    const std::string slot = wanted.warp_slot ? fmt::format(" in slot {}", *wanted.warp_slot) : "";
    throw InputError({{std::string(kWatch), 0, 0},
                      fmt::format("no warp{} of SM {} is recorded in cycles {} to {}", slot, wanted.sm,
                                  with_thousands(wanted.begin), with_thousands(wanted.end - 1)),
                      recorded_text(result, wanted.kernel)});
  }
  result.watch = std::move(kept);
}

}  // namespace gpusim::timeline
