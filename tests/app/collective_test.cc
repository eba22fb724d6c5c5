// SPDX-License-Identifier: MIT
// gpusim collective from arguments to text, JSON and CSV.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/refused.h"

namespace collective_test {

using Catch::Matchers::Contains;
using gpusim::app::check_refused;
using gpusim::app::Workshop;
using gpusim::app::Wrong;
using nlohmann::json;

namespace {

const char* const kTable = R"(# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid   1 on node device  0 [0x07] NVIDIA A100
#  Rank  1 Group  0 Pid   1 on node device  1 [0x0f] NVIDIA A100
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
       1024           256     float     sum      -1    14.02    0.08    0.12      0    12.90    0.08    0.12      0
  268435456      67108864     float     sum      -1     9999    26.84   26.84      0     9999    26.84   26.84      0
)";

}  // namespace

TEST_CASE("the table has a line for each power of two, in the columns of nccl-tests") {
  const Workshop shop;
  const std::string text = shop.run("collective all-reduce --system dgx-a100").out;
  CHECK_THAT(text,
             Contains("algbw") && Contains("busbw") && Contains("1 KiB") && Contains("8 GiB") && Contains("RING"));
  const json result = json::parse(shop.run("collective all-reduce --system dgx-a100 --bytes 1KiB..8GiB -f json").out);
  CHECK(result["schema"] == "gpusim.collective/1");
  CHECK(result["gpus"] == 8);
  CHECK(result["fitted"] == true);
  REQUIRE(result["rows"].size() == 24);
  const json& last = result["rows"][23];
  CHECK(last["bytes"] == 8589934592);
  CHECK(last["busbw_bytes_per_second"].get<double>() == Approx(235e9).epsilon(0.03));
  CHECK(last["algorithm"] == "ring");
  CHECK_THAT(shop.run("collective broadcast --system a6000-x2 --bytes 1MiB -f csv").out,
             Contains("bytes,time_us") && Contains("\n1048576,"));
}

TEST_CASE("28 GB of gradients take 875 and 93 ms at line rate on two GPUs, 1,531 and 163 on eight") {
  const Workshop shop;
  const std::string gradients = "collective all-reduce --bytes 28000000000B -f json --system ";
  // 32 GB/s is PCIe 4.0 before its encoding, as the figure counts.
  const std::string raw = " --set link_types.pcie4_x16.bandwidth=32GB/s --set link_types.pcie4_x16.usable=26GB/s";
  const auto line_ms = [&](const std::string& on) {
    return json::parse(shop.run(gradients + on).out)["rows"][0]["line_rate_us"].get<double>() / 1000;
  };
  CHECK(line_ms("a100-pcie-x4 --gpus 2" + raw) == Approx(875));
  CHECK(line_ms("a100-pcie-x8" + raw) == Approx(1531.25));
  CHECK(line_ms("dgx-a100 --gpus 2") == Approx(93.3).epsilon(0.001));
  CHECK(line_ms("dgx-a100") == Approx(163.3).epsilon(0.001));
  const json pcie = json::parse(shop.run(gradients + "a100-pcie-x4 --gpus 2").out);
  CHECK(pcie["line_rate_bytes_per_second"] == 31.5e9);
  CHECK_THAT(shop.run("collective all-reduce --bytes 28000000000B --system rtx4090-x8").out,
             Contains("A GPU has 24 GiB of memory"));
}

TEST_CASE("a custom all-reduce has rows of its own up to 8 MiB, and a process for each GPU") {
  const Workshop shop;
  const std::string custom = "collective all-reduce --system hgx-h200 --library custom --bytes ";
  CHECK_THAT(shop.run(custom + "8KiB..16MiB").out, Contains("ONE-SHOT") && Contains("TWO-SHOT") && Contains("NVLS") &&
                                                       Contains("a process for each GPU") &&
                                                       Contains("the framework's own"));
  const json row = json::parse(shop.run(custom + "8KiB -f json").out)["rows"][0];
  CHECK(row["algorithm"] == "one-shot");
  CHECK_FALSE(row.contains("protocol"));
  CHECK_FALSE(row.contains("nccl_time_us"));
}

