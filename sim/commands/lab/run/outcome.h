// SPDX-License-Identifier: MIT
// What a process with limits says of its work, and what is told a student where it did not come to its end. Internal to
// the module.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "sim/commands/lab/run/limited.h"

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::lab {

/// In the process: says what `work` returns, an object, or which error ended it.
void say_outcome(const Say& say, const std::function<nlohmann::json()>& work);

/// In the process: says how many CTAs there are, for the reason below.
void say_ctas(const Say& say, const trace::Trace& trace);

/// In the process: whose files it reads and runs from here on.
enum class Phase : std::uint8_t { kOfStudent, kOfLab };
void say_phase(const Say& say, Phase phase);

/// Outside: all that was said, as one object.
[[nodiscard]] nlohmann::json heard(const std::string& said);

/// True when the files cannot be read, or are not a trace.
[[nodiscard]] bool is_refused(const nlohmann::json& said);

/// Whether the process said last that it is there.
[[nodiscard]] bool is_in_phase(const nlohmann::json& said, Phase phase);

/// Why a process for `file` did not say what it should; empty when it did. `wall_seconds` are those of the whole check.
[[nodiscard]] std::string reason(const LimitedEnd& end, const nlohmann::json& said, const std::string& file,
                                 double wall_seconds);

}  // namespace gpusim::lab
