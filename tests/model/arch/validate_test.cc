// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/model/arch/support.h"

namespace validate_test {

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

TEST_CASE("counts that do not divide are refused, with both numbers") {
  CHECK(problems_of_set({{"l2.slices", "84"}})
            .find("--set l2.slices: 'l2.slices' is 84, not a multiple of 'l2.partitions', 10\n") == 0);
  CHECK_THAT(problems_of_set({{"l2.partitions", "5"}}),
             Catch::Contains("--set l2.partitions: 'l2.partitions' is 5, not a multiple of 'l2.halves', 2\n"));
  CHECK_THAT(problems_of_set({{"dram.channels", "161"}}),
             Catch::Contains("'dram.channels' is 161, not a multiple of 'dram.stacks', 5\n"));
  CHECK_THAT(problems_of_set({{"sm.sub_cores", "3"}}),
             Catch::Contains("'sm.limits.warps_per_sm' is 64, not a multiple of 'sm.sub_cores', 3\n"));
}

TEST_CASE("how lines are spread over partitions, slices and channels comes out even") {
  CHECK_THAT(problems_of_set({{"l2.interleave_bytes", "200B"}}),
             Catch::Contains("'l2.interleave_bytes' is not a multiple of a line's 128 bytes\n"));
  CHECK_THAT(problems_of_set({{"l2.slice_share_bytes", "384B"}}),
             Catch::Contains("'l2.slice_share_bytes' is not a power of two\n"));
  CHECK_THAT(problems_of_set({{"l2.slice_share_bytes", "128KiB"}}),
             Catch::Contains("'l2.slice_share_bytes' does not divide l2.interleave_bytes\n"));
  CHECK_THAT(problems_of_set({{"dram.channels", "155"}}),
             Catch::Contains("'dram.channels' is 155, not a multiple of 'l2.partitions', 10\n"));
}

TEST_CASE("a sub-core has at most 32 warps") {
  CHECK_THAT(problems_of_set({{"sm.sub_cores", "1"}}),
             Catch::Contains("'sm.limits.warps_per_sm' is 64, more than 32 for each of 'sm.sub_cores', 1\n"));
  CHECK(problems_of_set({{"sm.sub_cores", "2"}}).empty());
}

TEST_CASE("a contradiction points at the line of the key") {
  const std::string text = problems_of_variant("l2:\n  slices: 84\n");
  CHECK(text.find("v.yaml:3:11: 'l2.slices' is 84, not a multiple") == 0);
}

TEST_CASE("caches need whole sets") {
  CHECK(problems_of_set({{"l2.ways", "24"}})
            .find("'l2.bytes' leaves a cache of 640 KiB, which is not a whole number of "
                  "sets of 3 KiB\n") != std::string::npos);
  CHECK_THAT(
      problems_of_set({{"sm.l1.ways", "64"}}),
      Catch::Contains("'sm.shared.carveouts' leaves a cache of 28 KiB, which is not a whole number of sets of 8 KiB"));
  CHECK(problems_of_set({{"l2.ways", "5"}}).empty());
}

TEST_CASE("carve-outs must leave something to L1, and hold the largest CTA") {
  CHECK_THAT(
      problems_of_set({{"sm.l1.unified_bytes", "200 KiB"}}),
      Catch::Contains("'sm.shared.carveouts' has 228 KiB, which leaves nothing of 'sm.l1.unified_bytes', 200 KiB\n"));
  CHECK_THAT(problems_of_set({{"sm.shared.max_per_cta", "228 KiB"}}),
             Catch::Contains("'sm.shared.max_per_cta' and 'sm.shared.reserved_per_cta' exceed the largest carve-out, "
                             "228 KiB\n"));
}

TEST_CASE("SMs must fit the GPCs") {
  CHECK_THAT(problems_of_set({{"noc.gpcs", "7"}}),
             Catch::Contains(
                 "'sm.count' is 132, more than 'noc.gpcs' x 'noc.max_sms_per_gpc', 126 (change 'noc.gpcs' too)\n"));
  CHECK_THAT(problems_of_set({{"sm.count", "4"}, {"noc.gpcs", "8"}}),
             Catch::Contains("'noc.gpcs' is 8, above 'sm.count', 4\n"));
}

TEST_CASE("DRAM timings must not contradict each other") {
  CHECK_THAT(problems_of_set({{"dram.timing.CCDL", "1 clocks"}}),
             Catch::Contains("'dram.timing.CCDS' is 2, above 'dram.timing.CCDL', 1\n"));
  CHECK_THAT(problems_of_set({{"dram.timing.RAS", "10 ns"}}),
             Catch::Contains("'dram.timing.RCDRD' is 26, above 'dram.timing.RAS', 14\n"));
  CHECK_THAT(problems_of_set({{"dram.timing.REFI", "260 ns"}}),
             Catch::Contains("'dram.timing.RFC' leaves no time for a row cycle between refreshes"));
  CHECK_THAT(problems_of_set({{"dram.write_low_percent", "80 %"}}),
             Catch::Contains("'dram.write_low_percent' is not below 'dram.write_high_percent'\n"));
}

TEST_CASE("a row cycle is at least as long as an open row and its precharge") {
  const auto row_cycle = [](const char* rc, const char* ras, const char* rp) {
    return problems_of_set({{"dram.timing.RC", rc}, {"dram.timing.RAS", ras}, {"dram.timing.RP", rp}});
  };
  CHECK_THAT(
      row_cycle("58 clocks", "37 clocks", "22 clocks"),
      Catch::Contains("'dram.timing.RC' is 58, below 'dram.timing.RAS' + 'dram.timing.RP', 59: a row is open for "
                      "RAS, and then its bank precharges for RP\n"));
  CHECK(row_cycle("59 clocks", "37 clocks", "22 clocks").empty());
  // 37.1 + 22.1 clocks, each rounded up, are one more than 59.2 is.
  CHECK(row_cycle("45.2 ns", "28.33 ns", "16.87 ns").empty());
  CHECK_THAT(problems_of_set({{"dram.timing.RC", "40 ns"}}), Catch::Contains("'dram.timing.RC' is 53, below"));
}

TEST_CASE("banks that are refreshed in pairs are even in number") {
  CHECK(problems_of_set({{"dram.refresh", "two_bank"}}).empty());
  CHECK_THAT(problems_of_set({{"dram.refresh", "two_bank"},
                              {"dram.bank_groups", "3"},
                              {"dram.banks_per_group", "5"},
                              {"dram.row_bytes", "1152 B"}}),
             Catch::Contains("'dram.refresh' takes two banks, but there are 15\n"));
  CHECK_THAT(problems_of_set({{"dram.refresh", "per_row"}}), Catch::Contains("per_row"));
}

TEST_CASE("activates, refreshes and turns of the bus must be possible at all") {
  CHECK_THAT(problems_of_set({{"dram.timing.FAW", "2 clocks"}}),
             Catch::Contains("'dram.timing.RRDS' is 4, above 'dram.timing.FAW', 2\n") &&
                 Catch::Contains("'dram.timing.RRDL' is 5, above 'dram.timing.FAW', 2\n"));
  CHECK_THAT(problems_of_set({{"dram.timing.RTP", "60 clocks"}}),
             Catch::Contains("'dram.timing.RTP' is 60, above 'dram.timing.RAS', 37\n"));
  CHECK_THAT(problems_of_set({{"dram.timing.RFC", "58 clocks"}}),
             Catch::Contains("--set dram.timing.RFC: 'dram.timing.RFC' is 58, below a row cycle, 'dram.timing.RAS' + "
                             "'dram.timing.RP', 59: a refresh opens and closes rows\n"));
  CHECK(problems_of_set({{"dram.timing.RFC", "59 clocks"}}).empty());
  CHECK_THAT(problems_of_set({{"dram.timing.RFCpb", "58 clocks"}}),
             Catch::Contains("'dram.timing.RFCpb' is 58, below a row cycle"));
  CHECK_THAT(problems_of_set({{"dram.timing.RREFD", "320 clocks"}}),
             Catch::Contains("'dram.timing.RREFD' is 320: refreshes of 16 banks, one after another, take all of "
                             "'dram.timing.REFI', 5108\n"));
  CHECK_THAT(problems_of_set({{"dram.timing.RTW", "9 clocks"}}),
             Catch::Contains("--set dram.timing.RTW: 'dram.timing.RTW' is 9, below 'dram.timing.CL' + "
                             "'dram.timing.BL' - 'dram.timing.CWL', 10: a write's data would meet that of the read "
                             "before it\n"));
  CHECK(problems_of_set({{"dram.timing.RTW", "10 clocks"}}).empty());
}

TEST_CASE("a cap on a row's bursts is for the scheduler that has one") {
  CHECK(problems_of_set({{"dram.scheduler_cap", "3"}}).empty());
  CHECK(problems_of_set({{"dram.scheduler", "fr-fcfs-cap"}, {"dram.scheduler_cap", "3"}}).empty());
  CHECK(problems_of_set({{"dram.scheduler", "fcfs"}}).empty());
  for (const std::string scheduler : {"fcfs", "fr-fcfs"}) {
    CHECK_THAT(problems_of_set({{"dram.scheduler", scheduler}, {"dram.scheduler_cap", "3"}}),
               Catch::Contains("--set dram.scheduler_cap: 'dram.scheduler_cap' is for fr-fcfs-cap alone\n"));
  }
}

TEST_CASE("between refreshes there is time for a request, of all banks and of single ones") {
  CHECK_THAT(
      problems_of_set({{"dram.timing.RFC", "300 clocks"}, {"dram.timing.REFI", "500 clocks"}}),
      Catch::Contains("'dram.timing.REFI' is 500 clocks; refreshes take 300 of them, and the 200 left are no more than "
                      "the ") &&
          Catch::Contains(" that all other timings add up to: a request might never be served"));
  CHECK(problems_of_set({{"dram.timing.RFC", "300 clocks"}, {"dram.timing.REFI", "1000 clocks"}}).empty());
  CHECK_THAT(problems_of_set({{"dram.refresh", "per_bank"}, {"dram.timing.RREFD", "300 clocks"}}),
             Catch::Contains("'dram.timing.REFI' is 5108 clocks; refreshes take") &&
                 Catch::Contains("a request might never be served"));
}

TEST_CASE("channels must fit the pins of the stacks") {
  CHECK_THAT(problems_of_set({{"dram.channels", "320"}}),
             Catch::Contains("--set dram.channels: 'dram.channels' is 320, with 32 pins each ('dram.channel_bits') "
                             "more than the bus: 'dram.stacks' is 5, and one of HBM3 has 1024 (change 'dram.stacks' "
                             "too)\n"));
  CHECK_THAT(problems_of_set({{"dram.type", "GDDR7"}}), Catch::Contains("and one of GDDR7 has 32"));
  CHECK(problems_of_set({{"dram.channels", "80"}}).empty());
}

TEST_CASE("banks, bursts and rows must fit the scheduler") {
  CHECK_THAT(problems_of_set({{"dram.banks_per_group", "17"}}),
             Catch::Contains("'dram.banks_per_group' is 17 for each of 'dram.bank_groups', 4: more than 64 banks in "
                             "all\n"));
  CHECK(problems_of_set({{"dram.banks_per_group", "16"}}).empty());
  CHECK_THAT(problems_of_set({{"dram.burst_bytes", "16 B"}}),
             Catch::Contains("'dram.burst_bytes' is 16, neither 32 nor 64 nor 128\n"));
  CHECK_THAT(problems_of_set({{"dram.row_bytes", "1056 B"}}),
             Catch::Contains("'dram.row_bytes' is not a multiple of a line's 128 bytes\n"));
}

TEST_CASE("a mapping of DRAM lines that is not one-to-one is refused") {
  CHECK_THAT(
      problems_of_set({{"dram.mapping", "row column group"}}),
      Catch::Contains("'dram.mapping' is not one-to-one: lines that differ in 'bank' would lie at one place (add "
                      "'bank')\n"));
  CHECK_THAT(problems_of_set({{"dram.mapping", "row rnak column group"}}),
             Catch::Contains("has 'rnak', which is none of row, bank, column, group"));
  CHECK_THAT(problems_of_set({{"dram.mapping", "row bank column/3 column group"}}), Catch::Contains("not one-to-one"));
  CHECK(problems_of_set({{"dram.mapping", "row column bank group^"}}).empty());
  CHECK_THAT(problems_of_set({{"dram.mapping", "row^ column bank group"}}),
             Catch::Contains("'dram.mapping' has 'row^' in front, where nothing is above that could turn it ('row')"));
}

TEST_CASE("what a file asks for in each of many parts must be little in all") {
  CHECK_THAT(problems_of_set({{"l2.mshrs", "26215"}}),
             Catch::Contains("'l2.mshrs' is 26215 for each of 'l2.slices', 80: more than 2,097,152 in all"));
  CHECK(problems_of_set({{"l2.mshrs", "26214"}}).empty());
  CHECK_THAT(problems_of_set({{"sm.l1.mshrs", "65536"}}), Catch::Contains("'sm.l1.mshrs' is 65536 for each of"));
  CHECK_THAT(problems_of_set({{"dram.channels", "2560"}, {"dram.queue_entries", "1000"}}),
             Catch::Contains("'dram.queue_entries' is 1000 for each of 'dram.channels', 2560"));
}

TEST_CASE("the command clock must fit the pins") {
  CHECK_THAT(
      problems_of_set({{"dram.command_hz", "2 GHz"}}),
      Catch::Contains("'dram.command_hz' does not fit 'clocks.memory': in 'dram.timing.BL' the pins move 21 "
                      "bytes, 'dram.burst_bytes' is 32 (to change the bandwidth, use --set dram.bandwidth=...)"));
  CHECK_FALSE(problems_of_set({{"clocks.memory", "3 GHz"}, {"dram.command_hz", "1.309 GHz"}}).empty());
}

TEST_CASE("a cluster fits a GPC") {
  CHECK(problems_of_set({{"sm.limits.ctas_per_cluster", "19"}}) ==
        "--set sm.limits.ctas_per_cluster: 'sm.limits.ctas_per_cluster' is 19, above 'noc.max_sms_per_gpc', 18\n");
}

TEST_CASE("shared memory without opting in is no more than with it") {
  CHECK(problems_of_set({{"sm.shared.max_per_cta_default", "228KiB"}}) ==
        "--set sm.shared.max_per_cta_default: 'sm.shared.max_per_cta_default' is 228 KiB, above "
        "'sm.shared.max_per_cta', 227 KiB\n");
}

TEST_CASE("what a file's keys contradict is reported beside what is wrong with each of them") {
  CHECK(problems_of_variant("clocks:\n"
                            "  boost: [2 MiB, guess, user]\n"
                            "sm:\n"
                            "  limits:\n"
                            "    ctas_per_cluster: [32, guess, user]\n"
                            "  lsu:\n"
                            "    lanes: [12, guess, ocd]\n"
                            "  shared:\n"
                            "    carveouts: [[0 KiB, 300 KiB], guess, user]\n"
                            "    max_per_cta_default: [240 KiB, guess, user]\n"
                            "  tensor:\n"
                            "    sparsity: [9, guess, user]\n") ==
        "v.yaml:8:24: unknown source 'ocd' (did you mean 'occ'?)\n"
        "v.yaml:3:10: 'clocks.boost': unit 'MiB' does not fit: use Hz, kHz, MHz or GHz (write for example 1.755 GHz)\n"
        "v.yaml:13:15: 'sm.tensor.sparsity': '9' is out of range (allowed: 1 to 4)\n"
        "v.yaml:8:12: 'sm.lsu.lanes' is 12, which does not divide a warp's 32 lanes\n"
        "v.yaml:11:26: 'sm.shared.max_per_cta_default' is 240 KiB, above 'sm.shared.max_per_cta', 227 KiB\n"
        "v.yaml:10:16: 'sm.shared.carveouts' has 300 KiB, which leaves nothing of 'sm.l1.unified_bytes', 256 KiB\n"
        "v.yaml:6:23: 'sm.limits.ctas_per_cluster' is 32, above 'noc.max_sms_per_gpc', 18\n");
}

TEST_CASE("a value that cannot be read contradicts nothing, nor does what it replaces") {
  CHECK(problems_of_variant("l2:\n  slices: [eighty, guess, user]\n  partitions: [11, guess, user]\n") ==
        "v.yaml:3:11: 'l2.slices': 'eighty' is not a number (write for example 132)\n"
        "v.yaml:4:15: 'l2.partitions' is 11, not a multiple of 'l2.halves', 2\n"
        "v.yaml:4:15: 'dram.channels' is 160, not a multiple of 'l2.partitions', 11\n");
  CHECK(problems_of_variant("dram:\n  command_hz:\n") ==
        "v.yaml:3:3: 'dram.command_hz' needs a value (write command_hz: [value, kind, source])\n");
  CHECK(problems_of_variant("sm:\n  shared:\n    carveouts: [[], guess, user]\n") ==
        "v.yaml:4:16: 'sm.shared.carveouts': '' is not a number with a unit (write for example [0 KiB, 64 KiB, 100 "
        "KiB])\n");
}

TEST_CASE("a table of clocks that rises, or has a number without a unit, is refused at its place") {
  CHECK(problems_of_variant("power:\n  tensor_clock: [[1.7 GHz, 1.8 GHz], guess, user]\n") ==
        "v.yaml:3:17: 'power.tensor_clock': '1.8 GHz' is more than the one before (write for example [1.83 GHz, 1.7 "
        "GHz])\n");
  CHECK(problems_of_variant("power:\n  tensor_clock: [[1.8 GHz, 1700], guess, user]\n") ==
        "v.yaml:3:17: 'power.tensor_clock': '1700' lacks a unit: Hz, kHz, MHz or GHz (write for example [1.83 GHz, 1.7 "
        "GHz])\n");
}

TEST_CASE("a contradiction points at what the file or an option says, not at what it extends") {
  CHECK(problems_of_variant("noc:\n  gpcs: 3\n") ==
        "v.yaml:3:9: 'sm.count' is 132, more than 'noc.gpcs' x 'noc.max_sms_per_gpc', 54 (change 'noc.gpcs' too)\n");
  CHECK(problems_of_set({{"noc.max_sms_per_gpc", "16"}}).starts_with("--set noc.max_sms_per_gpc: 'sm.count' is 132"));
}

TEST_CASE("counts need not be powers of two") {
  const Arch arch = h100({{"sm.count", "7"}, {"dram.stacks", "3"}});
  CHECK(arch.l2.slices == 48);
  CHECK(arch.l2.partitions == 6);
  CHECK(problems_of_set({{"sm.limits.threads_per_cta", "4096"}}).find("more than a SM's 64 warps hold") !=
        std::string::npos);
  CHECK(problems_of_set({{"sm.lsu.lanes", "24"}}).find("which does not divide a warp's 32 lanes") != std::string::npos);
}

TEST_CASE("TLBs need pages and entries that fit together") {
  CHECK_THAT(problems_of_set({{"tlb.page_bytes", "3 MiB"}}),
             Catch::Contains("'tlb.page_bytes' is not a power of two\n"));
  CHECK_THAT(problems_of_set({{"tlb.page_bytes", "2 KiB"}}), Catch::Contains("4 KiB"));
  CHECK_THAT(problems_of_set({{"tlb.l1.pages", "3"}}), Catch::Contains("'tlb.l1.pages' is not a power of two\n"));
  CHECK_THAT(problems_of_set({{"tlb.l1.entries", "0"}}), Catch::Contains("1 to 65536"));
  CHECK_THAT(problems_of_set({{"tlb.walkers", "0"}}), Catch::Contains("1 to 4096"));
  CHECK_THAT(problems_of_set({{"tlb.l1_sms", "3"}}), Catch::Contains("1 to 2"));
  CHECK_THAT(problems_of_set({{"tlb.l2.ways", "7"}}),
             Catch::Contains("'tlb.l2.entries' is 2048, not a multiple of 'tlb.l2.ways', 7\n"));
  CHECK_THAT(problems_of_set({{"tlb.l1.pages", "32"}}),
             Catch::Contains("'tlb.l1.pages' is 32, above 'tlb.l2.pages', 16\n"));
  CHECK_THAT(problems_of_set({{"tlb.model", "on"}}), Catch::Contains("modelled"));
}

}  // namespace validate_test
