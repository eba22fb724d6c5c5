// SPDX-License-Identifier: MIT
// The answer to --why for a terminal.
#include <string_view>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/timeline/timeline.h"
#include "sim/output/timeline/watch_rows.h"
#include "sim/output/timeline/why_words.h"

namespace gpusim::timeline {
namespace {

using stats::Stall;
using stats::WatchInterval;

/// The head, and the text beside it on as many lines as it takes.
std::string line_of(std::string_view head, const std::string& text, const TextOptions& options) {
  constexpr std::size_t kHead = 14;
  return layout::paint(fmt::format("  {:<{}}", head, kHead - 2), layout::Style::kFaint, options) +
         layout::wrapped(text, kHead, options.width).substr(kHead);
}

std::string cycles_text(const WatchInterval& i) {
  const std::string last = with_thousands(i.end - 1);
  return i.end - i.begin == 1
             ? "cycle " + last
             : fmt::format("cycles {} to {} ({})", with_thousands(i.begin), last, with_thousands(i.end - i.begin));
}

std::string when_text(const stats::Result& result, const Reason& reason) {
  const WatchInterval& i = reason.interval;
  const std::string instruction = whole_text(result.kernels[i.kernel].pcs[i.pc]);
  const std::string next = next_text(result, reason);
  switch (i.state) {
    case Stall::kSelected: return fmt::format("{}; {}", cycles_text(i), next);
    case Stall::kDrain: return fmt::format("{}, after {}; {}", cycles_text(i), instruction, next);
    default: return fmt::format("{}; {}; next: {}", cycles_text(i), next, instruction);
  }
}

std::string head_text(const stats::Result& result, const Reason& reason) {
  const WatchInterval& i = reason.interval;
  const stats::StallInfo& info = info_of(i.state);
  const std::string what = i.state == Stall::kSelected
                               ? "selected, it issues " + whole_text(result.kernels[i.kernel].pcs[i.pc])
                               : fmt::format("{}, it waits for {}", info.key, info.what);
  return fmt::format("warp {} of SM {} ({}.{}), cycle {}: {}", i.warp_slot, i.sm, i.cta, i.warp,
                     with_thousands(reason.moment.cycle), what);
}

std::string meanwhile_text(const stats::Result& result, const Reason& reason) {
  const WatchInterval& i = reason.interval;
  if (!reason.other) {
    return fmt::format("sub-core {} issued nothing in that cycle", i.sub_core);
  }
  return fmt::format("sub-core {} issued {} of {}", i.sub_core,
                     whole_text(result.kernels[i.kernel].pcs[reason.other->pc]),
                     reason.other->warp_slot == i.warp_slot ? "this warp" : warp_label(*reason.other));
}

}  // namespace

std::string to_text(const stats::Result& result, const Reason& reason, const TextOptions& options) {
  return layout::paint(layout::wrapped(head_text(result, reason), 0, options.width), layout::Style::kStrong, options) +
         line_of("when", when_text(result, reason), options) +
         line_of("released by", releaser_text(result, reason), options) +
         line_of("in the way", obstacle_text(result, reason), options) +
         line_of("meanwhile", meanwhile_text(result, reason), options);
}

}  // namespace gpusim::timeline
