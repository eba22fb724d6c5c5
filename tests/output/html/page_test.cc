// SPDX-License-Identifier: MIT
// A page carries its data whole, and nothing of the data can act on the page.
#include "sim/output/html/page.h"

#include <array>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "sim/model/stats/result.h"
#include "sim/output/html/viewer.h"

#include "tests/support/golden.h"

using namespace gpusim;
using nlohmann::json;

namespace {

constexpr std::string_view kBlock = "<script id=\"gpusim-data\" type=\"application/octet-stream\">";

/// What stands in the page's block of data.
std::string block_of(const std::string& page) {
  const std::size_t begin = page.find(kBlock);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = page.find("</script>", begin);
  REQUIRE(end != std::string::npos);
  return page.substr(begin + kBlock.size(), end - begin - kBlock.size());
}

std::string bytes_of(const std::string& base64) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t word = 0;
  unsigned bits = 0;
  for (const char c : base64.substr(0, base64.find('='))) {
    REQUIRE(kDigits.find(c) != std::string_view::npos);
    word = word << 6U | static_cast<std::uint32_t>(kDigits.find(c));
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(word >> bits & 0xffU);
    }
  }
  return bytes;
}

std::string gunzip(const std::string& packed) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
  std::string input = packed;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  std::string out;
  std::array<char, 4096> part{};
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = part.size();
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(part.data(), part.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  REQUIRE(code == Z_STREAM_END);
  return out;
}

json data_of(const std::string& page) {
  return json::parse(gunzip(bytes_of(block_of(page))));
}

stats::Result result_of(const std::string& kernel) {
  stats::Result result;
  result.arch_name = "Toy GPU";
  result.trace_origin = TraceOrigin::kProgram;
  result.cache_state = CacheState::kWarm;
  result.sm_clock_mhz = 1000;
  stats::KernelResult& counts = result.kernels.emplace_back();
  counts.name = kernel;
  counts.cycles = 1000;
  stats::PcResult& pc = counts.pcs.emplace_back();
  pc.opcode = "LDG.E";
  pc.text = kernel;
  return result;
}

}  // namespace

TEST_CASE("the page of a run holds its result and what the report derives from it") {
  const json data = data_of(html::run_page(result_of("axpy")));
  CHECK(data["schema"] == "gpusim.page/1");
  CHECK(data["kind"] == "run");
  CHECK(data["result"]["kernels"][0]["name"] == "axpy");
  const json& kernel = data["view"]["kernels"][0];
  CHECK_FALSE(kernel["verdict"].get<std::string>().empty());
  CHECK(kernel["links"].size() == 5);
  CHECK(kernel["instructions"][0]["pipe"] == "lsu");
  CHECK(data["view"]["states"].size() == stats::kStallCount);
}

TEST_CASE("the viewer's tests have the table of warp states that the program writes into its pages") {
  const std::string states = data_of(html::run_page(result_of("axpy")))["view"]["states"].dump(2) + "\n";
  INFO("run this test with GPUSIM_REGENERATE=1 and commit the table");
  CHECK(states == golden("tools/viewer/tests/data/states.json", states));
}

TEST_CASE("the page of a run whose launches share names has the kernels by name") {
  stats::Result result = result_of("axpy");
  CHECK(data_of(html::run_page(result))["view"]["kernel_names"].empty());
  result.kernels.push_back(result.kernels[0]);
  result.kernels[1].cycles = 3000;
  const json names = data_of(html::run_page(result))["view"]["kernel_names"];
  REQUIRE(names.size() == 1);
  CHECK(names[0]["name"] == "axpy");
  CHECK(names[0]["instances"] == 2);
  CHECK(names[0]["time_pct"] == 100.0);
  CHECK(names[0]["most_us"] == 3 * names[0]["least_us"].get<double>());
}

