// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/arch/command.h"
#include "sim/commands/cli/command_set.h"

namespace gpusim::commands {
namespace {

cli::CommandSet::Take take_action(const std::shared_ptr<ArchOptions>& options, ArchAction action) {
  return [options, action](const CLI::App& command) {
    options->action = action;
    if (action != ArchAction::kList) {
      cli::require(command, options->name, "the name of an architecture");
    }
    if (action == ArchAction::kDiff) {
      cli::require(command, options->other.empty() && !options->set.empty() ? options->name : options->other,
                   "the names of two architectures, or one and --set");
      options->other = options->other.empty() ? options->name : options->other;
    }
    return cli::run_with(arch_command, *options);
  };
}

}  // namespace

void add_arch_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<ArchOptions>();
  CLI::App& arch = commands.add_group("arch", "Architecture files: list, show, check, diff");
  const auto add = [&](const char* name, const char* what, ArchAction action) -> CLI::App& {
    CLI::App& command = commands.add(arch, name, what, take_action(options, action));
    if (action == ArchAction::kShow || action == ArchAction::kCheck) {
      cli::add_text(command, "NAME", options->name, "FILE|NAME", "The architecture");
    }
    if (action != ArchAction::kList) {
      cli::add_set(command, options->set);
    }
    if (action != ArchAction::kCheck) {
      cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Of what is printed");
    }
    return command;
  };
  add("list", "The architectures that are found by name, side by side", ArchAction::kList);
  add("show", "The resolved file, and its peaks beside the vendor's", ArchAction::kShow);
  add("check", "Say whether the file is right; all problems at once", ArchAction::kCheck);
  CLI::App& diff = add("diff", "What differs between two architectures, and by how much", ArchAction::kDiff);
  cli::add_text(diff, "FIRST", options->name, "FILE|NAME", "An architecture");
  cli::add_text(diff, "SECOND", options->other, "FILE|NAME", "The other; --set changes this one");
}

}  // namespace gpusim::commands
