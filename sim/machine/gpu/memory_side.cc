// SPDX-License-Identifier: MIT
#include "sim/machine/gpu/memory_side.h"

#include <algorithm>

#include "sim/base/address_space.h"
#include "sim/machine/gpu/floorplan.h"
#include "sim/machine/mem/l2/partition.h"
#include "sim/machine/mem/noc/credits.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/counter_blocks.h"

namespace gpusim::gpu {
namespace {

mem::l2::PartitionWiring partition_wiring(const arch::Arch& arch, std::uint32_t index) {
  const Numbering id = numbering(arch);
  const Floorplan plan = floorplan(arch);
  mem::l2::PartitionWiring wiring;
  wiring.index = index;
  wiring.credit_batch = mem::noc::slice_window(arch.noc, arch.l2).batch;
  for (const std::uint32_t gpc : plan.gpc_of_sm) {
    wiring.router_of_sm.push_back(id.router(gpc));
  }
  wiring.mirror = id.partition((index + arch.l2.partitions / arch.l2.halves) % arch.l2.partitions);
  return wiring;
}

/// As which the mirror slice passes a request on.
msg::Kind far_kind(msg::Kind kind) {
  switch (kind) {
    case msg::Kind::kRead: return msg::Kind::kFarRead;
    case msg::Kind::kWrite: return msg::Kind::kFarWrite;
    case msg::Kind::kAtomic: return msg::Kind::kFarAtomic;
    default: return msg::Kind::kFarReduction;
  }
}

}  // namespace

MemorySide::MemorySide(const arch::Arch& arch) : map_(arch.l2, arch.dram.channels), capacity_bytes_(arch.l2.bytes) {
  const Numbering id = numbering(arch);
  for (std::uint32_t i = 0; i < arch.l2.partitions; ++i) {
    partitions_.push_back(
        std::make_unique<mem::l2::MemoryPartition>(id.partition(i), arch, map_, partition_wiring(arch, i)));
    partition_of_.insert(partition_of_.end(), map_.slices_per_partition(), partitions_.back().get());
  }
}

MemorySide::~MemorySide() = default;

void MemorySide::set_window(const mem::l2::AccessWindow& window) {
  for (const auto& partition : partitions_) {
    partition->set_window(window);
  }
}

void MemorySide::begin_kernel() {
  for (const auto& partition : partitions_) {
    partition->reset_timing();
  }
}

void MemorySide::invalidate_all() {
  for (const auto& partition : partitions_) {
    partition->invalidate_all();
  }
}

void MemorySide::record_traffic(bool on) {
  for (const auto& partition : partitions_) {
    partition->record_traffic(on);
  }
}

void MemorySide::add_to(stats::IntervalTable<stats::TrafficCounters>& traffic) const {
  for (const auto& partition : partitions_) {
    partition->add_to(traffic);
  }
}

void MemorySide::fill_with_modified_lines() {
  constexpr std::uint64_t kTimes = 2;  // sets that the hash gives fewer lines than others are full then as well
  constexpr std::uint8_t kWhole = mem::cache::kAllSectors;
  for (Address line = kGlobalEnd - kTimes * capacity_bytes_; line < kGlobalEnd; line += kLineBytes) {
    apply(functional_access(msg::Kind::kWrite, {line, kWhole, kWhole, kLineBytes}, 0));
  }
}

/// Each access finds another set, so the tags of all are fetched side by side before the first access.
[[gnu::flatten]] void MemorySide::apply(std::span<const FunctionalAccess* const> accesses) const {
  for (const FunctionalAccess* access : accesses) {
    const mem::l2::FunctionalRequest& request = access->request;
    partition_of_[access->home]->prefetch_tags(access->home, request.slice_line, false);
    if (request.is_copy) {
      partition_of_[access->near]->prefetch_tags(access->near, request.slice_line, true);
    }
  }
  for (const FunctionalAccess* access : accesses) {
    apply(*access);
  }
}

void MemorySide::apply(const FunctionalAccess& access) const {
  const mem::l2::FunctionalRequest& request = access.request;
  const mem::l2::FunctionalResult found = partition_of_[access.near]->access_functionally(access.near, request);
  if (found.has_copy) {
    const std::uint32_t mirror = map_.mirror_slice(access.near);
    partition_of_[mirror]->invalidate_copy(mirror, request.address);
  }
  const bool read = request.kind == msg::Kind::kRead;
  if (!found.far || (read && found.missed == 0)) {
    return;
  }
  mem::l2::FunctionalRequest at_home = request;
  at_home.kind = far_kind(request.kind);
  at_home.is_copy = false;
  at_home.sectors = read ? found.missed : request.sectors;
  partition_of_[access.home]->access_functionally(access.home, at_home);
}

void MemorySide::add_to(stats::CounterBlocks& blocks, Cycle end) const {
  for (const auto& partition : partitions_) {
    stats::add(blocks.l2, partition->l2_counters());
    stats::add(blocks.dram, partition->dram_counters());
    stats::add(blocks.noc, partition->noc_counters(end));
  }
}

stats::L2Counters MemorySide::l2_counters() const {
  stats::L2Counters sum;
  for (const auto& partition : partitions_) {
    stats::add(sum, partition->l2_counters());
  }
  return sum;
}

Cycle MemorySide::last_atomic() const {
  Cycle last = 0;
  for (const auto& partition : partitions_) {
    last = std::max(last, partition->last_atomic());
  }
  return last;
}

}  // namespace gpusim::gpu
