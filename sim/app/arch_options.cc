// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/app/options.h"

namespace gpusim::app {
namespace {

CommandSet::Take take_action(const std::shared_ptr<ArchOptions>& options, ArchAction action) {
  return [options, action](const CLI::App& command) {
    options->action = action;
    if (action != ArchAction::kList) {
      require(command, options->name, "the name of an architecture");
    }
    return *options;
  };
}

}  // namespace

void add_arch_options(CommandSet& commands) {
  const auto options = std::make_shared<ArchOptions>();
  CLI::App& arch = commands.add_group("arch", "Architecture files: list, show, check");
  commands.add(arch, "list", "The architectures that are found by name", take_action(options, ArchAction::kList));
  const auto add_named = [&](const char* name, const char* what, ArchAction action) {
    CLI::App& command = commands.add(arch, name, what, take_action(options, action));
    add_text(command, "NAME", options->name, "FILE|NAME", "The architecture");
    add_set(command, options->set);
  };
  add_named("show", "The resolved file, and its peaks beside the vendor's", ArchAction::kShow);
  add_named("check", "Say whether the file is right; all problems at once", ArchAction::kCheck);
}

}  // namespace gpusim::app
