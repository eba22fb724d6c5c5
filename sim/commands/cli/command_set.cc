// SPDX-License-Identifier: MIT
#include "sim/commands/cli/command_set.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

#include "sim/base/cache_state.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"

namespace gpusim::cli {
namespace {

/// "list, show or check".
std::string command_list(const CLI::App& app) {
  std::string out;
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  for (std::size_t i = 0; i < commands.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == commands.size() ? " or " : ", ") + commands[i]->get_name();
  }
  return out;
}

/// What is wrong with a word; "" of an allowed one.
std::string complaint_about_choice(const std::string& word, const std::vector<std::string>& words) {
  if (std::ranges::find(words, word) != words.end()) {
    return {};
  }
  std::string text = "'" + word + "' is none of ";
  for (const std::string& allowed : words) {
    text += (&allowed == words.data() ? "" : ", ") + allowed;
  }
  const std::vector<std::string_view> known(words.begin(), words.end());
  const std::string_view near = nearest(word, known);
  return near.empty() ? text : text + " (did you mean '" + std::string(near) + "'?)";
}

}  // namespace

void CommandSet::add_common(CLI::App& command) {
  start_group(command, kEveryCommand);
  command.get_help_ptr()->description("Print this help, and exit")->group(kEveryCommand);
  command.add_flag("-q,--quiet", common_.quiet, "Print errors only on standard error: no progress, no remarks");
  add_choice(command, "--color", common_.colour, {"auto", "always", "never"},
             "When to use colours; auto: on a terminal, unless NO_COLOR is set");
  add_flag(command, "--no-pager", common_.no_pager, "Print long lists and help without a pager");
  start_group(command, "Options");
}

CLI::App& CommandSet::add(CLI::App& parent, const std::string& name, const std::string& what, Take take) {
  CLI::App& command = *parent.add_subcommand(name, what);
  command.footer("");  // CLI11 hands the parent's down
  add_common(command);
  take_[&command] = std::move(take);
  return command;
}

void CommandSet::add_default(Take take) {
  add_common(root_);
  take_[&root_] = std::move(take);
}

CLI::App& CommandSet::add_group(const std::string& name, const std::string& what) {
  CLI::App& group = *root_.add_subcommand(name, what);
  group.require_subcommand(0, 1);
  group.footer("");
  group.get_help_ptr()->description("Print this help, and exit")->group(kEveryCommand);
  take_[&group] = [](const CLI::App& app) -> Action {
    throw UsageError("'" + path_of(app) + "' needs a command: " + command_list(app));
  };
  return group;
}

Action CommandSet::take(const CLI::App& command) const {
  return take_.at(&command)(command);
}

void start_group(CLI::App& app, const char* title) {
  app.option_defaults()->group(title);
}

void add_text(CLI::App& app, const char* name, std::string& value, const char* shown, const char* what) {
  CLI::Option& option = *app.add_option(name, value, what)->option_text(shown);
  if (name[0] == '-') {
    option.check([expected = std::string(shown)](const std::string& text) {
      return text.empty() ? "its value is empty (expected: " + expected + ")" : std::string();
    });
  }
}

void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& values, const char* shown,
                  const char* what) {
  const bool is_positional = name[0] != '-';
  app.add_option(name, values, what)->option_text(shown)->allow_extra_args(is_positional);
}

void add_choice(CLI::App& app, const char* name, std::string& value, const std::vector<std::string>& words,
                const char* what) {
  std::string shown;
  for (const std::string& word : words) {
    shown += (shown.empty() ? "" : "|") + word;
  }
  app.add_option(name, value, what)->option_text(shown)->check([words](const std::string& word) {
    return complaint_about_choice(word, words);
  });
}

void add_result_format(CLI::App& app, std::string& format) {
  add_choice(app, "-f,--format", format, {"text", "json", "csv", "ncu-csv"},
             "Format of the result on standard output (default: text)");
  app.add_flag_callback(
      "--csv",
      [&app, &format] {
        if (app.count("--format") > 0) {
          throw UsageError("--csv is short for --format ncu-csv, and does not go with another --format");
        }
        format = "ncu-csv";
      },
      "Print CSV with the columns and names of ncu --csv: short for --format ncu-csv");
}

void add_flag(CLI::App& app, const char* name, bool& value, const char* what) {
  app.add_flag(name, value, what);
}

void add_optional_text(CLI::App& app, const std::string& name, const std::string& fallback, const std::string& shown,
                       std::string& value, const char* what) {
  app.add_flag(name, value, what)
      ->transform([fallback](const std::string& given) { return given == "true" ? fallback : given; }, "")
      ->option_text("[=" + shown + "]");
}

void set_examples(CLI::App& app, const char* text) {
  app.footer(text);
}

void add_cache(CLI::App& app, std::string& value) {
  add_choice(
      app, "--cache", value, {kCacheStates.begin(), kCacheStates.end()},
      "State of the caches: warm (the default) fills them in an untimed pass; cold empties them before the first "
      "kernel, flush-between before each kernel; dirty fills L2 as a kernel that overwrites other addresses leaves it");
}

void add_set(CLI::App& app, std::vector<std::string>& values) {
  add_repeated(app, "-s,--set", values, "KEY=VALUE", "Change a value of the GPU, such as sm.count=160 (repeatable)");
}

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? "gpusim" : path_of(*app.get_parent()) + " " + app.get_name();
}

void require(const CLI::App& command, const std::string& value, const std::string& what) {
  if (value.empty()) {
    throw UsageError("'" + path_of(command) + "' needs " + what);
  }
}

std::string first_given(const CLI::App& command, std::initializer_list<const char*> names) {
  const auto given = std::ranges::find_if(names, [&](const char* name) { return command.count(name) > 0; });
  return given == names.end() ? "" : *given;
}

void refuse_beside(const CLI::App& command, std::string_view chosen, std::vector<std::string_view> companions,
                   std::string_view why) {
  companions.insert(companions.end(), {chosen, "--quiet", "--color", "--no-pager"});
  for (const CLI::Option* option : command.get_options([](const CLI::Option* each) { return each->count() > 0; })) {
    const std::string name = (option->nonpositional() ? "--" : "") + option->get_single_name();
    if (std::ranges::find(companions, name) == companions.end()) {
      throw UsageError(name + " does not go with " + std::string(chosen) + std::string(why));
    }
  }
}

}  // namespace gpusim::cli
