// SPDX-License-Identifier: MIT
// One L2 slice: between its tag pipeline (tag_pipeline.h) and its answers (reply_path.h), a sectored write-back array,
// MSHRs and an atomic unit. It is the home of some lines, and with two halves it also keeps copies of its mirror
// slice's lines for the SMs of its half. Owns its tags and MSHRs, the requests that are stalled, and the operations and
// atomics under way.
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

#include "sim/base/open_spans.h"
#include "sim/base/ring.h"
#include "sim/base/slot_pool.h"
#include "sim/base/types.h"
#include "sim/machine/mem/cache/mshr.h"
#include "sim/machine/mem/l2/access_window.h"
#include "sim/machine/mem/l2/atomic_unit.h"
#include "sim/machine/mem/l2/dram_side.h"
#include "sim/machine/mem/l2/events.h"
#include "sim/machine/mem/l2/ports.h"
#include "sim/machine/mem/l2/reply_path.h"
#include "sim/machine/mem/l2/slice_tags.h"
#include "sim/machine/mem/l2/tag_pipeline.h"
#include "sim/machine/msg/message.h"
#include "sim/model/stats/counters.h"

namespace gpusim::mem::l2 {

/// An access in no time: kRead, kWrite, kAtomic or kReduction of an SM, or what the mirror slice makes of one.
struct FunctionalRequest {
  Address address = 0;  ///< address of the line
  std::uint64_t slice_line = 0;
  msg::Kind kind = msg::Kind::kRead;
  std::uint8_t sectors = 0;
  std::uint8_t full = 0;  ///< for a write: sectors that are written completely
  bool is_copy = false;   ///< the slice that is asked is the mirror of the line's home
};
/// What it found.
struct FunctionalResult {
  std::uint8_t missed = 0;  ///< sectors that were not there and now are
  bool far = false;         ///< the line's home is in the other half: access it there too
  bool has_copy = false;    ///< in the other half, which loses it: invalidate it there
};

/// Resources: l2.mshrs lines outstanding at home and as many copies, as many writes and atomics on their way to the
/// mirror, l2.queue_entries evictions that no channel has taken yet, l2.atomic_entries atomics and reductions. A
/// request that lacks one stalls, and those of its origin behind it, up to the routers' credits. What arrives never
/// needs a place: it may evict beyond that number.
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
  void accept(const Request& request, Cycle now) { input_.accept(request, now); }
  /// The mirror slice's answer (kFarReadReply, kFarAck).
  void accept_answer(const msg::Message& message, Cycle now);
  /// Work::kServe, kLookUp, kResume, kAtomic and kFill.
  void serve(Cycle now) { input_.serve(now); }
  void look_up(std::uint32_t slot, Cycle now);
  void resume(Cycle now);
  void finish_atomic(std::uint32_t slot, Cycle now);
  void fill(const Fetch& fetch, Cycle now);
  /// Work::kWake: something that stalled requests may wait for is free again.
  void wake(Cycle now);

  /// For the host's speed alone: fetches what a message, a fill or a functional access will need.
  void prefetch_answer(const msg::Message& message) const;
  void prefetch_request(const msg::Message& message, std::uint64_t slice_line) const;
  void prefetch_fill(const Fetch& fetch) const { prefetch_arrival(home_misses_, fetch.line, fetch.entry); }
  void prefetch_tags(std::uint64_t slice_line, bool is_copy) const;

  FunctionalResult access_functionally(const FunctionalRequest& request);
  void invalidate_copy(Address address);

  /// For a run that starts at cycle 0 again: forgets the time and the counters, keeps the tags.
  void restart();
  void invalidate_all() { tags_.clear(); }
  void record(stats::TrafficSeries* series) { output_.record(series); }
  [[nodiscard]] stats::L2Counters counters() const;
  /// What still holds at `end`, now, counts up to there.
  void add_to(stats::NocCounters& counters, Cycle end) const;
  /// When the last atomic or reduction was done; 0 when there was none.
  [[nodiscard]] Cycle last_atomic() const { return atomic_unit_.last_done(); }
  /// What is left here, in words; empty when nothing is.
  [[nodiscard]] std::string leftovers() const;

 private:
  using MissTable = cache::MshrTable<msg::Message>;

