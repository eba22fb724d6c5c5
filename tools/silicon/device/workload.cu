// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>

#include "tools/silicon/device/workload.cuh"

namespace gpusim::silicon {
namespace {

constexpr double kShortUs = 20;  // below this, what a launch costs shows in a single one
constexpr int kMostLaunches = 16;

// As many launches as take 40 us together; one when a single one is long enough.
int batch_of(Session& session, const Workload& workload) {
  if (session.profiling()) {
    return 1;
  }
  const double us = session.sample_us(workload.run, {.times = 3}).median();
  return us < kShortUs ? std::min(kMostLaunches, static_cast<int>(std::ceil(2 * kShortUs / us))) : 1;
}

std::string note_of(const Workload& workload, int batch) {
  std::string note = workload.note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  add(std::to_string(static_cast<std::uint64_t>(workload.work.bytes)) + " bytes, " +
      std::to_string(static_cast<std::uint64_t>(workload.work.flops)) + " FLOPs by the algorithm");
  if (batch > 1) {
    add("one of " + std::to_string(batch) + " launches back to back, gap included");
  }
  return note;
}

void time_with(Session& session, const Workload& workload, Cache cache, int batch) {
  const Sampled us = session.sample_us(workload.run, {.batch = batch, .cache = cache});
  Result result{.metric = "time",
                .unit = "us",
                .sampled = us,
                .launch = workload.launch,
                .params = workload.params,
                .input = Input::Random,
                .cache = cache,
                .trace = workload.trace,
                .note = note_of(workload, batch)};
  session.record(result);
  const auto record_rate = [&](const char* metric, const char* unit, double amount, double scale) {
    if (amount > 0) {
      result.metric = metric;
      result.unit = unit;
      result.sampled = us.map([&](double t) { return amount / t * scale; });
      session.record(result);
    }
  };
  record_rate("bandwidth", "GB/s", workload.work.bytes, 1e-3);
  record_rate("throughput", "TFLOP/s", workload.work.flops, 1e-6);
}

}  // namespace

void time_workload(Session& session, const Workload& workload) {
  time_with(session, workload, Cache::Warm, batch_of(session, workload));
  if (!session.profiling()) {
    time_with(session, workload, Cache::Cold, 1);
  }
}

}  // namespace gpusim::silicon
