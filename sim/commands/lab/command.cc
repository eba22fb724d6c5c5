// SPDX-License-Identifier: MIT
// Labs listed, started, shown, solved.
#include "sim/commands/lab/command.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/temporary_folder.h"
#include "sim/base/text.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/pager.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/lab/check/handout.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/folder/begin.h"
#include "sim/commands/lab/folder/folders.h"
#include "sim/commands/lab/folder/submission.h"
#include "sim/commands/lab/folder/wrong.h"
#include "sim/commands/lab/page/handout_page.h"
#include "sim/commands/lab/run/bench.h"

namespace gpusim::commands {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 100;

/// The name that was given, else that of the user; empty where the machine does not know it.
std::string known_name(const LabOptions& options) {
  std::string name = options.student;
  for (const char* const variable : {"USER", "LOGNAME"}) {
    const char* const value = std::getenv(variable);
    name = name.empty() && value != nullptr ? value : name;
  }
  return name;
}

std::string student_name(const LabOptions& options) {
  std::string name = known_name(options);
  if (name.empty()) {
    throw UsageError("--student is missing, and this machine does not know your name (add --student NAME)");
  }
  if (name.size() > kLongestName || printable(name) != name) {
    throw UsageError("--student: '" + printable(clipped(name, kLongestName)) +
                     "' is not a name of at most 100 printable ASCII characters");
  }
  return name;
}

/// The folder of the student's work: DIR, else the one that NAME is, or where one is if that has this lab, else one of
/// the lab's name.
fs::path place_of(const LabOptions& options, const lab::Lab& lab) {
  if (!options.folder.empty() || lab::is_begun(options.name)) {
    return options.folder.empty() ? options.name : options.folder;
  }
  const fs::path here = ".";
  return lab::is_begun(here) && lab::read_student(here).lab == lab.name ? here : fs::path(lab.name);
}

/// The student that a handout is shown for: who looks at a lab need not have a name.
lab::Student reader_of(const LabOptions& options, const lab::Lab& lab) {
  const fs::path place = place_of(options, lab);
  if (lab::is_begun(place) || !known_name(options).empty()) {
    return student_in(place, lab, options);
  }
  cli::log_info("the numbers are an example's, as this machine does not know your name; --student NAME shows yours");
  return lab::student_of(lab, "example");
}

/// In the language of the options; without, in that of a folder that is begun.
lab::Lab lab_of(const LabOptions& options) {
  const lab::Lab lab = lab::find_lab(options.name);
  const fs::path place = place_of(options, lab);
  const bool is_there = options.language.empty() && lab::is_begun(place);
  return lab::translated(lab, is_there ? lab::read_student(place).language : options.language);
}

/// What the kernels are asked for in. Throws UsageError where the lab has none in CUDA.
lab::Form form_of(const LabOptions& options, const lab::Lab& lab) {
  if (!options.cuda) {
    return lab::Form::kTrace;
  }
  if (lab.cuda.empty()) {
    std::string with;
    for (const lab::Lab& each : lab::known_labs().labs) {
      with += each.cuda.empty() ? "" : (with.empty() ? "" : ", ") + each.name;
    }
    throw UsageError("--cuda: the lab '" + lab.name + "' has no kernel to be written in CUDA (these have: " + with +
                     ")");
  }
  return lab::Form::kCuda;
}

std::string solution_text(const lab::Lab& lab, const lab::Student& student, const fs::path& folder) {
  std::string out = fmt::format("# {}, for the student '{}'\n", lab.text.title, student.id);
  std::vector<std::string> files = lab.files;
  for (const lab::CudaForm& cuda : lab.cuda) {
    std::error_code error;
    std::ranges::copy_if(std::array{cuda.source, cuda.launch}, std::back_inserter(files),
                         [&](const std::string& file) { return fs::exists(folder / file, error); });
  }
  files.emplace_back(lab::kAnswersFile);
  for (const std::string& file : files) {
    out += fmt::format("\n## {}\n\n{}", file, lab::text_of(folder / file));
  }
  return out;
}

/// The folder of the wrong solution that the options name; empty when they name none.
fs::path wrong_of(const LabOptions& options, const lab::Lab& lab, const lab::Student& student) {
  if (options.wrong.empty()) {
    return {};
  }
  fs::path wrong = lab::wrong_folder(lab, options.wrong);
  if (!lab::is_wrong_for(student, lab, wrong)) {
    throw UsageError("--wrong: '" + options.wrong + "' is not wrong with the parameters of '" + student.id +
                     "' (name another student or wrong solution)");
  }
  return wrong;
}

void require_no_exam(const std::string& what) {
  if (lab::is_exam()) {
    throw UsageError(what + " are off: GPUSIM_LAB_EXAM is 1");
  }
}

}  // namespace

