// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/simulated.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sim/base/text.h"
#include "sim/commands/app/times/database.h"
#include "sim/commands/cli/clock.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/sweep/run/key.h"
#include "sim/commands/sweep/run/summary.h"
#include "sim/commands/sweep/store/point.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"
#include "sim/model/power/sustained.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::app {

using sweep::PointRow;

namespace {

constexpr double kNsPerUs = 1000;
constexpr std::uint64_t kLeastWaves = 4;

/// Gives up what was claimed, unless it was put meanwhile.
class Claim {
 public:
  Claim(Database& database, const std::string& key) : database_(database), key_(key) {}
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim() { database_.give_up(key_); }

 private:
  Database& database_;
  const std::string& key_;
};

/// The SM clock of a run in MHz, among its metrics.
constexpr const char* kClockMetric = "sm_clock_mhz";

/// At this SM clock in MHz, or at that which the GPU's power leaves for this program.
using ClockMhz = std::optional<double>;

stats::Result simulate_at(const Job& job, const Program& program, const gpu::SimulateOptions& options, ClockMhz clock) {
  constexpr double kHertzPerMegahertz = 1e6;
  const auto simulate = [&](const arch::Arch& arch) { return gpu::simulate(arch, program.trace, options); };
  return clock ? simulate(power::at_clock(*job.arch, static_cast<std::uint64_t>(*clock * kHertzPerMegahertz)))
               : power::simulate_sustained(*job.arch, simulate);
}

PointRow simulate_point(const Job& job, const Program& program, const gpu::SimulateOptions& how, ClockMhz clock,
                        Database& database, bool& was_known) {
  const std::string key = sweep::point_key(job.arch_digest, program.digest, how) +
                          (clock ? " at " + std::to_string(std::llround(*clock)) : " sustained");
  if (const auto known = database.find_or_claim(key)) {
    return *known;
  }
  const Claim claim(database, key);
  was_known = false;
  gpu::SimulateOptions options = how;
  options.on_progress = [](const gpu::Progress&) { return !cli::interrupted(); };
  const double begin = cli::host_seconds();
  const stats::Result result = simulate_at(job, program, options, clock);
  cli::throw_if_interrupted();
  PointRow row;
  row.key = key;
  row.arch = job.arch->name;
  row.trace = program.trace.path;
  sweep::summarize(result, row);
  row.metrics[kClockMetric] = result.sm_clock_mhz;
  row.host_seconds = cli::host_seconds() - begin;
  database.put(row);
  return row;
}

run::Bound bound_of(std::string_view word) {
  static constexpr std::array<std::string_view, 3> kCompute{"tensor", "fp", "issue"};
  static constexpr std::array<std::string_view, 2> kOverhead{"latency", "launch"};
  const auto is_in = [word](const auto& words) { return std::ranges::find(words, word) != words.end(); };
  return is_in(kCompute) ? run::Bound::kCompute : is_in(kOverhead) ? run::Bound::kOverhead : run::Bound::kMemory;
}

double share_of(const PointRow& row, const char* metric) {
  constexpr double kPercent = 100;
  const auto found = row.metrics.find(metric);
  return found == row.metrics.end() ? 0 : found->second / kPercent;
}

/// CTAs of the first kernel, and how they fill the GPU.
void fill(const Job& job, run::KernelCost& cost) {
  const trace::Kernel& kernel = *job.program.trace.kernels.begin();
  const auto sms = static_cast<double>(job.arch->sm.count);
  const auto ctas = static_cast<double>(kernel.ctas());
  const auto shape = occupancy::launch_shape(kernel);
  const double per_sm = std::max(1U, occupancy::residency(job.arch->sm, shape).occupancy.ctas_per_sm);
  run::spread_ctas(cost, ctas, per_sm, sms);
}

/// Waves of CTAs of the part that is simulated; 0: all.
std::uint64_t waves_of_part(const Job& job, std::uint64_t slots) {
  const auto ctas = static_cast<double>(job.program.trace.kernels.begin()->ctas());
  const double part = ctas * kPartWork / job.work;
  const auto waves = std::max(kLeastWaves, static_cast<std::uint64_t>(std::ceil(part / static_cast<double>(slots))));
  return (waves + 2) * slots < job.program.trace.kernels.begin()->ctas() ? waves - waves % 2 : 0;
}

PointRow first_waves(const Job& job, std::uint64_t ctas, ClockMhz clock, Database& database, bool& was_known) {
  gpu::SimulateOptions how;
  how.cache = CacheState::kCold;
  how.ctas = gpu::CtaRange{0, ctas - 1};
  return simulate_point(job, job.program, how, clock, database, was_known);
}

/// The larger of two smaller forms; the cost gets the time of the whole.
PointRow simulate_smaller(const Job& job, Database& database, Answer& answer) {
  const SmallerPrograms& parts = *job.in_parts;
  gpu::SimulateOptions how;
  how.cache = CacheState::kCold;
  PointRow larger = simulate_point(job, parts.larger, how, std::nullopt, database, answer.was_known);
  double whole_us = larger.time_us;
  if (parts.forms.rest > 0) {
    const double clock = larger.metrics[kClockMetric];
    const PointRow smaller = simulate_point(job, parts.smaller, how, clock, database, answer.was_known);
    whole_us += parts.forms.rest * (larger.time_us - smaller.time_us);
  }
  const auto once_ns = static_cast<double>(job.arch->launch.begin_ns + job.arch->launch.flush_ns);  // not scaled
  answer.cost.ns = once_ns + parts.forms.scale * (whole_us * kNsPerUs - once_ns);
  answer.cost.note = parts.forms.note;
  return larger;
}

/// The first waves of CTAs; the cost gets the time of the whole.
PointRow simulate_waves(const Job& job, std::uint64_t waves, Database& database, Answer& answer) {
  run::KernelCost& cost = answer.cost;
  const auto slots = static_cast<std::uint64_t>(cost.slots);
  PointRow row = first_waves(job, waves * slots, std::nullopt, database, answer.was_known);
  const double clock = row.metrics[kClockMetric];
  const PointRow half = first_waves(job, waves / 2 * slots, clock, database, answer.was_known);
  const double each = (row.time_us - half.time_us) / (static_cast<double>(waves) / 2 * cost.slots);
  const double rest =
      static_cast<double>(job.program.trace.kernels.begin()->ctas()) - static_cast<double>(waves) * cost.slots;
  cost.ns = (row.time_us + rest * each) * kNsPerUs;
  cost.note = "its first " + counted(waves, "wave") + ", then in proportion";
  return row;
}

PointRow simulate_whole(const Job& job, Database& database, Answer& answer) {
  PointRow row = simulate_point(job, job.program, {}, std::nullopt, database, answer.was_known);
  answer.cost.ns = row.time_us * kNsPerUs;
  return row;
}

PointRow simulate(const Job& job, bool whole, Database& database, Answer& answer) {
  if (job.in_parts) {
    return simulate_smaller(job, database, answer);
  }
  const bool is_one = job.program.trace.kernels.size() == 1;
  const bool is_small = job.work <= kWholeWork;
  const std::uint64_t waves =
      whole || !is_one || is_small ? 0 : waves_of_part(job, static_cast<std::uint64_t>(answer.cost.slots));
  return waves == 0 ? simulate_whole(job, database, answer) : simulate_waves(job, waves, database, answer);
}

}  // namespace

Answer simulate_cost(const Job& job, bool whole, Database& database) {
  Answer answer{{}, true};
  run::KernelCost& cost = answer.cost;
  cost.how = run::TimeOf::kSimulated;
  fill(job, cost);
  PointRow row = simulate(job, whole, database, answer);
  cost.tail_ns = cost.ns * cost.tail_share;
  cost.compute = share_of(row, "pipes_pct");
  cost.tensor = share_of(row, "tensor_pct");
  cost.dram = share_of(row, "dram_pct");
  cost.flops = row.metrics["tflops"] * cost.ns * 1e3;
  cost.bound = bound_of(row.bound);
  return answer;
}

}  // namespace gpusim::app
