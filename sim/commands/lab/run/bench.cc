// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/bench.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "sim/base/problem.h"
#include "sim/code/launch/launch_file.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/course/lab_file.h"
#include "sim/commands/lab/run/cuda.h"
#include "sim/commands/lab/run/lab_fault.h"
#include "sim/commands/lab/run/launched.h"
#include "sim/commands/lab/run/machine.h"
#include "sim/commands/lab/run/outcome.h"
#include "sim/commands/lab/run/same_steps.h"
#include "sim/commands/lab/run/work.h"
#include "sim/commands/launch/job.h"
#include "sim/exec/trace/held_memory.h"
#include "sim/model/trace/trace.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kValues = "values";
constexpr const char* kMistake = "mistake";
constexpr const char* kSaid = "said";
constexpr const char* kOther = "other";
constexpr const char* kLabFault = "lab_fault";

/// Whether anything has this name, be it a link to nothing.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

/// The digest of a file's content; the name itself when there is no such file.
std::string content_key(const std::string& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) ? std::to_string(digest_of(text_of(file))) : file;
}

/// Does what the lab compares with, and says so before and after: should this process end meanwhile, the check tells
/// the fault as the lab's and not as the student's.
template <typename Work>
auto of_lab_saying(const Say& say, const Work& work) {
  say_phase(say, Phase::kOfLab);
  auto result = of_lab(work);
  say_phase(say, Phase::kOfStudent);
  return result;
}

/// What `work` makes, or what of the lab is at fault.
template <typename Work>
Json unless_lab_fault(const Work& work) {
  try {
    return work();
  } catch (const LabFault& fault) {
    return {{kLabFault, fault.problem}};
  }
}

/// Values of a run, and how what it calculates differs from what `like` does, where there is such a job.
Json measured_json(const Job& job, const std::optional<Job>& like, const Say& say) {
  const auto expected = like ? of_lab_saying(say, [&like] { return executed(*like); }) : nullptr;
  const trace::Trace trace = load_trace_of(job);
  say_ctas(say, trace);
  const Simulated simulated = simulate_job(job, trace);
  Json values = Json::object();
  for (const auto& [key, value] : simulated.values) {
    std::visit([&values, &name = key](const auto& each) { values[name] = each; }, value);
  }
  const bool has_values = expected && simulated.memory;
  return {{kValues, values},
          {kOther, has_values ? other_values(exec::global_memory_of(*simulated.memory), *expected) : ""}};
}

/// The jobs of a kWork task.
struct WorkJobs {
  Job own;
  Job like;
  std::optional<Job> timed;  ///< none where `own` is the run that is measured, or has values, which are compared
};

/// How the work of two jobs compares, by what they read and write.
Json work_json(const WorkJobs& jobs, const Task& task, const Say& say) {
  const trace::Trace theirs = of_lab_saying(say, [&jobs] { return load_trace_of(jobs.like); });
  const trace::Trace own = load_trace_of(jobs.own);
  Work work = compare_work(own, theirs, task.are_sums);
  if (work.mistake.empty() && jobs.timed) {
    const std::string parting = other_steps(own, load_trace_of(*jobs.timed), task.witness);
    work = parting.empty()
               ? work
               : Work{"other-steps", "The kernel does something else when it is measured: " + parting + "."};
  }
  return {{kMistake, work.mistake}, {kSaid, work.said}};
}

/// Names of the numbers that the runs set.
std::vector<std::string> numbers_of(const std::vector<Run>& runs) {
  std::vector<std::string> names;
  for (const Run& run : runs) {
    std::ranges::transform(run.params, std::back_inserter(names), &Setting::first);
  }
  return names;
}

Json machine_json(const Machine& machine) {
  Json values = Json::object();
  for (const auto& [key, value] : machine.values) {
    values[key] = {value.text, value.number};
  }
  return {{kValues, values}, {kOther, machine.other}};
}

}  // namespace

/// What a job depends on: of a file its text, so that equal files of two students are simulated once.
std::string Bench::key_of(const Job& job, const Run& run) const {
  std::string key;
  const auto add = [&key](const std::string& text) { key += std::to_string(text.size()) + ':' + text; };
  add(content_key(job.trace));
  add(content_key(job.arch));
  for (const auto* const files : {&lab_.files, &lab_.given}) {
    for (const std::string& file : *files) {
      // What the student's machine may extend.
      add(lab_.is_of_student(run.arch) && file.ends_with(".yaml") ? content_key((folder_ / file).string()) : "");
    }
  }
  for (const auto* const texts : {&job.params, &job.set}) {
    add(std::to_string(texts->size()));
    std::ranges::for_each(*texts, add);
  }
  for (const std::string& text : {job.cache, job.kernel, job.launch_text, content_key(job.own_launch)}) {
    add(text);
  }
  return key;
}

