// SPDX-License-Identifier: MIT
// What the program does when all is well: formats, files, search, streams.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"
#include "tests/app/refused.h"

namespace run_test {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using gpusim::app::content_of;
using gpusim::app::kStuck;
using gpusim::app::Workshop;
using nlohmann::json;

namespace {

const std::string kSaxpy = "--arch h100 --trace saxpy --test-params ";

json without_host(const std::string& text) {
  json result = json::parse(text);
  result.erase("host");
  return result;
}

}  // namespace

TEST_CASE("the main job answers in text, and says nothing on standard error") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kSaxpy);
  CHECK(said.code == 0);
  CHECK_THAT(said.out, StartsWith("gpusim "));
  CHECK_THAT(said.out, Contains("H100") && Contains("-bound: ") && Contains("Warp states") && Contains("simulated in"));
  CHECK(said.err.empty());
  CHECK(said.out.find('\x1b') == std::string::npos);
}

TEST_CASE("'run' is the same as no command") {
  const Workshop shop;
  const json plain = without_host(shop.run(kSaxpy + "--format json").out);
  CHECK(without_host(shop.run("run " + kSaxpy + "--format json").out) == plain);
}

TEST_CASE("the result does not depend on the number of threads, byte for byte but for the host") {
  const Workshop shop;
  const std::string one = shop.run(kSaxpy + "--format json --threads 1").out;
  const std::string two = shop.run(kSaxpy + "--format json --threads 2").out;
  CHECK(without_host(one).dump() == without_host(two).dump());
  CHECK(json::parse(two)["host"]["threads"] == 2);
}

TEST_CASE("states sum to warp-cycles, and sectors to hits and misses") {
  const Workshop shop;
  const json kernel = json::parse(shop.run(kSaxpy + "--format json --cache cold").out)["kernels"][0];
  std::uint64_t sum = 0;
  for (const json& cycles : kernel["stalls"]) {
    sum += cycles.get<std::uint64_t>();
  }
  CHECK(sum == kernel["warp_cycles"]);
  for (const auto* level : {"l1", "l2"}) {
    const json& memory = kernel["memory"][level];
    CHECK(memory["hits"].get<std::uint64_t>() + memory["misses"].get<std::uint64_t>() == memory["sectors"]);
  }
  CHECK(kernel["memory"]["dram"]["read_bytes"] > 0);
}

TEST_CASE("--json writes a file beside the report, and 'report' renders it to the same text") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kSaxpy + "--json saved.json");
  REQUIRE(said.code == 0);
  CHECK(json::parse(content_of(shop.folder() / "saved.json"))["complete"] == true);
  CHECK(shop.run("report saved.json").out == said.out);
  CHECK(shop.run("report saved.json --format json").out == content_of(shop.folder() / "saved.json"));
}

TEST_CASE("a failed run leaves an older result as it was, and no temporary file") {
  const Workshop shop;
  shop.write("saved.json", "precious");
  shop.write("stuck.trace", kStuck);
  CHECK(shop.run("-a h100 -t stuck.trace --json saved.json").code == 3);
  CHECK(content_of(shop.folder() / "saved.json") == "precious");
  for (const auto& entry : std::filesystem::directory_iterator(shop.folder())) {
    CHECK_THAT(entry.path().filename().string(), !Contains(".part"));
  }
}

TEST_CASE("a run that --max-cycles stops is written as far as it came, says so everywhere, and exits with 3") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kSaxpy + "--max-cycles 1000 --json part.json");
  CHECK(said.code == 3);
  CHECK_THAT(said.out, Contains("PARTIAL: stopped at --max-cycles; counts end there"));
  CHECK_THAT(said.err,
             Contains("has not finished after 1,000 cycles (--max-cycles)") && Contains("; the result is partial"));
  const json part = json::parse(content_of(shop.folder() / "part.json"));
  CHECK(part["complete"] == false);
  CHECK_THAT(part["stopped_at_limit"].get<std::string>(), Contains("has not finished after 1,000 cycles"));
  CHECK(part["kernels"][0]["cycles"] == 1000);
  CHECK(shop.run("report part.json").out == said.out);
  CHECK_THAT(shop.run("compare part.json part.json").out, Contains("A PARTIAL"));
}

