// SPDX-License-Identifier: MIT
// Equal sequences stored once, one after the other in one vector, numbered in order of first appearance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/hash.h"

namespace gpusim::trace {

/// T: trivially copyable without padding (hashed and compared as bytes).
template <class T>
class SequenceInterner {
  static_assert(std::has_unique_object_representations_v<T>);

 public:
  /// The number of an equal sequence, new or old.
  std::uint32_t intern(std::span<const T> sequence) {
    const std::size_t slot = slot_of(sequence);
    if (slots_[slot] != kFree) {
      return slots_[slot];
    }
    const std::uint32_t id = size();
    items_.insert(items_.end(), sequence.begin(), sequence.end());
    ends_.push_back(static_cast<std::uint32_t>(items_.size()));
    slots_[slot] = id;
    if (2 * ends_.size() > slots_.size()) {
      grow();
    }
    return id;
  }

  /// The number of an equal sequence, if there is one.
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const T> sequence) const {
    const std::uint32_t id = slots_[slot_of(sequence)];
    return id == kFree ? std::nullopt : std::optional(id);
  }
  [[nodiscard]] bool equal(std::uint32_t id, std::span<const T> sequence) const {
    const std::span<const T> old = at(id);
    return old.size() == sequence.size() &&
           (old.empty() || std::memcmp(old.data(), sequence.data(), sequence.size_bytes()) == 0);
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  [[nodiscard]] std::uint32_t first(std::uint32_t id) const { return id == 0 ? 0 : ends_[id - 1]; }
  [[nodiscard]] std::span<const T> at(std::uint32_t id) const {
    return {items_.data() + first(id), ends_[id] - first(id)};
  }
  [[nodiscard]] std::size_t bytes() const { return items_.size() * sizeof(T); }
  /// All sequences one after the other; the interner is empty afterwards.
  [[nodiscard]] std::vector<T> take() {
    slots_.assign(kFewSlots, kFree);
    slots_.shrink_to_fit();
    ends_ = {};
    return std::exchange(items_, {});
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffU;
  static constexpr std::size_t kFewSlots = 16;

  /// Where the number of an equal sequence stands, or else the free slot where it belongs.
  [[nodiscard]] std::size_t slot_of(std::span<const T> sequence) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t slot = hash_of(sequence) & last;
    while (slots_[slot] != kFree && !equal(slots_[slot], sequence)) {
      slot = (slot + 1) & last;
    }
    return slot;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), kFree);
    for (std::uint32_t id = 0; id < size(); ++id) {
      slots_[slot_of(at(id))] = id;
    }
  }

  static std::uint64_t hash_of(std::span<const T> sequence) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash = mix64(sequence.size() + 1);
    const auto* bytes = reinterpret_cast<const unsigned char*>(sequence.data());
    const std::size_t size = sequence.size_bytes();
    for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, std::min(size - i, sizeof word));
      hash = (hash ^ word) * kOdd;
      hash ^= hash >> 32;
    }
    return mix64(hash);
  }

  std::vector<T> items_;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> slots_ =
      std::vector<std::uint32_t>(kFewSlots, kFree);  ///< numbers, a power of two of slots
};

}  // namespace gpusim::trace