std::string Bench::path_of(const std::string& file) const {
  if (lab_.is_of_student(file)) {
    return (folder_ / file).string();
  }
  std::error_code error;
  return fs::is_regular_file(lab_.folder / file, error) ? (lab_.folder / file).string() : file;
}

bool Bench::is_of_student(const Run& run) const {
  return lab_.is_of_student(run.trace) || lab_.is_of_student(run.arch);
}

const CudaForm* Bench::form_of(const Run& run, Purpose purpose) const {
  const CudaForm* const form = lab_.cuda_of(run.trace);
  const bool counts = form != nullptr && (purpose == Purpose::kChange || lab_.is_of_student(run.trace));
  return counts && is_handed_in(*form, folder_) ? form : nullptr;
}

void Bench::take_form(const CudaForm& form, const Run& run, const Scope& scope, Job& job) const {
  const fs::path start = lab_.folder / kStartFolder;
  const fs::path solution = lab_.folder / kSolutionFolder;
  std::error_code error;
  const bool is_solution = run.trace.starts_with(kSolutionFolder);
  const fs::path launch = is_solution && fs::exists(solution / form.launch, error) ? solution : start;
  const fs::path source = is_solution ? solution : lab_.is_of_student(run.trace) ? folder_ : start;
  take_cuda({form, launch, source}, scope, job);
  job.arch = form.arch.empty() ? job.arch : form.arch;
  job.lab_numbers = numbers_of(lab_.runs);
  const launch::Request request = launch::parse_launch_file(job.launch_text, launch / form.launch);
  std::erase_if(job.params, [&request](const std::string& param) {  // a trace may need more
    return !has_number(request, param.substr(0, param.find('=')));
  });
}

Job Bench::job_of(const Run& run, const Scope& scope, Purpose purpose) const {
  const auto texts = [&scope](const std::vector<Setting>& settings) {
    std::vector<std::string> out;
    std::ranges::transform(settings, std::back_inserter(out), [&scope](const Setting& setting) {
      return setting.first + "=" + scope.resolved(setting.second);
    });
    return out;
  };
  Job job{path_of(run.trace), path_of(run.arch), texts(run.params), texts(run.set), run.cache, run.kernel};
  job.is_of_student = lab_.is_of_student(run.trace);
  job.has_own_arch = lab_.is_of_student(run.arch);
  if (const CudaForm* const form = form_of(run, purpose)) {
    take_form(*form, run, scope, job);
  }
  return job;
}

std::vector<std::string> Bench::notes(const Scope& scope) const {
  std::vector<std::string> notes;
  for (const CudaForm& form : lab_.cuda) {
    if (!is_handed_in(form, folder_)) {
      continue;
    }
    notes.push_back(form.source + " is checked in place of " + form.file + ". Move it away to have the trace checked.");
    if (!is_there(folder_ / form.launch)) {
      notes.push_back(
          fmt::format("{0} is missing: {1} is launched as at the start. gpusim lab start {2} {3} --again {0} "
                      "writes it once more.",
                      form.launch, form.source, lab_.name, folder_.string()));
    } else if (const std::string ignored = ignored_text(form, scope); !ignored.empty()) {
      notes.push_back(ignored);
    }
  }
  return notes;
}

std::string Bench::ignored_text(const CudaForm& form, const Scope& scope) const {
  std::error_code error;
  const fs::path own = folder_ / form.launch;
  if (!fs::is_regular_file(fs::symlink_status(own, error))) {
    return "";  // the run says so
  }
  Job job;
  take_cuda({form, lab_.folder / kStartFolder, folder_}, scope, job);
  std::vector<std::string> ignored;
  try {
    ignored = ignored_keys(launch::parse_launch_file(job.launch_text, lab_.folder / kStartFolder / form.launch),
                           launch::read_launch_file(own), numbers_of(lab_.runs));
  } catch (const InputError&) {
    return "";  // the same
  }
  return ignored.empty() ? ""
                         : fmt::format("The check launches {} with its own {}: what {} says of that does not count.",
                                       form.source, fmt::join(ignored, ", "), form.launch);
}

Limits Bench::limits() const {
  const double left = static_cast<double>(kSeconds) - seconds_used_;
  return {static_cast<std::uint32_t>(std::max(1.0, std::ceil(left))), kBytes, wall_budget_.left()};
}

