// SPDX-License-Identifier: MIT
#include "sim/machine/sm/async/mbarrier.h"

#include <algorithm>

#include "sim/base/problem.h"
#include "sim/model/trace/dump_command.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::sm {

MbarrierFile::MbarrierFile(std::uint32_t cta_slots, const trace::Kernel& kernel, MbarrierWaitQueue& waits)
    : kernel_(kernel),
      waits_(waits),
      is_recorded_(trace::is_recorded(kernel)),
      place_of_(kernel.mbarriers_per_cta(), kNoPlace),
      ctas_(cta_slots) {}

void MbarrierFile::begin_cta(std::uint32_t cta) {
  std::ranges::fill(ctas_[cta], Mbarrier{});
}

const Mbarrier& MbarrierFile::of(std::uint32_t cta, std::uint32_t barrier) const {
  static constexpr Mbarrier kNone;
  const std::uint32_t place = place_of_[barrier];
  return place < ctas_[cta].size() ? ctas_[cta][place] : kNone;
}

void MbarrierFile::fail(const MbarrierUse& use, const std::string& message, const std::string& hint) const {
  throw InputError(
      Problem{{kernel_.where.file, kernel_.texts[use.pc].line, 0},
              "kernel '" + kernel_.name + "': mbarrier '" + trace::mbarrier_name(kernel_, use.barrier) + "' " + message,
              hint});
}

MbarrierMisuse MbarrierFile::misuse(const MbarrierUse& use, std::uint32_t arrivals) const {
  const Mbarrier& barrier = of(use.cta, use.barrier);
  return !barrier.valid               ? MbarrierMisuse::kNotInitialised
         : arrivals > barrier.pending ? MbarrierMisuse::kTooManyArrivals
                                      : MbarrierMisuse::kNone;
}

void MbarrierFile::fail(const MbarrierUse& use, const Misused& misused) const {
  if (misused.misuse == MbarrierMisuse::kNotInitialised) {
    fail(use, misused.whose + "is used before it is initialised",
         "SYNCS.EXCH.64 with 'init COUNT', and a barrier of the " +
             std::string(misused.whose.empty() ? "CTA" : "cluster") + " behind it");
  }
  fail(use,
       misused.whose + "gets " + std::to_string(misused.arrivals) + " arrivals where its phase lacks " +
           std::to_string(misused.pending),
       "it expects " + std::to_string(misused.expected) + " arrivals a phase");
}

Mbarrier& MbarrierFile::at(const MbarrierUse& use) {
  if (!of(use.cta, use.barrier).valid) {
    fail(use, {MbarrierMisuse::kNotInitialised});
  }
  return ctas_[use.cta][place_of_[use.barrier]];
}

void MbarrierFile::initialise(const MbarrierUse& use, std::uint32_t arrivals) {
  std::uint32_t& place = place_of_[use.barrier];
  place = place == kNoPlace ? places_++ : place;
  std::vector<Mbarrier>& barriers = ctas_[use.cta];
  barriers.resize(std::max<std::size_t>(barriers.size(), place + 1));
  Mbarrier& barrier = barriers[place];
  if (barrier.valid && !is_recorded_) {
    fail(use, "is initialised a second time", "SYNCS.CCTL.IV invalidates it before");
  }
  barrier = {true, arrivals, arrivals, 0, 0};
}

void MbarrierFile::invalidate(const MbarrierUse& use) {
  at(use) = {};
}

/// One whose phase lacks so many arrivals.
Mbarrier& MbarrierFile::lacking(const MbarrierUse& use, std::uint32_t arrivals) {
  Mbarrier& barrier = at(use);
  if (arrivals > barrier.pending) {
    fail(use, {MbarrierMisuse::kTooManyArrivals, arrivals, barrier.pending, barrier.expected});
  }
  return barrier;
}

void MbarrierFile::arrive(const MbarrierUse& use, std::uint32_t arrivals, Cycle now) {
  lacking(use, arrivals).pending -= arrivals;
  end_phase_if_complete(use, now);
}

void MbarrierFile::drop(const MbarrierUse& use, std::uint32_t arrivals, Cycle now) {
  lacking(use, arrivals).expected -= arrivals;  // it expects at least what its phase lacks
  arrive(use, arrivals, now);
}

void MbarrierFile::complete(const MbarrierUse& use, std::uint64_t bytes, Cycle now) {
  at(use).bytes -= static_cast<std::int64_t>(bytes);
  end_phase_if_complete(use, now);
}

void MbarrierFile::end_phase_if_complete(const MbarrierUse& use, Cycle now) {
  Mbarrier& barrier = at(use);
  if (barrier.pending != 0 || barrier.bytes != 0) {
    return;
  }
  ++barrier.phase;
  barrier.pending = barrier.expected;
  const bool parity = (barrier.phase & 1U) != 0;
  waits_.release(now, [&](const Poll& poll) {
    return poll.cta == use.cta && poll.object == use.barrier && poll.parity != parity;
  });
}

/// The phase of parity p is over when the present one's parity is the other (mbarrier.try_wait.parity).
void MbarrierFile::ask(const Poll& poll, Cycle now) {
  const Mbarrier& barrier = at({poll.cta, poll.object, poll.pc});
  const bool present = (barrier.phase & 1U) != 0;
  present != poll.parity ? waits_.yes(poll, now) : waits_.not_yet(poll, now);
}

}  // namespace gpusim::sm
