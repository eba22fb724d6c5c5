// SPDX-License-Identifier: MIT
#include "sim/commands/cli/progress_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace gpusim::cli {

std::string progress_text(const gpu::Progress& progress, double seconds) {
  constexpr int kBarWidth = 24;
  constexpr std::size_t kMostOfName = 16;
  const double share =
      progress.ctas == 0 ? 0.0 : static_cast<double>(progress.ctas_done) / static_cast<double>(progress.ctas);
  const auto filled = static_cast<std::size_t>(share * kBarWidth);
  // A name may be long or hold anything; the line must stay one line of a narrow terminal.
  std::string name = progress.kernel.substr(0, kMostOfName);
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

}  // namespace gpusim::cli
