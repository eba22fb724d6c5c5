// SPDX-License-Identifier: MIT
// Traces that are not the text that gpusim's users write: recordings, which are read, and what is refused with advice.
#pragma once

#include <filesystem>

#include "sim/model/trace/trace.h"

namespace gpusim::commands {

/// For cli::load_others_with(). Reads containers and the recordings of Accel-Sim's tracer. Throws InputError for
/// listings and for files that their name says are something else, and for parameters of a recording, which has none.
/// Anything else is read as text, whose errors say what is wrong with it.
[[nodiscard]] trace::Trace load_other_trace(const std::filesystem::path& path, const trace::ParameterChoice& choice);

}  // namespace gpusim::commands
