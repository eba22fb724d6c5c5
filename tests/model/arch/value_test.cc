// SPDX-License-Identifier: MIT
#include "sim/model/arch/value.h"

#include <catch2/catch.hpp>

#include "sim/model/arch/schema.h"

namespace value_test {

using namespace gpusim;
using namespace gpusim::arch;

namespace {

ParsedValue parse(std::string_view path, std::string_view text) {
  return parse_value(schema()[find_key(path).value()], text);
}

std::uint64_t number(std::string_view path, std::string_view text) {
  const ParsedValue parsed = parse(path, text);
  INFO(parsed.error);
  REQUIRE(parsed.error.empty());
  REQUIRE(parsed.value.number.denominator == 1);
  return parsed.value.number.numerator;
}

std::string error(std::string_view path, std::string_view text) {
  const ParsedValue parsed = parse(path, text);
  return parsed.error + " | " + parsed.hint;
}

}  // namespace

TEST_CASE("values are read exactly in their units, with or without a blank") {
  CHECK(number("l2.bytes", "50 MiB") == 50ULL << 20);
  CHECK(number("l2.bytes", "1.5KiB") == 1536);
  CHECK(number("clocks.sm", "1.755 GHz") == 1'755'000'000);
  CHECK(number("launch.kernel_ns", "2.38 us") == 2380);
  CHECK(number("sm.l1.hit_latency", "30 cycles") == 30);
  CHECK(number("sm.l1.hit_latency", "30") == 30);
  CHECK(number("dram.channel_bits", "32 bits") == 32);
  CHECK(number("noc.sm_reply_bytes_per_cycle", "64 B/cycle") == 64);
  CHECK(number("dram.write_high_percent", "80 %") == 80);
  CHECK(number("sm.count", "132") == 132);
}

TEST_CASE("an interval is an exact ratio, as a fraction or as a decimal") {
  CHECK(parse("sm.timing.fma.interval", "25/4").value.number == Ratio{25, 4});
  CHECK(parse("sm.timing.fma.interval", "6.25").value.number == Ratio{25, 4});
  CHECK(error("sm.timing.fma.interval", "0") == "'0' is out of range | allowed: 1 to 4096");
  CHECK(error("sm.timing.fma.interval", "1/0") == "'1/0' is not a number | write for example 25/4 or 6.25");
  CHECK(error("sm.timing.fma.interval", "1.00000000001") ==
        "'1.00000000001' has too many digits | write for example 25/4 or 6.25");
}

TEST_CASE("a wrong or missing unit is refused with the units that fit and an example") {
  CHECK(error("l2.bytes", "50 MB") == "unit 'MB' does not fit: use B, KiB, MiB, GiB or TiB | write for example 50 MiB");
  CHECK(error("l2.bytes", "50") == "'50' lacks a unit: B, KiB, MiB, GiB or TiB | write for example 50 MiB");
  CHECK(error("clocks.sm", "30 ns") == "unit 'ns' does not fit: use Hz, kHz, MHz or GHz | write for example 1.755 GHz");
  CHECK(error("sm.count", "132 SMs") == "unit 'SMs' does not fit: the value is a plain number | write for example 132");
  CHECK(error("dram.timing.CL", "14") == "'14' lacks a unit: ns or clocks | write for example 14 ns or 2 clocks");
}

TEST_CASE("numbers that YAML would convert are refused") {
  for (const char* text :
       {"010", "0x10", ".inf", ".nan", "1e3", "-1", "+1", "1_000", "1,000", "", "12 3", "1.", ".5"}) {
    INFO(text);
    CHECK_FALSE(parse("sm.count", text).error.empty());
  }
}

TEST_CASE("a number beyond its range or beyond 64 bits is refused with what is allowed") {
  CHECK(error("sm.count", "0") == "'0' is out of range | allowed: 1 to 1024");
  CHECK(error("sm.count", "1025") == "'1025' is out of range | allowed: 1 to 1024");
  CHECK(error("l2.bytes", "3 GiB") == "'3 GiB' is out of range | allowed: 1 KiB to 2 GiB");
  CHECK(error("l2.bytes", "0.3 B") == "'0.3 B' is not whole | write for example 50 MiB");
  CHECK(error("l2.bytes", "999999999999999 TiB") == "'999999999999999 TiB' is too large | allowed: 1 KiB to 2 GiB");
  CHECK(error("noc.sm_to_gpc_latency", "7 cycles") ==
        "'7 cycles' is out of range | allowed: 8 cycles to 100000 cycles");
}

TEST_CASE("a list of sizes must ascend") {
  CHECK(parse("sm.shared.carveouts", "0 B, 8 KiB,100 KiB").value.list == std::vector<std::uint64_t>{0, 8192, 102400});
  CHECK(error("sm.shared.carveouts", "8 KiB, 8 KiB") ==
        "'8 KiB' does not ascend | write for example [0 KiB, 64 KiB, 100 KiB]");
  CHECK(error("sm.shared.carveouts", "8 KiB,") ==
        "'' is not a number with a unit | write for example [0 KiB, 64 KiB, 100 KiB]");
}

TEST_CASE("a list of frequencies may not rise") {
  CHECK(parse("power.tensor_clock", "1.83 GHz, 1700 MHz,1.7 GHz").value.list ==
        std::vector<std::uint64_t>{1'830'000'000, 1'700'000'000, 1'700'000'000});
  CHECK(error("power.tensor_clock", "1.7 GHz, 1.8 GHz") ==
        "'1.8 GHz' is more than the one before | write for example [1.83 GHz, 1.7 GHz]");
  CHECK(error("power.tensor_clock", "1.7 GHz, 0 Hz") ==
        "'0 Hz' is out of range | write for example [1.83 GHz, 1.7 GHz]");
  CHECK(error("power.tensor_clock", "1.7") ==
        "'1.7' lacks a unit: Hz, kHz, MHz or GHz | write for example [1.83 GHz, "
        "1.7 GHz]");
}

TEST_CASE("a text with choices takes no other") {
  CHECK(parse("sm.simt", "its").value.word == "its");
  CHECK(error("sm.simt", "tis") == "'tis' is not a choice | did you mean 'its'? allowed: its, stack");
}

TEST_CASE("a peak names the clock it is quoted at") {
  const ParsedValue peak = parse("peaks.fp32", "66.9 TFLOP/s at boost");
  CHECK(peak.value.number.value() == 66.9e12);
  CHECK(peak.value.word == "boost");
  CHECK(error("peaks.fp32", "66.9 TFLOP/s") ==
        "'66.9 TFLOP/s' does not say at which clock | write for example 3.35 TFLOP/s at boost");
  CHECK(error("peaks.fp32", "66.9 TFLOP/s at noon") ==
        "clock 'noon' does not fit: use sm, boost or tensor_boost | write for example 3.35 TFLOP/s at boost");
}

TEST_CASE("a peak has its own unit, and DRAM and links their own clocks") {
  CHECK(parse("peaks.int8_tensor", "1979 TOP/s at tensor_boost").error.empty());
  CHECK(parse("peaks.l2", "0.01 PB/s at sm").error.empty());
  CHECK(error("peaks.int8_tensor", "1979 TFLOP/s at boost") ==
        "unit 'TFLOP/s' does not fit: this peak is in OP/s | write for example 3.35 TOP/s at tensor_boost");
  CHECK(error("peaks.dram", "3.35 TOP/s at memory") ==
        "unit 'TOP/s' does not fit: this peak is in B/s | write for example 3.35 TB/s at memory");
  CHECK(error("peaks.nvlink", "450 GB/s at memory") ==
        "clock 'memory' does not fit: use link | write for example 3.35 TB/s at link");
  CHECK(error("peaks.bf16_tensor", "989 TFLOP/s at link") ==
        "clock 'link' does not fit: use sm, boost or tensor_boost | write for example 3.35 TFLOP/s at tensor_boost");
  CHECK(error("peaks.dram", "2000 PB/s at memory") ==
        "'2000 PB/s' is out of range | allowed: above 0, at most 1000 PB/s");
}

TEST_CASE("DRAM nanoseconds are rounded up once, and clocks are kept") {
  constexpr std::uint64_t kClock = 1'309'500'000;
  CHECK(to_clocks(parse("dram.timing.RCDRD", "19.375 ns").value, kClock) == 26);  // 25.37
  CHECK(to_clocks(parse("dram.timing.CCDL", "4 clocks").value, kClock) == 4);
  CHECK(to_clocks(parse("dram.timing.RP", "14 ns").value, 1'000'000'000) == 14);  // exact: not 15
  CHECK(to_clocks(parse("dram.timing.RP", "14.001 ns").value, 1'000'000'000) == 15);
}

TEST_CASE("numbers are formatted in the largest unit that keeps them whole") {
  CHECK(format_number(Unit::kBytes, 50ULL << 20) == "50 MiB");
  CHECK(format_number(Unit::kBytes, 1000) == "1000 B");
  CHECK(format_number(Unit::kHertz, 1'309'500'000) == "1309500 kHz");
  CHECK(format_number(Unit::kHertz, 0) == "0 Hz");
  CHECK(format_number(Unit::kCount, 132) == "132");
}

TEST_CASE("a number with decimals is exact, in the largest unit in which three of them suffice") {
  CHECK(format_decimal(Unit::kBytes, 1280ULL << 20) == "1.25 GiB");
  CHECK(format_decimal(Unit::kBytes, (1ULL << 20) + 1) == "1048577 B");
  CHECK(format_decimal(Unit::kBytes, 0) == "0 B");
  CHECK(format_decimal(Unit::kBytesPerSecond, 4'190'400'000'000) == "4190.4 GB/s");
  CHECK(format_decimal(Unit::kBytesPerSecond, 4'005'000'000'000) == "4.005 TB/s");
  CHECK(format_decimal(Unit::kHertz, 1'333'333'333) == "1333333.333 kHz");
  CHECK(format_decimal(Unit::kCycles, 30) == "30 cycles");
  CHECK(format_decimal(Unit::kCount, 30) == "30");
}

}  // namespace value_test
