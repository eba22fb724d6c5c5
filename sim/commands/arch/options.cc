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
  CLI::App& arch = commands.add_group("arch", "List, show, check and compare GPUs");
  const auto add = [&](const char* name, const char* what, ArchAction action, const char* examples) -> CLI::App& {
    CLI::App& command = commands.add(arch, name, what, take_action(options, action));
    if (action == ArchAction::kShow || action == ArchAction::kCheck) {
      cli::add_text(command, "NAME", options->name, "GPU", "A GPU's name such as h100, or an architecture file");
    }
    if (action != ArchAction::kList) {
      cli::add_set(command, options->set);
    }
    if (action != ArchAction::kCheck) {
      cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Output format (default: text)");
    }
    cli::set_examples(command, examples);
    return command;
  };
  cli::set_examples(arch, "gpusim arch list\ngpusim arch diff a100 h100");
  add("list", "List the GPUs known by name, side by side", ArchAction::kList,
      "gpusim arch list\ngpusim arch list --format json");
  add("show", "Print an architecture file with all its values, and its peaks beside the vendor's", ArchAction::kShow,
      "gpusim arch show h100\ngpusim arch show h100 --set sm.count=160 > wide.yaml");
  add("check", "Validate an architecture file; print all problems at once", ArchAction::kCheck,
      "gpusim arch check mine.yaml\ngpusim arch check h100 --set l2.bytes=100MiB");
  CLI::App& diff = add("diff", "Print what differs between two GPUs, and by how much", ArchAction::kDiff,
                       "gpusim arch diff a100 h100\ngpusim arch diff h100 --set sm.count=160");
  cli::add_text(diff, "FIRST", options->name, "GPU", "The first GPU");
  cli::add_text(diff, "SECOND", options->other, "GPU", "The second GPU; --set changes this one");
}

}  // namespace gpusim::commands
