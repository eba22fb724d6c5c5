// SPDX-License-Identifier: MIT
#include "sim/app/shell/command_line.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "sim/app/shell/version.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/pager.h"
#include "sim/commands/run/command.h"

namespace gpusim::app {
namespace {

/// Words that no option takes are ours to refuse, in every command.
void allow_extras(CLI::App& app) {
  app.allow_extras();
  for (CLI::App* command : app.get_subcommands({})) {
    allow_extras(*command);
  }
}

/// The innermost command that was given.
const CLI::App& innermost(const CLI::App& app) {
  const auto& commands = app.get_subcommands();
  return commands.empty() ? app : innermost(*commands.front());
}

/// "--html" and so on: all long options of a command.
std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// Options in front of a command are those of another one, and the command would drop them without a word.
[[noreturn]] void refuse_in_front(const std::string& option, const CLI::App& command) {
  const std::vector<std::string> own = long_options(command);
  const bool has_it = std::ranges::find(own, option) != own.end();
  throw UsageError("'" + option + "' stands in front of '" + command.get_name() + "'; " +
                   (has_it ? "write it behind '" + cli::path_of(command) + "'"
                           : "'" + cli::path_of(command) + "' has no such option"));
}

void refuse_options_in_front(const CLI::App& app) {
  const CLI::App& command = innermost(app);
  for (const CLI::App* outer = command.get_parent(); outer != nullptr; outer = outer->get_parent()) {
    for (const CLI::Option* option : outer->get_options()) {
      if (option->count() > 0 && option->get_group() != cli::kEveryCommand && !option->get_lnames().empty()) {
        refuse_in_front("--" + option->get_lnames().front(), command);
      }
    }
  }
}

/// The paths of all commands of that name: "'gpusim arch list', 'gpusim lab list'".
std::string commands_called(const std::string& name, const CLI::App& app) {
  std::string paths;
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string found =
        inner->get_name() == name ? "'" + cli::path_of(*inner) + "'" : commands_called(name, *inner);
    paths += (paths.empty() || found.empty() ? "" : ", ") + found;
  }
  return paths;
}

/// The option of the command, or the command, that was left out in front of a word; empty where none takes such a word.
std::string option_left_out(const std::string& word, const CLI::App& command) {
  const std::vector<std::string> own = long_options(command);
  const auto has = [&own](std::string_view option) { return std::ranges::find(own, option) != own.end(); };
  if (const std::size_t equals = word.find('='); equals != std::string::npos) {
    const std::string option = word.find('.') < equals ? "--set" : "--param";
    return has(option) ? "each value has its own option: " + option + " " + word : "";
  }
  if (word.ends_with(".db") && has("--db")) {
    return "write --db " + word;
  }
  const cli::OtherKind kind = cli::other_kind(word, nullptr);
  return std::string(kind.has_command || has(kind.option) ? kind.hint : "");
}

/// "'gpusim --version'": the command's option of that name, or those of the commands below it.
std::string options_called(const std::string& name, const CLI::App& command) {
  const std::vector<std::string> own = long_options(command);
  if (std::ranges::find(own, "--" + name) != own.end()) {
    return "'" + cli::path_of(command) + " --" + name + "'";
  }
  std::string paths;
  if (command.get_parent() == nullptr) {
    return paths;  // all options of all commands would be too many to choose from
  }
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string found = options_called(name, *inner);
    paths += (paths.empty() || found.empty() ? "" : ", ") + found;
  }
  return paths;
}

/// What a word was probably meant for that is neither an option nor the value of one.
std::string hint_for_word(const std::string& word, const CLI::App& command, const CLI::App& app) {
  if (std::string hint = option_left_out(word, command); !hint.empty()) {
    return hint;
  }
  const std::string options = options_called(word, command);
  if (const std::string elsewhere = options.empty() ? commands_called(word, app) : options; !elsewhere.empty()) {
    return "did you mean " + elsewhere + "?";
  }
  std::vector<std::string_view> known;
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(inner->get_name());
  }
  return suggestion(word, known);
}

/// The first option that begins with a single letter; for all others the nearest.
std::string option_suggestion(const std::string& option, const std::vector<std::string>& names) {
  const auto begins = [&option](const std::string& name) { return name.starts_with("-" + option); };
  if (const auto found = std::ranges::find_if(names, begins); option.size() == 2 && found != names.end()) {
    return "did you mean '" + *found + "'?";
  }
  return suggestion(option, std::vector<std::string_view>(names.begin(), names.end()));
}

