// SPDX-License-Identifier: MIT
#include "sim/machine/mem/tlb/mmu.h"

#include <algorithm>
#include <cassert>

namespace gpusim::mem::tlb {

Mmu::Mmu(msg::DomainId id, const arch::TlbConfig& config, std::uint32_t reply_latency)
    : Domain(id),
      latency_(config.l3.latency),
      walk_latency_(config.walk_latency),
      reply_latency_(reply_latency),
      tlb_(config.l3, config.page_bytes),
      walker_free_(config.walkers) {}

Cycle Mmu::next_event() const {
  return std::min(next_message(), walks_.empty() ? kNever : walks_.front().done);
}

void Mmu::run_until(Cycle end) {
  for (Cycle now = next_event(); now < end; now = next_event()) {
    receive(now, [this, now](const msg::Message& message) { accept(message, now); });
    while (!walks_.empty() && walks_.front().done == now) {
      finish_walk(now);
    }
  }
}

void Mmu::accept(const msg::Message& request, Cycle now) {
  assert(request.kind() == msg::Kind::kTranslate);
  const Address address = request.as<msg::Translation>().address;
  const Cycle start = std::max(now, free_);
  free_ = start + 1;
  const Asker asker{request.source, address, start + latency_};
  const Group group = tlb_.group_of(address);
  ++counters_.l3_lookups;
  if (tlb_.look_up(group)) {
    ++counters_.l3_hits;
    reply(asker, asker.looked_up);
    return;
  }
  ++counters_.l3_misses;
  std::uint32_t slot = outstanding_.find(group);
  if (slot != outstanding_.kNone) {
    ++counters_.l3_merges;
  } else {
    slot = outstanding_.open(group);
    walk(slot, asker.looked_up);
  }
  outstanding_.add(slot, asker);
}

/// All walks take the same time, so the walker whose turn it is is the one that is free first.
void Mmu::walk(std::uint32_t slot, Cycle from) {
  Cycle& free = walker_free_[next_walker_];
  next_walker_ = (next_walker_ + 1) % walker_free_.size();
  free = std::max(from, free) + walk_latency_;
  walks_.push_back({free, slot});
  ++counters_.walks;
}

void Mmu::finish_walk(Cycle now) {
  const std::uint32_t slot = walks_.front().slot;
  walks_.pop_front();
  tlb_.fill(outstanding_.key_of(slot));
  outstanding_.close(slot, [this, now](const Asker& asker) { reply(asker, std::max(now, asker.looked_up)); });
}

void Mmu::reply(const Asker& asker, Cycle departs) {
  send(asker.router, departs + reply_latency_, msg::make(msg::Kind::kTranslated, msg::Translation{asker.address}));
}

}  // namespace gpusim::mem::tlb
