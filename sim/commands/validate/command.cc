// SPDX-License-Identifier: MIT
// Simulated against measured silicon: which cases, and what is printed of them.
#include "sim/commands/validate/command.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "sim/base/nearest.h"
#include "sim/base/output_file.h"
#include "sim/base/pattern.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/validate/case_files.h"
#include "sim/commands/validate/estimate.h"
#include "sim/commands/validate/report.h"
#include "sim/commands/validate/run.h"
#include "sim/output/report/text_options.h"

namespace gpusim::commands {
namespace {

using validate::Case;
using validate::Outcome;

double parse_percent(const std::string& text) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const bool is_number = used > 0 && (used == text.size() || text.substr(used) == "%" || text.substr(used) == " %");
  if (!is_number || !std::isfinite(value) || value < 0) {
    throw UsageError("--max-error: '" + text + "' is not a percentage, such as 0.5");
  }
  return value;
}

/// Only cases of one architecture, named as cases do or by its file.
void keep_arch(std::vector<Case>& cases, const std::string& name) {
  const std::string wanted = validate::arch_name(cli::find_file(name, cli::architecture_files()).string());
  std::vector<std::string> known;
  std::ranges::transform(cases, std::back_inserter(known), [](const Case& c) { return validate::arch_name(c.arch); });
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::erase_if(cases, [&wanted](const Case& c) { return validate::arch_name(c.arch) != wanted; });
  if (cases.empty()) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    throw InputError({{"--arch " + name, 0, 0}, "no case is of this architecture", suggestion(wanted, names)});
  }
}

void keep_filtered(std::vector<Case>& cases, const std::string& expression) {
  try {
    const Pattern pattern(expression);
    std::erase_if(cases, [&pattern](const Case& c) { return !pattern.is_in(c.id); });
  } catch (const BadPattern& error) {
    throw UsageError("--filter: " + cli::in_quotes(expression) + " is not a regular expression: " + error.what());
  }
  if (cases.empty()) {
    throw InputError({{"--filter " + expression, 0, 0}, "no case has such an id", ""});
  }
}

std::vector<Case> chosen_cases(const ValidateOptions& options) {
  std::vector<Case> cases = options.cases.empty() ? cases_of_suite(options.suite) : cases_of_path(options.cases);
  if (!options.arch.empty()) {
    keep_arch(cases, options.arch);
  }
  if (!options.filter.empty()) {
    keep_filtered(cases, options.filter);
  }
  return cases;
}

/// A kernel takes seconds or minutes: somebody who waits wants to see each.
void tell(const Outcome& outcome, std::size_t done, std::size_t of) {
  if (outcome.of.is_kernel()) {
    const bool is_word = outcome.of.is_word() && outcome.simulated.has_value();
    const std::string what = !outcome.fault.empty()     ? "meets a fault of the simulator"
                             : !outcome.refusal.empty() ? "is refused"
                             : !outcome.simulated       ? "is not simulated"
                             : is_word                  ? (outcome.is_equal_word() ? "is equal" : "is another")
                                                        : fmt::format("{:+.1f} %", outcome.error_pct);
    cli::log_info(fmt::format("{} of {}: {} {}", done, of, outcome.of.id, what));
  }
}

/// Returns the exit code.
int tell_faults(std::span<const Outcome> outcomes) {
  int code = cli::Exit::kDone;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.fault.empty()) {
      cli::log_error("case '" + outcome.of.id + "': " + outcome.fault);
      code = cli::Exit::kOurFault;
    }
  }
  return code;
}

validate::Sources sources(const ValidateOptions& options) {
  validate::Sources out;
  out.slow_ones = options.all;
  out.find_arch = [](const std::string& name) { return cli::find_file(name, cli::architecture_files()); };
  out.arch_folders = cli::search_folders(cli::architecture_files());
  out.load_trace = [](const std::string& name, const std::vector<validate::NamedText>& params) {
    std::vector<std::string> texts;
    std::ranges::transform(params, std::back_inserter(texts), [](const auto& p) { return p.first + "=" + p.second; });
    return cli::load_trace(cli::find_trace(name), cli::parse_parameters(texts, false));
  };
  out.estimate = estimate_of;
  out.keep_going = [] { return !cli::interrupted(); };
  out.on_outcome = tell;
  if (!options.resume.empty()) {
    out.kept = std::make_shared<validate::KeptValues>(options.resume);
    cli::log_info(fmt::format("{} holds {} of this model", options.resume, counted(out.kept->size(), "value")));
  }
  constexpr unsigned kMostThreads = 64;
  out.threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
  return out;
}

/// How far the run came.
struct Extent {
  bool to_the_end;  ///< no case is missing
  bool complete;    ///< and none was refused
};

void show(std::span<const Outcome> outcomes, Extent extent, const ValidateOptions& options, const cli::Common& common,
          std::optional<OutputFile>& file) {
  const bool complete = extent.complete;
  if (file) {
    cli::commit_told(*file, validate::to_json(outcomes, complete));
  }
  const validate::TextOptions look{cli::look_of(common), options.details, extent.to_the_end};
  cli::print(options.format == "json" ? validate::to_json(outcomes, complete) : validate::to_text(outcomes, look));
}

}  // namespace

int validate_command(const ValidateOptions& options, const cli::Common& common) {
  const double most = options.max_error.empty() ? -1 : parse_percent(options.max_error);
  const std::vector<Case> cases = chosen_cases(options);
  cli::catch_interrupt();  // which may not leave a temporary file behind
  const std::array outputs{cli::OutputPath{"--json", options.json}};
  std::optional<OutputFile> file = std::move(cli::open_outputs(outputs).front());
  std::vector<Outcome> outcomes;
  std::exception_ptr failure;
  try {
    validate::run_cases(cases, sources(options), outcomes);
  } catch (const cli::Interrupted&) {  // as where keep_going said no
  } catch (...) {
    failure = std::current_exception();
  }
  validate::sort_worst_first(outcomes);
  const bool complete = !failure && !cli::interrupted();
  const bool any = std::ranges::any_of(outcomes, [](const Outcome& o) { return o.simulated.has_value(); });
  if (complete || any) {
    show(outcomes, {outcomes.size() == cases.size(), complete}, options, common, file);
  }
  if (failure) {
    std::rethrow_exception(failure);  // only now: what was simulated is not lost
  }
  if (cli::interrupted() && any) {
    cli::log_warning("interrupted: the cases are those that were done");
    return cli::interrupt_code();
  }
  if (cli::interrupted() && !options.resume.empty()) {
    cli::log_warning(fmt::format("interrupted: {} keeps what was simulated, and the same command goes on from there",
                                 options.resume));
    return cli::interrupt_code();
  }
  cli::throw_if_interrupted();
  if (const int code = tell_faults(outcomes); code != cli::Exit::kDone) {
    return code;
  }
  const validate::Summary summary = validate::summarize(outcomes);
  if (most >= 0 && summary.max_abs_error_pct > most) {
    cli::log_error(fmt::format("the worst counted case is off by {:.2f} %, more than --max-error {:g} %",
                               summary.max_abs_error_pct, most));
    return cli::Exit::kMissed;
  }
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
