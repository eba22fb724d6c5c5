// SPDX-License-Identifier: MIT
#include <algorithm>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"

#include "tests/machine/mem/noc/router_bench.h"

namespace tpc_port_test {

namespace {

using gpusim::arch::Arch;
using gpusim::msg::Kind;
using gpusim::test::router::Bench;
using gpusim::test::router::request;

/// Four SMs, so two TPCs; headers and sectors are 32 bytes, and no other port is in the way.
Arch arch_of_tpcs(std::uint32_t request_bytes_per_cycle, std::uint32_t reply_bytes_per_cycle) {
  Arch arch = gpusim::test::router::small_arch();
  arch.sm.count = 4;
  arch.noc.gpc_request_bytes_per_cycle = 65536;
  arch.noc.gpc_reply_bytes_per_cycle = 65536;
  arch.noc.sm_reply_bytes_per_cycle = 65536;
  arch.noc.tpc_request_bytes_per_cycle = request_bytes_per_cycle;
  arch.noc.tpc_reply_bytes_per_cycle = reply_bytes_per_cycle;
  return arch;
}

/// When the partition has the first request of each SM; each sends one at the same time.
std::vector<gpusim::Cycle> times_at_slice(const Arch& arch, Kind kind) {
  Bench bench(arch, 4, 4);
  for (std::uint16_t sm = 0; sm < 4; ++sm) {
    bench.senders[sm]->requests = {request(0, sm, sm, kind)};
  }
  bench.run();
  std::vector<gpusim::Cycle> times(4);
  for (const auto& message : bench.partition->received) {
    times[gpusim::test::requester_of(message)] = message.time;
  }
  CHECK(bench.router->idle());
  return times;
}

}  // namespace

TEST_CASE("two SMs of a TPC share its request port, and other TPCs do not wait for them") {
  // A header and a sector are 64 bytes: SM 1 waits for two cycles, and so does SM 3 in the other TPC.
  CHECK(times_at_slice(arch_of_tpcs(32, 0), Kind::kWrite) == std::vector<gpusim::Cycle>{30, 32, 30, 32});
  CHECK(times_at_slice(arch_of_tpcs(32, 0), Kind::kRead) == std::vector<gpusim::Cycle>{30, 31, 30, 31});
}

TEST_CASE("a TPC without a port of its own holds nobody up") {
  CHECK(times_at_slice(arch_of_tpcs(0, 0), Kind::kWrite) == std::vector<gpusim::Cycle>(4, 30));
}

TEST_CASE("replies to two SMs of a TPC share its reply port, and those to other TPCs pass") {
  Bench bench(arch_of_tpcs(0, 16), 4, 4);
  for (std::uint16_t sm = 0; sm < 4; ++sm) {
    bench.senders[sm]->requests = {request(0, sm, sm)};
  }
  bench.run();
  const auto time_at = [&](std::size_t sm) { return bench.senders[sm]->received.at(0).time; };
  CHECK(time_at(0) == 100);
  CHECK(time_at(1) == 104);  // a header and a sector at 16 bytes a cycle behind the first
  CHECK(time_at(2) == 100);
  CHECK(time_at(3) == 104);
}

TEST_CASE("the SMs of a TPC take turns at its request port, whichever of them has more to send") {
  Bench bench(arch_of_tpcs(32, 0), 4, 4);
  for (std::uint32_t i = 0; i < 100; ++i) {
    bench.senders[0]->requests.push_back(request(i, static_cast<std::uint16_t>(i % 4), 0, Kind::kWrite));
  }
  for (std::uint32_t i = 0; i < 20; ++i) {
    bench.senders[1]->requests.push_back(request(i, static_cast<std::uint16_t>(i % 4), 1, Kind::kWrite));
  }
  bench.run();
  const auto& received = bench.partition->received;
  REQUIRE(received.size() == 120);
  std::size_t of_second = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    of_second += gpusim::test::requester_of(received[i]);
  }
  CHECK(of_second >= 19);
  CHECK(of_second <= 20);
  CHECK(received.back().time - received.front().time == 2 * 119);
  CHECK(bench.router->idle());
}

TEST_CASE("an SM that sends as fast as the TPC's port takes does not keep its neighbour from it") {
  Bench bench(arch_of_tpcs(32, 0), 4, 4, true, 1);
  for (std::uint32_t i = 0; i < 500; ++i) {
    bench.senders[0]->requests.push_back(request(i, static_cast<std::uint16_t>(i % 4), 0));
  }
  bench.senders[1]->requests = {request(0, 0, 1)};
  bench.run();
  const auto& received = bench.partition->received;
  const auto of_second = std::find_if(received.begin(), received.end(),
                                      [](const auto& message) { return gpusim::test::requester_of(message) == 1; });
  REQUIRE(of_second != received.end());
  CHECK(of_second->time == 31);
}

TEST_CASE("SMs of a machine that has no whole TPCs for all GPCs have ports of their own") {
  Arch arch = arch_of_tpcs(32, 0);
  arch.noc.gpcs = 3;
  CHECK(times_at_slice(arch, Kind::kWrite) == std::vector<gpusim::Cycle>(4, 30));
}

}  // namespace tpc_port_test
