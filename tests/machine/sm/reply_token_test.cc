// SPDX-License-Identifier: MIT
// What an SM's requests are remembered by.
#include "sim/machine/sm/memory/reply_token.h"

#include <array>

#include <catch2/catch.hpp>

using gpusim::sm::ReplyToken;
using Kind = ReplyToken::Kind;

TEST_CASE("a reply's token gives back its kind and its number, whatever the number") {
  for (const std::uint32_t index : {0U, 1U, 0xffffU, 0x10000U, 0x3ffffffeU}) {
    CAPTURE(index);
    const std::array tokens{ReplyToken::mshr(index), ReplyToken::tma(index), ReplyToken::atomic(index)};
    const std::array kinds{Kind::kMshr, Kind::kTma, Kind::kAtomic};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const ReplyToken back(tokens[i].bits());
      CHECK(back.kind() == kinds[i]);
      CHECK(back.index() == index);
      CHECK(back == tokens[i]);
    }
  }
}

TEST_CASE("a write's token names the warp and its tenant, and no warp's is a write-back's") {
  const ReplyToken token = ReplyToken::write(47, ReplyToken::kMostTenant);
  CHECK(token.kind() == Kind::kWrite);
  CHECK(token.warp() == 47);
  CHECK(token != ReplyToken::write(47, 0));
  CHECK(token != ReplyToken::write_back());
  CHECK(ReplyToken::write_back().kind() == Kind::kWrite);
}
