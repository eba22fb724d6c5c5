// SPDX-License-Identifier: MIT
#include "sim/input/sass/import.h"

#include <algorithm>

#include "sim/input/sass/diagnostics.h"
#include "sim/input/sass/program_text.h"
#include "sim/input/text/load.h"

namespace gpusim::frontend::sass {

Import import_listing(std::string_view listing, const std::string& name) {
  Import made;
  const std::vector<ListedFunction> functions = read_listing(listing, name);
  made.has_encodings = std::ranges::all_of(
      functions, [](const ListedFunction& function) { return !function.code.front().words.empty(); });
  made.program = program_of(functions, name);
  made.diagnostics = diagnostics_of(functions, name);
  made.holes = holes_of_trace_text(made.program, name + ", as a program");
  return made;
}

}  // namespace gpusim::frontend::sass
