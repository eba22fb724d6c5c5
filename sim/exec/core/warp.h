// SPDX-License-Identifier: MIT
// One warp: registers, predicates, and where each of its lanes is. Lanes that are at the same place run together as a
// path; where they part, the paths run one after another, until they meet at a convergence barrier or a WARPSYNC.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/prefetch.h"
#include "sim/base/types.h"
#include "sim/exec/core/image.h"
#include "sim/exec/core/row_store.h"

namespace gpusim::exec {

class Cta;

/// Convergence barriers B0 to B15.
inline constexpr unsigned kConvergenceBarriers = 16;

/// Lanes that are together but do not run now.
struct Path {
  enum class Wait : std::uint8_t {
    kTurn,         ///< can run
    kConvergence,  ///< at BSYNC of barrier `number`
    kLanes,        ///< at WARPSYNC, for the lanes of `partners`
    kCta,          ///< at BAR.SYNC of named barrier `number`
    kCluster,      ///< at UCGABAR_WAIT
  };
  std::uint32_t pc = 0;  ///< where it goes on
  LaneMask lanes = 0;
  Wait wait = Wait::kTurn;
  std::uint8_t number = 0;
  LaneMask partners = 0;
};

class Warp {
 public:
  /// Predicates as masks of lanes: P0 to P6 and PT, UP0 to UP6 and UPT (all lanes or none), and one that nobody reads,
  /// for what is written to PT.
  static constexpr unsigned kFirstUniformPredicate = 8;
  static constexpr unsigned kPredicateSink = 16;

  /// Warp number `index` of a CTA, at the kernel's begin.
  Warp(const Image& image, Cta& cta, std::uint32_t index);
  /// Back to the kernel's begin.
  void restart();

  // What handlers use all the time.
  std::uint32_t pc = 0;  ///< next instruction of the path that runs
  LaneMask active = 0;   ///< lanes of the path that runs; 0: none runs
  std::array<LaneMask, kPredicateSink + 1> predicates{};
  [[nodiscard]] std::uint32_t* row(std::uint32_t offset) { return rows_.data() + offset; }
  [[nodiscard]] const std::uint32_t* row(const Source& source) const {
    return (source.pooled ? pool_ : rows_.data()) + source.offset;
  }
  /// For the host's speed alone: fetches the rows that the instruction reads and writes. A source that it does not have
  /// stands for row 0, which is then fetched for nothing.
  void prefetch(const MicroOp& op) const {
    for (const Source& source : op.sources) {
      gpusim::prefetch(row(source), kWarpLanes * sizeof(std::uint32_t));
    }
    gpusim::prefetch(rows_.data() + op.destinations[0], kWarpLanes * sizeof(std::uint32_t));
  }
  [[nodiscard]] LaneMask lanes_of(PredicateSource source) const {
    return predicates[source.index] ^ (0U - static_cast<LaneMask>(source.inverted));
  }
  void set_predicate(std::uint8_t index, LaneMask value, LaneMask mask) {
    predicates[index] = (predicates[index] & ~mask) | (value & mask);
  }

  [[nodiscard]] Cta& cta() const { return *cta_; }
  [[nodiscard]] std::uint32_t index() const { return index_; }
  [[nodiscard]] LaneMask live() const { return live_; }  ///< lanes that have not exited
  [[nodiscard]] bool has_exited() const { return live_ == 0; }
  [[nodiscard]] const std::vector<Path>& waiting() const { return paths_; }

  /// Makes a path run that can, if none does; false when there is none: all have exited or wait for others.
  bool resume() { return active != 0 || resume_next(); }

  // Control flow of the path that runs.
  /// The lanes of `taken` go on at `target`, the others where they are.
  void branch(LaneMask taken, std::uint32_t target) {
    if (taken == active) {
      if (target < pc && !paths_.empty()) {
        branch_back(target);
      } else {
        pc = target;
      }
    } else if (taken != 0) {
      part(taken, target);
    }
  }
  /// Each of `lanes` goes on at its own place.
  void scatter(LaneMask lanes, const std::array<std::uint32_t, kWarpLanes>& targets);
  void exit(LaneMask lanes);
  /// Gives way to a path that can run, if there is one.
  void yield();
  /// BSSY: these lanes are to meet at the barrier's BSYNC.
  void begin_convergence(LaneMask lanes, std::uint8_t barrier);
  /// BSYNC, for some of the lanes that run.
  void converge(LaneMask lanes, std::uint8_t barrier);
  /// BREAK: these lanes will not come to the barrier's BSYNC.
  void leave_convergence(LaneMask lanes, std::uint8_t barrier);
  /// WARPSYNC: the path waits until all of `partners` that live have come to one.
  void meet_lanes(LaneMask partners);
  /// The lanes of a barrier as one lane sees them (BMOV).
  [[nodiscard]] LaneMask barrier(std::uint8_t number, unsigned lane) const { return barriers_[number][lane]; }
  void set_barrier(std::uint8_t number, unsigned lane, LaneMask value) { barriers_[number][lane] = value; }

  /// The path that runs stops, until release() is called with the same reason.
  void wait(Path::Wait reason, std::uint8_t number);
  void release(Path::Wait reason, std::uint8_t number);
  /// Lanes that wait for the reason.
  [[nodiscard]] LaneMask waiting_for(Path::Wait reason, std::uint8_t number) const;

  /// RPCMOV: the return program counter of each lane, low half and high half.
  std::array<std::array<std::uint32_t, kWarpLanes>, 2> return_pc{};
  /// How often the cluster's barrier had opened when the warp arrived there.
  std::uint64_t cluster_openings = 0;
  /// What the last BAR.RED gave: how many predicates were true, and AND or OR of all of them.
  std::uint32_t barrier_count = 0;
  bool barrier_flag = false;
  /// Local memory: that of lane 0 first. Empty until it is accessed.
  std::vector<std::byte> local;

 private:
  /// All lanes are at the first instruction.
  void begin();
  bool resume_next();
  void part(LaneMask taken, std::uint32_t target);
  void branch_back(std::uint32_t target);
  void release_if_met(std::uint8_t barrier);
  void release_lanes_if_met();
  /// Those of the lanes that wait for the reason can run.
  void release_some(LaneMask lanes, Path::Wait reason, std::uint8_t number);
  /// Paths that wait at the same place and can run become one.
  void push(const Path& path);

  Cta* cta_;
  std::uint32_t index_;
  LaneMask all_ = 0;  ///< lanes that have threads
  LaneMask live_ = 0;
  std::uint32_t patience_ = 1;  ///< backward branches left until the path gives way
  const std::uint32_t* pool_;
  RowStore rows_;
  std::vector<Path> paths_;  ///< that do not run; those that have waited longest first
  /// By barrier and lane: the lanes that the lane waits for at the barrier. Lanes that have parted may use one barrier
  /// for different things, as recursive functions do.
  std::array<std::array<LaneMask, kWarpLanes>, kConvergenceBarriers> barriers_{};
};

}  // namespace gpusim::exec
