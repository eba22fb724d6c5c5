// SPDX-License-Identifier: MIT
#include "sim/frontend/sass/import.h"

#include "sim/frontend/sass/doubts.h"
#include "sim/frontend/sass/program_text.h"
#include "sim/frontend/text/load.h"

namespace gpusim::frontend::sass {

Import import_listing(std::string_view listing, const std::string& name) {
  Import made;
  const std::vector<ListedFunction> functions = read_listing(listing, name);
  made.program = program_of(functions, name);
  made.doubts = doubts_about(functions, name);
  made.holes = holes_of_trace_text(made.program, name + ", as a program");
  return made;
}

}  // namespace gpusim::frontend::sass