TEST_CASE("a link that is twice as quick halves what a large collective takes") {
  const Workshop shop;
  const std::string large = "collective all-reduce --bytes 8GiB -f json --system dgx-a100";
  const json plain = json::parse(shop.run(large).out);
  const json quick = json::parse(shop.run(large + " --set link_types.nvlink3.bandwidth=50GB/s").out);
  CHECK(plain["rows"][0]["time_us"].get<double>() / quick["rows"][0]["time_us"].get<double>() ==
        Approx(2).epsilon(0.05));
}

TEST_CASE("a measurement is put beside the calculation, and what is slow is said") {
  const Workshop shop;
  shop.write("out.txt", kTable);
  const Workshop::Said said = shop.run("collective all-reduce --system dgx-a100 --measured out.txt");
  CHECK(said.code == 0);
  CHECK_THAT(said.out, Contains("2 GPUs of DGX A100") && Contains("as usual") && Contains("slower than usual") &&
                           Contains("mean error"));
  const json result =
      json::parse(shop.run("collective all_reduce --system dgx-a100 --measured out.txt --format json").out);
  CHECK(result["gpus"] == 2);
  CHECK(result["rows"][1]["measured_us"] == 9999);
}

TEST_CASE("collectives that cannot be are refused") {
  const Workshop shop;
  shop.write("out.txt", kTable);
  const std::string on = " --system dgx-a100 ";
  for (const Wrong& wrong :
       {Wrong{"collective all-reduce", "needs --system SYSTEM", 1},
        Wrong{"collective --system dgx-a100", "needs a collective", 1},
        Wrong{"collective all-redcue" + on, "unknown collective 'all-redcue' (did you mean 'all-reduce'?)", 1},
        Wrong{"collective all-reduce --system dgx-a10", "did you mean 'dgx-a100'?", 2},
        Wrong{"collective all-reduce --system gh200", "has one GPU, and a collective needs two", 2},
        Wrong{"collective all-reduce --gpus 9" + on, "--gpus", 1},
        Wrong{"collective all-reduce --gpus 1" + on, "--gpus", 1},
        Wrong{"collective all-reduce --bytes 0" + on, "out of range (allowed: 1 to 1 TiB)", 1},
        Wrong{"collective all-reduce --bytes 20000000000000000000000" + on, "--bytes", 1},
        Wrong{"collective all-reduce --bytes 2MiB..1MiB" + on, "does not ascend", 1},
        Wrong{"collective all-reduce --set kernels.relu.bytes=1" + on,
              "--set kernels.relu.bytes: is not a key of a system", 2},
        Wrong{"collective all-reduce --set calls.launch=1us --set calls.launch=2us" + on, "is given twice", 2},
        Wrong{"collective all-reduce --algorithm nvls" + on, "NCCL does not run all-reduce as nvls on 8 GPUs", 1},
        Wrong{"collective all-reduce --algorithm one-shot" + on, "NCCL has no one-shot algorithm", 1},
        Wrong{"collective all-reduce --library custm" + on, "did you mean 'custom'?", 1},
        Wrong{"collective all-reduce --library custom --protocol ll" + on, "--protocol is NCCL's", 1},
        Wrong{"collective all-reduce --library custom --launch pytorch" + on, "was measured with NCCL", 1},
        Wrong{"collective all-gather --measured out.txt" + on, "is a measurement of all-reduce, not of all-gather", 2},
        Wrong{"collective all-reduce --measured out.txt --gpus 4" + on, "out.txt:3: was measured with 2 ranks", 2},
        Wrong{"collective all-reduce --measured nothing.txt" + on, "no such file", 2},
        Wrong{"collective all-reduce --measured out.txt --bytes 1MiB" + on, "--bytes does not go with --measured",
              1}}) {
    check_refused(shop, wrong);
  }
}

}  // namespace collective_test
