// SPDX-License-Identifier: MIT
#include "sim/exec/run/run_grid.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/exec/run/interpreter.h"

namespace gpusim::exec {
namespace {

/// Instructions that a warp executes before it is the next one's turn. A spin loop that waits for another warp costs
/// so many at most.
constexpr unsigned kTurn = 256;

class GridRun {
 public:
  GridRun(const Image& image, GlobalPort& global, const RunLimits& limits, GridWatch* watch)
      : image_(image), limits_(limits), interpreter_(image, global), watch_(watch) {}

  RunCounts run() {
    const Dim3& grid = image_.launch.grid;
    const Dim3& size = image_.launch.cluster;
    for (std::uint32_t rank = 0; rank < size.volume(); ++rank) {
      ctas_.push_back(std::make_unique<Cta>(image_, CtaPlace{}));
      ctas_.back()->join(cluster_, rank);
      ctas_.back()->set_watch(watch_);
      executed_.resize(executed_.size() + ctas_.back()->warps().size());
    }
    for (std::uint32_t z = 0; z < grid.z; z += size.z) {
      for (std::uint32_t y = 0; y < grid.y; y += size.y) {
        for (std::uint32_t x = 0; x < grid.x; x += size.x) {
          run_cluster({x, y, z});
        }
      }
    }
    return counts_;
  }

 private:
  /// The CTAs from `first` on, one without clusters, take turns.
  void run_cluster(CtaPlace first) {
    const Dim3& size = image_.launch.cluster;
    cluster_.restart();
    executed_.assign(executed_.size(), 0);
    for (std::uint32_t rank = 0; rank < size.volume(); ++rank) {
      ctas_[rank]->restart(
          {first.x + rank % size.x, first.y + rank / size.x % size.y, first.z + rank / size.x / size.y});
    }
    if (watch_ != nullptr) {
      watch_->begins(ctas_);
    }
    while (Cta* const running = first_that_runs()) {
      bool progressed = false;
      std::size_t slot = 0;
      for (const auto& cta : ctas_) {
        for (Warp& warp : cta->warps()) {
          const unsigned done = run_turn(warp);
          progressed = done != 0 || progressed;
          count(done, warp, slot++);
        }
      }
      if (!progressed) {
        throw CannotFinishError(deadlock_text(*running));
      }
    }
  }

  /// Null when all have exited.
  [[nodiscard]] Cta* first_that_runs() const {
    const auto found = std::ranges::find_if(ctas_, [](const auto& cta) { return !cta->has_exited(); });
    return found == ctas_.end() ? nullptr : found->get();
  }

  /// How many instructions it executed.
  unsigned run_turn(Warp& warp) {
    return watch_ == nullptr ? take_turn([&] { return interpreter_.step(warp); })
                             : take_turn([&] { return interpreter_.step_watched(warp, *watch_); });
  }

  template <class Step>
  unsigned take_turn(const Step& step) {
    unsigned done = 0;
    for (; done < kTurn && step() == StepResult::kExecuted; ++done) {
      counts_.thread_instructions += static_cast<unsigned>(std::popcount(interpreter_.executed().mask));
      interpreter_.context().clock += 1;
    }
    return done;
  }

  /// `slot` is the warp's place among those that take turns.
  void count(unsigned done, Warp& warp, std::size_t slot) {
    counts_.warp_instructions += done;
    executed_[slot] += done;
    if (executed_[slot] > limits_.instructions_of_warp) {
      throw CannotFinishError(image_.kernel + ": after " + with_thousands(limits_.instructions_of_warp) +
                              " instructions a warp has not ended. " + loop_text(warp) +
                              " (an endless loop? otherwise raise --max-warp-instructions)");
    }
    if (counts_.warp_instructions > limits_.warp_instructions) {
      throw CannotFinishError(image_.kernel + " has executed " + with_thousands(limits_.warp_instructions) +
                              " warp instructions, the limit (--max-instructions). " + loop_text(warp));
    }
  }

  [[nodiscard]] std::string place_text(std::uint32_t pc) const {
    const std::string line = image_.line_text(pc);
    return (line.empty() ? "" : line + ": ") + image_.instruction_text(pc);
  }

  [[nodiscard]] std::string deadlock_text(Cta& cta) const {
    std::string text = image_.kernel + ": no warp of CTA (" + std::to_string(cta.place().x) + ", " +
                       std::to_string(cta.place().y) + ", " + std::to_string(cta.place().z) + ") can go on";
    constexpr std::size_t kMostShown = 8;
    std::size_t shown = 0;
    for (const Warp& warp : cta.warps()) {
      for (const Path& path : warp.waiting()) {
        if (shown++ < kMostShown) {
          text += "\n  " + std::to_string(std::popcount(path.lanes)) + " lanes of warp " +
                  std::to_string(warp.index()) + " wait at " + place_text(path.pc - 1);
        }
      }
    }
    return text;
  }

  /// Follows the warp a little: the instructions it comes by are the loop.
  [[nodiscard]] std::string loop_text(Warp& warp) {
    constexpr unsigned kFollowed = 100'000;
    std::uint32_t first = ~std::uint32_t{0};
    std::uint32_t last = 0;
    for (unsigned i = 0; i < kFollowed && interpreter_.step(warp) == StepResult::kExecuted; ++i) {
      first = std::min(first, interpreter_.executed().pc);
      last = std::max(last, interpreter_.executed().pc);
    }
    return "Warp " + std::to_string(warp.index()) + " is in a loop from " + place_text(first) + " to " +
           place_text(last);
  }

  const Image& image_;
  RunLimits limits_;
  Interpreter interpreter_;
  Cluster cluster_;
  GridWatch* watch_;
  std::vector<std::unique_ptr<Cta>> ctas_;
  std::vector<std::uint64_t> executed_;  ///< by the warps of ctas_
  RunCounts counts_;
};

}  // namespace

RunCounts run_grid(const Image& image, GlobalPort& global, const RunLimits& limits) {
  return GridRun(image, global, limits, nullptr).run();
}

RunCounts run_watched(const Image& image, GlobalPort& global, const RunLimits& limits, GridWatch& watch) {
  return GridRun(image, global, limits, &watch).run();
}

}  // namespace gpusim::exec
