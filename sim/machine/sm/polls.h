// SPDX-License-Identifier: MIT
// What the machine answers while a kernel runs: polls of mbarriers and of the register pool. An instruction whose guard
// such an answer wrote (a run-time predicate) is decided when it issues. The answers are in Warp. Keeps nothing itself.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/machine/sm/event/sm_event.h"
#include "sim/machine/sm/warp_wait.h"

namespace gpusim::lower {
struct KernelImage;
}

namespace gpusim::sm {

class MemoryUnit;
class SubCores;
class SyncUnit;
class WarpTable;
struct Warp;

class Polls {
 public:
  Polls(const lower::KernelImage& image, const WarpTable& warps, const SubCores& cores, const MemoryUnit& memory,
        const SyncUnit& sync, const SmEvents& events)
      : image_(image), warps_(warps), cores_(cores), memory_(memory), sync_(sync), events_(events) {}

  /// A warp without answers comes.
  static void begin_warp(Warp& warp);
  /// The warp polls, for the predicate.
  static void ask(Warp& warp, std::uint8_t predicate);
  /// The warp's next instruction issues, and an answer decides for which lanes. Throws InputError when that answer is
  /// not there yet.
  void resolve(Warp& warp) const;
  /// kPollYes or kPollNo: the warp knows the answer from now on.
  void note_answer(Warp& warp, const SmEvent& event) const;

  /// Nothing is under way on this SM, and all warps on it wait for others: only a message could change that.
  [[nodiscard]] bool only_polls_remain() const;
  /// What the warp asks and is not answered.
  [[nodiscard]] std::optional<PollWait> of(const Warp& warp) const;

 private:
  [[nodiscard]] bool is_at_rest(const Warp& warp) const;

  const lower::KernelImage& image_;
  const WarpTable& warps_;
  const SubCores& cores_;
  const MemoryUnit& memory_;
  const SyncUnit& sync_;
  const SmEvents& events_;
};

}  // namespace gpusim::sm
