// SPDX-License-Identifier: MIT
#include "sim/commands/validate/runner.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sim/commands/validate/metric.h"
#include "sim/commands/validate/program.h"
#include "sim/commands/validate/run.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/model/arch/loader.h"
#include "sim/model/power/sustained.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::validate {
namespace {

/// What an inline program may take: one that never ends is a mistake.
constexpr Cycle kMostCycles = 10'000'000;

/// Everything that warps of CTA 0 issued, in order, without the passes before the last.
std::vector<Issue> issues_of(const stats::Result& result, const Program& program) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Issue>> by_place;  // warp and pc
  const auto& texts = program.trace.kernels[0].texts;
  for (const stats::WatchInterval& interval : result.watch) {
    if (interval.kernel != 0 || interval.cta != 0 || interval.state != stats::Stall::kSelected) {
      continue;
    }
    const std::uint32_t line = texts[interval.pc].line;
    for (Cycle cycle = interval.begin; cycle < interval.end && line > program.lines_before; ++cycle) {
      by_place[{interval.warp, interval.pc}].push_back(
          {cycle, interval.warp, interval.sub_core, line - program.lines_before, interval.pc});
    }
  }
  std::vector<Issue> issues;
  for (const auto& [place, all] : by_place) {
    const auto before = static_cast<std::ptrdiff_t>(all.size() - all.size() / program.passes);
    issues.insert(issues.end(), all.begin() + before, all.end());
  }
  std::ranges::sort(issues, {}, [](const Issue& i) { return std::pair(i.warp, i.cycle); });
  return issues;
}

void require_marks(const Case& of, const Program& program) {
  for (const std::string* const text : {&of.of, &of.from, &of.to}) {
    const std::optional<Mark> mark = parse_mark(*text);
    if (!mark) {
      continue;  // not given: the metric does without
    }
    if (!program.labels.contains(mark->label)) {
      throw InputError({of.where, "the program has no label '" + mark->label + "'", ""});
    }
    if (mark->warp >= program.trace.kernels[0].warps_per_cta()) {
      throw InputError({of.where, "'" + *text + "' is of a warp that the program does not have", ""});
    }
  }
}

double divisor(const Case& of, double value, const std::string& where) {
  if (value == 0) {
    throw InputError({of.where, "'" + of.metric + "' is 0 " + where, ""});
  }
  return value;
}

/// The name by which the clock of a run is kept.
constexpr const char* kClockMetric = "sm_clock_mhz";

bool sets_clock(const Case& of) {
  return std::ranges::any_of(of.set, [](const NamedText& pair) { return pair.first == "clocks.sm"; });
}

/// A kernel on a card whose clock nobody locked: it keeps what the card's power and its tensor cores allow.
bool is_unlocked(const Case& of) {
  return of.is_unlocked && !sets_clock(of);
}

/// Whether what the case runs beside it is to have the clock that the case kept.
bool needs_clock(const Case& of) {
  return is_unlocked(of) && (!of.less.empty() || !of.plus.empty());
}

double event_us(const arch::Arch& arch) {
  return arch.launch.event_ns / 1e3;
}

}  // namespace

double Runner::simulate(const Case& of) {
  double value = value_of(of);
  const double mhz = kept_mhz_;
  for (const Case& other : of.plus) {
    value += value_beside(of, other, mhz);
  }
  for (const Case& other : of.less) {
    value -= value_beside(of, other, mhz);
  }
  if (!of.relative_to.empty()) {
    value /= divisor(of, value_of(of.relative_to.front()), "in the run it is relative to");
  }
  if (of.per > 0) {
    return value / of.per;
  }
  return of.rate_of > 0 ? of.rate_of / divisor(of, value, "and no rate") : value;
}

double Runner::value_beside(const Case& of, const Case& other, double mhz) {
  if (!is_unlocked(of) || of.trace.empty()) {
    return value_of(other);
  }
  Case at_clock = other;
  at_clock.clock_mhz = mhz;
  at_clock.is_unlocked = false;
  return value_of(at_clock);
}

