// SPDX-License-Identifier: MIT
#include "sim/input/listing/control_word.h"

#include <array>
#include <random>

#include <catch2/catch.hpp>

#include "sim/model/isa/decode.h"

namespace control_word_test {

using namespace gpusim;
using namespace gpusim::frontend::sass;

namespace {

std::string text_of(std::uint64_t upper) {
  const auto field = decode_control(upper);
  return field ? isa::to_text(to_control_bits(*field)) : "none";
}

}  // namespace

TEST_CASE("control bits are where ptxas puts them") {
  CHECK(text_of(0x000fea0003800000) == "[B------:R-:W-:-:S05]");  // EXIT
  CHECK(text_of(0x000fc40000000f00) == "[B------:R-:W-:Y:S02]");  // MOV R1, c[0x0][0x28], first of a kernel
  CHECK(text_of(0x000e280000002100) == "[B------:R-:W0:-:S04]");  // S2R, which releases counter 0
  CHECK(text_of(0x001fca00078e0203) == "[B0-----:R-:W-:Y:S05]");  // IMAD, which waits for it
}

TEST_CASE("a control field survives its encoding") {
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    const auto counter = [&] { return static_cast<std::uint8_t>(std::array{0, 1, 2, 3, 4, 5, 7}[random() % 7]); };
    ControlField field;
    field.stall = static_cast<std::uint8_t>(random() % 16);
    field.yield = random() % 2 == 0;
    field.write_barrier = counter();
    field.read_barrier = counter();
    field.wait_mask = static_cast<std::uint8_t>(random() % 64);
    field.reuse = static_cast<std::uint8_t>(random() % 16);
    const std::uint64_t others = random() & 0x1ffffffffff;
    REQUIRE(decode_control(encode_control(field) | others) == field);
    REQUIRE((encode_control(field) & others) == 0);
  }
}

TEST_CASE("a counter that does not exist is refused") {
  CHECK(text_of(std::uint64_t{6} << 46U) == "none");
  CHECK(text_of(std::uint64_t{6} << 49U) == "none");
}

TEST_CASE("the notation of maxas counts dependence counters from 1") {
  const auto bits = parse_maxas_control("05:1:6:Y:a");
  REQUIRE(bits);
  CHECK(isa::to_text(*bits) == "[B0-2---:R0:W5:Y:S10]");
  CHECK(isa::to_text(*parse_maxas_control("--:-:-:-:1")) == "[B------:R-:W-:-:S01]");
  for (const char* text : {"", "--:-:-:-", "--:-:-:-:1:", "40:-:-:-:1", "--:0:-:-:1", "--:7:-:-:1", "--:-:-:x:1",
                           "--:-:-:-:10", "-:-:-:-:1"}) {
    INFO(text);
    CHECK_FALSE(parse_maxas_control(text));
  }
}

}  // namespace control_word_test
