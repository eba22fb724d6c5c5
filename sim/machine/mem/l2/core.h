// SPDX-License-Identifier: MIT
// What the slices of one memory partition share: its events, its channels, its end of the link to the other half, and
// the ways out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/ratio.h"
#include "sim/base/slot_pool.h"
#include "sim/base/types.h"
#include "sim/machine/engine/domain.h"
#include "sim/machine/engine/event_wheel.h"
#include "sim/machine/mem/l2/access_window.h"
#include "sim/machine/mem/l2/dram_port.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/msg/message.h"
#include "sim/model/arch/arch.h"

namespace gpusim::mem::l2 {

using map::AddressMap;
using map::Place;

/// Whom a partition is connected to.
struct PartitionWiring {
  std::uint32_t index = 0;                  ///< of this partition
  std::uint32_t credit_lot = 1;             ///< noc::slice_window().lot
  std::vector<msg::DomainId> router_of_sm;  ///< by SM index
  msg::DomainId mirror = 0;                 ///< the partition of the other half; unused with one half
};

enum class Work : std::uint8_t {
  kServe,    ///< slice: start the next request of its queues
  kLookUp,   ///< slice: request `slot` has passed the tag pipeline
  kWake,     ///< slice: what stalled requests may wait for is free again
  kResume,   ///< slice: try a stalled request again
  kAtomic,   ///< slice: atomic `slot` is done
  kSendFar,  ///< far message `slot` is ready for the link
  kFill,     ///< fetch `slot` has arrived from DRAM
  kChannel,  ///< channel: something to do
};

struct Event {
  Work work = Work::kServe;
  std::uint16_t index = 0;  ///< of the slice or channel, in the partition
  std::uint32_t slot = 0;
};

/// Some sectors of a line that a slice reads from DRAM; `line` and `entry` are the slice's own numbers for it, in the
/// tags and among the misses.
struct Fetch {
  std::uint64_t line = 0;
  std::uint32_t entry = 0;
  std::uint16_t slice = 0;
  std::uint8_t sectors = 0;
};

class PartitionCore : public engine::Domain {
 public:
  PartitionCore(msg::DomainId id, const arch::Arch& arch, const AddressMap& map, PartitionWiring wiring);

  [[nodiscard]] const arch::Arch& arch() const { return arch_; }
  [[nodiscard]] const AddressMap& map() const { return map_; }
  [[nodiscard]] const PartitionWiring& wiring() const { return wiring_; }
  /// False for noc.model ideal: latencies, but no ports and no credits.
  [[nodiscard]] bool has_ports() const { return has_ports_; }

  /// What the kernel's window asks for.
  [[nodiscard]] const AccessWindow& window() const { return window_; }
  void set_window(const AccessWindow& window) { window_ = window; }

  void schedule(Cycle at, const Event& event) { events_.push(at, event); }
  /// An event about `message`, which take_message(event.slot) returns then. The partition's slices share one store, so
  /// that the places in use are few and in the host's cache.
  void schedule(Cycle at, Event event, const msg::Message& message) {
    event.slot = messages_.take(message);
    events_.push(at, event);
  }
  [[nodiscard]] msg::Message take_message(std::uint32_t slot) { return messages_.remove(slot); }

  /// To the router of SM message.requester; leaves at `departs`.
  void send_to_router(const msg::Message& message, Cycle departs) {
    send(wiring_.router_of_sm[message.requester], departs + arch_.noc.l2_to_gpc_latency, message);
  }
  /// To the other half: leaves when the link is free, not before `ready`.
  void send_far(const msg::Message& message, Cycle ready, Cycle now);

  /// Work::kFill follows when the sectors are at the slice.
  void read_dram(const Place& place, const Fetch& fetch, Cycle now);
  void write_dram(const Place& place, std::uint8_t sectors, Cycle now);
  /// Writes of a slice that no channel has taken yet.
  [[nodiscard]] std::uint32_t waiting_writes(std::uint32_t slice) const { return waiting_writes_[slice]; }

  [[nodiscard]] Cycle next_event() const final { return std::min(next_message(), events_.next_time()); }
  [[nodiscard]] stats::DramCounters dram_counters() const;

 protected:
  template <class Handle>
  void pop_events(Cycle now, Handle&& handle) {
    if (events_.next_time() == now) {
      events_.pop_all(now, handle);
    }
  }
  /// Calls `look(fetch)` for what arrives from DRAM before `end`, as far as is known.
  template <class Look>
  void preview_fills(Cycle end, Look&& look) const {
    events_.for_each_before(end, [&](const Event& event) {
      if (event.work == Work::kFill) {
        look(fetches_[event.slot]);
      }
    });
  }
  /// For the host's speed alone: fetches the events and the ports of the channels; the channels that have something to
  /// do; and, once they are there, their queues.
  void prefetch_core() const {
    events_.prefetch();
    gpusim::prefetch(channels_);
  }
  void prefetch_channels() const;
  void prefetch_channel_queues() const;
  void depart_far(const msg::Message& message, Cycle now);
  [[nodiscard]] Fetch take_fetch(std::uint32_t slot) { return fetches_.remove(slot); }
  void handle_channel(std::uint32_t index, Cycle now);
  [[nodiscard]] bool is_core_idle() const;
  void restart_core();

 private:
  struct Channel {
    DramPort port;
    Cycle event_at = kNever;  ///< the event that counts; others of the channel are out of date
  };

  [[nodiscard]] std::uint32_t local_channel(const Place& place) const {
    return place.channel - wiring_.index * map_.channels_per_partition();
  }
  void catch_up(std::uint32_t channel, Cycle now);

  arch::Arch arch_;
  const AddressMap& map_;
  PartitionWiring wiring_;
  AccessWindow window_;
  bool has_ports_ = true;
  engine::EventWheel<Event> events_;
  RateServer link_;
  SlotPool<msg::Message> messages_;  ///< that events are about
  SlotPool<Fetch> fetches_;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> waiting_writes_;  ///< by slice
  std::vector<std::uint32_t> taken_;
  std::vector<dram::Completion> done_;
};

}  // namespace gpusim::mem::l2
