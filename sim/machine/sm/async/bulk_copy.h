// SPDX-License-Identifier: MIT
// Bulk copies: commands reach the TMA through the load/store unit, its lines share the request port with those of the
// warps, and what comes back is written into shared memory, one line per cycle of the banks. Loads go by L1; they end
// by a signal to their mbarrier. Stores are grouped by warp: a group's sources may be overwritten when all are read.
// Copies to the shared memory of a CTA of the cluster are read here, and leave by DSMEM.
// Owns the TMA's commands and the groups of bulk stores.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/msg/message.h"
#include "sim/machine/sm/async/sync_unit.h"
#include "sim/machine/sm/async/tma_engine.h"
#include "sim/machine/sm/memory/access.h"
#include "sim/machine/sm/memory/copy_groups.h"
#include "sim/machine/sm/memory/lsu_timing.h"
#include "sim/machine/sm/memory/request_port.h"
#include "sim/machine/sm/memory/shared_memory.h"
#include "sim/machine/sm/memory/write_tracker.h"
#include "sim/model/stats/counters.h"

namespace gpusim::sm {

/// What bulk copies work with but do not own.
struct BulkCopyWiring {
  const LsuTiming& timing;
  SharedMemory& shared;
  RequestPort& port;
  const WriteTracker& writes;
  SyncUnit& sync;
  SmEvents& events;
};

class BulkCopyUnit {
 public:
  BulkCopyUnit(const arch::SmConfig& sm, std::uint16_t sm_index, const BulkCopyWiring& wiring);

  void begin_warp(std::uint16_t warp);

  /// A command in the load/store unit: it needs a place in the TMA's queue.
  [[nodiscard]] Executed execute(const Access& access, Cycle now);
  /// UTMACMDFLUSH. Its read counter is lowered when the group's sources have been read, its write counter when the
  /// group is visible in global memory.
  void commit_group(const Access& access, Cycle now);

  /// A kTmaStep event: sends what may be sent now. What keeps the next line, but for time, wakes the engine when it
  /// ends.
  void step(Cycle now);
  /// The request port may have room again.
  void port_moved(Cycle now) {
    if (!tma_.has_nothing_to_send() && wiring_.port.has_bulk_room()) {
      wake(now + 1);
    }
  }

  /// kReadReply whose token is of the TMA.
  void fill(const msg::Message& reply, Cycle now);
  /// kWriteAck whose token is of the TMA: the data of a line is visible in L2.
  void acknowledge(ReplyToken token, Cycle now);
  /// kMulticastSent: a line of a copy that this CTA does not get itself.
  void multicast_sent(const msg::Message& message, Cycle now);
  /// kMulticastLine, for a CTA that is resident here.
  void take_multicast_line(const msg::Message& message, std::uint32_t cta, Cycle now);

  /// Lines that have been read for other CTAs since the last call.
  [[nodiscard]] std::vector<MovedLine>& moved() { return moved_; }
  /// Another SM has taken in a line of a copy to it.
  void move_answered(std::uint32_t command, Cycle now) { line_answered(command, now); }

  /// The warp whose command the reply is for.
  [[nodiscard]] std::uint16_t warp_of(const msg::Message& reply) const;
  /// No command is under way.
  [[nodiscard]] bool idle() const { return tma_.idle(); }
  /// Only those of lines to and from L2, and of multicast.
  [[nodiscard]] const stats::L1Counters& l1_counters() const { return l1_counters_; }
  [[nodiscard]] const stats::DsmemCounters& dsmem_counters() const { return dsmem_counters_; }

 private:
  void announce_multicast(const Access& access, std::uint32_t command);
  void wake(Cycle at);
  void send_line(std::uint32_t command, Cycle now);
  void move_line(std::uint32_t command, Cycle now);
  [[nodiscard]] bool may_send(const TmaCommand& command) const;
  void asked_for_all(std::uint32_t command, Cycle now);
  void line_answered(std::uint32_t command, Cycle now);
  void end_if_done(std::uint32_t command, Cycle now);
  void end_load(const TmaCommand& command);

  BulkCopyWiring wiring_;
  std::uint16_t sm_index_;
  bool wakes_ = false;  ///< a kTmaStep event is scheduled
  TmaEngine tma_;
  std::vector<MovedLine> moved_;
  CopyGroups reads_;   ///< reads of shared memory by bulk stores; grouped by UTMACMDFLUSH
  CopyGroups writes_;  ///< to global memory, by the same
  stats::L1Counters l1_counters_;
  stats::DsmemCounters dsmem_counters_;
};

}  // namespace gpusim::sm
