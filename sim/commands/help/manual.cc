// SPDX-License-Identifier: MIT
#include "sim/commands/help/manual.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "sim/commands/cli/command_set.h"

namespace gpusim::manual {

std::vector<std::string> groups_of(const Command& command) {
  std::vector<std::string> groups;
  for (const Option& option : command.options) {
    if (option.group != cli::kEveryCommand && std::ranges::find(groups, option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  groups.emplace_back(cli::kEveryCommand);
  return groups;
}

std::string spelling_of(const Option& option) {
  std::string text;
  for (const std::string& name : option.names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  const bool joins = option.names.empty() || option.value.empty() || option.value.starts_with("[=");
  return text + (joins ? "" : " ") + option.value;
}

std::vector<std::string> usage_of(const Command& command) {
  const bool simulates = command.path == "gpusim" || command.path == "gpusim run";
  std::string words = command.path + (simulates ? " --arch GPU --trace TRACE" : "") + " [OPTIONS]";
  for (const Option& option : command.options) {
    words += option.names.empty() ? " " + option.value : "";
  }
  std::vector<std::string> usage;
  if (command.options.size() > 1) {  // --help alone belongs to a command that only holds others
    usage.push_back(words);
  }
  if (!command.commands.empty()) {
    usage.push_back(command.path + " COMMAND [OPTIONS]");
  }
  return usage;
}

std::vector<std::string> choices_of(const Option& option) {
  std::string_view value = option.value;
  if (value.starts_with("[=") && value.ends_with("]")) {
    value = value.substr(2, value.size() - 3);
  }
  const auto is_part_of_word = [](char c) { return c == '|' || c == '-' || (std::islower(c) != 0) || std::isdigit(c); };
  std::vector<std::string> words;
  if (value.empty() || !std::ranges::all_of(value, is_part_of_word)) {
    return words;
  }
  while (!value.empty()) {
    const std::size_t end = std::min(value.find('|'), value.size());
    words.emplace_back(value.substr(0, end));
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return words;
}

}  // namespace gpusim::manual
