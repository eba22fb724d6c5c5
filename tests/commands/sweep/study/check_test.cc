// SPDX-License-Identifier: MIT
// What is refused before anything runs, and with which words.
#include <catch2/catch.hpp>

#include "tests/commands/sweep/study/support.h"

using namespace gpusim;
using namespace gpusim::sweep;
using namespace gpusim::sweep::test;

TEST_CASE("a misspelled key is refused with the key it was probably meant to be") {
  CHECK(problems_of("sm.counts=1") == "--vary sm.counts: unknown key 'sm.counts' (did you mean 'sm.count'?)\n");
  CHECK(problems_of("l2.size=1 MiB") == "--vary l2.size: unknown key 'l2.size' (did you mean 'l2.bytes'?)\n");
  CHECK(problems_of("seq=1,2") ==
        "--vary seq: unknown key 'seq' (docs/architecture-keys.md lists all keys; a trace's parameter is param.seq)\n");
  CHECK(problems_of("dram.size=1x") ==
        "--vary dram.size: unknown key 'dram.size' (did you mean 'dram.capacity_bytes'?)\n");
  CHECK(problems_of("l1.ways=4") ==
        "--vary l1.ways: unknown key 'l1.ways' (did you mean 'sm.l1.ways' or 'tlb.l1.ways'?)\n");
  CHECK(problems_of("dram.bandwith=1x") ==
        "--vary dram.bandwith: unknown key 'dram.bandwith' (did you mean 'dram.bandwidth'?)\n");
  CHECK(problems_of("l2.elephants=1") ==
        "--vary l2.elephants: unknown key 'l2.elephants' (in 'l2', known: model, bytes, halves, partitions, slices, "
        "ways, tag_latency, data_latency, slice_bytes_per_cycle, mshrs, queue_entries, atomic_entries, ...)\n");
}

TEST_CASE("a group of keys is refused with its keys") {
  CHECK_THAT(problems_of("noc=1"), Catch::StartsWith("--vary noc: is a group of keys (known: model, gpcs, "));
  CHECK_THAT(problems_of("param.=1"), Catch::Contains("names no parameter"));
}

TEST_CASE("a value that its key refuses is refused with what is allowed") {
  CHECK(problems_of("sm.count=0") == "--vary sm.count: '0' is out of range (allowed: 1 to 1024)\n");
  CHECK(problems_of("l2.bytes=50") ==
        "--vary l2.bytes: '50' lacks a unit: B, KiB, MiB, GiB or TiB (write for example 50 MiB)\n");
  CHECK_THAT(problems_of("sm.scheduler.policy=no-such-policy"), Catch::Contains("allowed: gty, gto, lrr, oldest"));
  CHECK_THAT(problems_of("param.seq=1.5"), Catch::Contains("'1.5' is not an integer"));
  for (const char* text : {"nan", "inf", "1e3", "-5", "0x10", "1..", "..5", "1...5", "99999999999999999999"}) {
    INFO(text);
    CHECK_FALSE(problems_of("sm.count=" + std::string(text)).empty());
  }
}

TEST_CASE("each end of a range that has the wrong unit is named") {
  CHECK_THAT(problems_of("dram.bandwidth=3TB..4TB:3"),
             Catch::Contains("'3TB': unit 'TB' does not fit") && Catch::Contains("'4TB': unit 'TB' does not fit"));
}

TEST_CASE("an empty range is refused, and so is a step that leads nowhere") {
  CHECK(problems_of("sm.count=160..66") ==
        "--vary sm.count: '160..66' is an empty range: it ends below its beginning (the smaller end first, such as "
        "66..160)\n");
  CHECK_THAT(problems_of("sm.count=1..5+0"), Catch::Contains("the step '0' leads nowhere"));
  CHECK_THAT(problems_of("sm.count=1x..2x+0x"), Catch::Contains("leads nowhere"));
  CHECK_THAT(problems_of("sm.count=1..5:0"), Catch::Contains("'0' is not a number of values"));
  CHECK_THAT(problems_of("sm.count=1..5:1"), Catch::Contains("'1' is not a number of values"));
  CHECK_THAT(problems_of("sm.count=1..5:"), Catch::Contains("'' is not a number of values"));
  CHECK_THAT(problems_of("sm.count=1..5+"), Catch::Contains("has an empty step"));
  CHECK_THAT(problems_of("param.shift=0..8:3log"), Catch::Contains("does not begin above 0"));
}

