// SPDX-License-Identifier: MIT
// Decoded parts of a file. Those used last are kept, up to so many bytes, over all kernels; what a walker has is found
// again for as long as it has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace gpusim::container {

class PartCache {
 public:
  explicit PartCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// The part at `offset` of the file, always of one type; `decode()` gives it when it is not here. Any thread may ask.
  template <class Part, class Decode>
  [[nodiscard]] std::shared_ptr<const Part> get(std::uint64_t offset, const Decode& decode) {
    const std::lock_guard guard(decoding_);
    std::shared_ptr<const Part> part = std::static_pointer_cast<const Part>(known_[offset].lock());
    if (part == nullptr) {
      part = std::make_shared<const Part>(decode());
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
    while (bytes_ > most_bytes_ && kept_.size() > 1) {
      bytes_ -= kept_.back().bytes;
      place_.erase(kept_.back().offset);
      kept_.pop_back();
    }
  }

  std::size_t most_bytes_;
  std::mutex decoding_;
  std::unordered_map<std::uint64_t, std::weak_ptr<const void>> known_;
  std::list<Kept> kept_;
  std::unordered_map<std::uint64_t, std::list<Kept>::iterator> place_;
  std::size_t bytes_ = 0;
};

}  // namespace gpusim::container
