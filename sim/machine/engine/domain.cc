// SPDX-License-Identifier: MIT
#include "sim/machine/engine/domain.h"

#include <utility>

#include "sim/machine/engine/window_sorter.h"

namespace gpusim::engine {

void Domain::open_window(const Window& window, Mailboxes& mailboxes, Mailboxes::Slot* outgoing, WindowSorter& sorter) {
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
