// SPDX-License-Identifier: MIT
#include "sim/machine/engine/domain.h"

#include <array>
#include <utility>

namespace gpusim::engine {
namespace {

bool arrives_before(const msg::Message& a, const msg::Message& b) {
  return a.time != b.time ? a.time < b.time : a.source < b.source;
}

/// One window's messages of one domain, put in order: by cycle of arrival, then by source, those of one source as it
/// sent them. One a worker thread: while the domains take turns, it stays in the host's cache. Messages are first
/// counted, then placed where they belong; a source gives its messages in the order in which it sent them.
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
    for_each([ends, start](const msg::Message& message) { ++ends[message.time - start]; }, keep);
    const std::uint32_t counted = begin_placing(cycles);
    msg::Message* const sorted = sorted_.data();
    const std::uint32_t* const begins = begins_.data();
    const auto place = [ends, begins, sorted, start](const msg::Message& message) {
      const std::size_t cycle = message.time - start;
      std::uint32_t at = ends[cycle]++;
      // Those of a cycle are nearly in order already, since senders run one after the other: insertion keeps it linear.
      for (; at > begins[cycle] && message.source < sorted[at - 1].source; --at) {
        sorted[at] = sorted[at - 1];
      }
      sorted[at] = message;
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
  std::vector<msg::Message> kept_;
  std::vector<msg::Message> sorted_;
};

}  // namespace

void Domain::open_window(const Window& window, Mailboxes& mailboxes, Mailboxes::Slot* outgoing) {
  thread_local WindowSorter sorter;
  assert(due_.empty());
  outlet_.outgoing_ = outgoing;
  std::vector<msg::Message>& kept = sorter.kept();
  take_kept(window.end, kept);
  const auto for_each = [&, end = window.end](auto&& due, auto&& late) {
    for (const msg::Message& message : kept) {
      due(message);
    }
    mailboxes.for_each(id(), [&](const msg::Message& message) {
      if (message.time < end) [[likely]] {
        due(message);
      } else {
        late(message);
      }
    });
  };
  const auto keep = [this](const msg::Message& message) { this->keep(message); };
  due_ = window.end - window.start <= WindowSorter::kMostCycles ? sorter.sort(window, for_each, keep)
                                                                : sorter.sort_long(for_each, keep);
  mailboxes.clear(id());
  next_message_ = due_.empty() ? first_later_ : due_.front().time;
}

/// Moves those that arrive before `end` to `due`.
void Domain::take_kept(Cycle end, std::vector<msg::Message>& due) {
  due.clear();
  first_later_ = kNever;
  std::erase_if(later_, [this, end, &due](const msg::Message& message) {
    if (message.time < end) {
      due.push_back(message);
      return true;
    }
    first_later_ = std::min(first_later_, message.time);
    return false;
  });
}

void Domain::keep(const msg::Message& message) {
  later_.push_back(message);
  first_later_ = std::min(first_later_, message.time);
}

}  // namespace gpusim::engine
