// SPDX-License-Identifier: MIT
#include "sim/app/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace gpusim::app {
namespace {

using namespace std::chrono_literals;
constexpr auto kBetweenDrawings = 100ms;
constexpr int kBarWidth = 24;

std::string line_of(const gpu::Progress& progress, double seconds) {
  const double share =
      progress.ctas == 0 ? 0.0 : static_cast<double>(progress.ctas_done) / static_cast<double>(progress.ctas);
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  // A name may be long or hold anything; the line must stay one line of a narrow terminal.
  std::string name = progress.kernel.substr(0, 16);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  const std::string kernel = progress.kernel_count > 1
                                 ? fmt::format("{}/{} {}", progress.kernel_index + 1, progress.kernel_count, name)
                                 : name;
  if (progress.cycle == 0) {
    return fmt::format("warming the caches for {}  {:.0f} s", kernel, seconds);
  }
  return fmt::format("[{}{}] {:3.0f} %  {}  {} cycles  {:.0f} s", std::string(filled, '#'),
                     std::string(kBarWidth - filled, '.'), 100 * share, kernel, with_thousands(progress.cycle),
                     seconds);
}

}  // namespace

ProgressLine::~ProgressLine() {
  if (drawn_) {
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
  }
}

void ProgressLine::update(const gpu::Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - last_ < kBetweenDrawings) {
    return;
  }
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - started_).count();
  std::fputs(("\r\x1b[K" + line_of(progress, seconds)).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace gpusim::app
