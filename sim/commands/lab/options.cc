// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/lab/command.h"

namespace gpusim::commands {
namespace {

constexpr const char* kLabExamples = R"(gpusim lab list
gpusim lab start coalescing --student mary
gpusim lab show coalescing --page coalescing.html
gpusim lab check coalescing
gpusim lab serve
gpusim lab grade submissions --csv > grades.csv
gpusim lab check --lint docs/labs/coalescing

docs/labs/README.md is for students, docs/labs/writing.md for teachers.)";

using Shared = std::shared_ptr<LabOptions>;

void add_name(CLI::App& app, const Shared& options) {
  cli::add_text(app, "NAME", options->name, "LAB",
                "The lab: a name of gpusim lab list, its folder, or one of a student");
}

void add_student(CLI::App& app, const Shared& options) {
  cli::add_text(app, "--student", options->student, "ID",
                "Student whose parameters the lab has (default: your user name)");
}

void add_wait(CLI::App& app, const Shared& options) {
  cli::add_text(app, "--wait", options->wait, "SECONDS",
                "Give up on a run or a check after this many seconds (default: 8)");
}

void add_language(CLI::App& app, const Shared& options) {
  cli::add_text(app, "--language", options->language, "LANG",
                "Language of the lab, such as de where it has a text.de.yaml (default: English)");
}

void add_cuda(CLI::App& app, const Shared& options) {
  cli::add_flag(app, "--cuda", options->cuda, "Also write the kernels in CUDA, to be changed in place of the traces");
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
  cli::add_text(start, "DIR", options->folder, "[DIR]",
                "Folder to write (default: this one if it has the lab, else the lab's name); existing files are kept");
  add_student(start, options);
  add_language(start, options);
  cli::add_text(start, "--again", options->again, "FILE", "Write this file again; the old one is kept as FILE.old");

  add_cuda(start, options);
  cli::set_examples(start,
                    "gpusim lab start coalescing\ngpusim lab start coalescing mywork --student mary\n"
                    "gpusim lab start coalescing . --cuda");

  CLI::App& check = commands.add(lab, "check", "Check your work: what is right, what is not yet, and a hint",
                                 [options](const CLI::App& app) {
                                   if (options->lint) {
                                     cli::refuse_beside(app, "--lint", {"DIR"}, ", which checks the lab itself");
                                   }
                                   return cli::run_with(lab_check_command, *options);
                                 });
  cli::add_text(check, "DIR", options->folder, "[DIR]", "Folder that 'lab start' wrote (default: the current folder)");
  cli::add_flag(check, "--json", options->json, "Print the check as JSON");
  cli::add_text(check, "--junit", options->junit, "FILE", "Also write JUnit XML");
  add_wait(check, options);
  cli::add_flag(check, "--lint", options->lint, "Check a lab itself, for those who write labs");
  cli::set_examples(check,
                    "gpusim lab check coalescing --junit report.xml\ngpusim lab check --lint docs/labs/coalescing\n\n"
                    "The exit code is 5 while something is not yet right.");
}

void add_serve(cli::CommandSet& commands, CLI::App& lab, const Shared& options) {
  CLI::App& serve =
      commands.add(lab, "serve", "Open the labs in a browser on this machine: handout, editor, run and check",
                   [options](const CLI::App&) { return cli::run_with(lab_serve_command, *options); });
  cli::add_text(serve, "DIR", options->folder, "[DIR]",
                "Folder that holds a folder for each lab (default: the current folder)");
  add_student(serve, options);
  add_language(serve, options);
  cli::add_text(serve, "--port", options->port, "N", "Port on 127.0.0.1 (default: any free port)");
  add_wait(serve, options);
  cli::set_examples(serve, "gpusim lab serve\ngpusim lab serve mywork --port 8080");
}

void add_teaching(cli::CommandSet& commands, CLI::App& lab, const Shared& options) {
  CLI::App& solution = commands.add(lab, "solution", "Print the solution of a lab, or write it to a folder",
                                    [options](const CLI::App& app) {
                                      require_lab(app, *options);
                                      if (!options->wrong.empty()) {
                                        cli::refuse_beside(app, "--wrong", {"NAME", "DIR", "--student", "--language"},
                                                           ", whose kernels are in one language");
                                      }
                                      return cli::run_with(lab_solution_command, *options);
                                    });
  add_name(solution, options);
  cli::add_text(solution, "DIR", options->folder, "[DIR]",
                "New folder for the solution; without it, the solution is printed");
  add_student(solution, options);
  add_language(solution, options);
  add_cuda(solution, options);
  cli::add_text(solution, "--wrong", options->wrong, "NAME",
                "Write a typical wrong solution instead: a folder of the lab's wrong/");
  cli::set_examples(solution,
                    "gpusim lab solution coalescing\ngpusim lab solution coalescing answer --student mary\n"
                    "gpusim lab solution coalescing answer --wrong one-load");

  CLI::App& grade = commands.add(lab, "grade", "Check a folder of submissions", [options](const CLI::App& app) {
    cli::require(app, options->folder, "the folder of all submissions");
    return cli::run_with(lab_grade_command, *options);
  });
  cli::add_text(grade, "DIR", options->folder, "DIR", "Folder that holds a folder for each submission");
  cli::add_flag(grade, "--csv", options->csv, "Print the grades as CSV");
  cli::set_examples(grade, "gpusim lab grade submissions\ngpusim lab grade submissions --csv > grades.csv");
}

}  // namespace

void add_lab_commands(cli::CommandSet& commands) {
  const auto options = std::make_shared<LabOptions>();
  CLI::App& lab = commands.add_group("lab", "Labs for students: start, check, show, serve and grade them");
  cli::set_examples(lab, kLabExamples);
  CLI::App& list = commands.add(lab, "list", "List the labs, each after the labs that it builds on",
                                [options](const CLI::App&) { return cli::run_with(lab_list_command, *options); });
  cli::set_examples(list, "gpusim lab list\nGPUSIM_PATH=~/mylabs gpusim lab list");
  CLI::App& show = commands.add(lab, "show", "Print the handout of a lab", [options](const CLI::App& app) {
    require_lab(app, *options);
    return cli::run_with(lab_show_command, *options);
  });
  add_name(show, options);
  add_student(show, options);
  add_language(show, options);
  cli::add_flag(show, "--discussion", options->discussion,
                "With its discussion and sources, which students get when they have passed");
  cli::add_text(show, "--page", options->page, "FILE", "Write the handout as an HTML page instead");
  cli::set_examples(show, "gpusim lab show coalescing\ngpusim lab show coalescing --discussion --page coalescing.html");
  add_working(commands, lab, options);
  add_serve(commands, lab, options);
  add_teaching(commands, lab, options);
}

}  // namespace gpusim::commands