TEST_CASE("a page of very many kernels has the details of those that took most time", "[.slow]") {
  stats::Result result = result_of("short");
  result.kernels[0].record.emplace();
  result.kernels.push_back(result.kernels[0]);
  result.kernels[1].name = "long";
  result.kernels[1].cycles = 2000;
  result.kernels[1].pcs.resize(100'000, result.kernels[0].pcs[0]);
  const json data = data_of(html::run_page(result));
  CHECK(data["result"]["kernels"][0]["hotspots"].empty());
  CHECK(data["view"]["kernels"][0]["details_left_out"] == true);
  CHECK_FALSE(data["result"]["kernels"][0].contains("series"));
  CHECK(data["result"]["kernels"][1]["hotspots"].size() == 100'000);
  CHECK(data["view"]["kernels"][1]["details_left_out"] == false);
  CHECK(data["result"]["kernels"][1].contains("series"));
}

TEST_CASE("the page marks the unit that bounds a kernel, with the percentage that decided it") {
  stats::Result result = result_of("gemm");
  result.machine.sms = 1;
  result.machine.sub_cores_per_sm = 1;
  result.kernels[0].pipe_busy_cycles[static_cast<std::size_t>(isa::Pipe::kTensor)] = 700;
  const json data = data_of(html::run_page(result));
  const json& kernel = data["view"]["kernels"][0];
  const json& tensor = kernel["units"][0];
  REQUIRE(data["result"]["kernels"][0]["bound"] == "tensor");
  CHECK(tensor["name"] == "Tensor");
  CHECK(tensor["pct"] == 0.0);
  CHECK(tensor["bounds"] == true);
  CHECK(tensor["deciding_pct"] == 70.0);
  CHECK(kernel["units"][1]["bounds"] == false);
}

TEST_CASE("recorded intervals stand packed beside the result, and are nowhere else") {
  stats::Result result = result_of("axpy");
  CHECK_FALSE(data_of(html::run_page(result)).contains("watch"));
  stats::WatchInterval& interval = result.watch.emplace_back();
  interval.begin = 5;
  interval.end = 7;
  const json data = data_of(html::run_page(result));
  CHECK(data["watch"]["columns"]["cycles"] == json({2}));
  CHECK_FALSE(data["result"].contains("watch"));
  CHECK(data["result"]["kernels"].size() == 1);
}

TEST_CASE("a kernel whose name is markup stands nowhere in the page but in its data") {
  const std::string name = "</script><script>alert('x')</script>\n\"" + std::string(5000, '<') + "@GPUSIM_DATA@";
  const std::string page = html::run_page(result_of(name));
  CHECK(page.find("alert('x')") == std::string::npos);
  CHECK(page.find(std::string(100, '<')) == std::string::npos);
  CHECK(data_of(page)["result"]["kernels"][0]["name"] == name);
}

TEST_CASE("names that are not UTF-8 give a page all the same") {
  const json data = data_of(html::run_page(result_of("\xff\xfe kernel")));
  CHECK(data["result"]["kernels"][0]["name"] == "\xef\xbf\xbd\xef\xbf\xbd kernel");
}

TEST_CASE("a page allows nothing to be loaded from elsewhere, and asks for nothing") {
  const std::string page(html::viewer());
  CHECK(page.find("Content-Security-Policy") != std::string::npos);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  for (const auto* outside : {"src=\"http", "href=\"http", "url(http", "@import"}) {
    CHECK(page.find(outside) == std::string::npos);
  }
}

TEST_CASE("the data mark stands in the viewer once") {
  const std::string_view page = html::viewer();
  const std::size_t first = page.find(html::kDataMark);
  REQUIRE(first != std::string_view::npos);
  CHECK(page.find(html::kDataMark, first + 1) == std::string_view::npos);
}

TEST_CASE(
    "the page of a comparison has each run under its name, those of a sweep and of an application what they got") {
  const stats::Result a = result_of("axpy");
  const stats::Result b = result_of("dot");
  const std::array<html::NamedResult, 2> runs{{{"before", &a}, {"after \"x\"", &b}}};
  const json compare = data_of(html::compare_page(runs, R"({"schema":"gpusim.compare/1"})"));
  CHECK(compare["kind"] == "compare");
  CHECK(compare["runs"][1]["name"] == "after \"x\"");
  CHECK(compare["runs"][1]["result"]["kernels"][0]["name"] == "dot");
  const json sweep = data_of(html::sweep_page(R"({"title":"t","columns":[],"rows":[]})"));
  CHECK(sweep["sweep"]["title"] == "t");
  const json app = data_of(html::app_page(R"({"report":{"step_us":7}})"));
  CHECK(app["kind"] == "app");
  CHECK(app["app"]["report"]["step_us"] == 7);
}

TEST_CASE("the same result gives the same page, byte for byte") {
  CHECK(html::run_page(result_of("axpy")) == html::run_page(result_of("axpy")));
}
