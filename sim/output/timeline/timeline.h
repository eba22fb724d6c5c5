// SPDX-License-Identifier: MIT
// The recorded intervals of a Result (Result::watch) as texts: a timeline for terminals, the answer to why a warp waits
// in one cycle, a trace for Perfetto, a log for Konata. Each a pure function that returns the whole text.
#pragma once

#include <cstddef>
#include <string>

#include "sim/base/types.h"
#include "sim/output/text/layout.h"

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::timeline {

struct TextOptions : layout::Look {
  bool details = false;  ///< every issue, instead of the first
  Cycle begin = 0;       ///< the cycles watched; what is recorded is cut there
  Cycle end = kNever;
};

/// What was simulated; then, of each kernel and SM, one line per warp and one glyph per cycle, where a stretch in which
/// no warp changes is one glyph and its length, "L(576)"; and a list of what issued, each with what it waited for
/// before.
[[nodiscard]] std::string to_text(const stats::Result& result, const TextOptions& options);

/// A file of events, and what did not fit.
struct TraceEvents {
  std::string json;
  std::string left_out;  ///< in words; empty when all is there
};

/// A file holds no more events: viewers become slow.
inline constexpr std::size_t kMostTraceEvents = 1'000'000;

/// The trace-event format of chrome://tracing and Perfetto, one microsecond per cycle: kernels one behind the other
/// with their counters, and the warps of recorded SMs with their states. Beyond `most_events` the latest states are
/// left out.
[[nodiscard]] TraceEvents to_trace_events(const stats::Result& result, std::size_t most_events = kMostTraceEvents);

/// A log of Konata, Kanata version 4: each instruction that a warp of the recorded SM issued, with what it waited for
/// before as stages, named by the glyphs of states. Throws InputError when no SM, or more than one, was recorded.
[[nodiscard]] std::string to_konata(const stats::Result& result);

}  // namespace gpusim::timeline
