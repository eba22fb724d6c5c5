// SPDX-License-Identifier: MIT
// gpusim system from arguments to text and JSON.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/refused.h"

namespace system_test {

using Catch::Matchers::Contains;
using gpusim::app::check_refused;
using gpusim::app::Workshop;
using gpusim::app::Wrong;
using nlohmann::json;

TEST_CASE("the list of systems shows what ships, as text and as JSON") {
  const Workshop shop;
  const Workshop::Said text = shop.run("system list");
  CHECK(text.code == 0);
  CHECK_THAT(text.out, Contains("dgx-h100") && Contains("8 x h100") && Contains("rtx4090-workstation"));
  const json list = json::parse(shop.run("system list --format json").out);
  CHECK(list["schema"] == "gpusim.system-list/1");
  for (const json& system : list["systems"]) {
    INFO(system.dump());
    CHECK_FALSE(system.contains("problem"));
    CHECK(system["gpus"].get<int>() >= 1);
  }
}

TEST_CASE("a system is shown with routes and rates, and on request with sources") {
  const Workshop shop;
  const std::string text = shop.run("system show dgx-a100").out;
  CHECK_THAT(text, Contains("NV12") && Contains("gpu0 to gpu1") && Contains("274 GB/s") && !Contains("(vendor)"));
  CHECK_THAT(shop.run("system show dgx-a100 --details").out, Contains("gpus.gpu0..7.arch: a100 (vendor)"));
  const json shown = json::parse(shop.run("system show dgx-a100 --format json").out);
  CHECK(shown["schema"] == "gpusim.system/1");
  CHECK(shown["gpus"].size() == 8);
  CHECK(shown["routes"].size() == 56);
  CHECK(shown["routes"][0]["topology"] == "NV12");
}

TEST_CASE("a system of one's own is checked") {
  const Workshop shop;
  shop.write("mine.yaml", R"(name: Mine
hosts: {cpu0: {threads: 8, memory: 32 GiB, memory_bandwidth: 50 GB/s}}
gpus: {gpu0: {arch: t4, copy_engines: 2, peer: none}}
link_types: {pcie: {kind: pcie, bandwidth: 16 GB/s, usable: 12 GB/s, latency: 500 ns}}
links:
  - {type: pcie, from: gpu0, to: cpu0}
)");
  const Workshop::Said said = shop.run("system check mine.yaml");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("mine.yaml: Mine: no problems; 10 of 10 values rest on a guess"));
}

TEST_CASE("systems that are not there or not systems are refused") {
  const Workshop shop;
  shop.write("empty.yaml", "");
  shop.write("bad.yaml", "name: x\ngpus: {gpu0: {arch: h10}}\n");
  for (const Wrong& wrong :
       {Wrong{"system show dgx-a10", "did you mean 'dgx-a100'?", 2},
        Wrong{"system show h100", "it is an architecture, which --arch takes", 2},
        Wrong{"--arch dgx-a100 --trace saxpy", "it is a system, which --system takes", 2},
        Wrong{"system show", "needs the name of a system", 1}, Wrong{"system show .", "is a folder, not a file", 2},
        Wrong{"system show empty.yaml", "is empty", 2},
        Wrong{"system check bad.yaml", "bad.yaml:2:21: unknown GPU 'h10' (did you mean", 2},
        Wrong{"system list --fromat json", "did you mean '--format'?", 1}}) {
    check_refused(shop, wrong);
  }
}

}  // namespace system_test
