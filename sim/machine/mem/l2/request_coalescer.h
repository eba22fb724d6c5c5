// SPDX-License-Identifier: MIT
// The L2 request coalescer (LRC) in front of a slice: reads of one line that meet there share one lookup, one read of
// the data and one reply, which the crossbar gives to the port of each GPC that has asked. Owns the reads that others
// may join, and those that have joined them.
//
// Nsight Compute's documentation names the unit: it processes requests for L2, tries to coalesce reads before they are
// forwarded, and serves programmatic multicasts. What may join what is inferred from its counters on H100 and H200
// (docs/model/l2.md): reads of one line by several GPCs do, those of one GPC where the TMA asks.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/ring.h"
#include "sim/base/slot_pool.h"
#include "sim/base/types.h"
#include "sim/machine/msg/message.h"

namespace gpusim::mem::l2 {

/// A read opens a group when it comes, and others may join until its reply leaves the slice. A group has as many reads
/// as l2.joined_reads says, and of the loads of a GPC's threads one. What joins asks for no sector that the first did
/// not ask for.
///
/// Simplified: as many groups as reads are under way, and a write in between parts no reads. (The simulator has no data
/// that could be stale.)
class RequestCoalescer {
 public:
  /// How a read that comes gets its answer.
  struct Joined {
    enum class How : std::uint8_t {
      kFirst,     ///< by its own lookup: it has opened a group
      kWaits,     ///< with the first of its group, by reply()
      kLeavesAt,  ///< with the reply of its group, which is known to leave at `leaves`
    };
    How how = How::kFirst;
    Cycle leaves = 0;
    bool is_copy = false;  ///< another read of its GPC has joined before it
  };

  /// `most_reads`: of a group; 1 for no coalescer.
  explicit RequestCoalescer(std::uint32_t most_reads) : most_reads_(most_reads) { restart(); }

  [[nodiscard]] bool is_there() const { return most_reads_ > 1; }
  /// A read (kRead) by an SM behind `router` comes at `now`.
  [[nodiscard]] Joined join(const msg::Message& read, msg::DomainId router, Cycle now);
  /// The reply to a read leaves at `leaves`, never earlier than the reply before: f(message, is_copy) for each that has
  /// joined, where is_copy is that of Joined.
  template <class F>
  void reply(const msg::Message& read, Cycle leaves, F f) {
    const std::uint32_t number = group_of(read);
    if (number == kNone) {
      return;
    }
    groups_[number].leaves = leaves;
    replied_.push_back(number);
    for (std::uint32_t waiter = groups_[number].first_waiter; waiter != kNone;) {
      const Waiter joined = waiters_.remove(waiter);
      f(joined.read, joined.is_copy);
      waiter = joined.next;
    }
  }

  /// Reads that wait for the reply of another.
  [[nodiscard]] std::size_t waiting() const { return waiters_.used(); }
  /// For a run that starts at cycle 0 again.
  void restart();

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kBuckets = 512;

  struct Group {
    Address line = 0;
    std::uint64_t gpcs = 0;  ///< mask of the routers whose SMs read
    Cycle leaves = kNever;   ///< when the reply leaves; kNever: not known yet
    std::uint32_t next = kNone;
    std::uint32_t token = 0;  ///< what the first read says
    std::uint32_t first_waiter = kNone;
    std::uint32_t last_waiter = kNone;
    std::uint16_t requester = 0;  ///< what the first read says
    std::uint8_t sectors = 0;
    std::uint8_t reads = 1;
  };
  struct Waiter {
    msg::Message read;
    std::uint32_t next = kNone;
    bool is_copy = false;
  };

  [[nodiscard]] static std::size_t bucket_of(Address line);
  [[nodiscard]] std::uint32_t group_of(const msg::Message& read) const;
  void open(const msg::Message& read, std::uint64_t gpc, std::size_t bucket, std::uint32_t last);
  void add_waiter(Group& group, const msg::Message& read, bool is_copy);
  void close_left(Cycle now);

  std::uint32_t most_reads_;
  std::array<std::uint32_t, kBuckets> buckets_{};  ///< groups by line, the oldest first
  SlotPool<Group> groups_;
  SlotPool<Waiter> waiters_;
  Ring<std::uint32_t> replied_;  ///< groups whose reply is known, in the order in which they leave
};

}  // namespace gpusim::mem::l2
