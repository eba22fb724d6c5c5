// SPDX-License-Identifier: MIT
// One line on the terminal that says how far the program is; nothing where standard error is not a terminal.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace gpusim::gpu {
struct Progress;
}  // namespace gpusim::gpu

namespace gpusim::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool shown) : shown_(shown) {}
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const gpu::Progress& progress);
  /// Draws what `text` makes of the seconds so far, unless it was drawn a moment ago.
  void update(const std::function<std::string(double seconds)>& text);
  void erase();

 private:
  bool shown_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace gpusim::cli
