// SPDX-License-Identifier: MIT
// The library of kernels as a user meets it: make, --list, and what info says of the result.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/app/refused.h"

namespace gpusim::app::library_test {
namespace {

using Catch::Contains;
using nlohmann::json;

}  // namespace

TEST_CASE("'trace make' writes a kernel with the chosen values as defaults, comments kept") {
  const Workshop shop;
  REQUIRE(shop.run("trace make transpose-shared --param n=512 -o t.trace").code == 0);
  const std::string made = content_of(shop.folder() / "t.trace");
  CHECK_THAT(made, Contains("param n       = 512 in 16..65536") && Contains("param padding = 0 in 0..8"));
  CHECK_THAT(made, Contains("# out = in^T through shared memory"));
  CHECK_THAT(shop.run("trace info t.trace").out, Contains("grid (16, 128, 1)"));
  CHECK(shop.run("trace make transpose-shared --param n=512").out == made);
}

TEST_CASE("a value from the command line goes before the preset of a name in the library") {
  const Workshop shop;
  CHECK_THAT(shop.run("trace make transpose-shared --param padding=3").out, Contains("param padding = 3 in"));
  CHECK_THAT(shop.run("trace make scatter").out, Contains("param direction = scatter in"));
  CHECK_THAT(shop.run("trace make scatter --param direction=gather").out, Contains("param direction = gather in"));
}

TEST_CASE("the test set goes before the preset of a name in the library") {
  const Workshop shop;
  CHECK_THAT(shop.run("trace info gemm-batched --test-params").out, Contains("--param n = 128"));
  CHECK_THAT(shop.run("trace info gemm-batched").out, Contains("--param n = 1024"));
  CHECK_THAT(shop.run("trace info gemm-grouped --test-params").out, Contains("--param n = 128"));
  CHECK_THAT(shop.run("trace info gemm-grouped").out, Contains("--param n = 2048"));
  CHECK_THAT(shop.run("trace info gemm-split-k --test-params").out, Contains("--param k = 256"));
  CHECK_THAT(shop.run("trace info gemm-split-k").out, Contains("--param k = 8192"));
}

TEST_CASE("every name in the library can be had in its test set") {
  const Workshop shop;
  for (const json& kernel : json::parse(shop.run("trace make --list --format json").out)["kernels"]) {
    const std::string name = kernel["name"];
    INFO(name);
    CHECK(shop.run("trace info " + name + " --test-params").err == "");
  }
}

TEST_CASE("'trace make' refuses names and values that the library has not, and names the nearest") {
  const Workshop shop;
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Workshop::Said said = shop.run("trace make " + arguments);
    CHECK(said.code == 2);
    CHECK_THAT(said.err, Contains(message));
  };
  refused("transpose-shred", "transpose-shred: no such kernel in the library (did you mean 'transpose-shared'?");
  refused("saxpy --param m=3", "unknown parameter 'm'");
  refused("saxpy --param n=0", "parameter 'n' is 0 (allowed: 1 to 4294967296)");
  refused("gather --param direction=scater", "parameter 'direction' is 'scater' (did you mean 'scatter'?)");
  refused("transpose-padded --param n=33", "multiples of the edge of a CTA's tile");
  const Workshop::Said nothing = shop.run("trace make");
  CHECK(nothing.code == 1);
  CHECK_THAT(nothing.err, Contains("needs the name of a kernel, or --list"));
}

TEST_CASE("'trace make --list' names kernels with their parameters, as text and as JSON") {
  const Workshop shop;
  CHECK_THAT(shop.run("trace make --list").out,
             Contains("sgemm-tiled") && Contains("direction = scatter  (gather | scatter)"));
  const json list = json::parse(shop.run("trace make --list --format json").out);
  CHECK(list["schema"] == "gpusim.library/1");
  const auto kernel = std::find_if(list["kernels"].begin(), list["kernels"].end(),
                                   [](const json& one) { return one["name"] == "scatter"; });
  REQUIRE(kernel != list["kernels"].end());
  CHECK((*kernel)["family"] == "memory");
  CHECK((*kernel)["parameters"][0]["greatest"] == 67108864);
  CHECK((*kernel)["parameters"][1]["default"] == "scatter");
  CHECK((*kernel)["parameters"][1]["words"] == json({"gather", "scatter"}));
}

