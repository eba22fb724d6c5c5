// SPDX-License-Identifier: MIT
// The TLBs of one GPC: one for each of its TPCs (or SMs), and the one behind them. Its router asks them for every
// request to L2; requests whose page is not known stay here, and the others pass. Owns the TLBs, and the requests that
// wait for a translation.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/mem/tlb/outstanding.h"
#include "sim/machine/mem/tlb/tlb.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/tlb_config.h"
#include "sim/model/stats/counters.h"

namespace gpusim::mem::tlb {

/// Cycles of a request that arrives at t (L2 is tlb.l2.latency, and nothing is in the way):
///   first level knows the page    passes at t
///   GPC's TLB knows it            passes at t + L2
///   else                          the MMU is asked at t + L2; passes when its answer comes
/// Misses of one TPC on one entry's pages merge, and so do those of a GPC. Any number may wait: they keep the places in
/// the NoC that they came with. The GPC's TLB takes one request per cycle (guess).
class GpcTlb {
 public:
  GpcTlb(const arch::TlbConfig& config, std::uint32_t sms);

  struct Outcome {
    bool passes = false;                ///< else the request stays here
    std::optional<Cycle> asks_at = {};  ///< when its address has to leave for the MMU
  };
  /// Whether the address is on the page that its first-level TLB was asked about last, as most are; counted if so.
  /// Otherwise look_up() tells. `sm` counts in the GPC.
  [[nodiscard]] bool knows_latest(Address address, std::uint32_t sm) {
    const Tlb& l1 = l1_[tlb_of_sm_[sm]];
    if (!l1.is_latest(l1.group_of(address))) {
      return false;
    }
    ++counters_.l1_lookups;
    ++counters_.l1_hits;
    return true;
  }
  [[nodiscard]] Outcome look_up(const msg::Message& request, std::uint32_t sm, Cycle now);

  /// When the GPC's TLB next answers a first-level one; kNever when it has nothing to do.
  [[nodiscard]] Cycle next_answer() const { return answers_.empty() ? kNever : answers_.front().at; }
  /// Calls `pass(request)` for those that wait for the answers of `now`.
  template <class Pass>
  void answer(Cycle now, Pass&& pass) {
    while (next_answer() == now) {
      const std::uint32_t slot = answers_.front().slot;
      answers_.pop_front();
      release(slot, now, pass);
    }
  }
  /// The MMU's answer. Calls `pass(request)` for those that waited for it.
  template <class Pass>
  void accept(Address address, Cycle now, Pass&& pass) {
    const Group group = l2_.group_of(address);
    l2_.fill(group);
    l2_outstanding_.close(l2_outstanding_.find(group), [&](std::uint32_t slot) { release(slot, now, pass); });
  }

  /// For a run that starts at cycle 0 again: forgets the time and the counters, keeps what is known.
  void restart();
  [[nodiscard]] bool idle() const { return l1_outstanding_.empty() && l2_outstanding_.empty(); }
  [[nodiscard]] const stats::TlbCounters& counters() const { return counters_; }

 private:
  struct Waiting {
    msg::Message request;
    Cycle since = 0;
  };
  struct Answer {
    Cycle at = 0;
    std::uint32_t slot = 0;  ///< in l1_outstanding_
  };
  /// The number of a first-level TLB is in the high bits of its keys, above those of any group.
  static constexpr unsigned kTlbShift = 53;

  [[nodiscard]] std::optional<Cycle> ask_l2(Address address, std::uint32_t slot, Cycle now);

  template <class Pass>
  void release(std::uint32_t slot, Cycle now, Pass&& pass) {
    const std::uint64_t key = l1_outstanding_.key_of(slot);
    l1_[key >> kTlbShift].fill(key & ((std::uint64_t{1} << kTlbShift) - 1));
    l1_outstanding_.close(slot, [&](const Waiting& waiting) {
      counters_.wait_cycles += now - waiting.since;
      pass(waiting.request);
    });
  }

  std::vector<std::uint32_t> tlb_of_sm_;  ///< its first-level one
  std::uint32_t l2_latency_;
  std::vector<Tlb> l1_;
  Tlb l2_;
  OutstandingTable<Waiting> l1_outstanding_;
  OutstandingTable<std::uint32_t> l2_outstanding_;  ///< its targets are slots of l1_outstanding_
  Ring<Answer> answers_;                            ///< hits of l2_, in order of time
  Cycle l2_free_ = 0;
  stats::TlbCounters counters_;
};

}  // namespace gpusim::mem::tlb
