// SPDX-License-Identifier: MIT
// Equal sequences stored once, one after the other in one vector, numbered in order of first appearance.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <unordered_map>
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
    const std::uint64_t hash = hash_of(sequence);
    if (const std::optional<std::uint32_t> known = find(sequence, hash)) {
      return *known;
    }
    const std::uint32_t id = size();
    items_.insert(items_.end(), sequence.begin(), sequence.end());
    ends_.push_back(static_cast<std::uint32_t>(items_.size()));
    ids_.emplace(hash, id);
    return id;
  }

  /// The number of an equal sequence, if there is one.
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const T> sequence) const {
    return find(sequence, hash_of(sequence));
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
    ids_.clear();
    ends_.clear();
    return std::exchange(items_, {});
  }

 private:
  [[nodiscard]] std::optional<std::uint32_t> find(std::span<const T> sequence, std::uint64_t hash) const {
    const auto [begin, end] = ids_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
      if (equal(it->second, sequence)) {
        return it->second;
      }
    }
    return std::nullopt;
  }

  static std::uint64_t hash_of(std::span<const T> sequence) {
    std::uint64_t hash = mix64(sequence.size() + 1);
    const auto* bytes = reinterpret_cast<const unsigned char*>(sequence.data());
    const std::size_t size = sequence.size_bytes();
    for (std::size_t i = 0; i < size; i += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes + i, size - i < sizeof word ? size - i : sizeof word);
      hash = mix64(hash ^ word) + i;
    }
    return hash;
  }

  std::vector<T> items_;
  std::vector<std::uint32_t> ends_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> ids_;
};

}  // namespace gpusim::trace
