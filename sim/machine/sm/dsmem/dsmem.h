// SPDX-License-Identifier: MIT
// Distributed shared memory: accesses to the shared memory of other CTAs of the cluster, and operations on their
// mbarriers. A warp's access becomes a message for each line of 128 bytes, which is one pass through the banks of the
// SM that it goes to. Each has a place here for its answer, so nothing on the way can be refused. Owns the accesses
// that are under way, and serves those of others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/slot_pool.h"
#include "sim/machine/msg/message.h"
#include "sim/machine/sm/async/mbarrier.h"
#include "sim/machine/sm/event/completion.h"
#include "sim/machine/sm/memory/access.h"
#include "sim/machine/sm/memory/reply_token.h"
#include "sim/model/arch/sm_config.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

struct AccessWidth;
class LsuTiming;
class SharedMemory;
class SyncUnit;
class WriteTracker;

/// What DSMEM works with but does not own.
struct DsmemWiring {
  const LsuTiming& timing;
  SharedMemory& shared;
  WriteTracker& writes;
  SyncUnit& sync;
  SmEvents& events;
};

class Dsmem {
 public:
  Dsmem(const arch::SmConfig& sm, std::uint16_t sm_index, const DsmemWiring& wiring)
      : wiring_(wiring),
        sm_index_(sm_index),
        most_in_flight_(sm.l1.mshrs),
        stage_{sm.l1.tag_lines_per_cycle, sm.l1.data_bytes_per_cycle},
        lines_of_warp_(sm.limits.warps_per_sm) {}

  void begin_warp(std::uint16_t warp) { lines_of_warp_[warp] = 0; }

  // An access has issued: its lines, or what its operation on an mbarrier sends.
  void coalesce(Access& access, const LaneSource& lanes, const AccessWidth& width);
  void accept_mbarrier(Access& access);

  /// An access in the load/store unit, or such an operation.
  [[nodiscard]] Executed execute(const Access& access, Cycle now);
  [[nodiscard]] Executed execute_mbarrier(const Access& access, Cycle now);

  /// A DsmemAccess or an MbarrierRequest to a CTA that is resident here. Returns the answer, and in its `time` when it
  /// leaves.
  [[nodiscard]] msg::Message serve(const msg::Message& message, std::uint32_t cta, Cycle now);
  /// A line of a copy by the TMA leaves for the shared memory of another CTA. The TMA bounds how many are under way.
  void send_moved(const MovedLine& line);
  /// kDsmemReply, kDsmemAck. Returns the TMA's command that the answer is for, if it is.
  std::optional<std::uint32_t> handle(const msg::Message& message, Cycle now);

  /// Whether nothing of the warp is under way.
  [[nodiscard]] bool is_done(std::uint16_t warp) const { return lines_of_warp_[warp] == 0; }
  /// Whose access the answer is for.
  [[nodiscard]] const DsmemTarget& target_of(const msg::DsmemReply& reply) const {
    return outstanding_[reply.token].target;
  }
  [[nodiscard]] bool idle() const { return in_flight_ == 0 && moves_in_flight_ == 0; }

  /// Requests to other SMs that left since the owner last cleared them.
  [[nodiscard]] std::vector<msg::Message>& departed() { return departed_; }
  [[nodiscard]] const stats::DsmemCounters& counters() const { return counters_; }

 private:
  /// An access under way to another CTA's shared memory.
  struct Outstanding {
    Completion completion;
    DsmemTarget target;
    std::uint32_t lines = 0;  ///< still to come
    std::uint32_t extra_latency = 0;
    ReplyToken write_token = ReplyToken::write_back();
    bool waits = false;     ///< the operation ends with the last answer
    bool is_async = false;  ///< a store that signals an mbarrier: neither fences nor barriers wait for it
    std::optional<std::uint32_t> command = {};  ///< a line of this command of the TMA, and nothing else
  };

  // dsmem.cc
  [[nodiscard]] msg::DsmemAsk ask_of(const Access& access, std::uint64_t rank, std::uint32_t token) const;
  std::uint32_t execute_own(const Access& access, Cycle now);
  void send(const Access& access, Cycle now);
  void send_line(const Access& access, const LineAccess& line, std::uint32_t token);
  /// As many messages may be under way as L1 may miss lines; an access of more goes alone.
  [[nodiscard]] bool may_send(std::uint32_t messages) const {
    return in_flight_ == 0 || in_flight_ + messages <= most_in_flight_;
  }
  [[nodiscard]] std::uint32_t take_place(const Access& access, std::uint32_t messages, bool waits);

  // remote_mbarrier.cc
  [[nodiscard]] MbarrierMisuse serve_mbarrier(const msg::Message& message, const MbarrierUse& use, Cycle start);
  [[nodiscard]] MbarrierMisuse complete_stores(std::uint32_t bytes, const MbarrierUse& use, Cycle at);
  [[nodiscard]] msg::MbarrierRequest operation_of(const Access& access, std::uint32_t token,
                                                  std::uint32_t amount) const;
  [[nodiscard]] msg::Message refusal(const msg::Message& request, const MbarrierUse& use, MbarrierMisuse misuse) const;

  DsmemWiring wiring_;
  std::uint16_t sm_index_;
  std::uint32_t most_in_flight_;
  std::uint32_t in_flight_ = 0;        ///< messages, without those of moves
  std::uint32_t moves_in_flight_ = 0;  ///< lines of copies by the TMA
  L1DataStage stage_;
  std::vector<std::uint32_t> lines_of_warp_;  ///< by warp slot: not yet answered
  SlotPool<Outstanding> outstanding_;
  std::vector<msg::Message> departed_;
  stats::DsmemCounters counters_;
};

}  // namespace gpusim::sm
