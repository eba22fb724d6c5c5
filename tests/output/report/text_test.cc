// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/output/report/report.h"
#include "sim/output/report/text_options.h"
#include "sim/output/report/verdict.h"
#include "sim/output/report/writers.h"

#include "tests/output/report/sample.h"
#include "tests/support/golden.h"

namespace text_test {

using namespace gpusim;
using Catch::Matchers::Contains;
using report::TextOptions;

namespace {

std::string text_of(const stats::Result& result) {
  return report::to_text(result, {});
}

TextOptions of_width(std::size_t width, bool details = false) {
  TextOptions options;
  options.width = width;
  options.details = details;
  return options;
}

/// The sample with many kernels, the later the longer.
stats::Result many_kernels(std::size_t count) {
  stats::Result result = report::sample_result();
  const stats::KernelResult kernel = result.kernels[0];
  result.kernels.assign(count, kernel);
  for (std::size_t i = 0; i < count; ++i) {
    result.kernels[i].name = "k" + std::to_string(i);
    result.kernels[i].cycles += i;
  }
  return result;
}

}  // namespace

TEST_CASE("the text report is the committed one") {
  const std::string text = text_of(report::sample_result());
  CHECK(text == golden("tests/output/report/golden/report.txt", text));
}

TEST_CASE("the detailed report is the committed one") {
  const std::string text = report::to_text(report::sample_result(), {layout::Look(), true});
  CHECK(text == golden("tests/output/report/golden/report_details.txt", text));
}

TEST_CASE("warnings stand at the top of the report, in front of the first kernel") {
  const std::string text = text_of(report::sample_result());
  const std::size_t warning = text.find("warning: opcode 'FROB' is unknown");
  REQUIRE(warning != std::string::npos);
  CHECK(warning < text.find("Speed of light"));
  CHECK(warning < text.find("warp instructions"));
  CHECK(text.find("warning:", warning + 1) == std::string::npos);
}

TEST_CASE("no line of the report is wider than the page, whatever names and texts are") {
  stats::Result result = many_kernels(30);
  for (std::size_t i = 0; i < result.kernels.size(); ++i) {
    result.kernels[i].name += std::string(i % 3 == 0 ? 500 : 5, 'n');
  }
  result.kernels[0].name = std::string(500, 'k');
  result.trace_path = std::string(500, 'p');
  result.warnings.assign(3, std::string(300, 'w') + " " + std::string(60, 'v'));
  result.warnings[2] = "a warning of many words that goes on and on until it has to be broken over more lines than one";
  for (stats::PcResult& pc : result.kernels[0].pcs) {
    pc.text = std::string(200, 't');
  }
  result.warnings.erase(result.warnings.begin(), result.warnings.begin() + 2);
  for (const std::size_t width : {80U, 99U, 140U}) {
    for (const bool details : {false, true}) {
      std::istringstream lines(report::to_text(result, of_width(width, details)));
      for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(line.size() <= width);
      }
    }
  }
}

TEST_CASE("the operands of an instruction are uncut where there is room, and cut where there is none") {
  stats::Result result = report::sample_result();
  const std::string text = "LDG.E.128.CONSTANT R12, desc[UR8][R4.64+0x12340]";
  result.kernels[0].pcs[1].text = text;
  CHECK_THAT(report::to_text(result, of_width(140)), Contains("12  2  " + text + "     8,000"));
  CHECK_THAT(report::to_text(result, of_width(80)), !Contains("12  2  " + text) && Contains("12  2  LDG.E.128"));
  CHECK_THAT(report::to_text(result, of_width(80)), Contains("long_scoreboard 87 %"));
}

