// SPDX-License-Identifier: MIT
#include "sim/system/memory/message.h"

#include <fmt/format.h>

#include "sim/base/units.h"

namespace gpusim::memory {

std::string torch_size(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes <= kKi) {
    return fmt::format("{} bytes", bytes);
  }
  if (bytes <= kMi) {
    return fmt::format("{:.2f} KiB", value / static_cast<double>(kKi));
  }
  return bytes <= kGi ? fmt::format("{:.2f} MiB", value / static_cast<double>(kMi))
                      : fmt::format("{:.2f} GiB", value / static_cast<double>(kGi));
}

std::string out_of_memory_message(std::uint64_t wanted, std::uint64_t driver_free, const Offer& offer,
                                  const AllocatorStats& stats) {
  return fmt::format(
      "CUDA out of memory. Tried to allocate {}. GPU 0 has a total capacity of {} of which {} is free. Including "
      "non-PyTorch memory, this process has {} memory in use. Of the allocated memory {} is allocated by PyTorch, and "
      "{} is reserved by PyTorch but unallocated.",
      torch_size(CachingAllocator::segment_bytes(wanted)), torch_size(offer.total), torch_size(driver_free),
      torch_size(offer.total - driver_free), torch_size(stats.allocated), torch_size(stats.reserved - stats.allocated));
}

}  // namespace gpusim::memory
