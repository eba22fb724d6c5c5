// SPDX-License-Identifier: MIT
// gpusim occupancy: what it says about one launch.
#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace occupancy_test {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using gpusim::app::Workshop;
using nlohmann::json;

namespace {

constexpr const char* kLarge = "occupancy --arch h100 --regs 168 --block 128 --smem 98304";

json answer(const std::string& arguments) {
  const Workshop shop;
  const Workshop::Said said = shop.run(arguments + " --format json");
  INFO(said.err);
  REQUIRE(said.code == 0);
  return json::parse(said.out);
}

void check_refused(const std::string& arguments, const std::string& message, int code = 1) {
  const Workshop shop;
  INFO(arguments);
  const Workshop::Said said = shop.run(arguments);
  CHECK(said.code == code);
  CHECK_THAT(said.err, Contains(message) && Contains("gpusim: error: "));
  CHECK(said.out.empty());
}

}  // namespace

TEST_CASE("occupancy says how many CTAs fit, every limit, and what is left of L1") {
  const json said = answer(kLarge);
  CHECK(said["schema"] == "gpusim.occupancy/1");
  CHECK(said["arch"]["path"] == "h100");
  CHECK(said["ctas_per_sm"] == 2);
  CHECK(said["occupancy_pct"] == 12.5);
  CHECK(said["limiters"] == json::array({"shared_mem"}));
  CHECK(said["limit"] == json({{"warps", 16}, {"registers", 3}, {"shared_mem", 2}, {"blocks", 32}, {"barriers", 64}}));
  CHECK(said["allocated_registers_per_cta"] == 21504);
  CHECK(said["allocated_shared_bytes_per_cta"] == 99328);
  CHECK(said["shared_carveout_bytes"] == 196 * 1024);
  CHECK(said["l1_bytes"] == 60 * 1024);
  CHECK(said["clusters"].is_null());
}

TEST_CASE("a resource that does not limit has null") {
  const json said = answer("occupancy --arch a100 --regs 0 --block 64 --barriers 0");
  CHECK(said["limit"]["registers"].is_null());
  CHECK(said["limit"]["barriers"].is_null());
  CHECK(said["limit"]["warps"] == 32);
}

TEST_CASE("sizes are bytes or have a unit, static and dynamic apart") {
  const json plain = answer("occupancy --arch h100 --regs 32 --block 128 --smem 49152+16384");
  CHECK(plain["launch"]["static_shared_bytes"] == 49152);
  CHECK(plain["launch"]["dynamic_shared_bytes"] == 16384);
  for (const char* size : {"48KiB+16KiB", "'48 KiB+16384 B'"}) {
    CHECK(answer(std::string("occupancy --arch h100 --regs 32 --block 128 --smem ") + size) == plain);
  }
}

TEST_CASE("curves hold the present point and reach over every value") {
  const json said = answer(kLarge);
  const std::map<std::string, int> present{{"block", 128}, {"registers", 168}, {"shared_mem", 98304}};
  for (const auto& [name, value] : present) {
    INFO(name);
    const json& curve = said["curves"][name];
    REQUIRE(curve.size() > 30);
    const auto now = std::ranges::find_if(curve, [](const json& point) { return point["present"] == true; });
    REQUIRE(now != curve.end());
    CHECK((*now)["value"] == value);
    CHECK((*now)["ctas_per_sm"] == said["ctas_per_sm"]);
    CHECK((*now)["occupancy_pct"] == said["occupancy_pct"]);
  }
}

TEST_CASE("the cheapest change comes first, in the text as in the JSON") {
  const Workshop shop;
  const json first = answer(kLarge)["proposals"][0];
  CHECK(first["changes"] == json::array({{{"what", "shared_mem"}, {"from", 98304}, {"to", 76800}}}));
  CHECK(first["ctas_per_sm"] == 3);
  CHECK_THAT(shop.run(kLarge).out,
             Contains("76,800 bytes of shared memory a CTA instead of 98,304 (21.9 % less): 3 CTAs an SM instead of"));
  CHECK_THAT(shop.run("occupancy -a h100 -r 32 -b 256").out, Contains("Nothing can: every warp slot is taken."));
}

TEST_CASE("a launch that does not fit is told each limit that forbids it, and by how much") {
  const json said = answer("occupancy --arch h100 --regs 257 --block 1025 --smem 232449");
  CHECK(said["ctas_per_sm"] == 0);
  CHECK(said["limiters"] == json::array({"warps", "registers", "shared_mem"}));
  REQUIRE(said["excesses"].size() == 3);
  CHECK(said["excesses"][2]["limit"] == "shared_mem");
  CHECK(said["excesses"][2]["over"] == 1);
  const Workshop shop;
  const Workshop::Said text = shop.run("occupancy --arch h100 --regs 32 --block 128 --smem 232449");
  CHECK(text.code == 0);
  CHECK_THAT(text.out, StartsWith("H100 SXM5 80GB: does not fit"));
  CHECK_THAT(text.out, Contains("at most 232,448 bytes a CTA, 1 byte too many"));
}

TEST_CASE("a carve-out and not opting in cost what they cost, and the answer says so") {
  const json small = answer("occupancy --arch h100 --regs 32 --block 128 --smem 4096 --carveout 25");
  CHECK(small["ctas_per_sm"] == 12);
  CHECK(small["shared_carveout_bytes"] == 64 * 1024);
  REQUIRE(small["notes"].size() == 1);
  CHECK_THAT(small["notes"][0].get<std::string>(), Contains("leaving the carve-out to the driver gives 16 CTAs"));
  const json refused = answer("occupancy --arch h100 --regs 32 --block 128 --smem 49153 --no-opt-in");
  CHECK(refused["ctas_per_sm"] == 0);
  CHECK_THAT(refused["notes"][0].get<std::string>(), Contains("opting in to more shared memory gives 4 CTAs"));
}

