// SPDX-License-Identifier: MIT
#include "sim/commands/recordings/load_other.h"

#include <string>

#include "sim/base/problem.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/input/accelsim/accelsim.h"
#include "sim/input/container/reader.h"
#include "sim/input/kind/kind.h"
#include "sim/input/kind/listing.h"
#include "sim/input/text/load.h"

namespace gpusim::commands {
namespace {

void refuse_listing(const std::filesystem::path& path) {
  if (frontend::sass::is_listing_file(path)) {
    throw InputError({{path.string(), 0, 0},
                      "is a listing of SASS, not a trace",
                      "with its launch it is executed: --grid ... --block ... --arg ...; without one, make a program "
                      "to fill in of it: gpusim trace import " +
                          path.string() + " -o kernel.trace"});
  }
}

void refuse_parameters(const std::filesystem::path& path, const trace::ParameterChoice& choice) {
  if (!choice.overrides.empty() || !choice.words.empty()) {
    const std::string name = choice.words.empty() ? choice.overrides.front().first : choice.words.front().first;
    throw InputError(
        {{"--param " + name, 0, 0}, "'" + path.string() + "' is a recorded trace, which has no parameters", ""});
  }
}

}  // namespace

trace::Trace load_other_trace(const std::filesystem::path& path, const trace::ParameterChoice& choice) {
  if (frontend::is_container(path)) {
    refuse_parameters(path, choice);
    return container::load(path);
  }
  if (frontend::is_accelsim(path)) {
    refuse_parameters(path, choice);
    return frontend::accelsim::load_accelsim(path, [](std::uint64_t, std::uint64_t) { cli::throw_if_interrupted(); });
  }
  refuse_listing(path);
  cli::refuse_misnamed(path);
  return frontend::load_trace_text(path, choice);  // which says what is wrong with its first lines
}

}  // namespace gpusim::commands
