// SPDX-License-Identifier: MIT
// What more host threads could give: measures how long each domain works in each window, and adds up how long the
// windows would take with 2, 8, 32 and 128 threads if nothing but the work counted. A window lasts at least as long as
// its busiest domain, and as its whole work shared evenly.
//
//   window_work ARCH.yaml NAME.trace [PARAMETER=VALUE ...]
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "sim/input/text/load.h"
#include "sim/machine/engine/engine.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/stats/result.h"

using namespace gpusim;

namespace {

/// A run is the same each time, so the shortest time of each step over several runs is that without interruptions.
constexpr int kRuns = 9;

/// Times of all steps in the order in which they happen: each domain's work, and after each window what is not shared.
class Stopwatch final : public engine::WindowObserver {
 public:
  enum class Kind : std::uint8_t { kOpening, kDomain, kClosing };
  struct Step {
    Kind kind;  ///< a step of a window: finding what is due; a domain's work; what changes hands at its end
    std::int64_t nanoseconds;
  };

  void begin_run() {
    next_ = 0;
    is_open_ = false;
    last_ = Clock::now();
  }
  void domain_begins(msg::DomainId /*id*/) override {
    const std::int64_t spent = lap();
    if (!is_open_) {
      keep({Kind::kOpening, spent});
    }
    is_open_ = true;
  }
  void domain_ends(msg::DomainId /*id*/) override { keep({Kind::kDomain, lap()}); }
  void window_ends() override {
    keep({Kind::kClosing, lap()});
    is_open_ = false;
  }
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::int64_t lap() {
    const Clock::time_point now = Clock::now();
    const std::int64_t spent = std::chrono::nanoseconds(now - last_).count();
    last_ = now;
    return spent;
  }
  void keep(Step step) {
    if (next_ == steps_.size()) {
      steps_.push_back(step);
    } else {
      steps_[next_].nanoseconds = std::min(steps_[next_].nanoseconds, step.nanoseconds);
    }
    ++next_;
  }

  std::vector<Step> steps_;
  std::size_t next_ = 0;
  bool is_open_ = false;
  Clock::time_point last_;
};

struct Totals {
  std::size_t windows = 0;
  std::size_t domains = 0;  ///< that ran, over all windows
  std::int64_t work = 0;
  std::int64_t serial = 0;   ///< time of the engine, between windows
  std::int64_t busiest = 0;  ///< sum over windows of the busiest domain's work
};

/// Nanoseconds that all windows take with so many threads.
std::int64_t with_threads(const std::vector<Stopwatch::Step>& steps, std::int64_t threads, Totals& totals) {
  totals = {};
  std::int64_t all = 0;
  std::int64_t work = 0;
  std::int64_t busiest = 0;
  for (const Stopwatch::Step& step : steps) {
    if (step.kind == Stopwatch::Kind::kDomain) {
      work += step.nanoseconds;
      busiest = std::max(busiest, step.nanoseconds);
      ++totals.domains;
      continue;
    }
    all += step.nanoseconds;
    totals.serial += step.nanoseconds;
    if (step.kind == Stopwatch::Kind::kClosing) {
      all += std::max(busiest, (work + threads - 1) / threads);
      ++totals.windows;
      totals.work += work;
      totals.busiest += busiest;
      work = busiest = 0;
    }
  }
  return all;
}

void measure(const std::string& arch_file, const std::string& trace_file, const trace::ParameterChoice& choice) {
  const arch::Arch arch = arch::load_arch(arch_file, {});
  const trace::Trace trace = frontend::load_trace_text(trace_file, choice);
  Stopwatch stopwatch;
  gpu::SimulateOptions options;
  options.observer = &stopwatch;
  options.cache = CacheState::kCold;
  for (int i = 0; i < kRuns; ++i) {
    stopwatch.begin_run();
    (void)gpu::simulate(arch, trace, options);
  }
  Totals totals;
  const auto alone = static_cast<double>(with_threads(stopwatch.steps(), 1, totals));
  const auto windows = static_cast<double>(totals.windows);
  std::printf(
      "%zu windows, %.0f domains awake, %.1f us of work and %.1f us of the engine's a window, busiest domain "
      "%.1f us\n",
      totals.windows, static_cast<double>(totals.domains) / windows, static_cast<double>(totals.work) / windows / 1e3,
      static_cast<double>(totals.serial) / windows / 1e3, static_cast<double>(totals.busiest) / windows / 1e3);
  for (const int threads : {2, 8, 32, 128}) {
    const auto together = static_cast<double>(with_threads(stopwatch.steps(), threads, totals));
    std::printf("%3d threads: %.1f times as fast at most\n", threads, alone / together);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: window_work ARCH.yaml NAME.trace [PARAMETER=VALUE ...]\n");
    return 1;
  }
  trace::ParameterChoice choice;
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = std::min(word.find('='), word.size() - 1);
    choice.overrides.emplace_back(word.substr(0, equals), std::atoll(word.c_str() + equals + 1));
  }
  try {
    measure(argv[1], argv[2], choice);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "window_work: %s\n", error.what());
    return 2;
  }
  return 0;
}
