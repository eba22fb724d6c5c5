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

/// What a kernel runs on: all of a GPU, or its memory and fewer SMs.
struct Machine {
  const arch::Arch& arch;
  std::string digest;
  double slots = 1;  ///< CTAs of the kernel that it holds at once
  ClockMhz clock{};
};

/// The runs of a kernel on a machine.
class Runs {
 public:
  Runs(const Job& job, const Machine& machine, Database& database, bool& were_known)
      : job_(job), machine_(machine), database_(database), were_known_(were_known) {}

  /// What was found: the row of the largest run, the time of the whole kernel, and how that follows.
  struct Found {
    PointRow row;
    double ns = 0;
    std::string note{};
  };
  /// All of it for 0 `waves`, unless the job has smaller forms.
  [[nodiscard]] Found run(std::uint64_t waves) const;

 private:
  [[nodiscard]] PointRow point(const Program& program, const gpu::SimulateOptions& how, ClockMhz clock) const;
  [[nodiscard]] PointRow first_waves(std::uint64_t waves, ClockMhz clock) const;
  [[nodiscard]] Found smaller(const SmallerPrograms& parts) const;
  [[nodiscard]] Found some_waves(std::uint64_t waves) const;

  const Job& job_;
  const Machine& machine_;
  Database& database_;
  bool& were_known_;
};

stats::Result simulate_at(const arch::Arch& arch, const Program& program, const gpu::SimulateOptions& options,
                          ClockMhz clock) {
  constexpr double kHertzPerMegahertz = 1e6;
  const auto simulate = [&](const arch::Arch& at) { return gpu::simulate(at, program.trace, options); };
  return clock ? simulate(power::at_clock(arch, static_cast<std::uint64_t>(*clock * kHertzPerMegahertz)))
               : power::simulate_sustained(arch, simulate);
}

