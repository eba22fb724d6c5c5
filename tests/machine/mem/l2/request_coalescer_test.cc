// SPDX-License-Identifier: MIT
// Which reads share a reply, and which reply a read gets.
#include "sim/machine/mem/l2/request_coalescer.h"

#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/machine/mem/l2/bench.h"

namespace request_coalescer_test {

using gpusim::Address;
using gpusim::Cycle;
using gpusim::mem::l2::RequestCoalescer;
using gpusim::msg::DomainId;
using gpusim::msg::Kind;
using gpusim::msg::Message;
using How = RequestCoalescer::Joined::How;

namespace {

constexpr std::uint32_t kMostReads = 3;

Message read_of(std::uint32_t token, Address line = 0, std::uint8_t sectors = 0xf) {
  gpusim::msg::SmAccess access;
  access.address = line;
  access.token = token;
  return gpusim::msg::make(Kind::kRead, access, sectors);
}

Message bulk_read_of(std::uint32_t token) {
  Message read = read_of(token);
  read.as<gpusim::msg::L2Access>().is_bulk = 1;
  return read;
}

struct Bench {
  How join(const Message& read, DomainId router, Cycle now = 100) { return coalescer.join(read, router, now).how; }
  /// The tokens of the reads that share the reply to `read`.
  std::vector<std::uint32_t> reply(const Message& read, Cycle leaves = 200) {
    std::vector<std::uint32_t> tokens;
    coalescer.reply(read, leaves, [&tokens](const Message& joined, bool /*is_copy*/) {
      tokens.push_back(gpusim::test::token_of(joined));
    });
    return tokens;
  }
  RequestCoalescer coalescer{kMostReads};
};

}  // namespace

TEST_CASE("reads of a line by other GPCs get the reply to the first, in the order in which they came") {
  Bench bench;
  CHECK(bench.join(read_of(0), 1) == How::kFirst);
  CHECK(bench.join(read_of(1), 3) == How::kWaits);
  CHECK(bench.join(read_of(2), 2) == How::kWaits);
  CHECK(bench.coalescer.waiting() == 2);
  CHECK(bench.reply(read_of(0)) == std::vector<std::uint32_t>{1, 2});
  CHECK(bench.coalescer.waiting() == 0);
}

TEST_CASE("a read joins until the reply has left the slice, and then opens a group of its own") {
  Bench bench;
  CHECK(bench.join(read_of(0), 1, 100) == How::kFirst);
  CHECK(bench.reply(read_of(0), 200).empty());
  const RequestCoalescer::Joined joined = bench.coalescer.join(read_of(1), 2, 199);
  CHECK(joined.how == How::kLeavesAt);
  CHECK(joined.leaves == 200);
  CHECK(bench.join(read_of(2), 3, 200) == How::kFirst);
}

TEST_CASE("reads of the TMA share a reply within a GPC, which passes the GPC's port once") {
  Bench bench;
  CHECK(bench.join(bulk_read_of(0), 1) == How::kFirst);
  CHECK(bench.join(bulk_read_of(1), 1) == How::kWaits);
  CHECK(bench.join(bulk_read_of(2), 2) == How::kWaits);
  std::vector<bool> copies;
  bench.coalescer.reply(bulk_read_of(0), 200,
                        [&copies](const Message& /*joined*/, bool is_copy) { copies.push_back(is_copy); });
  CHECK(copies == std::vector<bool>{true, false});
}

TEST_CASE("a read of the TMA that joins a reply on its way says whether its GPC has one already") {
  Bench bench;
  CHECK(bench.join(bulk_read_of(0), 1) == How::kFirst);
  CHECK(bench.reply(bulk_read_of(0), 200).empty());
  CHECK(bench.coalescer.join(bulk_read_of(1), 2, 150).is_copy == false);
  CHECK(bench.coalescer.join(bulk_read_of(2), 2, 150).is_copy == true);
  CHECK(bench.join(bulk_read_of(3), 2) == How::kFirst);  // the group is full
}

TEST_CASE("a load of a thread does not join another read of its GPC, though that one is the TMA's") {
  Bench bench;
  CHECK(bench.join(bulk_read_of(0), 1) == How::kFirst);
  CHECK(bench.join(read_of(1), 1) == How::kFirst);
  CHECK(bench.join(bulk_read_of(2), 1) == How::kWaits);
}

TEST_CASE("reads of one GPC's threads do not share a reply, but another GPC joins the first of them that it can") {
  Bench bench;
  CHECK(bench.join(read_of(0), 1) == How::kFirst);
  CHECK(bench.join(read_of(1), 1) == How::kFirst);
  CHECK(bench.join(read_of(2), 2) == How::kWaits);
  CHECK(bench.join(read_of(3), 2) == How::kWaits);
  CHECK(bench.reply(read_of(0)) == std::vector<std::uint32_t>{2});
  CHECK(bench.reply(read_of(1)) == std::vector<std::uint32_t>{3});
}

TEST_CASE("a group holds as many reads as the architecture says") {
  Bench bench;
  CHECK(bench.join(read_of(0), 1) == How::kFirst);
  CHECK(bench.join(read_of(1), 2) == How::kWaits);
  CHECK(bench.join(read_of(2), 3) == How::kWaits);
  CHECK(bench.join(read_of(3), 4) == How::kFirst);
}

TEST_CASE("a read joins only where all of its sectors are asked for, of the same line") {
  Bench bench;
  CHECK(bench.join(read_of(0, 0, 0x3), 1) == How::kFirst);
  CHECK(bench.join(read_of(1, 0, 0x2), 2) == How::kWaits);
  CHECK(bench.join(read_of(2, 0, 0x6), 3) == How::kFirst);
  CHECK(bench.join(read_of(3, 128, 0x3), 4) == How::kFirst);
}

TEST_CASE("an SM that asks twice by one token gets two replies, each with the reads that joined it") {
  Bench bench;
  CHECK(bench.join(read_of(0), 1) == How::kFirst);
  CHECK(bench.join(read_of(1), 2) == How::kWaits);
  CHECK(bench.join(read_of(0), 1) == How::kFirst);
  CHECK(bench.join(read_of(2), 2) == How::kWaits);
  CHECK(bench.reply(read_of(0)) == std::vector<std::uint32_t>{1});
  CHECK(bench.reply(read_of(0)) == std::vector<std::uint32_t>{2});
}

TEST_CASE("without the key every read is looked up on its own") {
  CHECK_FALSE(RequestCoalescer(gpusim::arch::L2Config().joined_reads).is_there());
}

}  // namespace request_coalescer_test
