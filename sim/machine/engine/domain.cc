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
/// counted, then placed where they belong; who sent a message earlier than another gives it first.
class WindowSorter {
 public:
  void begin(const Window& window) {
    start_ = window.start;
    cycles_ = window.end - window.start;
    counted_ = 0;
    kept_.clear();
    if (is_short()) {
      std::fill_n(ends_.begin(), cycles_, 0);
    }
  }
  void count(const msg::Message& message) {
    ++counted_;
    if (is_short()) [[likely]] {
      ++ends_[message.time - start_];
    }
  }
  /// As count(); the message is copied, and will be placed before those that are only counted. Returns true.
  bool keep(const msg::Message& message) {
    count(message);
    kept_.push_back(message);
    return true;
  }
  /// All are counted: from here on they are placed.
  void begin_placing() {
    placed_ = 0;
    if (sorted_.size() < counted_) {
      sorted_.resize(2 * counted_);
    }
    if (is_short()) {
      std::uint32_t begin = 0;
      for (std::size_t i = 0; i < cycles_; ++i) {
        begins_[i] = begin;
        begin += std::exchange(ends_[i], begin);
      }
    }
    for (const msg::Message& message : kept_) {
      place(message);
    }
  }
  void place(const msg::Message& message) {
    if (!is_short()) [[unlikely]] {
      sorted_[placed_++] = message;
      return;
    }
    const std::size_t cycle = message.time - start_;
    std::uint32_t at = ends_[cycle]++;
    // Those of a cycle are nearly in order already, since senders run one after the other: insertion keeps it linear.
    for (; at > begins_[cycle] && message.source < sorted_[at - 1].source; --at) {
      sorted_[at] = sorted_[at - 1];
    }
    sorted_[at] = message;
  }
  /// In order, until the next begin().
  [[nodiscard]] std::span<const msg::Message> sorted() {
    const std::span<msg::Message> all(sorted_.data(), counted_);
    if (!is_short()) {
      std::stable_sort(all.begin(), all.end(), arrives_before);
    }
    return all;
  }

 private:
  /// Cycles of a common window, and more.
  static constexpr std::size_t kMostCycles = 128;

  [[nodiscard]] bool is_short() const { return cycles_ <= kMostCycles; }

  Cycle start_ = 0;
  Cycle cycles_ = 0;
  std::size_t counted_ = 0;
  std::size_t placed_ = 0;
  std::array<std::uint32_t, kMostCycles> begins_{};  ///< of each cycle's messages in sorted_
  std::array<std::uint32_t, kMostCycles> ends_{};    ///< of those placed so far; their number, while they are counted
  std::vector<msg::Message> kept_;
  std::vector<msg::Message> sorted_;
};

}  // namespace

void Domain::open_window(const Window& window, Mailboxes& mailboxes, Mailboxes::Slot* outgoing) {
  thread_local WindowSorter sorter;
  assert(due_.empty());
  outlet_.outgoing_ = outgoing;
  sorter.begin(window);
  first_later_ = kNever;
  const auto is_due = [this, &window](const msg::Message& message) {
    if (message.time < window.end) {
      return true;
    }
    first_later_ = std::min(first_later_, message.time);
    return false;
  };
  std::erase_if(later_, [&](const msg::Message& message) { return is_due(message) && sorter.keep(message); });
  mailboxes.for_each(id(), [&](const msg::Message& message) {
    if (is_due(message)) {
      sorter.count(message);
    } else {
      later_.push_back(message);
    }
  });
  sorter.begin_placing();
  mailboxes.for_each(id(), [&](const msg::Message& message) {
    if (message.time < window.end) {
      sorter.place(message);
    }
  });
  mailboxes.clear(id());
  due_ = sorter.sorted();
  next_message_ = due_.empty() ? first_later_ : due_.front().time;
}

}  // namespace gpusim::engine
