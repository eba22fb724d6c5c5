// SPDX-License-Identifier: MIT
// What --set changes of a system.
#include "sim/system/config/changes.h"

#include <algorithm>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/model/arch/schema.h"

#include "tests/system/config/samples.h"

namespace system_changes_test {

using namespace gpusim;
using namespace gpusim::system;
using namespace gpusim::system::test;
using Catch::Contains;

namespace {

System changed(std::vector<arch::Override> keys, std::vector<arch::Override> of_gpus = {}) {
  const std::vector<std::filesystem::path> folders{kConfigs};
  return parse_system(two_gpus(), "sys.yaml", folders, {std::move(keys), std::move(of_gpus)});
}

std::string problem_of(std::vector<arch::Override> keys, std::vector<arch::Override> of_gpus = {}) {
  try {
    static_cast<void>(changed(std::move(keys), std::move(of_gpus)));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a changed key of a system stands for what its file says") {
  const System system = changed({{"hosts.cpu0.threads", "64"}, {"gpus.gpu0..1.copy_engines", "4"}});
  CHECK(std::get<Host>(system.nodes[0].is).threads == 64);
  CHECK(std::get<Gpu>(system.nodes[1].is).copy_engines == 4);
  CHECK(std::get<Gpu>(system.nodes[2].is).copy_engines == 4);
  CHECK(text_of_key(system, "hosts.cpu0.threads") == "64");
}

TEST_CASE("calls that a system's file does not give can be changed, and have a value before") {
  CHECK(text_of_key(changed({}), "calls.launch") == "4100 ns");
  CHECK(changed({{"calls.launch", "2 us"}}).calls.launch_ns == 2'000);
  CHECK(changed({{"collectives.ring", "10 GB/s"}}).collectives.ring == 10'000'000'000);
}

TEST_CASE("what a link reaches follows its bandwidth, unless it is changed as well") {
  const LinkType half = changed({{"link_types.pcie4.bandwidth", "16 GB/s"}}).link_types[0];
  CHECK(half.usable_bytes_per_second == 13'000'000'000);
  CHECK(half.both_ways_bytes_per_second == 20'000'000'000);
  const LinkType both =
      changed({{"link_types.pcie4.bandwidth", "64 GB/s"}, {"link_types.pcie4.usable", "26 GB/s"}}).link_types[0];
  CHECK(both.usable_bytes_per_second == 26'000'000'000);
  CHECK(both.both_ways_bytes_per_second == 40'000'000'000);
}

TEST_CASE("a changed key of GPUs changes what their architecture says") {
  const System system = changed({}, {{"dram.capacity_bytes", "10 GiB"}});
  CHECK(std::get<Gpu>(system.nodes[1].is).memory_bytes == std::uint64_t{10} << 30U);
  CHECK(system.gpu_set == std::vector<std::string>{"dram.capacity_bytes=10 GiB"});
}

TEST_CASE("a change that no system takes is told by its key, with the nearest") {
  CHECK(problem_of({{"calls.lunch", "2 us"}}) ==
        "--set calls.lunch: unknown key 'calls.lunch' (did you mean 'launch'?)");
  CHECK(
      problem_of({{"link_types.pcie5.bandwidth", "1 GB/s"}}) ==
      "--set link_types.pcie5.bandwidth: unknown key 'link_types.pcie5.bandwidth' (did you mean 'link_types.pcie4'?)");
  CHECK_THAT(problem_of({{"link_types.pcie4", "1 GB/s"}}), Contains("--set link_types.pcie4: is a group of keys"));
  CHECK_THAT(problem_of({{"calls.launch", "2 ms"}, {"calls.copy", "fast"}}),
             Contains("--set calls.copy: 'calls.copy': 'fast'"));
  CHECK_THAT(problem_of({{"link_types.pcie4.usable", "33 GB/s"}}),
             Contains("--set link_types.pcie4.usable: 'usable' is above 'bandwidth'"));
  CHECK_THAT(problem_of({}, {{"sm.cuont", "4"}}), Contains("--set gpu.sm.cuont: unknown key"));
}

TEST_CASE("keys of systems have rows with their units, and words that are none have none") {
  CHECK(find_system_key("calls.launch")->unit == arch::Unit::kNanoseconds);
  CHECK(find_system_key("link_types.any.bandwidth")->unit == arch::Unit::kBytesPerSecond);
  CHECK_FALSE(find_system_key("calls").has_value());
  CHECK_FALSE(find_system_key("links.count").has_value());
}

TEST_CASE("a system has as many GPUs as asked for, each linked as one of the file's") {
  const System one = changed({{"gpus.count", "1"}});
  CHECK(nodes_of<Gpu>(one).size() == 1);
  CHECK(one.links.size() == 2);
  const System five = changed({{"gpus.count", "5"}});
  const std::vector<NodeId> gpus = nodes_of<Gpu>(five);
  REQUIRE(gpus.size() == 5);
  CHECK(five.nodes[gpus[4]].name == "gpu4");
  CHECK(gpus[4] == 5);  // behind the host, before the switch
  CHECK(five.links.size() == 6);
  CHECK(std::ranges::all_of(five.links, [&](const Link& link) {
    return std::holds_alternative<Switch>(five.nodes[link.to].is) ||
           std::holds_alternative<Host>(five.nodes[link.to].is);
  }));
  CHECK(text_of_key(five, "gpus.count") == "5");
  CHECK_THAT(problem_of({{"gpus.count", "0"}}), Contains("--set gpus.count: '0' is out of range (allowed: 1 to 256)"));
}

TEST_CASE("no GPU is added to GPUs that are linked with each other") {
  const std::vector<std::filesystem::path> folders{kConfigs};
  CHECK_THROWS_WITH(load_system(kConfigs / "systems" / "dgx-1-v100.yaml", folders, {{{"gpus.count", "9"}}, {}}),
                    Contains("--set gpus.count: no GPU can be added"));
}

}  // namespace system_changes_test
