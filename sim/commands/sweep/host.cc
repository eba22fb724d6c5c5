// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/host.h"

#include <algorithm>
#include <thread>

#include "sim/commands/cli/clock.h"
#include "sim/commands/cli/host_memory.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/sweep/run/run.h"
#include "sim/commands/sweep/study/study.h"
#include "sim/commands/sweep/text.h"

namespace gpusim::commands {

unsigned sweep_jobs(const std::string& text) {
  return text.empty() ? std::clamp(std::thread::hardware_concurrency(), 1U, sweep::kMostJobs)
                      : static_cast<unsigned>(cli::parse_count("--jobs", text, 1, sweep::kMostJobs));
}

sweep::Host sweep_host(cli::ProgressLine& line) {
  sweep::Host host;
  host.seconds = cli::host_seconds;
  host.interrupted = [] { return cli::interrupted(); };
  host.memory_available = cli::available_memory_bytes;
  host.peak_memory = cli::peak_rss_bytes;
  host.progress = [&line](const sweep::Tally& tally) {
    line.update([&tally](double seconds) { return sweep_progress_text(tally, seconds); });
  };
  return host;
}

}  // namespace gpusim::commands
