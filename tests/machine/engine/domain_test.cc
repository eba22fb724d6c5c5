// SPDX-License-Identifier: MIT
// A window's messages are sorted by a short path where the window is short, and by a general one where it is not.
#include "sim/machine/engine/domain.h"

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/machine/engine/mailbox.h"
#include "sim/machine/engine/window_sorter.h"

#include "tests/support/messages.h"

using namespace gpusim;
using engine::Mailboxes;

namespace {

/// Writes down what comes.
class Listener final : public engine::Domain {
 public:
  Listener() : Domain(0) {}
  void run_until(Cycle end) override {
    for (Cycle now = next_event(); now < end; now = next_event()) {
      receive(now, [this, now](const msg::Message& m) { heard.emplace_back(now, m.source, test::token_of(m)); });
    }
  }
  [[nodiscard]] Cycle next_event() const override { return next_message(); }

  std::vector<std::tuple<Cycle, std::uint16_t, std::uint32_t>> heard;
};

constexpr Cycle kFirst = 100;
constexpr Cycle kCycles = 1000;

/// Several messages a cycle from senders that run in any order, each of which numbers its own.
void send_all(Mailboxes& mailboxes, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (std::uint32_t number = 0; number < 4 * kCycles; ++number) {
    mailboxes.outgoing(0)[0].put(test::numbered(number), kFirst + random() % kCycles,
                                 static_cast<std::uint16_t>(random() % 7));
  }
  mailboxes.swap();
}

std::vector<std::tuple<Cycle, std::uint16_t, std::uint32_t>> heard_in_windows_of(Cycle window, std::uint32_t seed) {
  Mailboxes mailboxes(1, 1);
  send_all(mailboxes, seed);
  Listener listener;
  engine::WindowSorter sorter;
  for (Cycle start = kFirst; start < kFirst + kCycles; start += window) {
    listener.open_window({start, start + window}, mailboxes, mailboxes.outgoing(0), sorter);
    listener.run_until(start + window);
  }
  CHECK(listener.next_event() == kNever);
  return listener.heard;
}

}  // namespace

TEST_CASE("messages are heard by cycle, then by sender, then as they were sent, whatever the size of the windows") {
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const auto at_once = heard_in_windows_of(kCycles, seed);
    REQUIRE(at_once.size() == 4 * kCycles);
    CHECK(std::is_sorted(at_once.begin(), at_once.end()));
    for (const Cycle window : {Cycle{1}, Cycle{8}, Cycle{50}, Cycle{128}, Cycle{129}}) {
      CHECK(heard_in_windows_of(window, seed) == at_once);
    }
  }
}
