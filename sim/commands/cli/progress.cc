// SPDX-License-Identifier: MIT
#include "sim/commands/cli/progress.h"

#include <cstdio>

#include "sim/commands/cli/progress_text.h"

namespace gpusim::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto kBetweenDrawings = 100ms;

}  // namespace

void ProgressLine::erase() {
  if (drawn_) {
    drawn_ = false;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
  }
}

void ProgressLine::update(const gpu::Progress& progress) {
  update([&progress](double seconds) { return progress_text(progress, seconds); });
}

void ProgressLine::update(const std::function<std::string(double)>& text) {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - last_ < kBetweenDrawings) {
    return;
  }
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  std::fputs(("\r\x1b[K" + text(seconds)).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace gpusim::cli
