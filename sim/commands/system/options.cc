// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/system/command.h"
#include "sim/commands/system/find_system.h"

namespace gpusim::commands {
namespace {

cli::CommandSet::Take take_system(const std::shared_ptr<SystemOptions>& options, SystemAction action) {
  return [options, action](const CLI::App& command) {
    options->action = action;
    if (action != SystemAction::kList) {
      cli::require(command, options->name, "the name of a system");
    }
    return cli::run_with(system_command, *options);
  };
}

}  // namespace

void add_system_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<SystemOptions>();
  CLI::App& system = commands.add_group("system", "List, show and check systems of several GPUs");
  cli::set_examples(system, "gpusim system list\ngpusim system show dgx-a100");
  const auto add = [&](const char* name, const char* what, SystemAction action, const char* examples) {
    CLI::App& command = commands.add(system, name, what, take_system(options, action));
    if (action != SystemAction::kList) {
      cli::add_text(command, "NAME", options->name, "SYSTEM", "A system's name such as dgx-a100, or a system file");
    }
    if (action != SystemAction::kCheck) {
      cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Output format (default: text)");
    }
    if (action == SystemAction::kShow) {
      cli::add_repeated(command, "-s,--set", options->set, "KEY=VALUE", cli::kSetSystem);
      cli::add_flag(command, "-d,--details", options->details, "Show the kind and the source of each value");
    }
    cli::set_examples(command, examples);
  };
  add("list", "List the systems known by name, side by side", SystemAction::kList,
      "gpusim system list\ngpusim system list --format json");
  add("show", "Print what a system has, the routes between its GPUs and what copies reach", SystemAction::kShow,
      "gpusim system show dgx-a100\ngpusim system show dgx-1-v100 --details\n"
      "gpusim system show dgx-a100 --set link_types.nvlink3.bandwidth=50GB/s");
  add("check", "Validate a system file; print all problems at once", SystemAction::kCheck,
      "gpusim system check mine.yaml\ngpusim system check dgx-a100");
}

}  // namespace gpusim::commands
