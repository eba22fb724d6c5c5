// SPDX-License-Identifier: MIT
// How the commands declare their options, each in an options.cc beside its command.cc. Those files do without CLI11's
// header, which takes the compiler seconds each time; command_set.cc and app/shell/command_line.cc are its only home.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/commands/cli/common.h"

namespace CLI {
class App;
}  // namespace CLI

namespace gpusim::cli {

/// What a command does once its options are parsed; returns the exit code and leaves errors to its caller as
/// exceptions.
using Action = std::function<int(const Common& common)>;

/// The action of a command with these options.
template <class Options>
[[nodiscard]] Action run_with(int (*command)(const Options& options, const Common& common), Options options) {
  return [command, options = std::move(options)](const Common& common) { return command(options, common); };
}

/// The heading above the options that every command has.
inline constexpr const char* kEveryCommand = "Every command";

/// The program's CLI11 tree, and what each command does.
class CommandSet {
 public:
  /// Checks what is missing, and takes the options over; throws UsageError.
  using Take = std::function<Action(const CLI::App& command)>;

  explicit CommandSet(CLI::App& root) : root_(root) {}

  [[nodiscard]] CLI::App& root() { return root_; }

  /// A command below `parent`, with the options that all commands have.
  CLI::App& add(CLI::App& parent, const std::string& name, const std::string& what, Take take);

  /// What runs without a command.
  void add_default(Take take);

  /// Only holds commands: using it alone is refused.
  CLI::App& add_group(const std::string& name, const std::string& what);

  /// What a command that was chosen does.
  [[nodiscard]] Action take(const CLI::App& command) const;

  /// Those options of every command.
  [[nodiscard]] const Common& common() const { return common_; }

 private:
  void add_common(CLI::App& command);

  CLI::App& root_;
  std::map<const CLI::App*, Take> take_;
  Common common_;
};

/// The heading above the options that are declared from here on; without one it is "Options".
void start_group(CLI::App& app, const char* title);

/// An option with one value; `shown` stands for the value in the help, and so does GPU for the name of a GPU or an
/// architecture file, TRACE for a trace, KERNEL for a kernel of the library and LAB for a lab: shells complete them. An
/// empty value is refused.
void add_text(CLI::App& app, const char* name, std::string& value, const char* shown, const char* what);

/// An option that may be repeated, with one value each time; a name without dashes takes every word that is left.
void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& values, const char* shown,
                  const char* what);

/// An option whose value is one of `words`.
void add_choice(CLI::App& app, const char* name, std::string& value, const std::vector<std::string>& words,
                const char* what);

/// --format of a result on standard output, and --csv, which is short for one of its words.
void add_result_format(CLI::App& app, std::string& format);

/// An option without a value; `name` may end in ",!--no-name".
void add_flag(CLI::App& app, const char* name, bool& value, const char* what);

/// An option that may have a value behind '=', and without one has `fallback`; `shown` stands for the value in the
/// help.
void add_optional_text(CLI::App& app, const std::string& name, const std::string& fallback, const std::string& shown,
                       std::string& value, const char* what);

/// What the help ends with: a line for each example, and below an empty line what else there is to say.
void set_examples(CLI::App& app, const char* text);

/// --set, of every command that takes an architecture.
void add_set(CLI::App& app, std::vector<std::string>& values);

/// --cache, of every command that simulates.
void add_cache(CLI::App& app, std::string& value);

/// "gpusim arch show".
[[nodiscard]] std::string path_of(const CLI::App& app);

/// Throws UsageError "'gpusim arch show' needs the name of an architecture" for an empty value.
void require(const CLI::App& command, const std::string& value, const std::string& what);

/// The first of the options that was given; empty when none was.
[[nodiscard]] std::string first_given(const CLI::App& command, std::initializer_list<const char*> names);

/// Throws UsageError when an option was given beside `chosen` ("--batch") that is neither of `companions` nor of every
/// command: "--regs does not go with --batch" and `why`.
void refuse_beside(const CLI::App& command, std::string_view chosen, std::vector<std::string_view> companions,
                   std::string_view why = {});

}  // namespace gpusim::cli
