// SPDX-License-Identifier: MIT
#include "sim/commands/help/man_page.h"

#include "sim/commands/cli/command_set.h"
#include "sim/commands/cli/exit_codes.h"

namespace gpusim::manual {
namespace {

/// Text in which troff sees no command, no escape, and no hyphen where a dash is typed.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool starts_line = out.empty() || out.back() == '\n';
    if (starts_line && (c == '.' || c == '\'')) {
      out += "\\&";
    }
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '~' ? "\\(ti" : c == '^' ? "\\(ha" : std::string(1, c);
  }
  return out;
}

std::string section(std::string_view title) {
  return ".SH " + std::string(title) + "\n";
}

std::string man_entry(const std::string& term, const std::string& what) {
  return ".TP\n\\fB" + escaped(term) + "\\fR\n" + escaped(what) + ".\n";
}

/// Text below a heading, which is a paragraph without saying so.
std::string without_paragraph(const std::string& text) {
  constexpr std::string_view kParagraph = ".PP\n";
  return text.starts_with(kParagraph) ? text.substr(kParagraph.size()) : text;
}

std::string man_options(const Command& command) {
  std::string text;
  for (const std::string& group : groups_of(command)) {
    if (group == cli::kEveryCommand && command.path.find(' ') != std::string::npos) {
      continue;  // said once, of the program
    }
    text += ".PP\n\\fI" + escaped(group) + "\\fR\n";
    for (const Option& option : command.options) {
      text += option.group == group ? man_entry(spelling_of(option), option.what) : "";
    }
  }
  return text;
}

std::string man_examples(const Command& command) {
  std::string text;
  for (const std::string& example : command.examples) {
    text += escaped(example) + "\n";
  }
  return text.empty() ? text : ".PP\n.nf\n" + text + ".fi\n";
}

std::string man_usage(const Command& command) {
  std::string text;
  for (const std::string& usage : usage_of(command)) {
    text += (text.empty() ? "" : ".br\n") + escaped(usage) + "\n";
  }
  return text;
}

std::string command_text(const Command& command) {
  std::string text = ".SS " + escaped(command.path) + "\n" + escaped(command.what) + ".\n.PP\n" + man_usage(command);
  text += man_options(command) + man_examples(command);
  if (!command.notes.empty()) {
    text += ".PP\n" + escaped(command.notes) + "\n";
  }
  for (const Command& inner : command.commands) {
    text += command_text(inner);
  }
  return text;
}

}  // namespace

std::string man_page(const Command& program, std::string_view version) {
  std::string text = ".TH GPUSIM 1 \"\" \"gpusim " + escaped(version) + "\" \"User Commands\"\n";
  text += section("NAME") + "gpusim \\- a cycle\\-approximate GPU simulator\n";
  text += section("SYNOPSIS") + man_usage(program);
  text += section("DESCRIPTION") + escaped(program.what) + ".\n";
  text += section("OPTIONS") + without_paragraph(man_options(program));
  text += section("EXAMPLES") + without_paragraph(man_examples(program));
  text += section("COMMANDS");
  for (const Command& command : program.commands) {
    text += command_text(command);
  }
  text += section("EXIT STATUS");
  for (const cli::ExitCode& code : cli::exit_codes()) {
    text += man_entry(std::to_string(code.code), std::string(code.meaning));
  }
  text += section("ENVIRONMENT");
  for (const cli::Variable& variable : cli::variables()) {
    text += man_entry(std::string(variable.name), std::string(variable.meaning));
  }
  return text;
}

}  // namespace gpusim::manual