TEST_CASE("colour marks the unit that bounds, the main wait and the line that costs most, not the headings") {
  stats::Result result = report::sample_result();
  const auto problem = [](const std::string& words) { return "\x1b[1;31m" + words + "\x1b[0m"; };
  const auto coloured = [&result] { return report::to_text(result, {layout::Look{.colour = true}, false}); };
  CHECK_THAT(coloured(), Contains(problem("L2")) && Contains(problem("82.8")) && Contains(problem("long_scoreboard")) &&
                             Contains(problem("13")) && !Contains(problem("Speed of light")));
  // Where nothing stands out nothing is marked.
  result.kernels[0].l2.busy_cycles = result.kernels[0].l2.read_sectors = 0;
  result.kernels[0].pcs.clear();
  result.kernels[0].stalls.fill(100);
  CHECK_THAT(coloured(), !Contains("\x1b[1;31m"));
}

TEST_CASE("lines whose lanes need more sectors, or passes through the banks, than their bytes are marked") {
  stats::Result result = report::sample_result();
  stats::PcResult& load = result.kernels[0].pcs[1];
  load.memory_ideal_sectors = 20'000;
  load.shared_wavefronts = 9000;
  load.shared_ideal_wavefronts = 1000;
  CHECK_THAT(text_of(result), Contains("12  LDG.E.128 ...     8,000  100,000      12.50   2.50       75.8\n") &&
                                  Contains("12  LDG.E.128 ...   9,000  1,000   9.0\n"));
  CHECK_THAT(report::to_text(result, {layout::Look{.colour = true}, false}),
             Contains("\x1b[1;31m12.50\x1b[0m") && Contains("\x1b[1;31m9.0\x1b[0m"));
}

TEST_CASE("without colour there is no escape, with colour the same text stands between them") {
  const stats::Result result = report::sample_result();
  CHECK(text_of(result).find('\x1b') == std::string::npos);
  std::string coloured = report::to_text(result, {layout::Look{.colour = true}, false});
  REQUIRE_THAT(coloured, Contains("\x1b["));
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  CHECK(coloured == text_of(result));
}

TEST_CASE("the shares of the states shown and of the rest add up to all of the time") {
  stats::Result result = report::sample_result();
  // 0.04 % of the time is below what is shown.
  REQUIRE(result.kernels[0].stalls[static_cast<std::size_t>(stats::Stall::kBranchResolving)] == 40);
  CHECK_THAT(text_of(result), Contains("others (1)"));
  CHECK_THAT(report::to_text(result, {layout::Look(), true}), Contains("branch_resolving"));
}

TEST_CASE("copies of one line are counted together") {
  CHECK_THAT(text_of(report::sample_result()), Contains("12  2  LDG.E.128 ...     8,000    18.0"));
}

TEST_CASE("instructions of many kinds on a line of compiled source are a row each, and name each other") {
  stats::Result result = report::sample_result();
  for (stats::PcResult& pc : result.kernels[0].pcs) {
    pc.line = 12;
  }
  const std::string text = text_of(result);
  CHECK_THAT(text, Contains("12  2  LDG.E.128 ...     8,000    18.0"));
  CHECK_THAT(text, Contains("12  LDG.E.128 ...    60.0  long_scoreboard  12 FFMA"));
  CHECK_THAT(report::verdict(report::explained_view(result).kernels[0]),
             Contains("(most at line 12: FFMA, for the LDG.E.128 at line 12)"));
}

TEST_CASE("instructions of unknown line stay apart") {
  stats::Result result = report::sample_result();
  for (stats::PcResult& pc : result.kernels[0].pcs) {
    pc.line = 0;
  }
  CHECK_THAT(text_of(result), Contains("0x0020  1  LDG.E.128"));
}

TEST_CASE("the verdict names the state, its share, and the line that waits most") {
  stats::Result result = report::sample_result();
  result.kernels[0].l2.busy_cycles = 0;
  result.kernels[0].l2.read_sectors = 0;
  CHECK_THAT(text_of(result), Contains("latency-bound: no unit comes near its peak (L1 is nearest with 40 %)"));
  CHECK_THAT(text_of(result), Contains("60 % of their"));
  CHECK_THAT(text_of(result), Contains("(most at line 13:"));
}

