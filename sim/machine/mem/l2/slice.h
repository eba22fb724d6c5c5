// SPDX-License-Identifier: MIT
// One L2 slice: between its tag pipeline (tag_pipeline.h) and its answers (reply_path.h), a sectored write-back array,
// MSHRs and an atomic unit. It is the home of some lines, and with two halves it also keeps copies of its mirror
// slice's lines for the SMs of its half. It says what each request does; its units own the state: the lines
// (line_store.h), the MSHRs (misses.h), the reads that share a reply (request_coalescer.h), the requests that are
// stalled (stalled_requests.h), those that the mirror slice answers (mirror_link.h) and the atomics under way
// (atomic_unit.h). Its own are the counts of what requests find.
//
// Cycles, when nothing is in the way, of a request that arrives at t (T tag_latency, D data_latency, L
// partition_link_latency):
//   hit                   reply departs at t + T + D
//   miss at home          DRAM is asked at t + T; data there at r, reply departs at r + D
//   near miss, far hit    t + T  link  + L  far lookup + T + D  link  + L  then + D:  t + 2T + 2D + 2L
//   near miss, far miss   DRAM is asked at t + 2T + L; data there at r, reply departs at r + 2D + L
//   write, reduction      ack departs as a hit's reply does, from the home; through the mirror as a far hit
//   atomic                as a hit, later by what it takes in the atomic unit (atomic_unit.h)
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/types.h"
#include "sim/machine/mem/l2/access_window.h"
#include "sim/machine/mem/l2/atomic_unit.h"
#include "sim/machine/mem/l2/dram_side.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/mem/l2/functional_access.h"
#include "sim/machine/mem/l2/line_store.h"
#include "sim/machine/mem/l2/mirror_link.h"
#include "sim/machine/mem/l2/misses.h"
#include "sim/machine/mem/l2/ports.h"
#include "sim/machine/mem/l2/reply_path.h"
#include "sim/machine/mem/l2/request_coalescer.h"
#include "sim/machine/mem/l2/stalled_requests.h"
#include "sim/machine/mem/l2/tag_pipeline.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/counters.h"

namespace gpusim::mem::l2 {

/// Resources: l2.mshrs lines outstanding at home and as many copies, as many writes and atomics on their way to the
/// mirror, l2.queue_entries evictions that no channel has taken yet and l2.mshrs that wait for the rest of their
/// sectors, l2.atomic_entries atomics and reductions. A request that lacks one stalls, and those of its origin behind
/// it, up to the routers' credits. What arrives never needs a place: it may evict beyond that number.
///
/// Copies are plain lines of the array, in one LRU order with the slice's own. The home is where a line's accesses meet
/// (its point of coherence): it remembers of each line that it holds whether the other half has a copy, and tells that
/// half to invalidate it when an SM of its own half writes the line (guess: nobody waits for that). What is written
/// through the mirror changes the copy on its way. A home that has lost the line knows of no copy. (The simulator has
/// no data that could be stale.)
class Slice {
 public:
  /// What a slice shares with the others of its partition. All of it outlives the slice.
  struct Shared {
    const arch::Arch& arch;
    const AddressMap& map;
    const AccessWindow& window;
    Calendar& calendar;
    PartitionPorts& ports;
    DramSide& dram;
  };
  /// `local` counts in the partition.
  Slice(const Shared& shared, std::uint16_t local);

  /// Whether a message answers a request to the mirror slice.
  [[nodiscard]] static bool is_answer(const msg::Message& message) {
    return message.kind() == msg::Kind::kFarReadReply || message.kind() == msg::Kind::kFarAck;
  }

  /// A request: of an SM, or of the mirror slice (kFarRead, kFarWrite, kFarAtomic, kFarReduction, kFarInvalidate).
  void accept(const Request& request, Cycle now) {
    if (coalescer_.is_there() && request.message.kind() == msg::Kind::kRead && joins(request.message, now)) {
      return;
    }
    input_.accept(request, now);
  }
  /// The mirror slice's answer (kFarReadReply, kFarAck).
  void accept_answer(const msg::Message& message, Cycle now);
  /// Work::kServe, kLookUp, kResume, kAtomic and kFill; `slot` is the pipeline's or the atomic unit's.
  void serve(Cycle now) { input_.serve(now); }
  void look_up(std::uint32_t slot, Cycle now);
  void resume(Cycle now);
  void finish_atomic(std::uint32_t slot, Cycle now);
  void fill(const Fetch& fetch, Cycle now);
  /// Work::kWake: something that stalled requests may wait for is free again.
  void wake(Cycle now);

  /// For the host's speed alone: fetches what a functional access will need.
  void prefetch_tags(std::uint64_t slice_line, bool is_copy) const;

  FunctionalResult access_functionally(const FunctionalRequest& request);
  void invalidate_copy(Address address);

  /// For a run that starts at cycle 0 again: forgets the time and the counters, keeps the tags.
  void restart();
  void invalidate_all() { lines_.clear(); }
  void record(stats::TrafficSeries* series) { output_.record(series); }
  [[nodiscard]] stats::L2Counters counters() const;
  /// What still holds at `end`, now, counts up to there.
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// When the last atomic or reduction was done; 0 when there was none.
  [[nodiscard]] Cycle last_atomic() const { return atomic_unit_.last_done(); }
  /// What is left here, in words; empty when nothing is.
  [[nodiscard]] std::string leftovers() const;

 private:
  [[nodiscard]] bool joins(const msg::Message& read, Cycle now);
  [[nodiscard]] bool is_met(Need need) const;
  [[nodiscard]] Need process(const Request& request, Cycle now);
  [[nodiscard]] Need process_at_tags(const Access& access, Cycle now);
  [[nodiscard]] Need process_ideal(const msg::Message& message, Cycle now);
  [[nodiscard]] Need read(const Access& access, Cycle now);
  [[nodiscard]] Need write(const Access& access, Cycle now);
  [[nodiscard]] Need atomic(const Access& access, Cycle now);
  [[nodiscard]] Need forward(const Access& access, msg::Kind kind, Cycle now);
  void store(const msg::Message& message, cache::LineNumber line, LineStore::Coverage covered, Cycle now);
  [[nodiscard]] Need await(const Access& access, std::uint8_t missing, Cycle now);
  void arrive(bool is_home, const Fetch& fetch, Cycle now);
  void start_atomic(const msg::Message& message, Cycle now);
  void count_taken(const msg::Message& message);
  void count_joined(const msg::Message& read);
  void count_lookup(const msg::Message& message, std::uint8_t missing);
  void respond(const msg::Message& message, Cycle now) {
    const Cycle leaves = output_.respond(message, msg::sector_count(message.sectors) * kSectorBytes, now);
    if (coalescer_.is_there() && message.kind() == msg::Kind::kRead) {
      coalescer_.reply(message, leaves, [this, leaves](const msg::Message& joined, bool is_copy) {
        output_.repeat(joined, is_copy, leaves);
      });
    }
  }

  const AddressMap& map_;
  Calendar& calendar_;
  std::uint16_t local_ = 0;
  std::uint32_t global_ = 0;
  bool is_ideal_ = false;

  RequestCoalescer coalescer_;
  TagPipeline input_;
  StalledRequests stalled_;
  LineStore lines_;
  Misses misses_;
  MirrorLink mirror_;
  AtomicUnit atomic_unit_;
  ReplyPath output_;
  stats::L2Counters counters_;  ///< what is counted of requests
};

}  // namespace gpusim::mem::l2
