// SPDX-License-Identifier: MIT
#include "sim/exec/trace/untimed_run.h"

#include <algorithm>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "sim/base/problem.h"
#include "sim/exec/trace/execution.h"

namespace gpusim::exec {
namespace {

/// Steps of a warp before the others' turn: most CTAs come to their end in one.
constexpr std::uint64_t kTurn = 1U << 16;

class UntimedRun {
 public:
  UntimedRun(const Image& image, const trace::Kernel& kernel, PatternTable& patterns, GlobalPort& port,
             const trace::RunRange& range, trace::RunVisitor& visitor)
      : image_(image),
        kernel_(kernel),
        range_(range),
        visitor_(visitor),
        interpreter_(image, port),
        last_patterns_(patterns, kernel.code.size()),
        place_{interpreter_, kernel, last_patterns_, range.most_walked},
        next_(range.first) {}

  trace::RunEnd run() {
    while (!end_ && (next_ < range_.end || !flight_.empty())) {
      const bool begins = next_ < range_.end && flight_.size() * kernel_.ctas_per_cluster() < range_.side_by_side;
      if (begins) {
        begin_cluster();
      }
      // A cluster that has just begun has its turn; when no more can begin, all have.
      const bool moved = begins ? turn(std::prev(flight_.end())) : turns_of_all();
      if (!end_ && !moved && !begins) {
        throw CannotFinishError(who_waits());
      }
    }
    return end_.value_or(trace::RunEnd::kDone);
  }

 private:
  struct FlyingCta {
    FlyingCta(const Image& image, const trace::Kernel& kernel, WalkPlace& place, std::uint64_t linear)
        : number(linear), walk(image, trace::cta_at(linear, kernel.grid), place), warps(walk.walks().size()) {}
    struct FlyingWarp {
      trace::Step step;
      bool has_begun = false;
      bool has_ended = false;
      std::uint64_t steps = 0;
    };
    std::uint64_t number;
    CtaWalk walk;
    std::vector<FlyingWarp> warps;
    bool has_ended = false;
  };
  /// CTAs that reach each other's shared memory: one without clusters. They stay until all of them have ended.
  struct FlyingCluster {
    Cluster cluster;
    std::list<FlyingCta> ctas;
  };
  using Flight = std::list<FlyingCluster>;

  /// The cluster of the next CTA, which is of rank 0.
  void begin_cluster() {
    const trace::ClusterPlace first = trace::cluster_place(next_, kernel_.grid, kernel_.cluster);
    FlyingCluster& flying = flight_.emplace_back();
    for (std::uint32_t rank = 0; rank < kernel_.ctas_per_cluster(); ++rank) {
      const std::uint64_t number = trace::cta_of({first.cluster, rank}, kernel_.grid, kernel_.cluster);
      flying.ctas.emplace_back(image_, kernel_, place_, number);
      flying.ctas.back().walk.cta().join(flying.cluster, rank);
    }
    do {
      ++next_;
    } while (next_ < range_.end && trace::cluster_place(next_, kernel_.grid, kernel_.cluster).rank != 0);
  }

  bool turns_of_all() {
    bool moved = false;
    for (auto cluster = flight_.begin(); !end_ && cluster != flight_.end();) {
      const auto at = cluster++;
      moved = turn(at) || moved;
    }
    return moved;
  }

  /// What became of a turn of some warps.
  struct Turn {
    bool moved = false;
    bool any_tired = false;
  };

  /// Returns whether anything happened. The cluster leaves with its last warp.
  bool turn(Flight::iterator cluster) {
    bool moved = false;
    for (bool goes_on = true; goes_on && !end_;) {
      Turn all;
      std::size_t ended = 0;
      for (FlyingCta& cta : cluster->ctas) {
        const Turn one = turn(cta);
        all = {all.moved || one.moved, all.any_tired || one.any_tired};
        ended += cta.has_ended ? 1 : 0;
      }
      moved = moved || all.moved;
      if (ended == cluster->ctas.size()) {
        flight_.erase(cluster);
        return true;
      }
      goes_on = all.moved && !all.any_tired;
    }
    return moved;
  }

  Turn turn(FlyingCta& cta) {
    Turn result;
    std::size_t ended = 0;
    for (std::uint32_t warp = 0; warp < cta.warps.size() && !end_; ++warp) {
      const std::uint64_t steps = go(cta, warp);
      result.moved = result.moved || steps != 0;
      result.any_tired = result.any_tired || steps >= kTurn;
      ended += cta.warps[warp].has_ended ? 1 : 0;
    }
    if (ended == cta.warps.size() && !cta.has_ended) {
      cta.has_ended = true;
      visitor_.end_cta(cta.number);
    }
    return result;
  }

  /// Steps that the warp took.
  std::uint64_t go(FlyingCta& cta, std::uint32_t index) {
    FlyingCta::FlyingWarp& warp = cta.warps[index];
    WarpWalk& walk = cta.walk.walks()[index];
    std::uint64_t steps = 0;
    if (!warp.has_begun) {
      warp.has_begun = true;
      warp.has_ended = !walk.next(warp.step, clock_);
    }
    while (!warp.has_ended && steps < kTurn && walk.can_go()) {
      if (!visitor_.step(cta.number, index, warp.step, walk)) {
        end_ = trace::RunEnd::kStopped;
        return steps;
      }
      warp.has_ended = !walk.next(warp.step, ++clock_);
      ++steps;
      if (walk.polled_in_vain()) {
        break;  // it is the others' turn
      }
    }
    warp.steps += steps;
    if (warp.steps > range_.steps_of_a_warp) {
      end_ = trace::RunEnd::kLimit;
    }
    return steps;
  }

  [[nodiscard]] std::string who_waits() const {
    const auto runs = [](const FlyingCta& one) { return !one.has_ended; };
    const FlyingCta& cta = *std::ranges::find_if(flight_.front().ctas, runs);
    for (std::uint32_t warp = 0; warp < cta.warps.size(); ++warp) {
      if (!cta.warps[warp].has_ended) {
        const isa::InstrText& text = kernel_.texts[cta.warps[warp].step.pc];
        return "kernel '" + kernel_.name + "' cannot finish: warp " + std::to_string(warp) + " of CTA " +
               std::to_string(cta.number) + " waits for others before '" + text.text + "'" +
               (text.line != 0 ? " (line " + std::to_string(text.line) + ")" : "") + ", and none of them can go on";
      }
    }
    return "kernel '" + kernel_.name + "' cannot finish";
  }

  const Image& image_;
  const trace::Kernel& kernel_;
  trace::RunRange range_;
  trace::RunVisitor& visitor_;
  Interpreter interpreter_;
  LastPatterns last_patterns_;
  WalkPlace place_;
  std::uint64_t next_;
  Flight flight_;
  Cycle clock_ = 0;
  std::optional<trace::RunEnd> end_;
};

}  // namespace

trace::RunEnd run_untimed(const Image& image, const trace::Kernel& kernel, PatternTable& patterns, GlobalPort& port,
                          const trace::RunRange& range, trace::RunVisitor& visitor) {
  return UntimedRun(image, kernel, patterns, port, range, visitor).run();
}

}  // namespace gpusim::exec
