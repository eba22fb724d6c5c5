// SPDX-License-Identifier: MIT
// Routes of shipped systems, and what copies on them share.
#include "sim/system/route/fabric.h"

#include <catch2/catch.hpp>

#include "tests/system/config/samples.h"

namespace fabric_test {

using namespace gpusim;
using namespace gpusim::system;
using namespace gpusim::system::test;
using Catch::Contains;

namespace {

NodeId node(const System& system, const std::string& name) {
  for (NodeId id = 0; id < system.nodes.size(); ++id) {
    if (system.nodes[id].name == name) {
      return id;
    }
  }
  FAIL("no node " << name);
  return 0;
}

Route route(const Fabric& fabric, const std::string& from, const std::string& to) {
  return fabric.route(node(fabric.system(), from), node(fabric.system(), to));
}

std::string word(const Fabric& fabric, const std::string& from, const std::string& to) {
  return topology_word(fabric.system(), route(fabric, from, to));
}

}  // namespace

TEST_CASE("GPUs of a DGX A100 are joined by twelve NVLinks, whichever two they are") {
  const System system = shipped("dgx-a100");
  const Fabric fabric(system);
  for (const NodeId from : nodes_of<Gpu>(system)) {
    for (const NodeId to : nodes_of<Gpu>(system)) {
      if (from != to) {
        CHECK(topology_word(system, fabric.route(from, to)) == "NV12");
      }
    }
  }
  CHECK(route(fabric, "gpu0", "gpu7").latency_ns == 3100);
}

TEST_CASE("in a DGX-1 neighbours have one or two NVLinks, and others go through host memory") {
  const System system = shipped("dgx-1-v100");
  const Fabric fabric(system);
  CHECK(word(fabric, "gpu0", "gpu1") == "NV1");
  CHECK(word(fabric, "gpu0", "gpu3") == "NV2");
  CHECK(word(fabric, "gpu0", "gpu5") == "SYS");
  CHECK(route(fabric, "gpu0", "gpu5").staged_in == node(system, "cpu0"));
  // No GPU forwards what is not for it.
  for (const NodeId passed : route(fabric, "gpu0", "gpu5").passed) {
    CHECK_FALSE(std::holds_alternative<Gpu>(system.nodes[passed].is));
  }
  for (const NodeId gpu : nodes_of<Gpu>(system)) {
    std::uint32_t nvlinks = 0;
    for (const Link& link : system.links) {
      const bool is_nvlink = system.link_types[link.type].kind == LinkKind::kNvlink;
      nvlinks += is_nvlink && (link.from == gpu || link.to == gpu) ? link.count : 0;
    }
    CHECK(nvlinks == 6);
  }
}

TEST_CASE("peer access decides whether a copy between GPUs passes the memory of the host") {
  const System peers = parse(two_gpus("pcie"));
  const System strangers = parse(two_gpus("none"));
  const Fabric with_access(peers);
  const Fabric without(strangers);
  CHECK_FALSE(route(with_access, "gpu0", "gpu1").staged_in);
  CHECK(word(with_access, "gpu0", "gpu1") == "PIX");
  CHECK(route(without, "gpu0", "gpu1").staged_in == node(strangers, "cpu0"));
  CHECK(route(without, "gpu0", "gpu1").hops.size() == 4);
}

TEST_CASE("a copy that is staged writes and reads host memory") {
  const System system = parse(two_gpus("none"));
  const Fabric fabric(system);
  const Route staged = route(fabric, "gpu0", "gpu1");
  // Up and down the link to the host together 40 GB/s, so 20; memory of 50 GB/s is passed twice, so 25.
  CHECK(fabric.rates({&staged, 1}).front() == Approx(20e9));
}

TEST_CASE("copies in both directions share what a link carries both ways") {
  const System system = parse(two_gpus());
  const Fabric fabric(system);
  const std::vector<Route> both{route(fabric, "cpu0", "gpu0"), route(fabric, "gpu0", "cpu0")};
  CHECK(fabric.rates(both) == std::vector<double>{20e9, 20e9});
  CHECK(fabric.rates(std::span(both).first(1)).front() == Approx(26e9));
}

TEST_CASE("copies to all GPUs at once share the links above their switch") {
  const System system = parse(two_gpus());
  const Fabric fabric(system);
  const std::vector<Route> all{route(fabric, "cpu0", "gpu0"), route(fabric, "cpu0", "gpu1")};
  CHECK(fabric.rates(all) == std::vector<double>{13e9, 13e9});
}

TEST_CASE("rates of a shipped system are those that were measured") {
  const System system = shipped("dgx-a100");
  const Fabric fabric(system);
  const Route down = route(fabric, "cpu0", "gpu0");
  CHECK(fabric.rates({&down, 1}).front() == Approx(26e9));
  const std::vector<Route> both{down, route(fabric, "gpu0", "cpu0")};
  CHECK(fabric.rates(both).front() == Approx(18.6e9));
  const Route across = route(fabric, "gpu0", "gpu5");
  CHECK(fabric.rates({&across, 1}).front() == Approx(274e9).epsilon(0.001));
}

TEST_CASE("a GPU that reaches no host is refused with its place") {
  const std::string text = with(two_gpus(), "  - {type: pcie4, from: gpu0..1, to: plx0}",
                                "  - {type: pcie4, from: gpu0, to: plx0}\n  - {type: pcie4, from: gpu1, to: plx9}");
  const System system = parse(with(text, "  plx0: {kind: pcie}", "  plx0: {kind: pcie}\n  plx9: {kind: pcie}"));
  CHECK_THROWS_WITH(Fabric(system), Contains("sys.yaml:5:3: 'gpu1' has no route to a host"));
}

TEST_CASE("a host that reaches no GPU, since no link joins the sockets, is refused with its place") {
  std::string text =
      with(two_gpus(), "gpus:\n", "  cpu1: {threads: 8, memory: 32 GiB, memory_bandwidth: 50 GB/s}\ngpus:\n");
  text = with(text, "  plx0: {kind: pcie}", "  plx0..1: {kind: pcie}");
  const System system = parse(text + "  - {type: pcie4, from: plx1, to: cpu1}\n");
  CHECK_THROWS_WITH(Fabric(system), Contains("sys.yaml:4:3: 'cpu1' has no route to 'gpu0'") &&
                                        Contains("link the hosts with each other") && !Contains("'gpu1'"));
}

}  // namespace fabric_test