TEST_CASE("'trace make' refuses options that would do nothing, and writes its list where it is asked to") {
  const Workshop shop;
  check_refused(shop, {"trace make saxpy --format json", "--format needs --list"});
  check_refused(shop, {"trace make --list --param n=1", "it does not go with --param"});
  CHECK(shop.run("trace make --list -o list.txt").out.empty());
  CHECK_THAT(content_of(shop.folder() / "list.txt"), Contains("sgemm-tiled"));
  check_refused(shop, {"-a h100 -t unheard-of", "`gpusim trace make --list` names the kernels of the library", 2});
}

TEST_CASE("a kernel of the library is found by its file's name wherever a trace is") {
  const Workshop shop;
  CHECK_THAT(shop.run("trace check softmax --test-params").out, Contains("kernel softmax: no problems"));
  CHECK_THAT(shop.run("trace check sofmax").err, Contains("did you mean 'softmax'?"));
}

TEST_CASE("'trace make' refuses a launch that no GPU can make, with the parameters' values") {
  const Workshop shop;
  std::filesystem::create_directories(shop.folder() / "mine/library");
  shop.write("mine/library/wide.trace",
             "gpusim trace 1\nlibrary \"mine\" \"wide\"\nparam r = 32 in 1..255\nkernel wide\ngrid (1)\n"
             "block (1024)\nregisters r\nshared static r*1024\ncode\nEXIT\nend\n");
  CHECK(shop.run("trace make wide", "GPUSIM_PATH=mine").code == 0);
  const Workshop::Said said = shop.run("trace make wide --param r=65", "GPUSIM_PATH=mine");
  CHECK(said.code == 2);
  CHECK_THAT(said.err, Contains("kernel 'wide' takes 73728 registers a CTA: no GPU has more than 65536 (r = 65)"));
  CHECK_THAT(said.err, Contains("takes 66560 bytes of static shared memory a CTA: no GPU has more than 49152"));
}

TEST_CASE("a kernel of the library runs by its name, with its own values and title") {
  const Workshop shop;
  const auto parameter = [&](const std::string& arguments) {
    const json info = json::parse(shop.run("trace info transpose-shared --format json " + arguments).out);
    CHECK(info["title"] == "matrix transpose through shared memory without padding: 32-way bank conflicts");
    return info["parameters"]["padding"];
  };
  CHECK(parameter("--param n=64") == 0);
  CHECK(parameter("--param n=64 --param padding=3") == 3);
  const Workshop::Said run = shop.run("--arch h100 --trace reduce-strided --param n=65536 --format json");
  CHECK(run.code == 0);
  CHECK(json::parse(run.out)["parameters"]["order"] == "strided");
  CHECK(shop.run("sweep -a h100 -t transpose-shared --vary param.n=64,128 --dry-run").code == 0);
  CHECK_THAT(shop.run("trace check transpose-shred").err, Contains("did you mean 'transpose-shared'?"));
}

TEST_CASE("a user's own folder adds kernels to the library; a file that cannot be read is left out") {
  const Workshop shop;
  std::filesystem::create_directories(shop.folder() / "mine/library");
  shop.write("mine/library/own.trace",
             "gpusim trace 1\nlibrary \"mine\" \"own\"\nkernel own\ngrid (1)\nblock (32)\ncode\nEXIT\nend\n");
  shop.write("mine/broken.trace", "gpusim trace 1\nlibrary mine\n");
  const Workshop::Said said = shop.run("trace make --list", "GPUSIM_PATH=mine");
  CHECK_THAT(said.out, Contains("own"));
  CHECK_THAT(said.err, Contains("left out of the library") && Contains("expected the family in double quotes"));
}

TEST_CASE("recordings in a user's folder are not kernels of the library, and no reason to warn") {
  const Workshop shop;
  std::filesystem::create_directories(shop.folder() / "mine");
  REQUIRE(shop.run("trace export saxpy --param n=64 -o raw").code == 0);
  REQUIRE(shop.run("trace import raw/kernelslist.g -o mine/recorded.trace").code == 0);
  shop.write("mine/raw.trace", "-kernel name = k\n");
  const Workshop::Said said = shop.run("trace make --list", "GPUSIM_PATH=mine");
  CHECK(said.code == 0);
  CHECK(said.err.empty());
}

