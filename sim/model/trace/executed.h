// SPDX-License-Identifier: MIT
// Behaviour that is neither described nor recorded: registers and memory have values, and an instruction takes effect
// when it issues. The code that executes is not known here; the machine and the walker see these few calls.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/types.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/async.h"
#include "sim/model/trace/step.h"

namespace gpusim::trace {

class DeviceMemory;
struct Recording;

/// One warp that is being executed.
class ExecutedWarp {
 public:
  virtual ~ExecutedWarp() = default;
  /// The instruction that the last call gave, if there was one, has issued at `now` and takes effect; then the next one
  /// is found, as Walker::next() does.
  virtual bool next(Step& step, Cycle now) = 0;
  /// Addresses of the instruction that next() gave last, which has not taken effect yet.
  virtual LaneAddresses addresses(AccessSlot slot) = 0;
  /// Where the addresses of a generic access lie; kNone: in several kinds of memory. kClusterShared: some lanes access
  /// other CTAs' shared memory. Then addresses() are as seen from that of target_rank(), the lowest: a lane whose CTA
  /// has the rank behind it stands 1 << kRankBit bytes further.
  virtual isa::MemSpace space() = 0;
  /// What it asks of an mbarrier or of the TMA. Throws InputError for what the machine cannot be told.
  virtual AsyncOperands async_operands() = 0;
  /// Rank of the CTA whose mbarrier it names, or whose shared memory it accesses.
  virtual std::uint32_t target_rank() = 0;
  /// The machine's answer to the poll at `pc`, which counts from here on; `step` is what next() gave last, and has its
  /// lanes from then on.
  virtual void answer(std::uint32_t pc, bool yes, Step& step) = 0;
};

/// A CTA that is being executed: its warps, and the shared memory that they have in common.
class ExecutedCta {
 public:
  virtual ~ExecutedCta() = default;
  /// Below the kernel's warps_per_cta(); as long-lived as the CTA.
  [[nodiscard]] virtual ExecutedWarp& warp(std::uint32_t index) = 0;
};

/// One run of a kernel. An SM sees at once what it does to global memory itself, and what the others do after the next
/// exchange(): so nothing depends on which SM is simulated first.
class Execution {
 public:
  virtual ~Execution() = default;
  /// A CTA, given by its linear number, begins on an SM. SMs may be on different threads; one SM is on one at a time.
  [[nodiscard]] virtual std::unique_ptr<ExecutedCta> begin_cta(std::uint32_t sm, std::uint64_t cta) = 0;
  /// While no SM runs: everything that they did to global memory is done there, in the order of time, then of SMs, and
  /// atomics return their values.
  virtual void exchange() = 0;
};

/// Told what an untimed run does, in its order.
class RunVisitor {
 public:
  virtual ~RunVisitor() = default;
  /// An instruction of a warp is about to take effect; `warp` may be asked for its addresses. Returns whether to go on.
  virtual bool step(std::uint64_t cta, std::uint32_t warp_in_cta, const Step& step, ExecutedWarp& warp) = 0;
  /// All warps of a CTA have ended.
  virtual void end_cta(std::uint64_t cta) = 0;
};

/// CTAs [first, end) of a grid, of which so many are in flight at once.
struct RunRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t side_by_side = 1;
  std::uint64_t steps_of_a_warp = kNever;  ///< the most: the run ends with kLimit
  /// The most, too: a warp that has more is taken to be in an endless loop, which the run throws.
  std::uint64_t most_walked = kMostWalked;
};

enum class RunEnd : std::uint8_t { kDone, kStopped, kLimit };

/// What becomes of what an untimed run does to memory.
enum class Effects : std::uint8_t { kKept, kUndone };

/// A kernel that can be executed. Immutable; any thread may ask.
class Executable {
 public:
  virtual ~Executable() = default;
  /// What memory holds before the first kernel of its launches; kernels that share it return the same.
  [[nodiscard]] virtual const std::shared_ptr<const DeviceMemory>& memory() const = 0;
  /// On so many SMs. `memory` must outlive it, and changes with it. A warp that executes more than `most_walked`
  /// instructions makes next() throw CannotFinishError, which names the loop.
  [[nodiscard]] virtual std::unique_ptr<Execution> begin(DeviceMemory& memory, std::uint32_t sms,
                                                         std::uint64_t most_walked) const = 0;
  /// Without a machine: the warps of the CTAs in flight take turns. Ends early when the visitor says so, or when a warp
  /// has too many steps. Throws InputError as Walker::next() does, and CannotFinishError when the warps wait for each
  /// other.
  virtual RunEnd run(DeviceMemory& memory, const RunRange& range, Effects effects, RunVisitor& visitor) const = 0;
  /// What an untimed run of the whole grid does, made when it is first asked for. Throws as run() does.
  [[nodiscard]] virtual const Recording& recording() const = 0;
  /// Pattern ids that LaneAddresses may carry are below this.
  [[nodiscard]] virtual std::uint32_t pattern_count() const = 0;
};

/// The walk of a warp that is executed.
class ExecutedCursor {
 public:
  explicit ExecutedCursor(ExecutedWarp& warp) : warp_(&warp) {}
  bool next(Step& step, Cycle now) { return warp_->next(step, now); }
  LaneAddresses addresses(AccessSlot slot) { return warp_->addresses(slot); }
  AsyncOperands async_operands() { return warp_->async_operands(); }
  std::uint32_t target_rank() { return warp_->target_rank(); }
  isa::MemSpace space() { return warp_->space(); }
  void answer(std::uint32_t pc, bool yes, Step& step) { warp_->answer(pc, yes, step); }

 private:
  ExecutedWarp* warp_;
};

}  // namespace gpusim::trace
