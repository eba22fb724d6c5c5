// SPDX-License-Identifier: MIT
// gpusim roofline from arguments to text and JSON.
#include <algorithm>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/refused.h"

namespace roofline_test {

using Catch::Matchers::Contains;
using gpusim::app::check_refused;
using gpusim::app::Workshop;
using gpusim::app::Wrong;
using nlohmann::json;

namespace {

const std::string kTwoPoints =
    "roofline --arch h100 --flops '137.4 GFLOP' --bytes '100.7 MB' --name gemm --flops 1e9 --bytes '64 MiB' --name "
    "norm ";

json json_of(const Workshop& shop, const std::string& arguments) {
  const Workshop::Said said = shop.run(arguments + " --format json");
  INFO(said.err);
  REQUIRE(said.code == 0);
  return json::parse(said.out);
}

}  // namespace

TEST_CASE("roofline says of each point what bounds it, how fast it may be and how long it takes") {
  const Workshop shop;
  const json result = json_of(shop, kTwoPoints);
  CHECK(result["schema"] == "gpusim.roofline/1");
  CHECK(result["compute"][0]["name"] == "bf16_tensor");
  CHECK(result["compute"][0]["rate"].get<double>() == Approx(989.4e12).epsilon(0.001));
  REQUIRE(result["points"].size() == 2);
  const json& gemm = result["points"][0];
  CHECK(gemm["name"] == "gemm");
  CHECK(gemm["bound"] == "compute");
  CHECK(gemm["attainable_flops_per_second"] == result["compute"][0]["rate"]);
  CHECK(gemm["least_seconds"].get<double>() == Approx(137.4e9 / 989.4e12).epsilon(0.001));
  const json& norm = result["points"][1];
  CHECK(norm["bound"] == "memory");
  CHECK(norm["bytes"] == 64.0 * 1024 * 1024);
  CHECK(norm["attainable_flops_per_second"].get<double>() == Approx(1e9 / (64 << 20) * 3.352e12).epsilon(0.001));
}

TEST_CASE("the roofline's text has ridges, bounds and a plot with the points' names, in 100 columns") {
  const Workshop shop;
  for (const char* const arguments : {"", "--operations --details --sparse"}) {
    const std::string text = shop.run(kTwoPoints + arguments, "LC_ALL=C").out;
    CHECK_THAT(text, Contains("Ridges") && Contains("dram    3.35 TB/s") && Contains("FLOP/byte of dram"));
    CHECK_THAT(text, Contains("@ norm") || Contains(" norm"));
    CHECK(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      CHECK(line.size() <= 100);
    }
  }
  CHECK_THAT(shop.run(kTwoPoints, "LC_ALL=C.UTF-8").out, Contains("\u25cf"));
}

TEST_CASE("--type, --sparse, --clock, --level and --set choose the roofs") {
  const Workshop shop;
  const std::string point = "roofline --arch h100 --flops 1e9 --bytes 1e6 ";
  const double dense = json_of(shop, point)["compute"][0]["rate"];
  CHECK(json_of(shop, point + "--sparse")["compute"][0]["rate"] == 2 * dense);
  CHECK(json_of(shop, point + "--type fp32")["compute"][0]["rate"].get<double>() == Approx(66.9e12).epsilon(0.001));
  CHECK(json_of(shop, point + "--clock sm --set clocks.sm=915MHz")["compute"][0]["rate"].get<double>() ==
        Approx(dense / 2));
  CHECK(json_of(shop, point + "--level l2")["level"] == "l2");
  CHECK(json_of(shop, point + "--set dram.bandwidth=6704.64GB/s")["points"][0]["ridge_flop_per_byte"].get<double>() ==
        Approx(dense / 6704.64e9));
}

TEST_CASE("--operations takes shapes, and what is not given follows from the rest") {
  const Workshop shop;
  const json result = json_of(shop, "roofline --arch h100 --operations --heads 8 --head-dim 64 --batch 1 --seq 1024");
  CHECK(result["shape"]["hidden"] == 512);
  CHECK(result["shape"]["ffn"] == 2048);
  CHECK(result["shape"]["element_bytes"] == 2);
  CHECK(result["operations"].size() == result["points"].size());
  CHECK(result["points"][0]["flops"] == 1024.0 * 512);
  const json single = json_of(shop, "roofline --arch h100 --operations --type fp32 --hidden 100 --ffn 7");
  CHECK(single["shape"]["element_bytes"] == 4);
  CHECK(single["shape"]["ffn"] == 7);
}

TEST_CASE("guesses behind the roofs are listed") {
  const Workshop shop;
  const std::string point = "roofline --arch gh200 --flops 1e9 --bytes 1e6 ";
  const json guesses = json_of(shop, point + "--level l2")["guesses"];
  CHECK(std::ranges::any_of(guesses, [](const json& guess) { return guess["key"] == "l2.slice_bytes_per_cycle"; }));
  CHECK_THAT(shop.run(point + "--level l2").out, Contains("l2.slice_bytes_per_cycle = 64 B/cycle is a guess"));
}

TEST_CASE("--result puts simulated kernels under the roofs of their machine") {
  const Workshop shop;
  REQUIRE(shop.run("-q -a h100 -t flashattn --test-params --cache cold --json saved.json").code == 0);
  const json result = json_of(shop, "roofline --result saved.json");
  const json saved = json::parse(gpusim::app::content_of(shop.folder() / "saved.json"));
  REQUIRE(result["points"].size() == 1);
  const json& point = result["points"][0];
  CHECK(point["name"] == "flash_fwd");
  CHECK(point["type"] == "bf16_tensor");
  const json& dram = saved["kernels"][0]["memory"]["dram"];
  CHECK(point["bytes"] == dram["read_bytes"].get<double>() + dram["write_bytes"].get<double>());
  CHECK(point["flops_per_second"].get<double>() ==
        Approx(point["flops"].get<double>() / point["seconds"].get<double>()));
  CHECK(point["attainable_pct"].get<double>() < 100);
  CHECK_THAT(shop.run("roofline --result saved.json").out, Contains("reached") && Contains("flash_fwd"));
  CHECK(json_of(shop, "roofline --result saved.json --level l2")["level"] == "l2");
}

TEST_CASE("a result whose data stayed in L2 is told to be looked at there") {
  const Workshop shop;
  REQUIRE(shop.run("-q -a h100 -t saxpy --test-params --cache warm --json warm.json").code == 0);
  const Workshop::Said said = shop.run("roofline --result warm.json");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("no kernel has FLOPs and bytes of 'dram' (their data was in L2: --level l2, or a run "
                                "with --cache cold)"));
  CHECK(shop.run("roofline --result warm.json --level l2").code == 0);
}

