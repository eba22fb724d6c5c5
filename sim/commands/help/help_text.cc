// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>

#include "sim/commands/cli/command_set.h"
#include "sim/commands/help/manual.h"
#include "sim/output/text/layout.h"

namespace gpusim::manual {
namespace {

/// Where the sentences about options and commands begin.
constexpr std::size_t kColumn = 30;
constexpr std::size_t kGap = 2;

/// Stands for a space at which no line is broken.
constexpr char kFirmSpace = '\x1f';

/// The sentence in lines; "(default: x)" stays together.
std::string filled(std::string sentence, std::size_t width) {
  constexpr std::string_view kDefault = "(default: ";
  for (std::size_t at = sentence.find(kDefault); at != std::string::npos; at = sentence.find(kDefault, at + 1)) {
    sentence[at + kDefault.size() - 1] = kFirmSpace;
  }
  std::string text = layout::wrapped(sentence, kColumn, width);
  std::ranges::replace(text, kFirmSpace, ' ');
  return text;
}

/// A term and its sentence beside it, or below it where the term is long.
std::string entry(const std::string& term, const std::string& what, std::size_t width) {
  std::string line(layout::kIndent, ' ');
  line += term;
  const std::string sentence = filled(what, width);
  if (line.size() + kGap > kColumn) {
    return line + "\n" + sentence;
  }
  return line + sentence.substr(line.size());
}

std::string options_text(const Command& command, std::size_t width) {
  std::string text;
  for (const std::string& group : groups_of(command)) {
    if (group == cli::kEveryCommand && command.path.find(' ') != std::string::npos) {
      text += "\nEvery command also takes --help, --quiet, --color and --no-pager: see gpusim help\n";
      continue;
    }
    text += "\n" + group + ":\n";
    for (const Option& option : command.options) {
      text += option.group == group ? entry(spelling_of(option), option.what, width) : "";
    }
  }
  return text;
}

std::string commands_text(const Command& command, std::size_t width) {
  if (command.commands.empty()) {
    return {};
  }
  std::string text = "\nCommands:\n";
  for (const Command& inner : command.commands) {
    text += entry(inner.name, inner.what, width);
  }
  return text;
}

std::string examples_text(const Command& command) {
  std::string text = command.examples.empty() ? "" : "\nExamples:\n";
  for (const std::string& example : command.examples) {
    text += std::string(layout::kIndent, ' ') + example + "\n";
  }
  return text;
}

std::string usage_text(const Command& command) {
  std::string text;
  for (const std::string& usage : usage_of(command)) {
    text += (text.empty() ? "Usage: " : "       ") + usage + "\n";
  }
  return text;
}

}  // namespace

std::string help_text(const Command& command, std::size_t width) {
  std::string text = layout::wrapped(command.what + ".", 0, width) + "\n" + usage_text(command);
  text += options_text(command, width) + commands_text(command, width) + examples_text(command);
  if (!command.notes.empty()) {
    text += "\n" + layout::wrapped(command.notes, 0, width);
  }
  return text;
}

}  // namespace gpusim::manual
