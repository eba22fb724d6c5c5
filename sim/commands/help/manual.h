// SPDX-License-Identifier: MIT
// What the program says of itself: every command with its options and examples. Help, the man page and the completions
// of shells are all made from it.
#pragma once

#include <string>
#include <vector>

namespace gpusim::manual {

struct Option {
  std::vector<std::string> names;  ///< "-a", "--arch"; empty where the value stands alone
  std::string value;               ///< what the help shows for it: GPU, text|json, [DIR]; empty: the option takes none
  std::string what;
  std::string group;  ///< the heading above it
};

struct Command {
  std::string name;  ///< "show"
  std::string path;  ///< "gpusim arch show"
  std::string what;
  std::vector<Option> options;  ///< most used first within a group
  std::vector<std::string> examples;
  std::string notes;  ///< paragraphs below the examples
  std::vector<Command> commands;
};

/// The groups in the order in which they are shown: as they were declared, what every command has last.
[[nodiscard]] std::vector<std::string> groups_of(const Command& command);

/// "-a, --arch GPU".
[[nodiscard]] std::string spelling_of(const Option& option);

/// "gpusim trace make [OPTIONS] [KERNEL]", one line for each way to call the command.
[[nodiscard]] std::vector<std::string> usage_of(const Command& command);

/// The words that a value may be: text, json. Empty where it is anything.
[[nodiscard]] std::vector<std::string> choices_of(const Option& option);

/// The help of a command, in lines of at most `width` columns; examples are not broken.
[[nodiscard]] std::string help_text(const Command& command, std::size_t width);

}  // namespace gpusim::manual