TEST_CASE("wrong points are refused with what was wrong") {
  const Workshop shop;
  for (const Wrong& wrong : {
           Wrong{"", "needs --flops and --bytes, or --operations, or --result"},
           Wrong{"--flops 1e9", "every --flops needs one --bytes: there are 1 and 0"},
           Wrong{"--flops 1 --bytes 1 --bytes 2", "there are 1 and 2"},
           Wrong{"--flops 1e9 --bytes 0", "--bytes: '0' is out of range (allowed: 1 to 1e30)"},
           Wrong{"--flops=-5 --bytes 3", "--flops: '-5' is out of range"},
           Wrong{"--flops 1e31 --bytes 3", "--flops: '1e31' is out of range"},
           Wrong{"--flops 1e999 --bytes 3", "is not a number"},
           Wrong{"--flops nan --bytes 3", "--flops: 'nan' is not a number"},
           Wrong{"--flops inf --bytes 3", "--flops: 'inf' is not a number"},
           Wrong{"--flops '' --bytes 3", "--flops: '' is not a number"},
           Wrong{"--flops 2Tflop --bytes 3", "unknown unit 'Tflop' (did you mean 'TFLOP'?)"},
           Wrong{"--flops 2 --bytes 3MB/s", "unknown unit 'MB/s' (did you mean 'MB'?)"},
           Wrong{"--flops 0x10 --bytes 3", "unknown unit 'x10'"},
           Wrong{"--flops 1 --bytes 1 --name a --name b", "there are 2 for 1 points"},
           Wrong{"--flops 1 --bytes 1 --type bf61", "unknown type 'bf61' (did you mean 'bf16'?)"},
           Wrong{"--flops 1 --bytes 1 --type fp4", "has no peak 'fp4_tensor' (it has: fp32, ", 2},
           Wrong{"--flops 1 --bytes 1 --type fp32 --sparse", "has no sparse rate"},
           Wrong{"--flops 1 --bytes 1 --level ram", "'ram' is none of dram, l2, l1, shared"},
           Wrong{"--flops 1 --bytes 1 --clock fast", "'fast' is none of vendor, sm"},
           Wrong{"--flops 1 --bytes 1 --seq 4", "--seq is for --operations"},
           Wrong{"--operations --seq 0", "--seq: '0' is out of range (allowed: 1 to 16,777,216)"},
           Wrong{"--operations --head-dim x", "--head-dim: 'x' is not a whole number"},
           Wrong{"--operations --level l2", "--operations counts the bytes of DRAM"},
           Wrong{"--flops 1 --bytes 1 --set sm.cuont=3", "did you mean 'sm.count'?", 2},
       }) {
    check_refused(shop, {"roofline --arch h100 " + wrong.arguments, wrong.message, wrong.code});
  }
}

TEST_CASE("a roofline without a machine, or with two, is refused") {
  const Workshop shop;
  shop.write("broken.json", "{}");
  for (const Wrong& wrong : {
           Wrong{"--flops 1 --bytes 1", "needs --arch GPU"},
           Wrong{"--arch h101 --flops 1 --bytes 1", "did you mean 'h100'?", 2},
           Wrong{"--arch h100 --result broken.json", "--arch does not go with --result"},
           Wrong{"--result broken.json --type fp32", "--type does not go with --result"},
           Wrong{"--result none.json", "none.json: no such file", 2},
           Wrong{"--result broken.json", "broken.json: ", 2},
       }) {
    check_refused(shop, {"roofline " + wrong.arguments, wrong.message, wrong.code});
  }
}

}  // namespace roofline_test
