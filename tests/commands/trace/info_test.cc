// SPDX-License-Identifier: MIT
// What `trace info` says of launches that are walked in part.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/commands/trace/summary.h"
#include "sim/input/text/load.h"

namespace gpusim::trace_summary {
namespace {

using Catch::Contains;
using nlohmann::json;

/// A loop that turns as often as the expression says, a CTA of one warp each.
trace::Trace loops(const std::string& grid, const std::string& turns) {
  return frontend::load_trace_text("gpusim trace 1\nkernel k\ngrid (" + grid + ")\nblock (32)\ncode\nloop i = 0.." +
                                       turns + "\nFADD R1, R2, R3\nend\nEXIT\nend\n",
                                   "t.trace", {});
}

struct Told {
  std::string text;
  json kernel;
};

Told told(const trace::Trace& trace, std::uint64_t most_steps) {
  const TraceInfo info{&trace, 0, {summarize_kernel(trace.kernels.at(0), most_steps)}};
  return {info_text(info, {}), json::parse(info_json(info))["kernels"][0]};
}

}  // namespace

TEST_CASE("a CTA too long to walk to its end is counted as far as it was seen, which is said, and nothing is scaled") {
  const trace::Trace trace = loops("8", "1000000");
  const Told said = told(trace, 1000);
  CHECK_THAT(said.text, Contains("cut off after 2,000 warp instructions of the first of 8 CTAs"));
  CHECK_THAT(said.text, Contains("warp instructions  2,000\n"));
  CHECK(said.kernel["walked"] ==
        json({{"ctas", 0}, {"of_ctas", 8}, {"complete", false}, {"cut_off", true}, {"warp_instructions", 2000}}));
  CHECK(said.kernel["warp_instructions"] == 2000);
}

TEST_CASE("a grid whose first CTA is the shortest is scaled from whole CTAs all over it") {
  const trace::Trace trace = loops("1001", "ctaid.x");
  const Told said = told(trace, 100'000);
  CHECK_THAT(said.text, Contains(" of 1,001 CTAs, spread over the grid; counts are scaled to all"));
  CHECK(said.kernel["walked"]["cut_off"] == false);
  const double ctas = said.kernel["walked"]["ctas"];
  CHECK(ctas < 1001);
  const double flops = said.kernel["flops"]["fp32"];
  CHECK(flops == Approx(1001 * 32 * 500.0).epsilon(0.05));
}

TEST_CASE("a launch that was walked whole is not cut off") {
  const trace::Trace trace = loops("4", "10");
  const Told said = told(trace, 1000);
  CHECK(said.kernel["walked"] ==
        json({{"ctas", 4}, {"of_ctas", 4}, {"complete", true}, {"cut_off", false}, {"warp_instructions", 84}}));
  CHECK_THAT(said.text, Contains("4 CTAs of 1 warp\n"));
  CHECK_THAT(said.text, !Contains("walked") && !Contains("cut off"));
}

TEST_CASE("a large intensity is written in digits, not as a power of ten") {
  const trace::Trace trace = frontend::load_trace_text(
      "gpusim trace 1\nkernel k\ngrid (1)\nblock (32)\nbuffer x u8[32]\ncode\nloop i = 0..16384\nFADD R1, R2, R3\nend\n"
      "STG.E.U8 [R4.64], R1 @ x[lane]\nEXIT\nend\n",
      "t.trace", {});
  CHECK_THAT(told(trace, 100'000).text,
             Contains("intensity          16,384 FLOP a byte asked of global memory, 16,384 a byte"));
}

}  // namespace gpusim::trace_summary
