// SPDX-License-Identifier: MIT
#include "sim/machine/engine/post.h"

#include <vector>

#include <catch2/catch.hpp>

using namespace gpusim;
using engine::Post;

namespace {

msg::Message message_at(Cycle time, std::uint32_t token) {
  msg::Message message;
  message.time = time;
  message.token = token;
  return message;
}

std::vector<std::uint32_t> take(Post& post, std::size_t domain) {
  std::vector<std::uint32_t> tokens;
  post.take(domain, [&](const msg::Message& message) { tokens.push_back(message.token); });
  return tokens;
}

}  // namespace

TEST_CASE("what is sent in a window can be taken in the next and only there") {
  Post post(3, 1);
  post.outgoing(0)[2].put(message_at(40, 1));
  CHECK(post.first(2) == kNever);
  CHECK(take(post, 2).empty());
  post.turn();
  CHECK(post.first(2) == 40);
  CHECK(post.first(1) == kNever);
  post.outgoing(0)[2].put(message_at(30, 2));
  CHECK(take(post, 2) == std::vector<std::uint32_t>{1});
  CHECK(take(post, 2).empty());
  CHECK(post.first(2) == kNever);
  post.turn();
  CHECK(take(post, 2) == std::vector<std::uint32_t>{2});
}

TEST_CASE("a receiver takes from every worker, each worker's messages as they were sent") {
  Post post(1, 2);
  post.outgoing(1)[0].put(message_at(9, 3));
  post.outgoing(0)[0].put(message_at(12, 1));
  post.outgoing(0)[0].put(message_at(11, 2));
  post.turn();
  CHECK(post.first(0) == 9);
  CHECK(take(post, 0) == std::vector<std::uint32_t>{1, 2, 3});
}
