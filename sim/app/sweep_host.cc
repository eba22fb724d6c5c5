// SPDX-License-Identifier: MIT
#include "sim/app/sweep_host.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "sim/app/host_memory.h"
#include "sim/app/interrupt.h"
#include "sim/app/sweep_text.h"
#include "sim/app/values.h"
#include "sim/commands/sweep/study/study.h"

namespace gpusim::app {

unsigned sweep_jobs(const std::string& text) {
  return text.empty() ? std::clamp(std::thread::hardware_concurrency(), 1U, sweep::kMostJobs)
                      : static_cast<unsigned>(parse_count("--jobs", text, 1, sweep::kMostJobs));
}

sweep::Host sweep_host(ProgressLine& line) {
  sweep::Host host;
  host.seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  host.interrupted = [] { return interrupted(); };
  host.memory_available = available_memory_bytes;
  host.peak_memory = peak_rss_bytes;
  host.progress = [&line](const sweep::Tally& tally) {
    line.update([&tally](double seconds) { return sweep_progress_text(tally, seconds); });
  };
  return host;
}

}  // namespace gpusim::app
