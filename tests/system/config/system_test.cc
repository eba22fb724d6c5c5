// SPDX-License-Identifier: MIT
// System files: what they say, and what is refused where.

#include <catch2/catch.hpp>

#include "sim/model/arch/sheet.h"
#include "sim/system/config/keys.h"
#include "sim/system/config/names.h"

#include "tests/support/golden.h"
#include "tests/system/config/samples.h"

namespace system_config_test {

using namespace gpusim;
using namespace gpusim::system;
using namespace gpusim::system::test;
using Catch::Contains;

TEST_CASE("a system has its hosts, GPUs, switches and links, with what the GPUs' architectures say") {
  const System system = parse(two_gpus());
  REQUIRE(system.nodes.size() == 4);
  CHECK(system.nodes[0].name == "cpu0");
  CHECK(std::get<Host>(system.nodes[0].is).memory_bytes == 32ULL << 30);
  CHECK(system.nodes[2].name == "gpu1");
  const Gpu& gpu = std::get<Gpu>(system.nodes[2].is);
  CHECK(gpu.compute_capability == "8.0");
  CHECK(gpu.memory_bytes == 80ULL << 30);
  CHECK(gpu.peer == PeerAccess::kPcie);
  REQUIRE(system.links.size() == 3);
  CHECK(system.links[1] == Link{2, 3, 0, 1});
  CHECK(system.link_types[0].both_ways_bytes_per_second == 40'000'000'000);
}

TEST_CASE("a value of a system keeps its kind and its sources") {
  const System system = parse("sources: {spec: \"the data sheet\"}\n" +
                              with(two_gpus(), "threads: 8", "threads: [8, vendor, spec, \"all of them\"]"));
  CHECK(system.values.front().key == "hosts.cpu0.threads");
  CHECK(system.values.front().kind == SourceKind::kVendor);
  CHECK(system.values.front().sources == std::vector<std::string>{"the data sheet", "all of them"});
  CHECK(system.values.back().kind == SourceKind::kGuess);
}

TEST_CASE("what is wrong with a system is told with line, column and the nearest word") {
  const auto broken = [](const char* part, const char* instead) {
    return problems_of(with(two_gpus(), part, instead));
  };
  CHECK(broken("arch: a100", "arch: a10O") == "sys.yaml:5:19: unknown GPU 'a10O' (did you mean 'a100'?)\n");
  CHECK_THAT(broken("copy_engines", "copy_engine"),
             Contains("sys.yaml:5:25: unknown key 'gpus.gpu0..1.copy_engine' (did you mean 'copy_engines'?)") &&
                 Contains("'gpus.gpu0..1' lacks 'copy_engines'"));
  CHECK_THAT(broken("peer: pcie", "peer: pci"), Contains("'gpus.gpu0..1.peer': 'pci' is not a choice"));
  CHECK_THAT(broken("32 GiB", "32 GB"), Contains("sys.yaml:3:30: 'hosts.cpu0.memory': unit 'GB' does not fit"));
  CHECK_THAT(broken("threads: 8", "threads: 0"), Contains("'0' is out of range (allowed: 1 to 4096)"));
  CHECK_THAT(broken("{type: pcie4, from: plx0", "{type: pcie5, from: plx0"),
             Contains("sys.yaml:12:12: unknown link type 'pcie5' (did you mean 'pcie4'?)"));
  CHECK_THAT(broken("to: cpu0", "to: cpu1"), Contains("a link leads to 'cpu1', which is not there (did you mean"));
  CHECK_THAT(broken("links:", "linkz:"), Contains("unknown key 'linkz' (did you mean 'links'?)"));
  CHECK_THAT(broken("from: plx0", "form: plx0"), Contains("unknown key 'links.form' (did you mean 'from'?)"));
  CHECK_THAT(broken("usable: 26 GB/s", "usable: 33 GB/s"), Contains("'usable' is above 'bandwidth'"));
  CHECK_THAT(broken("both_ways: 40 GB/s", "both_ways: 53 GB/s"), Contains("between 'usable' and twice 'usable'"));
  CHECK_THAT(broken("name: Two\n", ""), Contains("the system has no name"));
}

TEST_CASE("links that cannot be are refused") {
  const auto linked = [](const std::string& more) { return problems_of(two_gpus() + "  - " + more + "\n"); };
  CHECK_THAT(linked("{type: pcie4, from: cpu0, to: cpu0}"), Contains("a link leads from 'cpu0' to itself"));
  CHECK_THAT(linked("{type: pcie4, from: gpu0..1, to: gpu0..7}"), Contains("'gpu2', which is not there"));
  CHECK_THAT(linked("{type: pcie4, from: gpu1..0, to: cpu0}"), Contains("'gpu1..0' is not a name"));
  CHECK_THAT(linked("{type: pcie4, from: gpu0, to: cpu0, count: 65}"), Contains("'count': '65' is out of range"));
  CHECK_THAT(linked("{type: pcie4, from: gpu0}"), Contains("a link lacks 'type', 'from' or 'to'"));
  CHECK_THAT(linked("pcie4"), Contains("a link must be a map"));
  const std::string three = with(two_gpus(), "  plx0: {kind: pcie}", "  plx0..2: {kind: pcie}");
  CHECK_THAT(problems_of(with(three, "from: gpu0..1, to: plx0", "from: gpu0..1, to: plx0..2")),
             Contains("a link joins 2 with 3 (one side has one, or both have as many)"));
  CHECK_THAT(problems_of(three), Contains("sys.yaml:7:3: 'plx1' has no link"));
}

TEST_CASE("names are taken once, and ranges name each of their nodes") {
  CHECK(names_of("gpu0..2") == std::vector<std::string>{"gpu0", "gpu1", "gpu2"});
  CHECK(names_of("gpu9..10") == std::vector<std::string>{"gpu9", "gpu10"});
  CHECK(names_of("nvswitch") == std::vector<std::string>{"nvswitch"});
  for (const char* const wrong : {"", "0gpu", "gpu 0", "gpu..3", "gpu3..1", "gpu0..256", "gpu0..x", "..3"}) {
    INFO(wrong);
    CHECK_FALSE(names_of(wrong).has_value());
  }
  CHECK_THAT(problems_of(with(two_gpus(), "  plx0: {kind: pcie}", "  gpu1: {kind: pcie}")),
             Contains("'gpu1' is named twice (first in line 5)"));
}

TEST_CASE("a file that is not a system says so") {
  CHECK_THAT(problems_of("- 1\n"), Contains("sys.yaml: is not a system"));
  CHECK_THAT(problems_of("a: [1\n"), Contains("is not YAML"));
  CHECK_THAT(problems_of("name: x\n"), Contains("a system needs a host and a GPU"));
  CHECK_THAT(problems_of("name: x\nhosts: 3\n"), Contains("'hosts' must be a map"));
}

TEST_CASE("every shipped system loads, and each of its values has a kind and a source") {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(kConfigs / "systems")) {
    INFO(file.path());
    const System system = shipped(file.path().stem().string());
    for (const GivenValue& value : system.values) {
      INFO(value.key);
      CHECK_FALSE(value.sources.empty());
      CHECK(value.sources.front() != arch::kUserSource);
    }
    ++count;
  }
  CHECK(count >= 9);
}

TEST_CASE("the documentation of the keys of systems is up to date") {
  CHECK(ends_with_generated("docs/systems.md",
                            "<!-- generated from the keys: GPUSIM_REGENERATE=1 test_system_config -->\n",
                            keys_markdown()));
}

}  // namespace system_config_test
