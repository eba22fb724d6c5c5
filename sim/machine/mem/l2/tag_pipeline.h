// SPDX-License-Identifier: MIT
// How requests come into an L2 slice: those of SMs and those of the mirror slice queue, each in order, take turns at
// the tags, one per cycle, a write for longer, and pass the pipeline that reads them. It owns the queues, the pipeline
// and the request port.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/byte_port.h"
#include "sim/base/open_spans.h"
#include "sim/base/rate_server.h"
#include "sim/base/ratio.h"
#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/mem/l2/ports.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::arch {
struct L2Config;
struct NocConfig;
}  // namespace gpusim::arch

namespace gpusim::mem::l2 {

class TagPipeline {
 public:
  /// Serves slice `slice` of the partition that owns `ports`.
  TagPipeline(const arch::L2Config& l2, const arch::NocConfig& noc, std::uint16_t slice, const PartitionPorts& ports,
              Calendar& calendar);

  void accept(const Request& request, Cycle now) {
    const bool mirrors = is_from_mirror(request.message);
    Origin& origin = mirrors ? far_ : near_;
    origin.requests.push_back(request);
    const bool is_free = now >= tags_free_at_ && (mirrors || request_port_.is_free(now));
    if (is_free && near_.waiting + far_.waiting == 0) {
      pass(origin, request.message, now);
    } else {
      ++origin.waiting;
      if (near_.waiting == queue_entries_ && !mirrors) [[unlikely]] {
        full_.begin(now);
      }
      schedule_serve(now);
    }
  }
  /// Work::kServe.
  void serve(Cycle now);
  /// Work::kLookUp: the request whose tags are read; it leaves then. `slot` is the event's.
  [[nodiscard]] const Request& passed(std::uint32_t slot) const { return origin(slot).requests.front(); }
  void drop_passed(std::uint32_t slot) { (slot == kFar ? far_ : near_).requests.pop_front(); }

  [[nodiscard]] std::size_t size() const { return near_.requests.size() + far_.requests.size(); }
  /// What still holds at `end`, now, counts up to there.
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// For a run that starts at cycle 0 again.
  void restart();

 private:
  /// The slot of a kLookUp: whose request it is.
  static constexpr std::uint32_t kNear = 0;
  static constexpr std::uint32_t kFar = 1;

  /// Requests of one origin: those in the pipeline, then those that wait for it.
  struct Origin {
    Ring<Request> requests;
    std::size_t waiting = 0;
  };

  [[nodiscard]] const Origin& origin(std::uint32_t slot) const { return slot == kFar ? far_ : near_; }
  void pass(Origin& origin, const msg::Message& message, Cycle now);
  void schedule_serve(Cycle now);

  const PartitionPorts& ports_;
  Calendar& calendar_;
  std::uint16_t slice_;
  std::uint32_t latency_;
  std::uint32_t bytes_per_cycle_;
  Ratio write_cycles_;
  bool far_turn_ = false;
  Cycle tags_free_at_ = 0;
  Cycle serve_at_ = kNever;
  std::uint32_t queue_entries_;
  BytePort request_port_;
  /// What writes keep the tags for: their bytes at the request port, a cycle at least, and l2.write_request_cycles. A
  /// unit is a byte, times the denominator of those cycles.
  RateServer writes_;
  OpenSpans full_;  ///< so many requests of SMs wait, or more
  Origin near_;
  Origin far_;
};

}  // namespace gpusim::mem::l2
