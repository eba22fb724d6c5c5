// SPDX-License-Identifier: MIT
#include "sim/machine/mem/tlb/gpc_tlb.h"

#include <algorithm>
#include <cassert>

namespace gpusim::mem::tlb {

GpcTlb::GpcTlb(const arch::TlbConfig& config, std::uint32_t sms)
    : l2_latency_(config.l2.latency),
      l1_((sms + config.l1_sms - 1) / config.l1_sms, Tlb(config.l1, config.page_bytes)),
      l2_(config.l2, config.page_bytes) {
  for (std::uint32_t sm = 0; sm < sms; ++sm) {
    tlb_of_sm_.push_back(sm / config.l1_sms);
  }
  assert(l1_.size() <= (std::uint64_t{1} << (64 - kTlbShift)));
}

GpcTlb::Outcome GpcTlb::look_up(const msg::Message& request, std::uint32_t sm, Cycle now) {
  const std::uint32_t index = tlb_of_sm_[sm];
  Tlb& l1 = l1_[index];
  const Address address = request.as<msg::L2Access>().address;
  const Group group = l1.group_of(address);
  ++counters_.l1_lookups;
  if (l1.look_up(group)) {
    ++counters_.l1_hits;
    return {true};
  }
  ++counters_.l1_misses;
  const std::uint64_t key = std::uint64_t{index} << kTlbShift | group;
  std::uint32_t slot = l1_outstanding_.find(key);
  Outcome outcome;
  if (slot == l1_outstanding_.kNone) {
    slot = l1_outstanding_.open(key);
    outcome.asks_at = ask_l2(address, slot, now);
  } else {
    ++counters_.l1_merges;
  }
  l1_outstanding_.add(slot, {request, now});
  return outcome;
}

std::optional<Cycle> GpcTlb::ask_l2(Address address, std::uint32_t slot, Cycle now) {
  const Cycle done = std::max(now, l2_free_) + l2_latency_;
  l2_free_ = std::max(now, l2_free_) + 1;
  const Group group = l2_.group_of(address);
  ++counters_.l2_lookups;
  if (l2_.look_up(group)) {
    ++counters_.l2_hits;
    answers_.push_back({done, slot});
    return std::nullopt;
  }
  ++counters_.l2_misses;
  std::uint32_t wanted = l2_outstanding_.find(group);
  const bool is_new = wanted == l2_outstanding_.kNone;
  if (is_new) {
    wanted = l2_outstanding_.open(group);
  } else {
    ++counters_.l2_merges;
  }
  l2_outstanding_.add(wanted, slot);
  return is_new ? std::optional(done) : std::nullopt;
}

void GpcTlb::restart() {
  assert(idle());
  l2_free_ = 0;
  counters_ = {};
}

}  // namespace gpusim::mem::tlb