TEST_CASE("what 'trace make' writes has the title of its name, and a test set that fits its defaults") {
  const Workshop shop;
  const json list = json::parse(shop.run("trace make --list --format json").out);
  REQUIRE(list["kernels"].size() > 50);
  std::string script;
  for (const json& kernel : list["kernels"]) {
    const std::string name = kernel["name"];
    script += "\"$G\" trace make " + name + " -o " + name + ".trace && \"$G\" trace check " + name +
              ".trace --test-params || echo bad " + name + "\n";
    std::string title = kernel["title"];
    for (std::size_t at = title.find('\''); at != std::string::npos; at = title.find('\'', at + 4)) {
      title.replace(at, 1, "'\\''");  // a quote within the quotes of a shell
    }
    script += "grep -qF 'title \"" + title + "\"' " + name + ".trace || echo untitled " + name + "\n";
  }
  shop.write("all.sh", script);
  const std::string said = shop.shell("G='" GPUSIM_PROGRAM "' sh all.sh >out 2>err").out;
  CHECK_THAT(said, !Contains("bad ") && !Contains("untitled ") && Contains("kernel gemm_mma: no problems"));
}

TEST_CASE(
    "the test set of what 'trace make' writes has the chosen values, and is the defaults where it would not fit") {
  const Workshop shop;
  CHECK_THAT(shop.run("trace make gemm-mma --param n=512").out, Contains("test  m=1024 n=512 k=256"));
  CHECK_THAT(shop.run("trace make gemm-mma --param splits=16").out, Contains("test  m=4096 n=4096 k=4096"));
  CHECK_THAT(shop.run("trace make saxpy").out, Contains("test  n=10000"));
}

TEST_CASE("values of a copy that make no sense are refused for what they are, without consequences") {
  const Workshop shop;
  const std::string err = shop.run("trace make copy --param threads=33 --param width=2").err;
  CHECK_THAT(err, Contains("width must be") && Contains("threads must be") && !Contains("has no value"));
}

TEST_CASE("the list shows which parameters are to be given, and names that are taken are left out with a warning") {
  const Workshop shop;
  std::filesystem::create_directories(shop.folder() / "mine/library");
  shop.write("mine/library/own.trace",
             "gpusim trace 1\nlibrary \"mine\" \"own\"\nlibrary \"mine\" \"rms-norm\"\nparam n = ? in 1..9\n"
             "kernel own\ngrid (n)\nblock (32)\ncode\nEXIT\nend\n");
  const Workshop::Said said = shop.run("trace make --list", "GPUSIM_PATH=mine");
  CHECK_THAT(said.out, Contains("      n = ?  (1 to 9)") && Contains("RMS norm of rows"));
  CHECK_THAT(said.err, Contains("left out of the library, which has a kernel called so: 'rms-norm' of "));
  CHECK_THAT(shop.run("trace make own --param n=3", "GPUSIM_PATH=mine").out, Contains("param n = 3 in 1..9"));
}

TEST_CASE("'trace info' says work, bytes, divergence and footprint of the whole launch") {
  const Workshop shop;
  const json info = json::parse(shop.run("trace info saxpy --param n=1000 --format json").out);
  CHECK(info["schema"] == "gpusim.trace-info/1");
  CHECK(info["file_bytes"] > 1000);
  const json& kernel = info["kernels"][0];
  CHECK(kernel["walked"]["complete"] == true);
  CHECK(kernel["flops"]["fp32"] == 2000);
  CHECK(kernel["bytes"]["global"] == json({{"read", 8000}, {"written", 4000}, {"atomic", 0}}));
  CHECK(kernel["footprint"] == json::array({{{"buffer", "x"}, {"bytes", 4000}, {"of_bytes", 4000}},
                                            {{"buffer", "y"}, {"bytes", 4000}, {"of_bytes", 4000}}}));
  CHECK(kernel["lanes_on_path"] < 32);
  CHECK_THAT(shop.run("trace info saxpy").out, Contains("FLOPs") && Contains("intensity          0.167 FLOP a byte"));
}

TEST_CASE("'trace info' of a launch too large to walk says how much of it was walked, and scales", "[.slow]") {
  const Workshop shop;
  const std::string large = shop.run("trace info saxpy --param n=4294967296").out;
  CHECK_THAT(large, Contains("of 16,777,216 CTAs, spread over the grid"));
  CHECK_THAT(large, Contains("8.59 GFLOP fp32") && Contains("global 32 GiB read, 16 GiB written"));
  const json kernel = json::parse(shop.run("trace info saxpy --param n=4294967296 --format json").out)["kernels"][0];
  CHECK(kernel["flops"]["fp32"] == 8589934592);
  CHECK(kernel["bytes"]["global"] == json({{"read", 34359738368}, {"written", 17179869184}, {"atomic", 0}}));
  CHECK(kernel["warp_instructions"] == 1879048192);
  CHECK(kernel["mix"][0]["warp_instructions"] > 100'000'000);
  CHECK(kernel["walked"]["warp_instructions"] < 100'000'000);
}

}  // namespace gpusim::app::library_test