  /// What a stalled request waits for.
  enum class Need : std::uint8_t { kNothing, kHomeMshr, kCopyMshr, kWritePlace, kFarWrite, kAtomicEntry };

  /// Requests of one origin behind the tags that wait, in order. Those of SMs and those of the mirror slice never wait
  /// for each other: the mirror's wait for DRAM alone, so the two halves cannot wait for each other in a circle.
  struct Stalled {
    Ring<Request> requests;
    Need need = Need::kNothing;  ///< what the first lacks, as far as is known
  };
  /// A request behind the tags, with its line's number there.
  struct Access {
    const msg::Message& message;
    bool is_home = true;
    cache::LineNumber line = 0;
  };
  /// A request that the mirror slice answers.
  struct FarOperation {
    msg::Message message;
    std::uint64_t line = cache::kNoLine;  ///< a read's, in the tags
    MissTable::Entry entry = MissTable::kNone;
  };

  /// When requests behind the tags wait, of either origin.
  struct StallSpans {
    OpenSpans any;
    OpenSpans for_mirror;  ///< the first needs a place in the other half
    OpenSpans for_dram;    ///< the first needs a place on the way to DRAM
  };

  [[nodiscard]] bool is_met(Need need) const;
  [[nodiscard]] bool can_resume(const Stalled& stalled) const {
    return !stalled.requests.empty() && is_met(stalled.need);
  }

  [[nodiscard]] Need process(const Request& request, Cycle now);
  [[nodiscard]] Need process_at_tags(const Access& access, Cycle now);
  [[nodiscard]] Need process_ideal(const msg::Message& message, Cycle now);
  [[nodiscard]] Need read(const Access& access, Cycle now);
  [[nodiscard]] Need write(const Access& access, Cycle now);
  [[nodiscard]] Need atomic(const Access& access, Cycle now);
  [[nodiscard]] Need forward(const Access& access, msg::Kind kind, Cycle now);
  void store(const msg::Message& message, cache::LineNumber line, std::uint8_t full, Cycle now);

  [[nodiscard]] Need await(const Access& access, std::uint8_t missing, Cycle now);
  [[nodiscard]] std::uint8_t sectors_beside(cache::LineNumber line, MissTable::Entry entry, std::uint8_t fresh);
  void fetch(const Access& access, MissTable::Entry entry, std::uint8_t sectors, Cycle now);
  void ask_mirror(const FarOperation& operation, msg::Kind kind, Cycle now);
  void arrive(MissTable& misses, const Fetch& fetch, Cycle now);
  void prefetch_arrival(const MissTable& misses, cache::LineNumber line, MissTable::Entry entry) const;
  void start_atomic(const msg::Message& message, Cycle now);
  void age(const msg::Message& message, cache::LineNumber line);
  void apply_window(Address address, cache::LineNumber line) {
    if (shared_.window.holds(address)) [[unlikely]] {
      apply_window_to(address, line);
    }
  }
  void apply_window_to(Address address, cache::LineNumber line);
  void write_back(const cache::LineState& line, std::uint64_t& sectors, Cycle now);
  void respond(const msg::Message& message, Cycle now) {
    output_.respond(message, msg::sector_count(message.sectors) * kSectorBytes, now);
  }
  void count_stalls(Cycle now);
  void count_request(const msg::Message& message);
  void count_lookup(const msg::Message& message, std::uint8_t missing);

  Shared shared_;
  std::uint16_t local_ = 0;
  std::uint32_t global_ = 0;
  const arch::L2Config& config_;
  bool is_ideal_ = false;

  TagPipeline input_;
  Stalled near_;
  Stalled far_;
  StallSpans stalls_;
  Cycle resume_from_ = 0;  ///< the first cycle at which stalled requests may move again
  bool resume_pending_ = false;

  SliceTags tags_;
  MissTable home_misses_;
  MissTable copy_misses_;
  SlotPool<FarOperation> far_operations_;
  std::uint32_t far_writes_ = 0;
  SlotPool<msg::Message> atomics_;
  AtomicUnit atomic_unit_;
  ReplyPath output_;
  stats::L2Counters counters_;
};

}  // namespace gpusim::mem::l2
