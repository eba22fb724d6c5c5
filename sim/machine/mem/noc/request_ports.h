// SPDX-License-Identifier: MIT
// The way of requests through a GPC: one FIFO per SM, whose heads share the GPC's port in turn, each holding a credit
// of its L2 slice. It owns the FIFOs, the ports, the credits for the slices and those owed to the SMs.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/byte_port.h"
#include "sim/base/open_spans.h"
#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/mem/noc/credits.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/noc_config.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::mem::noc {

/// A head without a credit waits, and those behind it, while other SMs pass. Where a TPC has a port, the heads of its
/// SMs pass that in turn, too: while one is on it the other SM is stalled.
class RequestPorts {
 public:
  /// `noc`, the arch's, outlives the unit. `sm_domains`: by an SM's number in the GPC; `slice_domains`: by slice, over
  /// the whole GPU.
  RequestPorts(const arch::Arch& arch, const arch::NocConfig& noc, const std::vector<msg::DomainId>& sm_domains,
               const std::vector<msg::DomainId>& slice_domains, engine::Outlet& outlet);

  /// A request of an SM.
  void enqueue(std::uint32_t sm, const msg::Message& message, Cycle now);
  /// kSliceCredit.
  void accept_credit(const msg::Message& message, Cycle now);

  /// When arbitration goes on by itself; kNever when no request waits for a port.
  [[nodiscard]] Cycle next_event() const { return arbitrate_at_; }
  /// Those whose TPC's port is free by now are ready again. Comes before what else happens at that cycle.
  void resume_stalled(Cycle now) {
    if (now >= resume_at_) {
      move_resumed(now);
    }
  }
  /// Forwards heads in turn while the port is free, and sees to it that this goes on when it is free again.
  void arbitrate(Cycle now);

  /// Nothing waits here, and all credits but those kept for a batch are home.
  [[nodiscard]] bool idle() const;
  /// What still holds at `end`, now, counts up to there.
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// For a run that starts at cycle 0 again: all credits are home again.
  void restart();

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// What one SM has here. `next` links it into the ring of ready SMs, those stalled, or its slice's waiting list.
  struct SmPort {
    Ring<msg::Message> fifo;
    msg::DomainId domain = 0;
    std::uint32_t next = kNone;
    std::uint32_t owed = 0;  ///< credits not yet returned
  };
  /// An intrusive list of SmPorts, first come first served.
  struct SmList {
    std::uint32_t head = kNone;
    std::uint32_t tail = kNone;
  };
  struct SlicePort {
    msg::DomainId domain = 0;
    std::uint32_t credits = 0;
    SmList waiting;  ///< SMs whose head needs a credit
  };

  [[nodiscard]] static std::uint32_t slice_of(const msg::Message& request) { return request.as<msg::L2Access>().slice; }
  [[nodiscard]] bool is_ideal() const { return slice_window_.places == 0; }
  [[nodiscard]] BytePort& tpc_of(std::uint32_t sm) { return tpcs_[sm / sms_per_tpc_]; }
  [[nodiscard]] Cycle may_start(std::uint32_t sm, Cycle now);
  [[nodiscard]] bool take_credit(const msg::Message& message);
  void enlist(std::uint32_t sm, Cycle now);
  void forward(std::uint32_t sm, const msg::Message& message, Cycle now);
  void return_credits(SmPort& sm, Cycle now);
  void stall(std::uint32_t sm, Cycle until);
  void move_resumed(Cycle now);
  void append(SmList& list, std::uint32_t sm);
  std::uint32_t take_first(SmList& list);

  const arch::NocConfig& noc_;
  engine::Outlet& outlet_;
  CreditWindow sm_window_;
  CreditWindow slice_window_;
  bool have_tpc_ports_;
  std::uint32_t sms_per_tpc_;
  BytePort gpc_;
  std::uint64_t credits_received_ = 0;  ///< credits received from slices
  std::uint64_t credits_returned_ = 0;  ///< to SMs
  OpenSpans full_;                      ///< a FIFO has no place
  OpenSpans waiting_;                   ///< its head waits for a credit
  OpenSpans waiting_for_tpc_;           ///< its head, with a credit, waits for its TPC's port: `stalled_`
  SmList ready_;                        ///< SMs whose head holds a credit, in turn
  SmList stalled_;                      ///< likewise, but their TPC's port is taken
  Cycle resume_at_ = kNever;            ///< when the first of those ports is free
  Cycle arbitrate_at_ = kNever;
  std::vector<SmPort> sms_;
  std::vector<BytePort> tpcs_;  ///< ports, each for sms_per_tpc_ neighbours
  std::vector<SlicePort> slices_;
};

}  // namespace gpusim::mem::noc