double wait_of(const LabOptions& options) {
  constexpr std::uint64_t kLongest = 3600;
  return options.wait.empty() ? lab::Bench::kWallSeconds
                              : static_cast<double>(cli::parse_count("--wait", options.wait, 1, kLongest));
}

lab::Student student_in(const fs::path& folder, const lab::Lab& lab, const LabOptions& options) {
  const bool is_there = options.student.empty() && lab::is_begun(folder);
  return is_there ? lab::read_student(folder) : lab::student_of(lab, student_name(options));
}

int lab_list_command(const LabOptions&, const cli::Common& common) {
  layout::Table table("lrLL", {"lab", "minutes", "title", "needs"});
  std::uint32_t minutes = 0;
  const lab::KnownLabs known = lab::known_labs();
  for (const std::string& problem : known.problems) {
    cli::log_warning("left out: " + problem);
  }
  for (const lab::Lab& lab : known.labs) {
    std::string needs;
    for (const std::string& need : lab.needs) {
      needs += (needs.empty() ? "" : ", ") + need;
    }
    table.add({lab.name, std::to_string(lab.minutes), lab.text.title, needs});
    minutes += lab.minutes;
  }
  cli::print_list(table.to_text(cli::look_of(common)) +
                      fmt::format("\n{} minutes in all. gpusim lab start NAME writes the files of one.\n", minutes),
                  common);
  return cli::Exit::kDone;
}

int lab_start_command(const LabOptions& options, const cli::Common&) {
  const lab::Lab lab = lab_of(options);
  const fs::path folder = place_of(options, lab);
  const lab::Student student = lab::student_of(lab, student_in(folder, lab, options).id);
  if (!options.again.empty()) {
    const std::string kept = lab::begin_again(lab, student, folder, options.again);
    cli::log_info((folder / options.again).string() + " is as at the start" +
                  (kept.empty() ? "" : "; what was there is in " + (folder / kept).string()));
    return cli::Exit::kDone;
  }
  const std::vector<std::string> written = lab::begin(lab, student, folder, form_of(options, lab));
  std::string names;
  for (const std::string& name : written) {
    names += (names.empty() ? "" : ", ") + name;
  }
  cli::print(fmt::format("{} for '{}', in {}: {}\n", lab.text.title, printable(student.id), folder.string(),
                         written.empty() ? "all files are there already" : "wrote " + names));
  if (!lab::is_known(lab)) {
    cli::log_warning("gpusim lab check finds this lab when GPUSIM_PATH names the folder above it: " +
                     fs::absolute(lab.folder).parent_path().string());
  }
  cli::print(fmt::format("Read {}. Its commands are for that folder:\n{}  gpusim lab check\n",
                         (folder / lab::kReadmeFile).string(), folder == "." ? "" : "  cd " + folder.string() + "\n"));
  return cli::Exit::kDone;
}

int lab_show_command(const LabOptions& options, const cli::Common&) {
  const lab::Lab lab = lab_of(options);
  const lab::Student student = reader_of(options, lab);
  if (options.discussion) {
    require_no_exam("discussions");
  }
  const lab::Scope scope = lab::scope_of(lab, student.seed);
  const std::string handout = options.discussion ? lab::handout_text(lab, scope) : lab::readme_text(lab, scope);
  if (options.page.empty()) {
    cli::print_plain(lab::with_tables_of_pictures(handout));
    return cli::Exit::kDone;
  }
  OutputFile page(options.page);
  cli::commit_told(page, lab::handout_page(lab, handout, "for " + student.id));
  return cli::Exit::kDone;
}

int lab_solution_command(const LabOptions& options, const cli::Common&) {
  require_no_exam("solutions");
  const lab::Lab lab = lab_of(options);
  const lab::Form form = form_of(options, lab);
  const bool is_printed = options.folder.empty();
  const lab::Student student =
      is_printed ? student_in(place_of(options, lab), lab, options) : lab::student_of(lab, student_name(options));
  const fs::path wrong = wrong_of(options, lab, student);
  std::error_code error;
  if (!is_printed && fs::exists(options.folder, error) && !fs::is_empty(options.folder, error)) {
    throw InputError({{options.folder, 0, 0}, "is there already", "a solution needs a new folder"});
  }
  const TemporaryFolder temporary;
  const fs::path folder = is_printed ? temporary.path() : fs::path(options.folder);
  lab::make_folder(folder);
  lab::Memory memory;
  if (wrong.empty()) {
    lab::write_solution(lab, student, folder, memory, form);
  } else {
    lab::write_wrong(lab, student, wrong, folder, memory);
  }
  if (is_printed) {
    cli::print_plain(solution_text(lab, student, folder));
  } else {
    cli::log_info("wrote the solution to " + folder.string());
  }
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
