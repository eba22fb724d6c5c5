// SPDX-License-Identifier: MIT
// The memory of one GPU, as PyTorch's caching allocator hands it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/system/application/application.h"
#include "sim/system/memory/allocator.h"
#include "sim/system/memory/offer.h"
#include "sim/system/run/thread_walk.h"
#include "sim/system/run/timeline.h"

namespace gpusim::run {

class GpuMemory {
 public:
  /// `arch` is the GPU's, by name.
  GpuMemory(const memory::Offer& offer, const application::Application& application, std::string arch);

  /// Gives the buffer its bytes; true when the driver was asked for a segment. Throws CannotFinishError with what
  /// PyTorch says, and who holds what, when there are too few, and when the buffer is held already.
  /// The walk is that of the thread.
  bool allocate(const application::Allocate& call, const Place& at, double now, const ThreadWalk& walk);
  /// Throws CannotFinishError when the buffer is not held.
  void free(const application::Free& call, const Place& at, double now);
  void empty_cache(double now);

  [[nodiscard]] const MemoryUse& use() const { return use_; }

 private:
  struct Held {
    memory::CachingAllocator::Block block = 0;
    std::uint64_t bytes = 0;
    Index category = 0;
  };
  void note(double now);
  [[nodiscard]] std::string where(const Place& at) const;
  [[nodiscard]] std::string out_of_memory(const application::Allocate& call, const Place& at,
                                          const ThreadWalk& walk) const;
  [[nodiscard]] std::string holders() const;

  memory::Offer offer_;
  const application::Application& application_;
  std::string arch_;
  memory::CachingAllocator allocator_;
  std::vector<std::vector<Held>> buffers_;  ///< tensors of each, the last made last
  std::vector<std::uint64_t> by_category_;
  MemoryUse use_;
};

}  // namespace gpusim::run
