// SPDX-License-Identifier: MIT
#include "sim/commands/cli/progress_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace gpusim::cli {
namespace {

/// "3 s", "2 min", "1.5 h".
std::string duration_text(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (seconds < 2 * kMinute) {
    return fmt::format("{:.0f} s", seconds);
  }
  return seconds < 2 * kHour ? fmt::format("{:.0f} min", seconds / kMinute) : fmt::format("{:.1f} h", seconds / kHour);
}

/// What is left if it goes on like this; nothing where it is too early to tell.
std::string time_left(double share, double seconds) {
  constexpr double kLeastShare = 0.02;
  constexpr double kLeastSeconds = 2;
  return share < kLeastShare || share >= 1 || seconds < kLeastSeconds
             ? ""
             : fmt::format(", about {} left", duration_text(seconds * (1 - share) / share));
}

}  // namespace

std::string progress_text(const gpu::Progress& progress, double seconds) {
  constexpr int kBarWidth = 24;
  constexpr std::size_t kMostOfName = 16;
  const double share = std::clamp(progress.share, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(std::floor(share * kBarWidth));
  // A name may be long or hold anything; the line must stay one line of a narrow terminal.
  const std::string name = printable(progress.kernel.substr(0, kMostOfName));
  const std::string kernel = progress.kernel_count > 1
                                 ? fmt::format("{}/{} {}", progress.kernel_index + 1, progress.kernel_count, name)
                                 : name;
  const std::string doing =
      progress.cycle == 0 ? "warming caches" : fmt::format("{} cycles", with_thousands(progress.cycle));
  return fmt::format("[{}{}] {:3.0f} %  {}  {}  {}{}", std::string(filled, '#'), std::string(kBarWidth - filled, '.'),
                     std::floor(100 * share), kernel, doing, duration_text(seconds), time_left(share, seconds));
}

}  // namespace gpusim::cli