TEST_CASE("tensor pipes that are busy far from their peak are the unit that is nearest") {
  stats::Result result = report::sample_result();
  result.kernels[0].l2.busy_cycles = 0;
  result.kernels[0].l2.read_sectors = 0;
  result.kernels[0].pipe_busy_cycles[static_cast<std::size_t>(isa::Pipe::kTensor)] = 70'400;  // out of 128,000
  const report::View view = report::explained_view(result);
  CHECK_THAT(report::verdict(view.kernels[0]),
             Contains("no unit comes near its peak (the tensor pipes are nearest, busy 55 % of the time)"));
  CHECK(report::busiest_unit(view.kernels[0]).name == "Tensor");
  CHECK(report::busiest_unit(view.kernels[0]).deciding_pct == Approx(55));
}

TEST_CASE("the verdict and the finding on stalls name the same line") {
  stats::Result result = report::sample_result();
  stats::KernelResult& kernel = result.kernels[0];
  kernel.pcs[3].line = 40;
  kernel.pcs.push_back(kernel.pcs[3]);
  kernel.pcs.push_back(kernel.pcs[3]);
  kernel.pcs.back().line = 41;  // waits more than each of the two copies
  kernel.pcs.back().stalls[static_cast<std::size_t>(stats::Stall::kLongScoreboard)] += 100;
  const report::View view = report::explained_view(result);
  CHECK_THAT(report::verdict(view.kernels[0]), Contains("(most at line 40:"));
  CHECK_THAT(report::to_json(result), Contains("most of it: FFMA at line 40"));
}

TEST_CASE("the report names the load that is waited for, its copies together") {
  const stats::Result result = report::sample_result();
  CHECK_THAT(report::verdict(report::explained_view(result).kernels[0]),
             Contains("(most at line 13: FFMA, for the LDG.E.128 at line 12)"));
  CHECK_THAT(text_of(result), Contains("12  LDG.E.128 ...    60.0  long_scoreboard  13 FFMA"));
}

TEST_CASE("a tensor-bound verdict counts tensor FLOPs alone, and says how busy the pipes are") {
  stats::Result result = report::sample_result();
  stats::KernelResult& kernel = result.kernels[0];
  kernel.pipe_busy_cycles[static_cast<std::size_t>(isa::Pipe::kTensor)] = 115'200;   // out of 128,000
  kernel.flops[static_cast<std::size_t>(isa::FlopClass::kTensorBf16)] = 80'000'000;  // in 8 us
  CHECK_THAT(text_of(result),
             Contains("tensor-bound: the tensor pipes are busy 90 % of the time and reach 10.0 TFLOP/s"));
}

TEST_CASE("a verdict on rows of DRAM says how many are opened, what for, and what helps") {
  stats::Result result = report::sample_result();
  stats::KernelResult& kernel = result.kernels[0];
  kernel.dram.activates = 28'800;  // in 8 us, of 4 G a second
  CHECK_THAT(
      report::verdict(report::explained_view(result).kernels[0]),
      Contains("dram_rows-bound: DRAM opens 3.60 G rows a second, 90 % of what its timings allow, and moves 111 B "
               "for each, 40 % of its peak; neighbouring lanes"));
  CHECK_THAT(text_of(result), Contains("3.60 G opened a second, 111 B each"));
}

TEST_CASE("a verdict on the network names the ports that are busiest, and what helps") {
  stats::Result result = report::sample_result();
  stats::KernelResult& kernel = result.kernels[0];
  kernel.noc.gpc_reply_busy_cycles = kernel.cycles * 2 * 9 / 10;
  CHECK_THAT(report::verdict(report::explained_view(result).kernels[0]),
             Contains("noc-bound: the reply ports of GPCs are busy 90 % of the time; reuse in L1"));
  CHECK_THAT(text_of(result), Contains("busiest: reply ports of GPCs"));
}

