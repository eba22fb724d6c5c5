// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/simulated.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "sim/base/text.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/sweep/run/summary.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/model/occupancy/residency.h"
#include "sim/model/stats/throughput.h"

namespace gpusim::app {

using sweep::PointRow;

namespace {

constexpr double kNsPerUs = 1000;
/// Warp instructions up to which a kernel is simulated whole: seconds of the host's time.
constexpr double kWholeWork = 4e6;
constexpr double kPartWork = 3e6;
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

PointRow simulate_point(const Job& job, const gpu::SimulateOptions& how, Database& database, bool& was_known) {
  const std::string key = sweep::point_key(job.arch_digest, job.trace_digest, how);
  if (const auto known = database.find_or_claim(key)) {
    return *known;
  }
  const Claim claim(database, key);
  was_known = false;
  gpu::SimulateOptions options = how;
  options.on_progress = [](const gpu::Progress&) { return !cli::interrupted(); };
  const stats::Result result = gpu::simulate(*job.arch, job.trace, options);
  cli::throw_if_interrupted();
  PointRow row;
  row.key = key;
  row.arch = job.arch->name;
  row.trace = job.trace.path;
  sweep::summarize(result, row);
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
  const trace::Kernel& kernel = *job.trace.kernels.begin();
  const auto sms = static_cast<double>(job.arch->sm.count);
  const auto ctas = static_cast<double>(kernel.ctas());
  const auto shape = occupancy::launch_shape(kernel);
  const double per_sm = std::max(1U, occupancy::residency(job.arch->sm, shape).occupancy.ctas_per_sm);
  run::spread_ctas(cost, ctas, per_sm, sms);
}

/// Waves of CTAs of the part that is simulated; 0: all.
std::uint64_t waves_of_part(const Job& job, std::uint64_t slots) {
  const auto ctas = static_cast<double>(job.trace.kernels.begin()->ctas());
  const double part = ctas * kPartWork / job.work;
  const auto waves = std::max(kLeastWaves, static_cast<std::uint64_t>(std::ceil(part / static_cast<double>(slots))));
  return (waves + 2) * slots < job.trace.kernels.begin()->ctas() ? waves - waves % 2 : 0;
}

PointRow first_waves(const Job& job, std::uint64_t ctas, Database& database, bool& was_known) {
  gpu::SimulateOptions how;
  how.cache = CacheState::kCold;
  how.ctas = gpu::CtaRange{0, ctas - 1};
  return simulate_point(job, how, database, was_known);
}

}  // namespace

Answer simulate_cost(const Job& job, bool whole, Database& database) {
  Answer answer{{}, true};
  run::KernelCost& cost = answer.cost;
  cost.how = run::TimeOf::kSimulated;
  fill(job, cost);
  const auto slots = static_cast<std::uint64_t>(cost.slots);
  const bool is_one = job.trace.kernels.size() == 1;
  const std::uint64_t waves = whole || !is_one || job.work <= kWholeWork ? 0 : waves_of_part(job, slots);
  PointRow row;
  if (waves == 0) {
    row = simulate_point(job, {}, database, answer.was_known);
    cost.ns = row.time_us * kNsPerUs;
  } else {
    const PointRow half = first_waves(job, waves / 2 * slots, database, answer.was_known);
    row = first_waves(job, waves * slots, database, answer.was_known);
    const double each = (row.time_us - half.time_us) / (static_cast<double>(waves) / 2 * cost.slots);
    const double rest =
        static_cast<double>(job.trace.kernels.begin()->ctas()) - static_cast<double>(waves) * cost.slots;
    cost.ns = (row.time_us + rest * each) * kNsPerUs;
    cost.note = "its first " + counted(waves, "wave") + ", then in proportion";
  }
  cost.tail_ns = cost.ns * cost.tail_share;
  cost.compute = share_of(row, "sm_pct");
  cost.tensor = share_of(row, "tensor_pct");
  cost.dram = share_of(row, "dram_pct");
  cost.flops = row.metrics["tflops"] * cost.ns * 1e3;
  cost.bound = bound_of(row.bound);
  return answer;
}

}  // namespace gpusim::app