TEST_CASE("both ends of a range are factors or none is, in one unit") {
  CHECK_THAT(problems_of("sm.count=66..2x"), Catch::Contains("both ends or none end in x"));
  CHECK_THAT(problems_of("dram.timing.RCDRD=10 ns..20 clocks:3"), Catch::Contains("begins in ns and ends in clocks"));
  CHECK_THAT(problems_of("clocks.sm=1 GHz..2 GHz+1 MiB"),
             Catch::Contains("the step '1 MiB' is not one of 'clocks.sm'"));
  CHECK_THAT(problems_of("sm.count=1x..2x+1"), Catch::Contains("'1' is not a step of factors"));
}

TEST_CASE("a range of what is not counted needs a number of values or a step") {
  CHECK_THAT(problems_of("clocks.sm=1 GHz..2 GHz"),
             Catch::Contains("'1 GHz..2 GHz' does not say which values to take"));
  CHECK_THAT(problems_of("sm.count=1x..2x"), Catch::Contains("does not say which values to take"));
}

TEST_CASE("more values than anybody means are refused before they exist") {
  CHECK(problems_of("param.seq=1..1000000000") ==
        "--vary param.seq: '1..1000000000' gives 1000000000 values (at most 10,000)\n");
  CHECK_THAT(problems_of("param.seq=-9223372036854775808..9223372036854775807"),
             Catch::Contains("gives 18446744073709551616 values"));
  CHECK_THAT(problems_of("sm.count=1x..2x+0.000001x"), Catch::Contains("gives 1000001 values"));
  CHECK_THAT(problems_of("param.seq=1..2:1000000000"), Catch::Contains("gives 1,000,000,000 values"));
  CHECK_THAT(problems_of("param.seq=1..9000,1..9000"), Catch::Contains("has more than 10,000 values"));
  CHECK_THAT(problems_of("param.seq=" + std::string(100'000, ',')), Catch::Contains("has an empty value"));
  CHECK_THAT(problems_of(study({"param.seq=1..9000", "param.batch=1..9000"})),
             Catch::Contains("the axes have 18,000 values together"));
}

TEST_CASE("all problems of a study are reported together") {
  Study bad = study({"sm.counts=1", "l2.bytes=50,-1 MiB", "sm.count=9..1"}, Combination::kRandom);
  bad.set = {"l2.model", "sm.count=132"};
  bad.param = {"seq=8k"};
  bad.where = {"l2.size > 1"};
  CHECK(problems_of(bad) ==
        "--vary sm.counts: unknown key 'sm.counts' (did you mean 'sm.count'?)\n"
        "--vary l2.bytes: '50' lacks a unit: B, KiB, MiB, GiB or TiB (write for example 50 MiB)\n"
        "--vary l2.bytes: '-1 MiB' is negative (allowed: 1 KiB to 2 GiB)\n"
        "--vary sm.count: '9..1' is an empty range: it ends below its beginning (the smaller end first, such as 1..9)\n"
        "--set l2.model: 'l2.model' is not KEY=VALUE\n"
        "--set sm.count: is varied, too (one of the two)\n"
        "--param seq: '8k' is not an integer (integers only, such as 8192 or 8000 for 8k)\n"
        "--random: draws 0 points (1 to 1,000,000)\n"
        "--where: unknown key 'l2.size', at character 1 (did you mean 'l2.bytes'?)\n");
}

TEST_CASE("what is given twice is refused") {
  CHECK_THAT(problems_of(study({"sm.count=1", "sm.count=2"})), Catch::Contains("is varied twice"));
  Study twice = study({"param.seq=1"});
  twice.param = {"batch=1", "batch=2", "seq=3"};
  twice.set = {"l2.ways=16", "l2.ways=8"};
  CHECK(problems_of(twice) ==
        "--set l2.ways: is given twice\n--param batch: is given twice\n--param seq: is varied, too (one of the two)\n");
}

TEST_CASE("axes to zip have equal lengths") {
  CHECK(problems_of(study({"sm.count=1,2", "l2.ways=16,20"}, Combination::kZip)).empty());
  CHECK(problems_of(study({"sm.count=1,2,3", "l2.ways=16,20"}, Combination::kZip)) ==
        "--zip: needs axes of equal length; values: 'sm.count' 3, 'l2.ways' 2\n");
}

TEST_CASE("an option that is not a KEY=VALUES is wrong usage") {
  CHECK_THROWS_AS(parse_axis("sm.count"), UsageError);
  CHECK_THROWS_AS(parse_axis("=66"), UsageError);
  CHECK(parse_axis("a=b=c").items == std::vector<std::string>{"b=c"});
}