PointRow Runs::point(const Program& program, const gpu::SimulateOptions& how, ClockMhz clock) const {
  const std::string key = sweep::point_key(machine_.digest, program.digest, how) +
                          (clock ? " at " + std::to_string(std::llround(*clock)) : " sustained");
  if (const auto known = database_.find_or_claim(key)) {
    return *known;
  }
  const Claim claim(database_, key);
  were_known_ = false;
  gpu::SimulateOptions options = how;
  options.on_progress = [](const gpu::Progress&) { return !cli::interrupted(); };
  const double begin = cli::host_seconds();
  const stats::Result result = simulate_at(machine_.arch, program, options, clock);
  cli::throw_if_interrupted();
  PointRow row;
  row.key = key;
  row.arch = machine_.arch.name;
  row.trace = program.trace.path;
  sweep::summarize(result, row);
  row.metrics[kClockMetric] = result.sm_clock_mhz;
  row.host_seconds = cli::host_seconds() - begin;
  database_.put(row);
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
void fill(const Job& job, double ctas_per_sm, run::KernelCost& cost) {
  const auto ctas = static_cast<double>(job.program.trace.kernels.begin()->ctas());
  run::spread_ctas(cost, ctas, ctas_per_sm, static_cast<double>(job.arch->sm.count));
}

double ctas_per_sm(const Job& job) {
  const auto shape = occupancy::launch_shape(*job.program.trace.kernels.begin());
  return std::max(1U, occupancy::residency(job.arch->sm, shape).occupancy.ctas_per_sm);
}

/// Waves of CTAs of the part that is simulated; 0: all.
std::uint64_t waves_of_part(const Job& job, bool whole, std::uint64_t slots) {
  if (whole || job.program.trace.kernels.size() > 1 || job.work <= kWholeWork) {
    return 0;
  }
  const auto ctas = static_cast<double>(job.program.trace.kernels.begin()->ctas());
  const double part = ctas * kPartWork / job.work;
  const auto waves = std::max(kLeastWaves, static_cast<std::uint64_t>(std::ceil(part / static_cast<double>(slots))));
  return (waves + 2) * slots < job.program.trace.kernels.begin()->ctas() ? waves - waves % 2 : 0;
}

PointRow Runs::first_waves(std::uint64_t waves, ClockMhz clock) const {
  gpu::SimulateOptions how;
  how.cache = CacheState::kCold;
  how.ctas = gpu::CtaRange{0, waves * static_cast<std::uint64_t>(machine_.slots) - 1};
  return point(job_.program, how, clock);
}

/// The larger of two smaller forms, and the time of the whole.
Runs::Found Runs::smaller(const SmallerPrograms& parts) const {
  gpu::SimulateOptions how;
  how.cache = CacheState::kCold;
  Found found{point(parts.larger, how, machine_.clock), 0, parts.forms.note};
  double whole_us = found.row.time_us;
  if (parts.forms.rest > 0) {
    const PointRow smaller = point(parts.smaller, how, found.row.metrics[kClockMetric]);
    whole_us += parts.forms.rest * (found.row.time_us - smaller.time_us);
  }
  const auto once_ns = static_cast<double>(job_.arch->launch.begin_ns + job_.arch->launch.flush_ns);  // not scaled
  found.ns = once_ns + parts.forms.scale * (whole_us * kNsPerUs - once_ns);
  return found;
}

/// The first waves of CTAs, and the time of the whole.
Runs::Found Runs::some_waves(std::uint64_t waves) const {
  Found found{first_waves(waves, machine_.clock), 0, "its first " + counted(waves, "wave") + ", then in proportion"};
  const PointRow half = first_waves(waves / 2, found.row.metrics[kClockMetric]);
  const double each = (found.row.time_us - half.time_us) / (static_cast<double>(waves) / 2 * machine_.slots);
  const double rest =
      static_cast<double>(job_.program.trace.kernels.begin()->ctas()) - static_cast<double>(waves) * machine_.slots;
  found.ns = (found.row.time_us + rest * each) * kNsPerUs;
  return found;
}

Runs::Found Runs::run(std::uint64_t waves) const {
  if (job_.in_parts) {
    return smaller(*job_.in_parts);
  }
  if (waves > 0) {
    return some_waves(waves);
  }
  gpu::SimulateOptions how;
  how.cache = job_.is_cold ? CacheState::kCold : how.cache;
  PointRow row = point(job_.program, how, machine_.clock);
  const double ns = row.time_us * kNsPerUs;
  return {std::move(row), ns};
}

/// The GPU with other SMs. They stay spread over as many GPCs, as those are that a collective leaves.
arch::Arch with_sms(const arch::Arch& arch, std::uint32_t sms) {
  arch::Arch changed = arch;
  changed.sm.count = sms;
  changed.noc.gpcs = std::min(arch.noc.gpcs, sms);
  return changed;
}

/// Whether each kernel of the job has room for a cluster on a GPU with fewer SMs, which leave less of each GPC.
bool has_room_for_clusters(const Job& job, const arch::Arch& arch) {
  return std::ranges::all_of(job.program.trace.kernels, [&arch](const trace::Kernel& kernel) {
    return occupancy::resident_clusters(arch.sm, arch.noc, occupancy::launch_shape(kernel)) > 0;
  });
}

/// Simulates the job on half of the SMs that it fills, at this SM clock, unless no cluster of it has room there.
void find_slowdown(const Job& job, std::uint64_t waves, double per_sm, double mhz, Database& database, Answer& answer) {
  const auto sms = static_cast<std::uint32_t>(std::ceil(answer.cost.sms / 2));
  const arch::Arch half = with_sms(*job.arch, sms);
  if (has_room_for_clusters(job, half)) {
    const Machine less{half, sweep::arch_digest(half), per_sm * sms, mhz};
    run::set_of_sms(answer.cost, sms, Runs(job, less, database, answer.was_known).run(waves).ns);
  }
}

}  // namespace

Answer simulate_cost(const Job& job, bool whole, Database& database) {
  Answer answer{{}, true};
  run::KernelCost& cost = answer.cost;
  cost.how = run::TimeOf::kSimulated;
  const double per_sm = ctas_per_sm(job);
  fill(job, per_sm, cost);
  const std::uint64_t waves = waves_of_part(job, whole, static_cast<std::uint64_t>(cost.slots));
  const Machine machine{*job.arch, job.arch_digest, cost.slots};
  Runs::Found found = Runs(job, machine, database, answer.was_known).run(waves);
  PointRow& row = found.row;
  cost.ns = found.ns;
  cost.note = std::move(found.note);
  cost.tail_ns = cost.ns * cost.tail_share;
  cost.compute = share_of(row, "pipes_pct");
  cost.tensor = share_of(row, "tensor_pct");
  cost.dram = share_of(row, "dram_pct");
  cost.flops = row.metrics["tflops"] * cost.ns * 1e3;
  cost.bound = bound_of(row.bound);
  if (job.may_share_sms && cost.sms > job.arch->sm.count / 2.0) {
    find_slowdown(job, waves, per_sm, row.metrics[kClockMetric], database, answer);
  }
  return answer;
}

}  // namespace gpusim::app
