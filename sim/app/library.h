// SPDX-License-Identifier: MIT
// The library of kernels: the trace files found by name that say they belong to it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/inspect/inspect.h"
#include "sim/trace/kernel.h"

namespace gpusim::app {

/// All kernels of the library, sorted. A file that cannot be read is left out with a warning.
[[nodiscard]] std::vector<inspect::LibraryKernel> read_library();

/// The text of a library kernel with the chosen values as defaults. Throws InputError for a name that the library has
/// not, and for values that do not fit.
[[nodiscard]] std::string make_trace(const std::string& name, const trace::ParameterChoice& choice);

}  // namespace gpusim::app
