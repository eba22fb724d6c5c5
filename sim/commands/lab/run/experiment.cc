// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/experiment.h"

#include <utility>

#include "sim/base/cache_state.h"
#include "sim/base/problem.h"
#include "sim/commands/lab/run/bench.h"
#include "sim/commands/lab/run/compiler.h"
#include "sim/commands/lab/run/outcome.h"
#include "sim/commands/lab/run/wall_budget.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/trace.h"
#include "sim/output/html/page.h"

namespace gpusim::lab {
namespace {

constexpr const char* kPage = "page";
/// Enough for a glance at all warps of an SM, and a page that a browser opens at once.
constexpr std::size_t kMostIntervals = 200'000;

std::string page_of(const Experiment& experiment, const Say& say) {
  trace::Trace trace = load_trace_of(experiment.job);
  say_ctas(say, trace);
  arch::Resolved resolved = arch_of(experiment.job);
  trace.path = experiment.trace;
  resolved.arch.path = experiment.arch;
  gpu::SimulateOptions options;
  options.cache = cache_state_of(experiment.job.cache);
  options.record_series = true;
  options.watch = {{.sm = 0, .begin = experiment.begin, .end = experiment.end}};
  options.most_intervals = kMostIntervals;
  return html::run_page(gpu::simulate(resolved.arch, trace, options));
}

}  // namespace

Shown show(const Experiment& asked, double wall_seconds) {
  Experiment experiment = asked;
  Compiler compiler;
  WallBudget budget(wall_seconds);
  if (const std::string problem = compiler.compile(experiment.job, budget).text; !problem.empty()) {
    return {"", problem};
  }
  const LimitedEnd end = run_limited({Bench::kSeconds, Bench::kBytes, budget.left()}, [&experiment](const Say& say) {
    say_outcome(say, [&] { return nlohmann::json{{kPage, page_of(experiment, say)}}; });
  });
  nlohmann::json said = heard(end.said);
  Shown shown{"", compiler.own_words(reason(end, said, experiment.trace, wall_seconds))};
  if (shown.problem.empty() && said.contains(kPage)) {
    shown.page = std::move(said[kPage].get_ref<std::string&>());
  } else if (shown.problem.empty()) {
    shown.problem = "The report is too large for a page: record fewer cycles.";
  }
  return shown;
}

}  // namespace gpusim::lab