TEST_CASE("clusters are counted on the whole GPU") {
  const json said = answer("occupancy --arch h100 --regs 32 --block 128 --smem 200KiB --cluster 8");
  CHECK(said["clusters"] == json({{"ctas_per_cluster", 8}, {"resident_clusters", 16}, {"resident_ctas", 128}}));
}

TEST_CASE("the kernels of a trace are launched as the simulator launches them") {
  const json said = answer("occupancy --arch h100 --trace flashattn");
  CHECK(said["schema"] == "gpusim.occupancy-trace/1");
  REQUIRE(said["kernels"].size() == 1);
  const json& kernel = said["kernels"][0];
  CHECK(kernel["name"] == "flash_fwd");
  CHECK(kernel["ctas"] == 512);
  CHECK(kernel["launch"]["opt_in"] == true);
  const Workshop shop;
  const Workshop::Said run = shop.run("--quiet --arch h100 --trace flashattn --test-params --format json");
  const json simulated = json::parse(run.out)["kernels"][0]["occupancy"];
  CHECK(kernel["ctas_per_sm"] == simulated["ctas_per_sm"]);
  CHECK(kernel["limit"] == simulated["limits"]);
  CHECK(kernel["l1_bytes"] == simulated["l1_bytes"]);
  CHECK(kernel["waves"].get<double>() == Approx(512.0 / (132 * kernel["ctas_per_sm"].get<int>())));
  CHECK_THAT(shop.run("occupancy --arch h100 --trace flashattn").out,
             StartsWith("flashattn on H100 SXM5 80GB") && Contains("flash_fwd") && Contains("limited by"));
}

TEST_CASE("--set changes the GPU") {
  CHECK(answer("occupancy --arch h100 --regs 32 --block 128 --set sm.limits.ctas_per_sm=3")["ctas_per_sm"] == 3);
}

TEST_CASE("guesses that an answer rests on are listed, others are not") {
  for (const json& guess : answer("occupancy --arch a100 --regs 32 --block 128")["guesses"]) {
    CHECK_THAT(guess["key"].get<std::string>(), StartsWith("sm."));
    CHECK(guess["key"] != "sm.shared.latency");
  }
}

TEST_CASE("the page is at most 98 columns wide and plain without a terminal") {
  const Workshop shop;
  std::istringstream page(shop.run(kLarge, "LC_ALL=C").out);
  for (std::string line; std::getline(page, line);) {
    CHECK(line.size() <= 98);
    CHECK(std::ranges::all_of(line, [](unsigned char c) { return c >= ' ' && c < 0x7f; }));
  }
}

TEST_CASE("malformed options of occupancy are refused with what is allowed") {
  const std::string launch = "occupancy --arch h100 --regs 32 --block 128 ";
  check_refused("occupancy", "'gpusim occupancy' needs --arch GPU");
  check_refused("occupancy --arch h100", "'gpusim occupancy' needs --regs R");
  check_refused("occupancy --arch h100 --regs 32", "'gpusim occupancy' needs --block B");
  check_refused("occupancy --arch h100 --regs 32 --block 0", "--block: '0' is out of range (allowed: 1 to 1,000,000)");
  check_refused("occupancy --arch h100 --regs -1 --block 32", "--regs: '-1' is not a whole number");
  check_refused("occupancy --arch h100 --regs nan --block 32", "--regs: 'nan' is not a whole number");
  check_refused("occupancy --arch h100 --regs 99999999999999999999 --block 32", "is not a whole number");
  check_refused(launch + "--smem -5", "--smem: '-5' is negative (allowed: 0 B to 1 TiB)");
  check_refused(launch + "--smem 48KB", "--smem: unit 'KB' does not fit: use B, KiB, MiB, GiB or TiB");
  check_refused(launch + "--smem 4096+", "--smem: '' is not a number");
  check_refused(launch + "--smem 4PiB", "--smem: unit 'PiB'");
  check_refused(launch + "--smem 2TiB", "is out of range (allowed: 0 B to 1 TiB)");
  check_refused(launch + "--carveout 101", "--carveout: '101' is out of range (allowed: 0 to 100)");
  check_refused(launch + "--barriers many", "--barriers: 'many' is not a whole number");
  check_refused(launch + "--rgs 3", "unknown option '--rgs' of 'gpusim occupancy' (did you mean '--regs'?)");
  check_refused(launch + "--format csv", "'csv' is none of text, json");
  check_refused(launch + "-o x.csv", "--output does not go with --regs");
  check_refused(launch + "--trace saxpy", "--regs does not go with --trace");
  check_refused("occupancy --arch h100 --trace saxpy --param n", "--param: 'n' is not NAME=VALUE");
  check_refused("occupancy --arch h100 --trace saxpi", "did you mean 'saxpy'?", 2);
  check_refused(launch + "--batch x.csv", "--arch does not go with --batch");
}

TEST_CASE("what a GPU does not have is refused") {
  check_refused("occupancy --arch h10 --regs 32 --block 128", "did you mean 'h100'?", 2);
  check_refused("occupancy --arch h100 --regs 32 --block 128 --set sm.cout=3", "did you mean 'sm.count'?", 2);
  check_refused("occupancy --arch a100 --regs 32 --block 128 --cluster 2", "A100 SXM4 80GB has no clusters", 2);
  check_refused("occupancy --arch h100 --regs 32 --block 128 --cluster 17",
                "17 CTAs are more than a cluster of H100 SXM5 80GB has (at most 16)", 2);
}

}  // namespace occupancy_test
