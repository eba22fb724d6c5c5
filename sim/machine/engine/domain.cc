// SPDX-License-Identifier: MIT
#include "sim/machine/engine/domain.h"

#include <array>

namespace gpusim::engine {
namespace {

bool arrives_before(const msg::Message& a, const msg::Message& b) {
  return a.time != b.time ? a.time < b.time : a.source < b.source;
}

/// One window's messages of one domain, put in order. One a worker thread: while the domains take turns, it stays in
/// the host's cache.
class Sorter {
 public:
  void clear() { found_.clear(); }
  /// Those of one source in the order in which it sent them.
  void add(const msg::Message& message) { found_.push_back(message); }

  /// In the total order, until the next clear().
  [[nodiscard]] std::span<const msg::Message> sorted() {
    const auto [first, last] = std::minmax_element(found_.begin(), found_.end(), is_earlier);
    if (found_.empty() || last->time - first->time >= kBuckets) {
      std::stable_sort(found_.begin(), found_.end(), arrives_before);
      return found_;
    }
    deal(first->time);
    return dealt_;
  }

 private:
  /// Cycles of a common window, and more.
  static constexpr std::size_t kBuckets = 128;

  static bool is_earlier(const msg::Message& a, const msg::Message& b) { return a.time < b.time; }

  /// By cycle of arrival, then by source; those of a cycle are nearly in order already, since senders run one after the
  /// other.
  void deal(Cycle first) {
    std::array<std::uint32_t, kBuckets + 1> begins{};
    for (const msg::Message& message : found_) {
      ++begins[message.time - first + 1];
    }
    for (std::size_t i = 1; i < begins.size(); ++i) {
      begins[i] += begins[i - 1];
    }
    dealt_.resize(found_.size());
    for (const msg::Message& message : found_) {
      dealt_[begins[message.time - first]++] = message;
    }
    // What is left to do is little, within cycles: insertion keeps it linear.
    for (std::size_t i = 1; i < dealt_.size(); ++i) {
      for (std::size_t j = i; j > 0 && arrives_before(dealt_[j], dealt_[j - 1]); --j) {
        std::swap(dealt_[j], dealt_[j - 1]);
      }
    }
  }

  std::vector<msg::Message> found_;
  std::vector<msg::Message> dealt_;
};

}  // namespace

void Domain::open_window(Cycle end, Post& post, Post::Box* outgoing) {
  thread_local Sorter sorter;
  assert(due_.empty());
  outgoing_ = outgoing;
  sorter.clear();
  first_later_ = kNever;
  const auto is_later = [&](const msg::Message& message) {
    if (message.time < end) {
      sorter.add(message);
      return false;
    }
    first_later_ = std::min(first_later_, message.time);
    return true;
  };
  std::erase_if(later_, [&](const msg::Message& message) { return !is_later(message); });
  post.take(id_, [&](const msg::Message& message) {
    if (is_later(message)) {
      later_.push_back(message);
    }
  });
  due_ = sorter.sorted();
  next_message_ = due_.empty() ? first_later_ : due_.front().time;
}

}  // namespace gpusim::engine