TEST_CASE("--why of a run that --max-cycles stops has no answer") {
  const Workshop shop;
  const Workshop::Said said = shop.run(kSaxpy + "--max-cycles 300 --why warp=0,cycle=400 --json part.json");
  CHECK(said.code == 3);
  CHECK(said.out.empty());
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "part.json"));
}

TEST_CASE("CSV has a header and one row per kernel") {
  const Workshop shop;
  const std::string csv = shop.run(kSaxpy + "--format csv").out;
  CHECK_THAT(csv, StartsWith("schema,"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 2);
}

TEST_CASE("--param, --set, --ctas and --cache reach the simulation") {
  const Workshop shop;
  const json result = json::parse(
      shop.run("-a h100 -t saxpy -p n=2560 -s sm.count=8 -s noc.gpcs=1 --ctas 2..4 --cache cold -f json").out);
  CHECK(result["parameters"]["n"] == 2560);
  CHECK(result["machine"]["sms"] == 8);
  CHECK(result["kernels"][0]["simulated_ctas"] == 3);
  CHECK(result["cache_state"] == "cold");
  CHECK(result["arch"]["path"] == "h100");
  CHECK(result["trace"]["path"] == "saxpy");
}

TEST_CASE("names are found in the folders of GPUSIM_PATH") {
  const Workshop shop;
  std::filesystem::create_directories(shop.folder() / "mine/configs");
  shop.write("mine/configs/small.yaml", "extends: " GPUSIM_SOURCE_DIR "/configs/h100.yaml\nname: Small\n");
  const Workshop::Said said = shop.run("arch list", "GPUSIM_PATH=\"$PWD/mine\"");
  CHECK_THAT(said.out, Contains("small") && Contains("h100"));
  CHECK(shop.run("arch check small", "GPUSIM_PATH=\"$PWD/mine\"").code == 0);
  CHECK(shop.run("arch check small").code == 2);
}

TEST_CASE("a name with a folder is found below the folders of GPUSIM_PATH, an absolute path is not") {
  const Workshop shop;
  std::filesystem::create_directories(shop.folder() / "mine/configs/own");
  shop.write("mine/configs/own/small.yaml", "extends: " GPUSIM_SOURCE_DIR "/configs/h100.yaml\nname: Small\n");
  CHECK(shop.run("arch check own/small", "GPUSIM_PATH=\"$PWD/mine\"").code == 0);
  CHECK(shop.run("arch check /own/small", "GPUSIM_PATH=\"$PWD/mine\"").code == 2);
  CHECK(shop.run("trace info recorded/boehm-2d-64").code == 0);
}

TEST_CASE("a path wins over a name, and the extension may be left out") {
  const Workshop shop;
  shop.write("saxpy.trace", "not a trace\n");
  CHECK(shop.run("trace check saxpy").code == 2);
  CHECK(shop.run("trace check transpose --test-params").code == 0);
  CHECK(shop.run("trace check transpose.trace --test-params").code == 0);
}

TEST_CASE("--color and NO_COLOR are obeyed") {
  const Workshop shop;
  CHECK(shop.run(kSaxpy + "--color always").out.find('\x1b') != std::string::npos);
  CHECK(shop.run(kSaxpy + "--color always", "NO_COLOR=1").out.find('\x1b') != std::string::npos);
  CHECK(shop.run(kSaxpy + "--color never").out.find('\x1b') == std::string::npos);
}

TEST_CASE("bars are ASCII unless the locale is UTF-8") {
  const Workshop shop;
  const std::string ascii = shop.run(kSaxpy, "LC_ALL=C").out;
  CHECK(std::all_of(ascii.begin(), ascii.end(), [](char c) { return static_cast<unsigned char>(c) < 128; }));
  CHECK_THAT(shop.run(kSaxpy, "LC_ALL=C.UTF-8").out, Contains("\u2588"));
}

TEST_CASE("help and version go to standard output") {
  const Workshop shop;
  CHECK_THAT(shop.run("--version").out, StartsWith("gpusim "));
  CHECK_THAT(shop.run("--help").out, Contains("Examples:") && Contains("--trace"));
  CHECK_THAT(shop.run("trace dump --help").out, Contains("--most"));
  CHECK(shop.run("--help").code == 0);
}

TEST_CASE("'arch show' prints a file that loads to the same, with its peaks as comments") {
  const Workshop shop;
  const std::string shown = shop.run("arch show a100 --set sm.count=100").out;
  CHECK_THAT(shown, Contains("# Peaks"));
  shop.write("again.yaml", shown);
  CHECK(shop.run("arch show again.yaml").out == shown);
}

TEST_CASE("'trace info' shows parameters and kernels, 'trace dump' the program and a warp's steps") {
  const Workshop shop;
  CHECK_THAT(shop.run("trace info saxpy").out, Contains("--param n = ") && Contains("kernel saxpy: grid"));
  CHECK_THAT(shop.run("trace dump saxpy").out, Contains("LDG.E"));
  CHECK_THAT(shop.run("trace dump saxpy --cta 1 --warp 2 --most 3").out, Contains("only the first 3 steps"));
}

TEST_CASE("the difference of two GPUs is said as text and as JSON, and of one GPU and a change of it") {
  const Workshop shop;
  CHECK_THAT(shop.run("arch diff a100 h100").out, Contains("A100 SXM4 80GB  H100 SXM5 80GB") && Contains("sm.count"));
  const json changed = json::parse(shop.run("arch diff h100 --set sm.count=160 --format json").out);
  CHECK(changed["values"][0]["key"] == "sm.count");
  CHECK(changed["values"][0]["second"] == "160");
}

TEST_CASE("the list and a GPU are said as JSON") {
  const Workshop shop;
  CHECK(json::parse(shop.run("arch list --format json").out)["schema"] == "gpusim.arch-list/1");
  CHECK(json::parse(shop.run("arch show a100 --format json").out)["schema"] == "gpusim.arch/1");
}

TEST_CASE("Ctrl-C once: a partial result, marked as such, and exit code 130") {
  const Workshop shop;
  // The output's temporary file appears once interrupts are caught; the full kernel takes far longer than this.
  const Workshop::Said said =
      shop.shell("'" GPUSIM_PROGRAM
                 "' -a h100 -t gemm_bf16 --json part.json >out 2>err & pid=$!; "
                 "until ls part.json.part* >/dev/null 2>&1 || ! kill -0 $pid; do sleep 0.02; done; "
                 "kill -INT $pid; wait $pid");
  CHECK(said.code == 130);
  CHECK_THAT(said.err, Contains("interrupted: the result is partial"));
  CHECK_THAT(said.out, Contains("PARTIAL"));
  CHECK(json::parse(content_of(shop.folder() / "part.json"))["complete"] == false);
  CHECK_FALSE(std::filesystem::exists(shop.folder() / "core"));
}

TEST_CASE("a saved result is told as the profiler's CSV, in other widths, and of chosen kernels alone") {
  const Workshop shop;
  CHECK(shop.run("--arch h100 --trace divergence --test-params --json saved.json").code == 0);
  CHECK_THAT(shop.run("report saved.json --format ncu-csv").out,
             StartsWith("\"ID\",") && Contains("\"branch_tree\"") && Contains("\"Duration\",\"us\",\""));
  CHECK(shop.run("report saved.json --csv").out == shop.run("report saved.json --format ncu-csv").out);
  CHECK(shop.run("--arch h100 --trace divergence --test-params --csv").out == shop.run("report saved.json --csv").out);
  check_refused(shop, {"report saved.json --csv --format json", "--csv is short for --format ncu-csv"});
  const std::string all = shop.run("report saved.json").out;
  CHECK_THAT(all, Contains("\nKernels  in order\n") && Contains("branch_tree") && Contains("ragged_loop"));
  const std::string one = shop.run("report saved.json --kernel tree").out;
  CHECK_THAT(one, !Contains("\nKernels") && Contains("\nbranch_tree\n") && !Contains("\nragged_loop\n"));
  const Workshop::Said none = shop.run("report saved.json --kernel nothing");
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("no kernel matches --kernel 'nothing'"));
}