double Runner::value_of(const Case& of) {
  if (of.is_estimate()) {
    return sources_.estimate(of);
  }
  return of.trace.empty() ? run_program(of) : run_trace(of);
}

const arch::Arch& Runner::arch_of(const Case& of) {
  std::vector<NamedText> set = of.set;
  if (of.clock_mhz > 0 && !sets_clock(of)) {
    set.emplace_back("clocks.sm", std::to_string(std::llround(of.clock_mhz * 1e6)) + " Hz");
  } else if (is_unlocked(of)) {
    set.emplace_back("clocks.sm", std::to_string(arch_with(of, of.set).clocks.boost) + " Hz");
  }
  return arch_with(of, std::move(set));
}

const arch::Arch& Runner::arch_with(const Case& of, std::vector<NamedText> set) {
  const auto known = archs_.find({of.arch, set});
  if (known != archs_.end()) {
    return known->second;
  }
  std::vector<arch::Override> overrides;
  std::ranges::transform(set, std::back_inserter(overrides), [](const NamedText& pair) {
    return arch::Override{pair.first, pair.second};
  });
  arch::Arch arch = arch::load_arch(sources_.find_arch(of.arch), overrides, sources_.arch_folders);
  return archs_.emplace(std::pair(of.arch, std::move(set)), std::move(arch)).first->second;
}

gpu::SimulateOptions Runner::options_of(const Case& of) const {
  gpu::SimulateOptions options;
  options.cache = of.cache;
  options.threads = threads_;
  options.on_progress = [this](const gpu::Progress&) { return sources_.keep_going(); };
  return options;
}

double Runner::run_trace(const Case& of) {
  const trace::Trace trace = sources_.load_trace(of.trace, of.params);
  if (trace.kernels.empty()) {
    throw InputError({of.where, "trace '" + of.trace + "' has no kernel", "a metric is that of its last one"});
  }
  const arch::Arch& arch = arch_of(of);
  const gpu::SimulateOptions options = options_of(of);
  const char* const kind = is_unlocked(of) ? " at the sustained clock" : "";
  const std::string key = sweep::point_key(sweep::arch_digest(arch), digest_of_(trace), options) + kind;
  const std::optional<double> known = sources_.kept->find(key, metric_with_unit(of));
  const std::optional<double> clock = sources_.kept->find(key, kClockMetric);
  if (known && (clock || !needs_clock(of))) {
    kept_mhz_ = clock.value_or(0);
    return *known;
  }
  if (key != latest_key_) {
    latest_key_.clear();
    const auto simulate = [&](const arch::Arch& at_clock) { return gpu::simulate(at_clock, trace, options); };
    latest_ = is_unlocked(of) ? power::simulate_sustained(arch, simulate) : simulate(arch);
    latest_key_ = key;
  }
  kept_mhz_ = latest_.sm_clock_mhz;
  const double value = measure({&of, &latest_, event_us(arch), nullptr, {}});
  if (latest_.complete) {
    sources_.kept->add(key, metric_with_unit(of), value);
    sources_.kept->add(key, kClockMetric, kept_mhz_);
  }
  return value;
}

double Runner::run_program(const Case& of) {
  const arch::Arch& arch = arch_of(of);
  const Program program = make_program(of);
  require_marks(of, program);
  gpu::SimulateOptions options = options_of(of);
  options.threads = 1;
  options.max_cycles = kMostCycles;
  options.limit_name = "the limit of a case with 'program'";
  if (find_metric(of.metric) != nullptr) {
    options.watch = {gpu::WatchRequest{}};  // a number of the result needs none
  }
  const stats::Result result = gpu::simulate(arch, program.trace, options);
  return measure({&of, &result, event_us(arch), &program, issues_of(result, program)});
}

}  // namespace gpusim::validate