LimitedEnd Bench::carry_out(const std::function<void(const Say& say)>& work, bool is_counted) {
  LimitedEnd end = run_limited(limits(), work);
  seconds_used_ += is_counted ? end.cpu_seconds : 0;
  wall_budget_.use(end.wall_seconds);
  return end;
}

void Bench::note_time_out(const LimitedEnd& end, const std::string& problem) {
  if (end.kind == LimitedEnd::Kind::kOutOfTime || end.kind == LimitedEnd::Kind::kOutOfWallTime) {
    out_of_time_ = problem;
  }
}

bool Bench::is_over(const Run& run) const {
  return !out_of_time_.empty() && (is_of_student(run) || wall_budget_.is_spent());
}

void Bench::fail_own(const Run& run, const std::string& problem) const {
  throw InputError({{(lab_.folder / kLabFile).string(), 0, 0},
                    "the run '" + run.name + "' of the lab itself failed: " + problem,
                    ""});
}

std::string Bench::compile(const Run& run, Job& job) {
  const Compiler::Problem problem = memory_.compiler.compile(job, wall_budget_);
  if (problem.is_of_source && !is_of_student(run)) {
    fail_own(run, problem.text);
  }
  return problem.text;
}

Run Bench::solved(const Run& run) {
  Run like = run;
  like.name = "solution of " + run.name;
  like.trace = std::string(kSolutionFolder) + "/" + run.trace;
  return like;
}

void Bench::require_no_lab_fault(const Run& like, const LimitedEnd& end, const Json& said) const {
  if (said.contains(kLabFault)) {
    fail_own(like, memory_.compiler.own_words(said[kLabFault].get<std::string>()));
  }
  if (is_in_phase(said, Phase::kOfLab) && end.kind != LimitedEnd::Kind::kDone &&
      end.kind != LimitedEnd::Kind::kOutOfWallTime) {
    fail_own(like, memory_.compiler.own_words(reason(end, said, like.trace, wall_budget_.all())));
  }
}

Measured Bench::simulate(const Run& run, Job job, std::optional<Job> like) {
  if (is_over(run)) {
    return {{}, out_of_time_, false};
  }
  const std::string file = job.trace;
  if (const std::string problem = compile(run, job); !problem.empty()) {
    return {{}, problem, true};
  }
  if (const std::string problem = like ? compile(solved(run), *like) : ""; !problem.empty()) {
    return {{}, problem, false};
  }
  const auto work = [&](const Say& say) {
    say_outcome(say, [&] { return unless_lab_fault([&] { return measured_json(job, like, say); }); });
  };
  const LimitedEnd end = carry_out(work, is_of_student(run));
  const Json said = heard(end.said);
  require_no_lab_fault(solved(run), end, said);
  Measured measured;
  measured.problem = memory_.compiler.own_words(reason(end, said, file, wall_budget_.all()));
  measured.is_broken = is_refused(said);
  if (!is_of_student(run) && end.kind == LimitedEnd::Kind::kOutOfWallTime) {
    measured.problem =
        fmt::format("This check did not end within {:.3g} s: this machine is busy. Try again when it has less to do.",
                    wall_budget_.all());
  } else if (!measured.problem.empty() && !is_of_student(run)) {
    fail_own(run, measured.problem);
  }
  note_time_out(end, measured.problem);
  if (measured.problem.empty()) {
    for (const auto& [key, value] : said.at(kValues).items()) {
      measured.values[key] =
          value.is_string() ? Scope::Value(value.get<std::string>()) : Scope::Value(value.get<double>());
    }
    measured.other_values = said.at(kOther).get<std::string>();
  }
  return measured;
}

/// What to do about a file of the student's folder that is not there, or is a link, such as to the
/// solution; empty when all is well.
std::string Bench::missing_text(const std::string& file) const {
  std::error_code error;
  if (fs::is_symlink(folder_ / file, error)) {
    return (folder_ / file).string() + " is a link: put the file itself there";
  }
  if (fs::is_regular_file(folder_ / file, error)) {
    return "";
  }
  return fmt::format("{} {} gpusim lab start {} {} --again {} writes it once more", (folder_ / file).string(),
                     fs::exists(folder_ / file, error) ? "is not a file. Move it away, then" : "is missing:", lab_.name,
                     folder_.string(), file);
}

/// The same of the machine, and of what it may extend.
std::string Bench::missing_text(const Task& machine) const {
  for (const std::string& file : lab_.given) {
    if (const std::string missing = file.ends_with(".yaml") ? missing_text(file) : ""; !missing.empty()) {
      return missing;
    }
  }
  return missing_text(machine.file);
}

