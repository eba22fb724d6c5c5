// SPDX-License-Identifier: MIT
#include "sim/mem/noc/router.h"

#include <algorithm>
#include <memory>
#include <random>
#include <tuple>

#include <catch2/catch.hpp>

#include "sim/engine/engine.h"

#include "tests/support/stand_in.h"

using gpusim::Cycle;
using gpusim::arch::Arch;
using gpusim::mem::noc::GpcRouter;
using gpusim::mem::noc::slice_window;
using gpusim::mem::noc::sm_window;
using gpusim::msg::Kind;
using gpusim::msg::Message;
using gpusim::test::CreditedSender;
using gpusim::test::StandIn;

namespace {

Arch small_arch() {
  Arch arch;
  arch.noc.model = "crossbar";
  arch.noc.gpcs = 1;
  arch.noc.sm_to_gpc_latency = 10;
  arch.noc.gpc_to_l2_latency = 20;
  arch.noc.l2_to_gpc_latency = 30;
  arch.noc.gpc_to_sm_latency = 40;
  arch.noc.sm_request_bytes_per_cycle = 32;
  arch.noc.sm_reply_bytes_per_cycle = 32;
  arch.noc.gpc_request_bytes_per_cycle = 128;
  arch.noc.gpc_reply_bytes_per_cycle = 128;
  arch.noc.slice_request_bytes_per_cycle = 32;
  arch.noc.request_header_bytes = 32;
  arch.l2.tag_latency = 5;
  arch.l2.queue_entries = 8;
  return arch;
}

Message request(std::uint32_t token, std::uint16_t slice, std::uint16_t sm = 0, Kind kind = Kind::kRead) {
  Message m;
  m.kind = kind;
  m.token = token;
  m.slice = slice;
  m.requester = sm;
  m.sectors = 1;
  return m;
}

/// Domains 0 .. sms-1 are senders, then the router, then one partition that owns every slice.
struct Bench {
  Bench(const Arch& config, std::uint32_t sms, std::uint16_t slices, bool slice_answers = true) : arch(config) {
    const auto router_id = sms;
    const auto window = sm_window(arch.noc);
    gpusim::mem::noc::RouterWiring wiring;
    for (std::uint32_t i = 0; i < sms; ++i) {
      senders.push_back(std::make_unique<CreditedSender>(
          i, CreditedSender::Link{router_id, arch.noc.sm_to_gpc_latency, window.places, 4}));
      wiring.sms.push_back({static_cast<std::uint16_t>(i), i});
      domains.push_back(senders.back().get());
    }
    wiring.partition_domain.assign(slices, router_id + 1);
    router = std::make_unique<GpcRouter>(router_id, arch, wiring);
    partition = std::make_unique<StandIn>(router_id + 1,
                                          [this, router_id, slice_answers](StandIn& self, const Message& m, Cycle now) {
                                            if (!slice_answers) {
                                              return;
                                            }
                                            Message reply = m;
                                            reply.kind = m.kind == Kind::kRead ? Kind::kReadReply : Kind::kWriteAck;
                                            self.plan(now, router_id, arch.noc.l2_to_gpc_latency, reply);
                                            Message credit = m;
                                            credit.kind = Kind::kCredit;
                                            credit.count = 1;
                                            if (arch.noc.model != "ideal") {
                                              self.plan(now, router_id, arch.noc.l2_to_gpc_latency, credit);
                                            }
                                          });
    domains.push_back(router.get());
    domains.push_back(partition.get());
  }
  Cycle window() const {
    const auto& n = arch.noc;
    return std::min({n.sm_to_gpc_latency, n.gpc_to_l2_latency, n.l2_to_gpc_latency, n.gpc_to_sm_latency});
  }
  void run(gpusim::engine::EngineOptions options) { gpusim::engine::Engine(domains, options).run(100'000, {}); }
  void run() { run({window(), 1, false}); }

  Arch arch;
  std::vector<std::unique_ptr<CreditedSender>> senders;
  std::unique_ptr<GpcRouter> router;
  std::unique_ptr<StandIn> partition;
  std::vector<gpusim::engine::Domain*> domains;
};

std::vector<std::uint32_t> tokens(const std::vector<Message>& messages) {
  std::vector<std::uint32_t> result;
  for (const Message& m : messages) {
    result.push_back(m.token);
  }
  return result;
}

}  // namespace

TEST_CASE("a lone request reaches its slice after both links' latencies") {
  Bench bench(small_arch(), 1, 1);
  bench.senders[0]->requests = {request(7, 0)};
  bench.run();
  REQUIRE(bench.partition->received.size() == 1);
  CHECK(bench.partition->received[0].time == 10 + 20);
  REQUIRE(bench.senders[0]->received.size() == 1);
  CHECK(bench.senders[0]->received[0].time == 10 + 20 + 30 + 40);
  CHECK(bench.senders[0]->received[0].token == 7);
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
    ++served[bench.partition->received[i].requester];
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
      std::count_if(received.begin(), received.end(), [](const Message& m) { return m.slice == 0; });
  CHECK(to_slice_0 == slice_window(bench.arch.noc, bench.arch.l2).places);
  CHECK(received.size() == static_cast<std::size_t>(to_slice_0) + 1);
  CHECK_FALSE(bench.router->idle());
  CHECK(bench.router->next_event() == gpusim::kNever);
}

TEST_CASE("a window holds the link's round trip, the router's share of the slice's queue, and a lot") {
  Arch arch = small_arch();
  arch.noc.gpcs = 3;
  const auto window = slice_window(arch.noc, arch.l2);
  CHECK(window.lot == 8);
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
  arch.noc.model = "ideal";
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
  std::mt19937 random(seed);
  Arch arch = small_arch();
  arch.noc.gpc_request_bytes_per_cycle = 48;
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
    CHECK(sender->credits + sm_window(arch.noc).lot > sm_window(arch.noc).places);
  }
  CHECK(bench.router->idle());
}

TEST_CASE("the same traffic ends the same for any window and any order of domains") {
  const auto run = [](gpusim::engine::EngineOptions options) {
    std::mt19937 random(5);
    Arch arch = small_arch();
    arch.noc.gpc_request_bytes_per_cycle = 40;
    Bench bench(arch, 4, 3);
    for (std::uint16_t sm = 0; sm < 4; ++sm) {
      for (std::uint32_t i = 0; i < 400; ++i) {
        bench.senders[sm]->requests.push_back(request(i, static_cast<std::uint16_t>(random() % 3), sm));
      }
    }
    bench.run(options);
    std::vector<std::tuple<Cycle, unsigned, unsigned>> trace;
    for (const Message& m : bench.partition->received) {
      trace.emplace_back(m.time, m.requester, m.token);
    }
    return trace;
  };
  const auto expected = run({10, 1, false});
  CHECK(expected.size() == 1600);
  CHECK(run({5, 1, false}) == expected);
  CHECK(run({10, 1, true}) == expected);
  CHECK(run({10, 2, false}) == expected);
}
