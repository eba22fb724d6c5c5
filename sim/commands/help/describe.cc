// SPDX-License-Identifier: MIT
#include "sim/commands/help/describe.h"

#include <sstream>

#include <CLI/CLI.hpp>

#include "sim/commands/cli/command_set.h"

namespace gpusim::manual {
namespace {

Option describe(const CLI::Option& option) {
  Option described{{}, option.get_option_text(), option.get_description(), option.get_group()};
  for (const std::string& name : option.get_snames()) {
    described.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    described.names.push_back("--" + name);
  }
  return described;
}

/// The footer's lines up to an empty one are examples, the others notes.
void take_footer(const std::string& footer, Command& command) {
  std::istringstream lines(footer);
  bool is_example = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() && is_example) {
      is_example = false;
    } else if (is_example) {
      command.examples.push_back(line);
    } else {
      command.notes += (command.notes.empty() ? "" : " ") + line;
    }
  }
}

}  // namespace

Command describe(const CLI::App& app) {
  Command command{app.get_name(), cli::path_of(app), app.get_description(), {}, {}, {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    command.options.push_back(describe(*option));
  }
  take_footer(app.get_footer(), command);
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; })) {
    command.commands.push_back(describe(*inner));
  }
  return command;
}

}  // namespace gpusim::manual
