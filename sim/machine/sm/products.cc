// SPDX-License-Identifier: MIT
// Asynchronous products of warpgroups (wgmma): issue, the time they take, and who waits for them. A warp goes on after
// it has issued one. The tensor cores take complete products one after the other, each for as long as the slowest of
// three takes: the tensor cores at the peak of its type, shared memory for its operands, and the least that was
// measured (docs/model/sm.md). Other accesses to shared memory go first.
#include <algorithm>

#include "sim/machine/sm/sm.h"

namespace gpusim::sm {

void Sm::issue_product(Warp& warp, Cycle now) {
  const lower::WarpOp& op = *warp.op;
  if (warp.next.mask == 0) {
    return;  // its guard is false
  }
  ++warp.in_flight;
  ++warp.gmma.products;
  warp.gmma.groups = static_cast<std::uint16_t>(warp.gmma.groups + (op.closes_group ? 1 : 0));
  const bool was_idle = tensor_.front() == nullptr;
  tensor_.issue(op, {slot_of(warp), warp.cta_slot, warp.warp_in_cta});
  if (was_idle && tensor_.front() != nullptr) {
    begin_product(now);
  }
}

void Sm::begin_product(Cycle now) {
  const lower::WarpOp& op = *tensor_.front()->op;
  product_begin_ = now;
  shared_wavefronts_before_product_ = memory_.shared().counters().shared_wavefronts;
  events_.push(now + std::max({1U, op.latency, op.shared_wavefronts}),
               {SmEventKind::kProductDone, 0, lower::ProducerClass::kShort, 0, 0});
}

void Sm::end_product(Cycle now) {
  const Product product = *tensor_.front();
  const lower::WarpOp& op = *product.op;
  const std::uint64_t others = memory_.shared().counters().shared_wavefronts - shared_wavefronts_before_product_;
  if (const Cycle due = product_begin_ + op.shared_wavefronts + others; due > now) {
    events_.push(due, {SmEventKind::kProductDone, 0, lower::ProducerClass::kShort, 0, 0});
    return;
  }
  ++counters_.shared_requests;
  counters_.shared_wavefronts += op.shared_wavefronts;
  counters_.shared_ideal_wavefronts += op.shared_wavefronts;
  counters_.shared_read_bytes += std::uint64_t{op.shared_wavefronts} * kSharedBytesPerCycle;
  tensor_.pop();
  for (const std::uint16_t slot : product.warp_slots) {
    product_ended(warps_[slot], op, now);
  }
  if (tensor_.front() != nullptr) {
    begin_product(now);
  }
}

void Sm::product_ended(Warp& warp, const lower::WarpOp& op, Cycle now) {
  --warp.gmma.products;
  warp.gmma.groups = static_cast<std::uint16_t>(warp.gmma.groups - (op.closes_group ? 1 : 0));
  if ((warp.waits & kWaitsForGmma) != 0 && products_allow(warp)) {
    warp.release.put().gmma = now;
    warp.release.put().gmma_producer = op.pc;
    end_wait(warp, kWaitsForGmma);
  }
  operation_done(warp, now);
}

/// Whether the next instruction, one of those that ask, may issue.
bool Sm::products_allow(const Warp& warp) const {
  return warp.op->kind == isa::OpKind::kWarpgroupWait ? warp.gmma.groups <= warp.op->depbar_limit
                                                      : warp.gmma.products < arch_.sm.wgmma.queue_entries;
}

}  // namespace gpusim::sm
