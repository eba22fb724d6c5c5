// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>
#include <tuple>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

#include "tests/machine/mem/noc/router_bench.h"

namespace router_test {

namespace {

using gpusim::Cycle;
using gpusim::arch::Arch;
using gpusim::mem::noc::slice_window;
using gpusim::mem::noc::sm_window;
using gpusim::msg::Kind;
using gpusim::msg::Message;
using gpusim::test::router::Bench;
using gpusim::test::router::request;
using gpusim::test::router::small_arch;
using gpusim::test::router::tokens;

}  // namespace

TEST_CASE("a lone request reaches its slice after both links' latencies") {
  Bench bench(small_arch(), 1, 1);
  bench.senders[0]->requests = {request(7, 0)};
  bench.run();
  REQUIRE(bench.partition->received.size() == 1);
  CHECK(bench.partition->received[0].time == 10 + 20);
  REQUIRE(bench.senders[0]->received.size() == 1);
  CHECK(bench.senders[0]->received[0].time == 10 + 20 + 30 + 40);
  CHECK(bench.senders[0]->received[0].as<gpusim::msg::L2Access>().token == 7);
  CHECK(bench.router->idle());
}

TEST_CASE("requests share the GPC's request port at its bytes a cycle") {
  Arch arch = small_arch();
  arch.noc.gpc_request_bytes_per_cycle = 16;
  Bench bench(arch, 2, 2);
  bench.senders[0]->requests = {request(0, 0, 0)};
  bench.senders[1]->requests = {request(1, 1, 1)};
  bench.run();
  REQUIRE(bench.partition->received.size() == 2);
  CHECK(bench.partition->received[0].time == 30);
  CHECK(bench.partition->received[1].time == 32);
}

TEST_CASE("a write's data occupies the request port as well as its header") {
  Arch arch = small_arch();
  arch.noc.gpc_request_bytes_per_cycle = 32;
  Bench bench(arch, 1, 1);
  bench.senders[0]->requests = {request(0, 0, 0, Kind::kWrite), request(1, 0)};
  bench.run();
  REQUIRE(bench.partition->received.size() == 2);
  CHECK(bench.partition->received[1].time == bench.partition->received[0].time + 2);
}

TEST_CASE("replies pass the GPC's port and then their SM's") {
  Arch arch = small_arch();
  arch.noc.gpc_reply_bytes_per_cycle = 64;
  arch.noc.sm_reply_bytes_per_cycle = 16;
  Bench bench(arch, 1, 2);
  bench.senders[0]->requests = {request(0, 0), request(1, 1)};
  bench.run();
  REQUIRE(bench.senders[0]->received.size() == 2);
  CHECK(bench.senders[0]->received[0].time == 100);
  // One header and one sector at 16 bytes a cycle behind the first.
  CHECK(bench.senders[0]->received[1].time == 104);
}

TEST_CASE("a reply that two SMs share passes the GPC's port once, and each SM's own port") {
  Arch arch = small_arch();
  arch.noc.gpc_reply_bytes_per_cycle = 1;
  Bench bench(arch, 3, 1);
  Message shared = request(1, 0, 1);
  shared.as<gpusim::msg::L2Access>().is_bulk = 1;
  bench.senders[0]->requests = {request(0, 0, 0)};
  bench.senders[1]->requests = {shared};
  bench.senders[2]->requests = {request(2, 0, 2)};
  bench.run();
  REQUIRE(bench.senders[1]->received.size() == 1);
  CHECK(bench.senders[1]->received[0].kind() == Kind::kReadReply);
  CHECK(bench.senders[1]->received[0].time == bench.senders[0]->received.at(0).time);
  // A header and a sector, 64 bytes, once for both.
  CHECK(bench.senders[2]->received.at(0).time == bench.senders[0]->received.at(0).time + 64);
  const auto counters = bench.router->noc_counters(1000);
  CHECK(counters.gpc_reply_bytes == 2 * 64);
  CHECK(counters.shared_reply_bytes == 64);
  CHECK(counters.sm_reply_bytes == 3 * 64);
}

TEST_CASE("a busy SM's replies do not hold up another SM's") {
  Arch arch = small_arch();
  arch.noc.sm_reply_bytes_per_cycle = 1;
  Bench bench(arch, 2, 1);
  for (std::uint32_t i = 0; i < 4; ++i) {
    bench.senders[0]->requests.push_back(request(i, 0, 0));
  }
  bench.senders[1]->requests = {request(9, 0, 1)};
  bench.run();
  REQUIRE(bench.senders[1]->received.size() == 1);
  CHECK(bench.senders[1]->received[0].time < 110);
  CHECK(bench.senders[0]->received.back().time >= 100 + 3 * 64);
}

TEST_CASE("an SM that streams keeps its port's rate through an empty network of any latency") {
  const auto latency = GENERATE(8U, 33U, 100U, 511U);
  Arch arch = small_arch();
  arch.noc.sm_to_gpc_latency = latency;
  arch.noc.gpc_to_l2_latency = latency + 3;
  arch.noc.l2_to_gpc_latency = latency + 1;
  arch.noc.gpc_to_sm_latency = latency + 7;
  arch.noc.gpc_request_bytes_per_cycle = 32;
  Bench bench(arch, 1, 1);
  constexpr std::uint32_t kRequests = 4000;
  for (std::uint32_t i = 0; i < kRequests; ++i) {
    bench.senders[0]->requests.push_back(request(i, 0));
  }
  bench.run();
  REQUIRE(bench.partition->received.size() == kRequests);
  CHECK(bench.partition->received.back().time - bench.partition->received.front().time == kRequests - 1);
  CHECK(bench.router->idle());
}

TEST_CASE("SMs that compete for the request port take turns") {
  Arch arch = small_arch();
  arch.noc.gpc_request_bytes_per_cycle = 32;
  Bench bench(arch, 5, 7);
  for (std::uint16_t sm = 0; sm < 5; ++sm) {
    for (std::uint32_t i = 0; i < 200; ++i) {
      bench.senders[sm]->requests.push_back(request(i, static_cast<std::uint16_t>((i + sm) % 7), sm));
    }
  }
  bench.run();
  std::vector<int> served(5, 0);
  for (std::size_t i = 0; i < 500; ++i) {
    ++served[gpusim::test::requester_of(bench.partition->received[i])];
  }
  for (const int count : served) {
    CHECK(count >= 95);
    CHECK(count <= 105);
  }
}

TEST_CASE("a router sends a slice no more than its window ahead, and other slices still get theirs") {
  Bench bench(small_arch(), 2, 2, false);
  for (std::uint32_t i = 0; i < 500; ++i) {
    bench.senders[0]->requests.push_back(request(i, 0, 0));
  }
  bench.senders[1]->requests = {request(1000, 1, 1)};
  bench.run();
  const auto& received = bench.partition->received;
  const auto to_slice_0 =
      std::count_if(received.begin(), received.end(), [](const Message& m) { return gpusim::test::l2(m).slice == 0; });
  CHECK(to_slice_0 == slice_window(bench.arch.noc, bench.arch.l2).places);
  CHECK(received.size() == static_cast<std::size_t>(to_slice_0) + 1);
  CHECK_FALSE(bench.router->idle());
  CHECK(bench.router->next_event() == gpusim::kNever);
}

TEST_CASE("a window holds the link's round trip, the router's share of the slice's queue, and a batch") {
  Arch arch = small_arch();
  arch.noc.gpcs = 3;
  const auto window = slice_window(arch.noc, arch.l2);
  CHECK(window.batch == 8);
  CHECK(window.places == (20 + 5 + 30) + 8 + 3);
}

TEST_CASE("a window without headers is one of single bytes, and the widest link's is not lost in an overflow") {
  Arch arch = small_arch();
  arch.noc.request_header_bytes = 0;
  CHECK(slice_window(arch.noc, arch.l2).places >= 20 + 5 + 30);
  arch.noc.sm_request_bytes_per_cycle = 65536;
  arch.noc.gpc_request_bytes_per_cycle = 65536;
  arch.noc.sm_to_gpc_latency = 100'000;
  CHECK(sm_window(arch.noc).places >= 1U << 24);
}

TEST_CASE("an ideal network has latency but neither ports nor credits") {
  Arch arch = small_arch();
  arch.noc.model = gpusim::arch::NocModel::kIdeal;
  Bench bench(arch, 1, 1);
  for (std::uint32_t i = 0; i < 4; ++i) {
    bench.senders[0]->requests.push_back(request(i, 0));
  }
  bench.run();
  REQUIRE(bench.senders[0]->received.size() == 4);
  CHECK(bench.senders[0]->received.back().time == 100);
  CHECK(bench.router->idle());
}

TEST_CASE("under random traffic no message is lost, doubled or late in its SM's order") {
  const auto seed = GENERATE(1U, 2U, 3U, 4U);
  const auto tpc_port = GENERATE(0U, 24U, 100U);
  std::mt19937 random(seed);
  Arch arch = small_arch();
  arch.sm.count = 6;
  arch.noc.gpc_request_bytes_per_cycle = 48;
  arch.noc.tpc_request_bytes_per_cycle = tpc_port;
  arch.noc.tpc_reply_bytes_per_cycle = tpc_port;
  Bench bench(arch, 6, 5);
  for (std::uint16_t sm = 0; sm < 6; ++sm) {
    for (std::uint32_t i = 0; i < 300 + random() % 200; ++i) {
      bench.senders[sm]->requests.push_back(
          request(i, static_cast<std::uint16_t>(random() % 5), sm, random() % 3 == 0 ? Kind::kWrite : Kind::kRead));
    }
  }
  bench.run();
  for (const auto& sender : bench.senders) {
    CHECK(sender->all_sent());
    CHECK(tokens(sender->received) == tokens(sender->requests));
    CHECK(sender->credits + sm_window(arch.noc).batch > sm_window(arch.noc).places);
  }
  CHECK(bench.router->idle());
}

TEST_CASE("the same traffic ends the same for any window and any order of domains") {
  const auto run = [](gpusim::engine::EngineOptions options) {
    std::mt19937 random(5);
    Arch arch = small_arch();
    arch.sm.count = 4;
    arch.noc.gpc_request_bytes_per_cycle = 40;
    arch.noc.tpc_request_bytes_per_cycle = 24;
    Bench bench(arch, 4, 3);
    for (std::uint16_t sm = 0; sm < 4; ++sm) {
      for (std::uint32_t i = 0; i < 400; ++i) {
        bench.senders[sm]->requests.push_back(request(i, static_cast<std::uint16_t>(random() % 3), sm));
      }
    }
    bench.run(options);
    std::vector<std::tuple<Cycle, unsigned, unsigned>> trace;
    for (const Message& m : bench.partition->received) {
      trace.emplace_back(m.time, gpusim::test::requester_of(m), gpusim::test::token_of(m));
    }
    return trace;
  };
  const auto expected = run({10, 1, false});
  CHECK(expected.size() == 1600);
  CHECK(run({5, 1, false}) == expected);
  CHECK(run({10, 1, true}) == expected);
  CHECK(run({10, 2, false}) == expected);
}

}  // namespace router_test
