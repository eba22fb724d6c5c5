// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/lab/command.h"

namespace gpusim::commands {
namespace {

constexpr const char* kLabExamples = R"(Examples:
  gpusim lab list
  gpusim lab start coalescing --student mary
  gpusim lab show coalescing --page coalescing.html
  gpusim lab check coalescing
  gpusim lab serve
  gpusim lab grade submissions --csv > grades.csv
  gpusim lab check --lint docs/labs/coalescing

docs/labs/README.md is for students, docs/labs/writing.md for teachers.)";

using Shared = std::shared_ptr<LabOptions>;

void add_name(CLI::App& app, const Shared& options) {
  cli::add_text(app, "NAME", options->name, "NAME|FOLDER", "The lab");
}

void add_student(CLI::App& app, const Shared& options) {
  cli::add_text(app, "--student", options->student, "ID",
                "Whose parameters: a name, a number (default: your name on this machine)");
}

void add_language(CLI::App& app, const Shared& options) {
  cli::add_text(app, "--language", options->language, "LANG",
                "Which translation of the lab, such as de where it has a text.de.yaml (default: English)");
}

void require_lab(const CLI::App& app, const LabOptions& options) {
  cli::require(app, options.name, "the name of a lab; gpusim lab list has them");
}

void add_working(cli::CommandSet& commands, CLI::App& lab, const Shared& options) {
  CLI::App& start = commands.add(lab, "start", "Write the files of a lab, with parameters of your own",
                                 [options](const CLI::App& app) {
                                   require_lab(app, *options);
                                   return cli::run_with(lab_start_command, *options);
                                 });
  add_name(start, options);
  cli::add_text(start, "DIR", options->folder, "[DIR]", "Where to (default: the lab's name); nothing is overwritten");
  add_student(start, options);
  add_language(start, options);
  cli::add_text(start, "--again", options->again, "FILE",
                "Write this file once more; what is there is kept as FILE.old");

  CLI::App& check = commands.add(lab, "check", "Say what is right, what is not yet, and a hint; exit 5 when not passed",
                                 [options](const CLI::App& app) {
                                   if (options->lint) {
                                     cli::refuse_beside(app, "--lint", {"--DIR"}, ", which checks the lab itself");
                                   }
                                   return cli::run_with(lab_check_command, *options);
                                 });
  cli::add_text(check, "DIR", options->folder, "[DIR]", "The folder that start wrote (default: this one)");
  cli::add_flag(check, "--json", options->json, "Print JSON");
  cli::add_text(check, "--junit", options->junit, "FILE", "Write JUnit XML, too");
  cli::add_text(check, "--wait", options->wait, "SECONDS",
                "Give up after so many where the machine is busy (default: 8)");
  cli::add_flag(check, "--lint", options->lint, "Check a lab instead, by its name or folder: for those who write labs");
}

void add_serve(cli::CommandSet& commands, CLI::App& lab, const Shared& options) {
  CLI::App& serve = commands.add(lab, "serve", "The labs in a browser on this machine: handout, editor, run and check",
                                 [options](const CLI::App&) { return cli::run_with(lab_serve_command, *options); });
  cli::add_text(serve, "DIR", options->folder, "[DIR]",
                "The folder in which each lab has its folder (default: this one)");
  add_student(serve, options);
  add_language(serve, options);
  cli::add_text(serve, "--port", options->port, "N", "Of 127.0.0.1 (default: any that is free)");
}

void add_teaching(cli::CommandSet& commands, CLI::App& lab, const Shared& options) {
  CLI::App& solution = commands.add(lab, "solution", "Print the solution of a lab, or write it to a folder",
                                    [options](const CLI::App& app) {
                                      require_lab(app, *options);
                                      return cli::run_with(lab_solution_command, *options);
                                    });
  add_name(solution, options);
  cli::add_text(solution, "DIR", options->folder, "[DIR]", "A new folder; without it, the solution is printed");
  add_student(solution, options);
  add_language(solution, options);

  CLI::App& grade =
      commands.add(lab, "grade", "Check a folder of submissions, one folder each", [options](const CLI::App& app) {
        cli::require(app, options->folder, "the folder of all submissions");
        return cli::run_with(lab_grade_command, *options);
      });
  cli::add_text(grade, "DIR", options->folder, "DIR", "Each folder in it is a submission");
  cli::add_flag(grade, "--csv", options->csv, "Print CSV");
}

}  // namespace

void add_lab_commands(cli::CommandSet& commands) {
  const auto options = std::make_shared<LabOptions>();
  CLI::App& lab = commands.add_group("lab", "Labs for students: list, start, check, show, serve, solution, grade");
  cli::set_examples(lab, kLabExamples);
  commands.add(lab, "list", "The labs, in the order in which they build on each other",
               [options](const CLI::App&) { return cli::run_with(lab_list_command, *options); });
  CLI::App& show = commands.add(lab, "show", "Print the handout of a lab", [options](const CLI::App& app) {
    require_lab(app, *options);
    return cli::run_with(lab_show_command, *options);
  });
  add_name(show, options);
  add_student(show, options);
  add_language(show, options);
  cli::add_text(show, "--page", options->page, "FILE", "Write it as an HTML page instead, for browsers and for paper");
  add_working(commands, lab, options);
  add_serve(commands, lab, options);
  add_teaching(commands, lab, options);
}

}  // namespace gpusim::commands
