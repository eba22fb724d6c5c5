// SPDX-License-Identifier: MIT
// How requests come into an L2 slice: those of SMs and those of the mirror slice queue, each in order, take turns at
// the tags, one a cycle, and pass the pipeline that reads them. It owns the queues, the pipeline and the request port.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/base/ratio.h"
#include "sim/base/ring.h"
#include "sim/base/types.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/mem/l2/ports.h"
#include "sim/machine/msg/message.h"

namespace gpusim::mem::l2 {

/// Whether a request comes from the mirror slice, not from an SM.
[[nodiscard]] inline bool is_from_mirror(const msg::Message& message) {
  using enum msg::Kind;
  return message.kind == kFarRead || message.kind == kFarWrite || message.kind == kFarAtomic ||
         message.kind == kFarReduction || message.kind == kFarInvalidate;
}

class TagPipeline {
 public:
  /// Of slice `slice` of the partition that `ports` are of.
  TagPipeline(const arch::Arch& arch, std::uint16_t slice, const PartitionPorts& ports, Calendar& calendar);

  void accept(const Request& request, Cycle now) {
    const bool mirrors = is_from_mirror(request.message);
    const bool is_free = now >= tags_free_at_ && (mirrors || request_port_.is_free(now));
    if (is_free && near_.empty() && far_.empty()) {
      start(request, mirrors, now);
    } else {
      (mirrors ? far_ : near_).push_back(request);
      schedule_serve(now);
    }
  }
  /// Work::kServe.
  void serve(Cycle now);
  /// Work::kLookUp: the request whose tags are read.
  [[nodiscard]] Request take() {
    const Request request = passing_.front();
    passing_.pop_front();
    return request;
  }

  [[nodiscard]] std::size_t size() const { return near_.size() + far_.size() + passing_.size(); }
  /// For a run that starts at cycle 0 again.
  void restart();

 private:
  void start(const Request& request, bool mirrors, Cycle now);
  void schedule_serve(Cycle now);

  const PartitionPorts& ports_;
  Calendar& calendar_;
  std::uint16_t slice_;
  std::uint32_t latency_;
  std::uint32_t bytes_per_cycle_;
  bool far_turn_ = false;
  Cycle tags_free_at_ = 0;
  Cycle serve_at_ = kNever;
  RateServer request_port_;
  Ring<Request> near_;
  Ring<Request> far_;
  Ring<Request> passing_;  ///< all take as long, so the order stays
};

}  // namespace gpusim::mem::l2
