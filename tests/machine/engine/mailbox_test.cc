// SPDX-License-Identifier: MIT
#include "sim/machine/engine/mailbox.h"

#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/messages.h"

using namespace gpusim;
using engine::Mailboxes;

namespace {

void put(Mailboxes::Slot& slot, Cycle arrival, std::uint32_t token) {
  slot.put(test::numbered(token), arrival, 0);
}

std::vector<std::uint32_t> take(Mailboxes& mailboxes, std::size_t domain) {
  std::vector<std::uint32_t> tokens;
  mailboxes.for_each(domain, [&](const msg::Message& message) { tokens.push_back(test::token_of(message)); });
  mailboxes.clear(domain);
  return tokens;
}

}  // namespace

TEST_CASE("what is sent in a window can be taken in the next and only there") {
  Mailboxes mailboxes(3, 1);
  put(mailboxes.outgoing(0)[2], 40, 1);
  CHECK(mailboxes.first(2) == kNever);
  CHECK(take(mailboxes, 2).empty());
  mailboxes.swap();
  CHECK(mailboxes.first(2) == 40);
  CHECK(mailboxes.first(1) == kNever);
  put(mailboxes.outgoing(0)[2], 30, 2);
  CHECK(take(mailboxes, 2) == std::vector<std::uint32_t>{1});
  CHECK(take(mailboxes, 2).empty());
  CHECK(mailboxes.first(2) == kNever);
  mailboxes.swap();
  CHECK(take(mailboxes, 2) == std::vector<std::uint32_t>{2});
}

TEST_CASE("a receiver takes from every worker, each worker's messages as they were sent") {
  Mailboxes mailboxes(1, 2);
  put(mailboxes.outgoing(1)[0], 9, 3);
  put(mailboxes.outgoing(0)[0], 12, 1);
  put(mailboxes.outgoing(0)[0], 11, 2);
  mailboxes.swap();
  CHECK(mailboxes.first(0) == 9);
  CHECK(take(mailboxes, 0) == std::vector<std::uint32_t>{1, 2, 3});
}
