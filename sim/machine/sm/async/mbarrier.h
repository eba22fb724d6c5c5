// SPDX-License-Identifier: MIT
// The mbarriers of an SM's CTAs (PTX ISA, mbarrier): a phase is over when as many arrivals as expected have come and no
// bytes are outstanding; the next one then begins with the same expected count. Owns the state of each mbarrier, by CTA
// slot.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/sm/async/mbarrier_state.h"
#include "sim/machine/sm/async/mbarrier_wait_queue.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::sm {

/// Which mbarrier, and for whose instruction.
struct MbarrierUse {
  std::uint16_t cta = 0;  ///< CTA slot of the SM
  std::uint32_t barrier = 0;
  std::uint32_t pc = 0;
};

/// What happens to an mbarrier when a copy has ended.
struct MbarrierSignal {
  MbarrierUse use;
  std::uint32_t arrivals = 0;
  std::uint64_t bytes = 0;
};

/// Why an operation on an mbarrier cannot be.
enum class MbarrierMisuse : std::uint8_t { kNone, kNotInitialised, kTooManyArrivals };

class MbarrierFile {
 public:
  MbarrierFile(std::uint32_t cta_slots, const trace::Kernel& kernel, MbarrierWaitQueue& waits);

  /// A new CTA lives in the slot: its shared memory holds no mbarrier yet.
  void begin_cta(std::uint32_t cta);

  // All throw InputError when the mbarrier is not initialised, or is where it should not be.
  void initialise(const MbarrierUse& use, std::uint32_t arrivals);
  void invalidate(const MbarrierUse& use);
  void expect(const MbarrierUse& use, std::uint64_t bytes) { at(use).bytes += static_cast<std::int64_t>(bytes); }
  void arrive(const MbarrierUse& use, std::uint32_t arrivals, Cycle now);
  /// The same, and later phases expect as many fewer (PTX ISA, mbarrier.arrive_drop).
  void drop(const MbarrierUse& use, std::uint32_t arrivals, Cycle now);
  void complete(const MbarrierUse& use, std::uint64_t bytes, Cycle now);
  /// Whether the phase of the poll's parity is over: the answer goes to the poll's warp.
  void ask(const Poll& poll, Cycle now);

  /// Whether so many arrivals would be wrong.
  [[nodiscard]] MbarrierMisuse misuse(const MbarrierUse& use, std::uint32_t arrivals) const;
  /// What was wrong, at an mbarrier in this state; `whose`: "of CTA 5 " where it is another CTA's.
  struct Misused {
    MbarrierMisuse misuse = MbarrierMisuse::kNone;
    std::uint32_t arrivals = 0;
    std::uint32_t pending = 0;
    std::uint32_t expected = 0;
    std::string whose{};
  };
  [[noreturn]] void fail(const MbarrierUse& use, const Misused& misused) const;

  /// One that has never been initialised is not valid.
  [[nodiscard]] const Mbarrier& of(std::uint32_t cta, std::uint32_t barrier) const;

 private:
  static constexpr std::uint32_t kNoPlace = 0xffffffffU;
  [[nodiscard]] Mbarrier& at(const MbarrierUse& use);
  [[nodiscard]] Mbarrier& lacking(const MbarrierUse& use, std::uint32_t arrivals);
  void end_phase_if_complete(const MbarrierUse& use, Cycle now);
  [[noreturn]] void fail(const MbarrierUse& use, const std::string& message, const std::string& hint) const;

  const trace::Kernel& kernel_;
  MbarrierWaitQueue& waits_;
  bool is_recorded_;  ///< real hardware has done it: an mbarrier may be initialised again
  /// By number. In a kernel that is executed any eight bytes of shared memory may become an mbarrier, and few do.
  std::vector<std::uint32_t> place_of_;
  std::uint32_t places_ = 0;
  std::vector<std::vector<Mbarrier>> ctas_;  ///< by CTA slot and place
};

}  // namespace gpusim::sm
