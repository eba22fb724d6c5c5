// SPDX-License-Identifier: MIT
#include "sim/commands/cli/simulate_shown.h"

#include <algorithm>
#include <thread>

#include "sim/commands/cli/clock.h"
#include "sim/commands/cli/host_memory.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/cli/values.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/result.h"

namespace gpusim::cli {

unsigned host_threads(const std::string& text) {
  constexpr unsigned kMostThreads = 1024;
  return text == "all" ? std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads)
                       : static_cast<unsigned>(parse_count("--threads", text, 1, kMostThreads));
}

stats::Result simulate_shown(const arch::Arch& arch, const trace::Trace& trace, gpu::SimulateOptions options,
                             bool show_progress, std::string_view what) {
  ProgressLine line(show_progress);
  options.on_progress = [&line, what](gpu::Progress progress) {
    progress.kernel = what.empty() ? progress.kernel : std::string(what);
    line.update(progress);
    return !interrupted();
  };
  const double started = host_seconds();
  stats::Result result = gpu::simulate(arch, trace, options);
  result.host.seconds = host_seconds() - started;
  result.host.threads = options.threads;
  result.host.peak_rss_bytes = peak_rss_bytes();
  return result;
}

}  // namespace gpusim::cli
