// SPDX-License-Identifier: MIT
#include "sim/system/memory/replay.h"

namespace gpusim::memory {
namespace {

class Player {
 public:
  Player(const Tape& tape, std::uint64_t driver_bytes)
      : tape_(tape), allocator_(driver_bytes), blocks_(tape.tensors().size()) {}

  Replay play() {
    for (const Event& event : tape_.events()) {
      if (event.kind == Event::Kind::kMake && !make(event)) {
        break;
      }
      if (event.kind == Event::Kind::kGiveUp) {
        give_up(event.tensor);
      } else if (event.kind == Event::Kind::kMilestone) {
        result_.milestones.push_back(now(event));
      }
    }
    result_.stats = allocator_.stats();
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::uint64_t& share_of(TensorId tensor) {
    return shares_[static_cast<std::size_t>(tape_.tensors()[tensor].category)];
  }
  [[nodiscard]] Moment now(const Event& event) const {
    return {tape_.operations()[event.operation], allocator_.stats().allocated, allocator_.stats().reserved, shares_};
  }

  bool make(const Event& event) {
    const std::uint64_t bytes = tape_.tensors()[event.tensor].bytes;
    const std::optional<CachingAllocator::Block> block =
        allocator_.allocate(bytes, tape_.tensors()[event.tensor].stream);
    if (!block) {
      result_.out_of_memory = OutOfMemory{now(event), bytes, allocator_.driver_free()};
      return false;
    }
    blocks_[event.tensor] = *block;
    share_of(event.tensor) += allocator_.size_of(*block);
    if (allocator_.stats().allocated > result_.peak.allocated) {
      result_.peak = now(event);
    }
    return true;
  }

  void give_up(TensorId tensor) {
    share_of(tensor) -= allocator_.size_of(blocks_[tensor]);
    allocator_.free(blocks_[tensor]);
  }

  const Tape& tape_;
  CachingAllocator allocator_;
  std::vector<CachingAllocator::Block> blocks_;
  Shares shares_{};
  Replay result_;
};

}  // namespace

Replay replay(const Tape& tape, std::uint64_t driver_bytes) {
  return Player(tape, driver_bytes).play();
}

}  // namespace gpusim::memory