TEST_CASE("ports that work on after the kernel's last cycle are shown as they were counted") {
  stats::Result result = report::sample_result();
  stats::KernelResult& kernel = result.kernels[0];
  kernel.noc.sm_request_busy_cycles = kernel.cycles * 5;
  kernel.noc.sm_request_full_cycles = kernel.cycles * 5;
  kernel.noc.sm_request_stall_cycles = kernel.cycles * 5;
  report::TextOptions options;
  options.details = true;
  CHECK_THAT(report::to_text(result, options),
             Contains("request ports of SMs            4   125.0   125.0      125.0        -"));
}

TEST_CASE("details list every level of ports that there is, with what waits for it") {
  stats::Result result = report::sample_result();
  stats::KernelResult& kernel = result.kernels[0];
  kernel.noc.gpc_request_stall_cycles = kernel.cycles * result.machine.sms / 4;
  kernel.noc.gpc_reply_wait_cycles = kernel.cycles * 2 * 3;
  report::TextOptions options;
  options.details = true;
  const std::string text = report::to_text(result, options);
  CHECK_THAT(text, Contains("request ports of GPCs           2     0.0     0.0       25.0        -") &&
                       Contains("reply ports of GPCs             2    30.0       -          -     3.00") &&
                       !Contains("ports of TPCs"));
  CHECK_THAT(report::to_text(result, {}), !Contains("ports of the network"));
}

TEST_CASE("of DRAM that is simulated without rows the report says so, and nothing of their hits") {
  stats::Result result = report::sample_result();
  result.machine.dram_activates_per_second = 0;
  stats::DramCounters& dram = result.kernels[0].dram;
  dram.row_hits = dram.row_misses = dram.row_conflicts = dram.activates = 0;
  CHECK_THAT(text_of(result), Contains("simulated without") && !Contains("rows: "));
}

TEST_CASE("the roofline is that of the level whose roof is lowest, and the report names it") {
  stats::Result result = report::sample_result();
  // L1 moves 4.22 MB at 512 GB/s, L2 3.39 MB at as much, DRAM 3.20 MB at 1 TB/s.
  CHECK_THAT(text_of(result), Contains("6.2  L1          0.12   2.00  sloped: memory") && !Contains("no DRAM traffic"));
  result.kernels[0].dram = {};
  CHECK_THAT(text_of(result), Contains("no DRAM traffic: the roofline is that of L1\n"));
  CHECK_THAT(report::to_text(result, {layout::Look(), true}),
             Contains("L2           0.15") && Contains("L1           0.12") && !Contains("DRAM         0"));
  result.kernels[0].l1 = {};
  result.kernels[0].l2 = {};
  result.kernels[0].sm.shared_read_bytes = result.kernels[0].sm.shared_write_bytes = 0;
  CHECK_THAT(text_of(result), Contains("no memory traffic") && Contains("6.2  -              -      -  flat: compute"));
}

TEST_CASE("of a kernel without branches none are said to diverge or not") {
  stats::Result result = report::sample_result();
  result.kernels[0].sm.branches = result.kernels[0].sm.divergent_branches = 0;
  CHECK_THAT(text_of(result), Contains("\n  no branches\n") && !Contains("branches diverge"));
}

TEST_CASE("sectors a request are those of global loads, stores and atomics, and of the lines that touch most") {
  stats::Result result = report::sample_result();
  CHECK_THAT(text_of(result), Contains("sectors a request: 12.50 of global loads, 16.00 of global stores\n"));
  CHECK_THAT(text_of(result), Contains("12  LDG.E.128 ...     8,000  100,000      12.50      -       75.8\n"));
  result.kernels[0].l1.global_atomic_requests = 10;
  result.kernels[0].l1.global_atomic_sectors = 25;
  CHECK_THAT(text_of(result), Contains("2.50 of global atomics"));
}

TEST_CASE("the verdict says when atomics go on for long after the last warp has left") {
  stats::Result result = report::sample_result();
  stats::KernelResult& kernel = result.kernels[0];
  kernel.sm_active_cycles.assign(4, kernel.cycles / 10);
  CHECK(text_of(result).find("no warp is left") == std::string::npos);
  kernel.l1.atomic_sectors = 1;
  CHECK_THAT(text_of(result), Contains("for 90 % of the time no warp"));
}

