// SPDX-License-Identifier: MIT
#include "sim/system/run/gpu_memory.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/system/memory/message.h"

namespace gpusim::run {

GpuMemory::GpuMemory(const memory::Offer& offer, const application::Application& application, std::string arch)
    : offer_(offer),
      application_(application),
      arch_(std::move(arch)),
      allocator_(offer.left()),
      buffers_(application.buffers.size()),
      by_category_(application.categories.size(), 0) {
  use_.at_peak.assign(application.categories.size(), 0);
}

std::string GpuMemory::where(const Place& at) const {
  return application_.path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

/// "weights 14.96 GiB, gradients 512 MiB", the most first.
std::string GpuMemory::holders() const {
  std::vector<std::size_t> order(by_category_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [this](std::size_t i) { return by_category_[i]; });
  std::string text;
  for (const std::size_t i : order) {
    if (by_category_[i] > 0) {
      text += (text.empty() ? "" : ", ") + application_.categories[i] + " " + with_binary_prefix(by_category_[i]);
    }
  }
  return text.empty() ? "nothing" : text;
}

/// What PyTorch says, what asked, who holds what, and what to ask next.
std::string GpuMemory::out_of_memory(const application::Allocate& call, const Place& at, const ThreadWalk& walk) const {
  std::string text = where(at) + memory::out_of_memory_message(memory::CachingAllocator::rounded(call.bytes),
                                                               allocator_.driver_free(), offer_, allocator_.stats());
  const std::string ranges = walk.ranges();
  text += "\nIt was for the buffer '" + application_.buffers[call.buffer] + "' (" +
          application_.categories[call.category] + ")" + (ranges.empty() ? "" : ", in '" + ranges + "'") + ".";
  text += "\nHeld until then: " + holders() + ".";
  if (!application_.fit.empty()) {
    text += "\nThe smallest changes that fit: gpusim fit " + application_.fit + " --gpu " + arch_;
  }
  return text;
}

bool GpuMemory::allocate(const application::Allocate& call, const Place& at, double now, const ThreadWalk& walk) {
  std::vector<Held>& held = buffers_[call.buffer];
  if (!held.empty() && !call.more) {
    throw CannotFinishError(where(at) + "the buffer '" + application_.buffers[call.buffer] + "' is held already");
  }
  const std::uint64_t reserved = allocator_.stats().reserved;
  const std::optional<memory::CachingAllocator::Block> block =
      allocator_.allocate(call.bytes, call.stream == 0 ? memory::Stream::kCompute : memory::Stream::kReduction);
  if (!block) {
    throw CannotFinishError(out_of_memory(call, at, walk));
  }
  held.push_back({*block, allocator_.size_of(*block), call.category});
  by_category_[call.category] += held.back().bytes;
  if (allocator_.stats().allocated == allocator_.stats().peak_allocated) {
    use_.at_peak = by_category_;
  }
  note(now);
  return allocator_.stats().reserved != reserved;
}

void GpuMemory::free(const application::Free& call, const Place& at, double now) {
  std::vector<Held>& held = buffers_[call.buffer];
  if (held.empty()) {
    throw CannotFinishError(where(at) + "the buffer '" + application_.buffers[call.buffer] + "' is not held");
  }
  by_category_[held.back().category] -= held.back().bytes;
  allocator_.free(held.back().block);
  held.pop_back();
  note(now);
}

void GpuMemory::empty_cache(double now) {
  allocator_.empty_cache();
  note(now);
}

void GpuMemory::note(double now) {
  const memory::AllocatorStats& stats = allocator_.stats();
  use_.peak_allocated = stats.peak_allocated;
  use_.peak_reserved = stats.peak_reserved;
  use_.samples.push_back({now, stats.allocated, stats.reserved});
}

}  // namespace gpusim::run
