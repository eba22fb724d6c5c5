// SPDX-License-Identifier: MIT
// A window of time, and the messages that a domain hears in it, in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/msg/message.h"

namespace gpusim::engine {

/// Cycles start .. end - 1, in which no domain hears of what others do.
struct Window {
  Cycle start = 0;
  Cycle end = 0;
};

/// One window's messages of one domain, put in order: by cycle of arrival, then by source, those of one source as it
/// sent them. One a worker thread: while the domains take turns, it stays in the host's cache. The engine owns them,
/// and not the threads: glibc ends the program where it has no memory for the destructor of a thread's own variable.
/// Messages are first counted, then placed where they belong; a source gives its messages in the order in which it sent
/// them.
class WindowSorter {
 public:
  /// Cycles of a common window, and more.
  static constexpr std::size_t kMostCycles = 128;

  /// Sorts a window of at most kMostCycles. `for_each(due, late)` calls due(message) for all messages that are due, and
  /// late(message) for the others; `keep(message)` is called once for each of the others.
  template <class ForEach, class Keep>
  [[nodiscard]] std::span<const msg::Message> sort(const Window& window, ForEach&& for_each, Keep&& keep) {
    const Cycle start = window.start;
    const auto cycles = static_cast<std::size_t>(window.end - start);
    std::uint32_t* const ends = ends_.data();
    std::fill_n(ends, cycles, 0);
    std::fill_n(latest_.data(), cycles, std::uint16_t{0});
    for_each([ends, start](const msg::Message& message) { ++ends[message.time - start]; }, keep);
    const std::uint32_t counted = begin_placing(cycles);
    msg::Message* const sorted = sorted_.data();
    std::uint16_t* const latest = latest_.data();
    const auto place = [this, ends, latest, sorted, start](const msg::Message& message) {
      const std::size_t cycle = message.time - start;
      // Those of a cycle are nearly in order already, since senders run one after the other.
      if (message.source < latest[cycle]) [[unlikely]] {
        insert(message, cycle);
        return;
      }
      latest[cycle] = message.source;
      sorted[ends[cycle]++] = message;
    };
    for_each(place, [](const msg::Message& /*kept*/) {});
    return {sorted, counted};
  }
  /// Sorts a window of any length.
  template <class ForEach, class Keep>
  [[nodiscard]] std::span<const msg::Message> sort_long(ForEach&& for_each, Keep&& keep) {
    sorted_.clear();
    for_each([this](const msg::Message& message) { sorted_.push_back(message); }, keep);
    std::stable_sort(sorted_.begin(), sorted_.end(), arrives_before);
    return sorted_;
  }

  /// For the messages that came before and are due now, until they are sorted.
  [[nodiscard]] std::vector<msg::Message>& kept() { return kept_; }

 private:
  static bool arrives_before(const msg::Message& a, const msg::Message& b) {
    return a.time != b.time ? a.time < b.time : a.source < b.source;
  }

  /// Moves those of its cycle that come after it; few, so that sorting stays linear.
  [[gnu::noinline]] void insert(const msg::Message& message, std::size_t cycle) {
    std::uint32_t at = ends_[cycle]++;
    for (; at > begins_[cycle] && message.source < sorted_[at - 1].source; --at) {
      sorted_[at] = sorted_[at - 1];
    }
    sorted_[at] = message;
  }

  /// What has been counted becomes the place of each cycle's first message. Returns how many there are.
  std::uint32_t begin_placing(std::size_t cycles) {
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < cycles; ++i) {
      begins_[i] = begin;
      begin += std::exchange(ends_[i], begin);
    }
    if (sorted_.size() < begin) {
      sorted_.resize(2 * std::size_t{begin});
    }
    return begin;
  }

  std::array<std::uint32_t, kMostCycles> begins_{};  ///< by cycle: its first message in sorted_
  std::array<std::uint32_t, kMostCycles> ends_{};  ///< end of those placed so far; their number while they are counted
  std::array<std::uint16_t, kMostCycles> latest_{};  ///< by cycle: the source of the last of those placed
  std::vector<msg::Message> kept_;
  std::vector<msg::Message> sorted_;
};

}  // namespace gpusim::engine
