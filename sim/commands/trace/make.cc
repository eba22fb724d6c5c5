// SPDX-License-Identifier: MIT
#include "sim/commands/trace/make.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/commands/trace/summary.h"
#include "sim/input/text/source_text.h"

namespace gpusim::commands {

std::string make_trace(const std::string& name, const trace::ParameterChoice& choice) {
  const std::vector<frontend::LibraryKernel> library = cli::read_library();
  const auto found = std::ranges::find(library, name, &frontend::LibraryKernel::name);
  if (found == library.end()) {
    std::vector<std::string_view> known;
    for (const frontend::LibraryKernel& kernel : library) {
      known.push_back(kernel.name);
    }
    const std::string elsewhere(cli::other_kind(name, nullptr).hint);
    throw InputError(
        {{name, 0, 0},
         "no such kernel in the library",
         (elsewhere.empty() ? suggestion(name, known) : elsewhere) + "; 'gpusim trace make --list' has all"});
  }
  const trace::ParameterChoice chosen = cli::with_presets(choice, found->presets);
  if (std::vector<Problem> problems = trace_summary::launch_problems(cli::load_trace(found->file, chosen));
      !problems.empty()) {
    throw InputError(std::move(problems));
  }
  return frontend::text_with_defaults(frontend::read_text(found->file), found->file, chosen, found->title);
}

}  // namespace gpusim::commands