/// CLI11 would say "The following arguments were not expected"; we say what was probably meant.
void refuse_extras(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining(true);
  if (extras.empty()) {
    return;
  }
  const CLI::App& command = innermost(app);
  const std::string& word = extras.front();
  if (!word.starts_with("-") || word == "-") {
    const std::string hint = hint_for_word(word, command, app);
    throw UsageError("unexpected '" + word + "' of '" + cli::path_of(command) + "'" +
                     (hint.empty() ? "" : " (" + hint + ")"));
  }
  const std::string option = word.substr(0, word.find('='));
  const std::vector<std::string> names = long_options(command);
  if (std::ranges::find(names, option) != names.end()) {
    refuse_in_front(option, command);
  }
  throw UsageError("unknown option '" + option + "' of '" + cli::path_of(command) + "' (" +
                   option_suggestion(option, names) + ")");
}

/// The command that the words of "gpusim help" lead to, as far as they name commands.
const CLI::App& explained_by(const CLI::App& help, const CLI::App& app) {
  const CLI::App* at = &app;
  for (const std::string& word : help.get_option("COMMAND")->results()) {
    const auto named = at->get_subcommands([&word](const CLI::App* inner) { return inner->get_name() == word; });
    if (named.empty()) {
      break;
    }
    at = named.front();
  }
  return *at;
}

/// The main job without the other commands, whose options are most of what there is to set up. Nothing when anything is
/// wrong or is asked that they have to do with.
std::optional<CommandLine> parse_main_job(int argc, const char* const* argv, cli::OpenJob open_job) {
  CLI::App app;
  cli::CommandSet set(app);
  commands::add_run_command(set, open_job);
  allow_extras(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Error&) {
    return std::nullopt;
  }
  return app.remaining(true).empty() ? std::optional(CommandLine{set.take(innermost(app)), set.common()})
                                     : std::nullopt;
}

/// CLI11 says "--arch: 1 required TEXT missing", or that it received several.
std::string complaint_about_count(const std::string& text) {
  const std::string option = text.substr(0, text.find(':'));
  if (text.find("received") == std::string::npos) {
    return option + " needs a value";
  }
  const bool may_compare = option == "--arch" || option == "--trace";
  return option + " is given more than once" +
         (may_compare ? ": a run simulates one trace on one GPU; 'gpusim compare' and 'gpusim sweep' take several"
                      : "");
}

}  // namespace

bool looks_like_main_job(int argc, const char* const* argv) {
  bool was_option = false;
  for (int i = 1; i < argc; ++i) {
    const bool is_option = argv[i][0] == '-';
    if (!is_option && !was_option) {
      return false;
    }
    was_option = is_option;
  }
  return argc > 1;
}

CommandLine parse_command_line(int argc, const char* const* argv, const Program& program, std::string& help) {
  help = "gpusim --help";
  if (looks_like_main_job(argc, argv)) {
    if (std::optional<CommandLine> line = parse_main_job(argc, argv, program.open_job)) {
      return *std::move(line);
    }
  }
  CLI::App app("gpusim replays a GPU kernel on a described GPU and says how long it takes, and why", "gpusim");
  app.require_subcommand(0, 1);  // so that a value such as the lab "roofline" is not taken for one more command
  cli::CommandSet set(app);
  app.set_version_flag("--version", version_line())
      ->description("Print the version, and what the program was built from")
      ->group(cli::kEveryCommand);
  program.declare(set);
  allow_extras(app);
  const auto note_help = [&] {
    const CLI::App& command = innermost(app);
    const CLI::App& explained = command.get_name() == "help" ? explained_by(command, app) : command;
    if (&explained != &app) {
      help = "gpusim help" + cli::path_of(explained).substr(std::string_view("gpusim").size());
    }
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {program.show_help(innermost(app)), set.common()};
  } catch (const CLI::CallForVersion& version) {
    return {cli::show(std::string(version.what()) + "\n"), {}};
  } catch (const CLI::ArgumentMismatch& error) {
    note_help();
    throw UsageError(complaint_about_count(error.what()));
  } catch (const CLI::ParseError& error) {
    note_help();
    throw UsageError(error.what());
  }
  note_help();
  refuse_extras(app);
  refuse_options_in_front(app);
  return {set.take(innermost(app)), set.common()};
}

}  // namespace gpusim::app
