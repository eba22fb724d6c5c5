// SPDX-License-Identifier: MIT
// Decoded parts of a file. Those used last are kept, up to so many bytes, over all kernels; what a walker has is found
// again for as long as it has it, and counts against what may be in memory at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace gpusim::container {

/// In bytes.
struct PartLimits {
  std::size_t kept = 0;     ///< parts that nobody need have
  std::size_t present = 0;  ///< all parts
};

class PartCache {
 public:
  explicit PartCache(const PartLimits& limits) : limits_(limits) {}

  /// The part at `offset` of the file, always of one type; `decode()` gives it when it is not here, and
  /// `refuse(most)`, which throws, is asked when all parts together then take too much. Any thread may ask.
  template <class Part, class Decode, class Refuse>
  [[nodiscard]] std::shared_ptr<const Part> get(std::uint64_t offset, const Decode& decode, const Refuse& refuse) {
    const std::lock_guard guard(decoding_);
    std::shared_ptr<const Part> part = std::static_pointer_cast<const Part>(known_[offset].lock());
    if (part == nullptr) {
      part = counted(std::make_unique<const Part>(decode()));
      if (*present_ > limits_.present) {
        refuse(limits_.present);
      }
      known_[offset] = part;
    }
    keep(offset, part, part->bytes());
    return part;
  }

 private:
  struct Kept {
    std::uint64_t offset = 0;
    std::shared_ptr<const void> part;
    std::size_t bytes = 0;
  };

  template <class Part>
  [[nodiscard]] std::shared_ptr<const Part> counted(std::unique_ptr<const Part> part) const {
    const std::size_t bytes = part->bytes();
    *present_ += bytes;
    return {part.release(), [present = present_, bytes](const Part* gone) {
              delete gone;
              *present -= bytes;
            }};
  }

  /// The last used comes first; that one stays whatever its size.
  void keep(std::uint64_t offset, std::shared_ptr<const void> part, std::size_t bytes) {
    const auto found = place_.find(offset);
    if (found != place_.end()) {
      kept_.splice(kept_.begin(), kept_, found->second);
      return;
    }
    kept_.push_front({offset, std::move(part), bytes});
    place_[offset] = kept_.begin();
    bytes_ += bytes;
    while (bytes_ > limits_.kept && kept_.size() > 1) {
      bytes_ -= kept_.back().bytes;
      place_.erase(kept_.back().offset);
      kept_.pop_back();
    }
  }

  PartLimits limits_;
  std::mutex decoding_;
  std::unordered_map<std::uint64_t, std::weak_ptr<const void>> known_;
  std::list<Kept> kept_;
  std::unordered_map<std::uint64_t, std::list<Kept>::iterator> place_;
  std::size_t bytes_ = 0;  ///< size of what is kept
  /// Bytes of all parts that somebody has. Walkers may outlive the cache.
  std::shared_ptr<std::atomic<std::size_t>> present_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace gpusim::container