const Measured& Bench::measure(const Run& run, const Scope& scope, Purpose purpose) {
  const CudaForm* const form = form_of(run, purpose);
  const std::string& file = form != nullptr && lab_.is_of_student(run.trace) ? form->source : run.trace;
  const Job job = job_of(run, scope, purpose);
  const std::string key = key_of(job, run);
  const std::string own_key = key + folder_.string();         // for problems, which name the file
  for (const std::string* const each : {&file, &run.arch}) {  // first: a link may lead to what was measured
    const bool is_own = lab_.is_of_student(*each) || (form != nullptr && *each == form->source);
    if (const std::string missing = is_own ? missing_text(*each) : ""; !missing.empty()) {
      return memory_.measured[own_key] = {{}, missing, true};
    }
  }
  const bool has_launch = form != nullptr && lab_.is_of_student(run.trace) && is_there(folder_ / form->launch);
  if (const std::string missing = has_launch ? missing_text(form->launch) : ""; !missing.empty()) {
    return memory_.measured[own_key] = {{}, missing, true};
  }
  for (const std::string* const each : {&key, &own_key}) {
    if (const auto known = memory_.measured.find(*each); known != memory_.measured.end()) {
      return known->second;
    }
  }
  const bool has_values = form != nullptr && lab_.is_of_student(run.trace);
  Measured measured =
      simulate(run, job, has_values ? std::optional(job_of(solved(run), scope, purpose)) : std::nullopt);
  return memory_.measured[measured.problem.empty() ? key : own_key] = std::move(measured);
}

const Work& Bench::compare_work(const Task& task, const Scope& scope) {
  const Run& run = *lab_.run(task.run);
  const Run& like = *lab_.run(task.like);
  WorkJobs jobs{job_of(run, scope, Purpose::kChange), job_of(like, scope, Purpose::kChange), std::nullopt};
  const Run* const timed = form_of(run, Purpose::kChange) == nullptr ? lab_.run(task.timed) : nullptr;
  if (timed != nullptr) {
    jobs.timed = job_of(*timed, scope, Purpose::kChange);
  }
  const std::string key = key_of(jobs.own, run) + key_of(jobs.like, like) + (task.are_sums ? "+" : "") +
                          (timed != nullptr ? key_of(*jobs.timed, *timed) + task.witness : "");
  const std::string own_key = key + folder_.string();  // for problems, which name the file
  for (const std::string* const each : {&key, &own_key}) {
    if (const auto known = memory_.works.find(*each); known != memory_.works.end()) {
      return known->second;
    }
  }
  const std::string file = jobs.own.trace;
  for (const auto& [job, of] : {std::pair(&jobs.own, &run), std::pair(&jobs.like, &like)}) {
    if (const std::string problem = compile(*of, *job); !problem.empty()) {
      return memory_.works[own_key] = Work{"", "", problem};
    }
  }
  const auto compare = [&](const Say& say) {
    say_outcome(say, [&] { return unless_lab_fault([&] { return work_json(jobs, task, say); }); });
  };
  const LimitedEnd end = carry_out(compare, true);
  const Json said = heard(end.said);
  const std::string problem = memory_.compiler.own_words(reason(end, said, file, wall_budget_.all()));
  require_no_lab_fault(like, end, said);
  note_time_out(end, problem);
  if (!problem.empty()) {
    return memory_.works[own_key] = Work{"", "", problem};
  }
  return memory_.works[key] = Work{said.at(kMistake).get<std::string>(), said.at(kSaid).get<std::string>()};
}

Machine Bench::compare_machine(const Task& task) {
  const std::string file = path_of(task.file);
  Machine machine;
  machine.problem = missing_text(task);
  if (!machine.problem.empty()) {
    return machine;
  }
  const auto compare = [&](const Say& say) {
    say_outcome(say, [&] { return machine_json(lab::compare_machine(file, lab_.folder / task.base, task.costs)); });
  };
  const LimitedEnd end = carry_out(compare, true);
  const Json said = heard(end.said);
  machine.problem = reason(end, said, file, wall_budget_.all());
  if (machine.problem.empty()) {
    machine.other = said.at(kOther).get<std::string>();
    for (const auto& [key, value] : said.at(kValues).items()) {
      machine.values[key] = {value.at(0).get<std::string>(), value.at(1).get<double>()};
    }
  }
  return machine;
}

}  // namespace gpusim::lab