TEST_CASE("the verdict says when the grid leaves SMs without a CTA") {
  stats::Result result = report::sample_result();
  result.kernels[0].simulated_ctas = 3;
  CHECK_THAT(text_of(result), Contains("3 of 16 CTAs"));
  CHECK_THAT(text_of(result), Contains("; --ctas leaves CTAs for only 3 of 4 SMs"));
  result.kernels[0].grid = {3, 1, 1};
  CHECK_THAT(text_of(result), Contains("; there are CTAs for only 3 of 4 SMs"));
}

TEST_CASE("an interrupted run says so in its first line") {
  stats::Result result = report::sample_result();
  result.complete = false;
  CHECK(text_of(result).find("PARTIAL") < text_of(result).find('\n'));
}

TEST_CASE("a run without kernels, and a kernel without instructions, are reported all the same") {
  stats::Result result = report::sample_result();
  result.kernels = {stats::KernelResult()};
  CHECK_THAT(text_of(result), Contains("nothing ran: no instruction was issued."));
  result.kernels.clear();
  CHECK_THAT(text_of(result), Contains("Toy GPU"));
}

TEST_CASE("of many kernels the longest are explained, and the report says so") {
  const stats::Result result = many_kernels(9);
  const std::string text = text_of(result);
  CHECK_THAT(text, Contains("The 4 longest of 9 kernels are explained; --details explains all, --kernel REGEX"));
  CHECK_THAT(text, Contains("\nk5\n") && Contains("\nk8\n") && !Contains("\nk4\n"));
  CHECK_THAT(report::to_text(result, {layout::Look(), true}), Contains("\nk0\n") && !Contains("longest"));
}

TEST_CASE("the kernels of a run have a total, and shares of it") {
  stats::Result result = many_kernels(3);
  const std::string text = text_of(result);
  CHECK_THAT(text, Contains("2  k2        16   8,002   8.00    33.3       2.50  0.67  l2\n"));
  CHECK_THAT(text, Contains("   total     48  24,003  24.00   100.0       7.50\n"));
  CHECK_THAT(text, !Contains("Kernels by name"));
  CHECK_THAT(text_of(report::sample_result()), !Contains("total"));
}

TEST_CASE("of many kernels the longest are listed, the others in one row") {
  const stats::Result result = many_kernels(100);
  const std::string text = text_of(result);
  CHECK_THAT(text, Contains("the 20 longest, in order (--details: all)"));
  CHECK_THAT(text, Contains("\n  80  k80 ") && !Contains("\n  79  k79 ") && Contains("      80 others "));
  CHECK_THAT(report::to_text(result, {layout::Look(), true}), Contains("\n  79  k79 ") && !Contains(" others "));
}

TEST_CASE("kernels of one name are summed up as the profiler does") {
  stats::Result result = many_kernels(4);
  for (const std::size_t i : {0U, 1U, 3U}) {
    result.kernels[i].name = "again";
  }
  result.kernels[0].cycles = 1000;
  result.kernels[1].cycles = 2000;
  result.kernels[3].cycles = 6000;
  const std::string text = text_of(result);
  CHECK_THAT(text, Contains("Kernels by name  times in us\n"));
  CHECK_THAT(text, Contains("   52.9      9.00          3  3.00  2.00  1.00  6.00    2.65  again\n"));
  CHECK_THAT(text, Contains("   47.1      8.00          1  8.00  8.00  8.00  8.00    0.00  k2\n"));
}

TEST_CASE("names from input files cannot smuggle escapes into a terminal") {
  stats::Result result = report::sample_result();
  result.kernels[0].name = "evil\x1b[2J";
  result.trace_title = "\x1b]0;title\x07";
  CHECK(text_of(result).find('\x1b') == std::string::npos);
}

}  // namespace text_test
