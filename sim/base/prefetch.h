// SPDX-License-Identifier: MIT
// For the host's speed alone. The machine is larger than the host's caches and its parts take turns, so each finds its
// state gone; one that knows what it will touch fetches all of it at once instead of waiting for line after line.
#pragma once

#include <cstddef>
#include <vector>

namespace gpusim {

/// The size of a line in the host's caches. A wrong number costs time and nothing else.
inline constexpr std::size_t kHostLineBytes = 64;

/// Begins to fetch `bytes` from `first` on, for reading and writing.
inline void prefetch(const void* first, std::size_t bytes) {
  const auto* at = static_cast<const char*>(first);
  const char* const end = at + bytes;
  for (; at + 3 * kHostLineBytes < end; at += 4 * kHostLineBytes) {
    __builtin_prefetch(at, 1);
    __builtin_prefetch(at + kHostLineBytes, 1);
    __builtin_prefetch(at + 2 * kHostLineBytes, 1);
    __builtin_prefetch(at + 3 * kHostLineBytes, 1);
  }
  for (; at < end; at += kHostLineBytes) {
    __builtin_prefetch(at, 1);
  }
}

template <class Item>
void prefetch(const std::vector<Item>& items) {
  prefetch(items.data(), items.size() * sizeof(Item));
}

}  // namespace gpusim
