// SPDX-License-Identifier: MIT
// Inline programs: a few lines of the trace language become a whole trace, with a pass before the measured one that
// warms the caches. Marks name lines of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/model/trace/trace.h"

namespace gpusim::validate {

struct Case;

/// "load#3@2": the third time that warp 2 issues the line behind the label "load". The first time, and warp 0, where
/// nothing is said.
struct Mark {
  std::string label;
  std::uint32_t nth = 1;  ///< from 1; 0: the last time
  std::uint32_t warp = 0;
};
/// Nothing for a text that is not a mark.
[[nodiscard]] std::optional<Mark> parse_mark(std::string_view text);

struct Program {
  trace::Trace trace;
  std::uint32_t lines_before = 0;               ///< lines of the trace before the program's first
  std::uint32_t lines = 0;                      ///< lines of the program
  std::uint32_t passes = 1;                     ///< times the program runs; the last counts
  std::map<std::string, std::uint32_t> labels;  ///< line of the instruction behind each, from 1
};

/// Throws InputError, with places in the case's file, about everything that the trace language does not take.
[[nodiscard]] Program make_program(const Case& of);

}  // namespace gpusim::validate
