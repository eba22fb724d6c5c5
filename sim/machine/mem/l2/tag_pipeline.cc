// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/tag_pipeline.h"

#include <algorithm>

#include "sim/model/arch/l2_config.h"
#include "sim/model/arch/noc_config.h"

namespace gpusim::mem::l2 {

TagPipeline::TagPipeline(const arch::L2Config& l2, const arch::NocConfig& noc, std::uint16_t slice,
                         const PartitionPorts& ports, Calendar& calendar)
    : ports_(ports),
      calendar_(calendar),
      slice_(slice),
      latency_(l2.tag_latency),
      bytes_per_cycle_(noc.slice_request_bytes_per_cycle),
      write_cycles_(l2.write_request_cycles),
      queue_entries_(l2.queue_entries) {
  restart();
}

void TagPipeline::restart() {
  request_port_ = BytePort(bytes_per_cycle_);
  writes_ = RateServer(Ratio::of(1, bytes_per_cycle_ * write_cycles_.denominator));
  full_ = {};
  tags_free_at_ = 0;
  far_turn_ = false;
}

/// All take as long, so the requests of an origin leave the pipeline in the order in which they entered it.
void TagPipeline::pass(Origin& origin, const msg::Message& message, Cycle now) {
  const bool mirrors = &origin == &far_;
  tags_free_at_ = now + 1;
  if (!mirrors && ports_.are_modelled()) {
    request_port_.take(now, ports_.bytes_of(message));
    if (message.kind() == msg::Kind::kWrite) {
      const std::uint64_t bytes = std::max(ports_.bytes_of(message), bytes_per_cycle_);
      const std::uint64_t units = bytes * write_cycles_.denominator + bytes_per_cycle_ * write_cycles_.numerator;
      tags_free_at_ = std::max(tags_free_at_, writes_.take(now, units));
    }
  }
  calendar_.push(now + latency_, {Work::kLookUp, slice_, mirrors ? kFar : kNear});
}

/// Lets one request pass; when both origins have one that may, they take turns.
void TagPipeline::serve(Cycle now) {
  if (serve_at_ != now) {
    return;  // out of date
  }
  const bool near_can = near_.waiting > 0 && request_port_.is_free(now);
  const bool far_can = far_.waiting > 0;
  if (now >= tags_free_at_ && (near_can || far_can)) {
    const bool is_far = far_can && (far_turn_ || !near_can);
    far_turn_ = !is_far;
    Origin& origin = is_far ? far_ : near_;
    pass(origin, origin.requests[origin.requests.size() - origin.waiting].message, now);
    if (origin.waiting-- == queue_entries_ && !is_far) [[unlikely]] {
      full_.end(now);
    }
  }
  serve_at_ = kNever;
  schedule_serve(now);
}

void TagPipeline::add_to(stats::NocCounters& counters, Cycle end) const {
  counters.slice_request_bytes += request_port_.bytes();
  counters.slice_request_busy_cycles += request_port_.busy_cycles(end);
  counters.slice_request_full_cycles += full_.cycles(end);
}

void TagPipeline::schedule_serve(Cycle now) {
  const Cycle tags = std::max(tags_free_at_, now);
  Cycle next = far_.waiting == 0 ? kNever : tags;
  if (near_.waiting > 0) {
    next = std::min(next, request_port_.free_at(tags));
  }
  if (next < serve_at_) {
    serve_at_ = next;
    calendar_.push(next, {Work::kServe, slice_, 0});
  }
}

}  // namespace gpusim::mem::l2
