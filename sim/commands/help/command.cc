// SPDX-License-Identifier: MIT
#include "sim/commands/help/command.h"

#include <algorithm>
#include <memory>
#include <set>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/pager.h"
#include "sim/commands/help/completion.h"
#include "sim/commands/help/describe.h"
#include "sim/commands/help/man_page.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/input/text/library_kernel.h"
#include "sim/output/report/schema.h"

namespace gpusim::commands {
namespace {

/// No line of the help is longer, however wide the terminal.
constexpr std::size_t kWidestHelp = 100;

struct HelpOptions {
  std::vector<std::string> words;
  bool man = false;
  std::string shell;
};

const manual::Command& command_called(const manual::Command& program, const std::vector<std::string>& words) {
  const manual::Command* at = &program;
  for (const std::string& word : words) {
    const auto found = std::ranges::find(at->commands, word, &manual::Command::name);
    if (found == at->commands.end()) {
      std::vector<std::string_view> known;
      std::ranges::transform(at->commands, std::back_inserter(known), &manual::Command::name);
      throw UsageError("'" + at->path + "' has no command '" + word + "'" +
                       (known.empty() ? "" : " (" + suggestion(word, known) + ")"));
    }
    at = &*found;
  }
  return *at;
}

std::vector<std::string> stems_of(const cli::FileKind& kind) {
  std::set<std::string> names;
  for (const std::filesystem::path& file : cli::known_files(kind)) {
    names.insert(file.stem().string());
  }
  return {names.begin(), names.end()};
}

/// Traces by their files, and kernels of the library, whose files are not meant to be typed.
std::vector<std::string> trace_names(const std::vector<std::string>& kernels) {
  std::set<std::string> names(kernels.begin(), kernels.end());
  for (const std::filesystem::path& file : cli::known_files(cli::trace_files())) {
    if (file.parent_path().filename() != cli::trace_files().library) {
      names.insert(file.stem().string());
    }
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> lab_names() {
  std::vector<std::string> names;
  for (const auto& [name, folder] : lab::folders_by_name()) {
    names.push_back(name);
  }
  return names;
}

/// The names of commands and of those below them.
void add_names(const manual::Command& command, std::vector<std::string>& names) {
  for (const manual::Command& inner : command.commands) {
    names.push_back(inner.name);
    add_names(inner, names);
  }
}

std::vector<std::string> command_names(const manual::Command& program) {
  std::vector<std::string> names;
  add_names(program, names);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// What the placeholders of the help stand for on this machine.
std::vector<manual::Names> known_names(const manual::Command& program) {
  std::vector<std::string> kernels;
  for (const frontend::LibraryKernel& kernel : cli::read_library()) {
    kernels.push_back(kernel.name);
  }
  return {{"GPU", stems_of(cli::architecture_files())},
          {"TRACE", trace_names(kernels)},
          {"KERNEL", kernels},
          {"LAB", lab_names()},
          {"SYSTEM", stems_of(cli::system_files())},
          {"MODEL", stems_of(cli::model_files())},
          {"COMMAND", command_names(program), false}};
}

std::string width_limited(const manual::Command& command) {
  return manual::help_text(command, std::min(cli::output_width(), kWidestHelp));
}

std::string answer(const manual::Command& program, const HelpOptions& options) {
  if (options.man) {
    return manual::man_page(program, report::version());
  }
  if (!options.shell.empty()) {
    return manual::completion(program, known_names(program), options.shell);
  }
  return width_limited(command_called(program, options.words));
}

constexpr const char* kExamples = R"(gpusim help sweep
gpusim help arch show
gpusim help --man | man -l -
source <(gpusim help --completion bash))";

}  // namespace

cli::Action show_help(const CLI::App& command) {
  return cli::show(width_limited(manual::describe(command)));
}

void add_help_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<HelpOptions>();
  CLI::App& root = commands.root();
  CLI::App& command =
      commands.add(root, "help", "Explain a command and its options", [options, &root](const CLI::App& app) {
        if (options->man || !options->shell.empty()) {
          cli::refuse_beside(app, options->man ? "--man" : "--completion", {});
        }
        return cli::show(answer(manual::describe(root), *options));
      });
  cli::add_repeated(command, "COMMAND", options->words, "[COMMAND...]",
                    "The command to explain, such as sweep or arch show");
  cli::add_flag(command, "--man", options->man, "Print the man page of the program");
  cli::add_choice(command, "--completion", options->shell, manual::shells(), "Print the completions for this shell");
  cli::set_examples(command, kExamples);
}

}  // namespace gpusim::commands