TEST_CASE("the report of the FlashAttention trace names the instructions whose results are waited for") {
  const Workshop shop;
  const auto said = shop.run("--quiet --arch h100 --trace flashattn --test-params");
  CHECK(said.code == 0);
  const std::size_t begin = said.out.find("Results that are waited for");
  REQUIRE(begin != std::string::npos);
  const std::string section = said.out.substr(begin, said.out.find("\n\n", begin) - begin);
  // The copy of K that the DEPBAR before the products waits for, the fragments of theirs, and the maxima over a quad.
  for (const char* const producer : {"LDGSTS.E.BYPASS.128", "DEPBAR.LE", "LDSM.16.M88.4", "HMMA.16816", "SHFL.BFLY"}) {
    INFO(section);
    CHECK(section.find(producer) != std::string::npos);
  }
}

TEST_CASE("--record series puts states over time into the result, and a word that is none is refused") {
  const Workshop shop;
  const json kernel = json::parse(shop.run(kSaxpy + "--format json --record series").out)["kernels"][0];
  std::uint64_t selected = 0;
  for (const json& count : kernel["series"]["states"]["selected"]) {
    selected += count.get<std::uint64_t>();
  }
  CHECK(selected == kernel["warp_instructions"]);
  CHECK(kernel["sms"]["ctas"].size() == 132);
  const Workshop::Said said = shop.run(kSaxpy + "--record serie");
  CHECK(said.code == 1);
  CHECK_THAT(said.err, Contains("--record: 'serie' is none of series, warps=SM[:A..B]"));
}

