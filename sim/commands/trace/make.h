// SPDX-License-Identifier: MIT
// gpusim trace make: a kernel of the library as a trace.
#pragma once

#include <string>

namespace gpusim::trace {
struct ParameterChoice;
}  // namespace gpusim::trace

namespace gpusim::commands {

/// The text of a library kernel with the chosen values as defaults. Throws InputError for a name that the library has
/// not, and for values that do not fit.
[[nodiscard]] std::string make_trace(const std::string& name, const trace::ParameterChoice& choice);

}  // namespace gpusim::commands
