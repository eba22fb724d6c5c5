// SPDX-License-Identifier: MIT
// What PyTorch says when a GPU has too little memory.
#pragma once

#include <cstdint>
#include <string>

#include "sim/system/memory/allocator.h"
#include "sim/system/memory/offer.h"

namespace gpusim::memory {

/// A size as PyTorch's messages have it: "224.00 MiB".
[[nodiscard]] std::string torch_size(std::uint64_t bytes);

/// "CUDA out of memory. Tried to allocate ...": a block of `wanted` bytes, where the driver had `driver_free` left.
[[nodiscard]] std::string out_of_memory_message(std::uint64_t wanted, std::uint64_t driver_free, const Offer& offer,
                                                const AllocatorStats& stats);

}  // namespace gpusim::memory