TEST_CASE("a GPU of few memory channels, as the RTX 3060 Ti has, ends a cold sum of arrays with nothing left over") {
  const Workshop shop;
  shop.write("add.trace",
             "gpusim trace 1\nparam n = 2048 in 1..65536\nkernel add\n  grid (n/16, n/16)\n  block (16, 16)\n"
             "  registers 16\n  buffer x f32[n*n]\n  buffer y f32[n*n]\n  buffer z f32[n*n]\ncode\n"
             "  let i = (ctaid.y*16 + tid.y)*n + ctaid.x*16 + tid.x\n  LDG.E R2, [R4.64] @ x[i]\n"
             "  LDG.E R3, [R6.64] @ y[i]\n  FADD R2, R2, R3\n  STG.E [R8.64], R2 @ z[i]\n  EXIT\nend\n");
  const Workshop::Said said = shop.run(
      "--arch rtx3090 --set sm.count=38 --set dram.stacks=8 --set dram.bandwidth=448GB/s --trace add.trace "
      "--cache cold");
  CHECK(said.code == 0);
  CHECK(said.err.empty());
  CHECK_THAT(said.out, Contains("dram-bound: "));
}

TEST_CASE("--html writes a page of a run, and of a saved result, and refuses what cannot be") {
  const Workshop shop;
  REQUIRE(shop.run(kSaxpy + "--html page.html --json saved.json").code == 0);
  CHECK_THAT(content_of(shop.folder() / "page.html"), StartsWith("<!doctype html>") || StartsWith("<!DOCTYPE html>"));
  REQUIRE(shop.run("report saved.json --html again.html").code == 0);
  CHECK(content_of(shop.folder() / "again.html").size() > 100'000);
  const Workshop::Said same = shop.run(kSaxpy + "--html x --json x");
  CHECK(same.code == 1);
  CHECK_THAT(same.err, Contains("--json and --html name the same file, 'x'"));
  const Workshop::Said over = shop.run("report saved.json --html saved.json");
  CHECK(over.code == 2);
  CHECK_THAT(over.err, Contains("saved.json: is what is to be read"));
  CHECK(shop.run("report saved.json --html nowhere/page.html").code == 2);
}

}  // namespace run_test
