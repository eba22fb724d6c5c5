// SPDX-License-Identifier: MIT
#include "sim/input/listing/data_sections.h"

#include <stdexcept>

#include <catch2/catch.hpp>

namespace data_sections_test {

using namespace gpusim::frontend::sass;

TEST_CASE("bytes, words and zeros of a constant bank are read") {
  DataSections sections;
  sections.begin(".nv.constant3");
  sections.directive(".align 4");
  sections.directive(".byte 0x01, 0x02");
  sections.directive(".short 0x0403");
  sections.directive(".word 0x08070605, 12");
  sections.directive(".zero 2");
  const auto all = sections.take();
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == ".nv.constant3");
  CHECK(all[0].bytes == std::string("\1\2\3\4\5\6\7\10\14\0\0\0\0\0", 14));
  CHECK(all[0].linked.empty());
}

TEST_CASE("sections other than constants and the needs of kernels are passed over") {
  DataSections sections;
  sections.begin(".debug_frame");
  sections.directive(".byte 0xff");
  sections.begin(".nv.info");
  sections.directive(".byte 0xff");
  sections.begin(".nv.info.k");
  sections.begin(".symtab");
  sections.directive(".byte 0xff");
  const auto all = sections.take();
  REQUIRE(all.size() == 1);
  CHECK(all[0].bytes.empty());
}

TEST_CASE("the distance of two labels is calculated, also of labels further down") {
  DataSections sections;
  sections.begin(".nv.info.k");
  sections.directive(".byte 0x04, 0x17");
  sections.directive(".short (.L_2 - .L_1)");
  sections.label(".L_1");
  sections.directive(".word 0x0, 0x0");
  sections.label(".L_2");
  CHECK(sections.take().at(0).bytes == std::string("\4\27\10\0\0\0\0\0\0\0\0\0", 12));
}

TEST_CASE("a symbol is zero, and remembered for a linker") {
  DataSections sections;
  sections.begin(".nv.constant4");
  sections.directive(".dword table");
  sections.directive(".word fun@(f), (.L_a - .L_b)");
  const DataSection one = sections.take().at(0);
  CHECK(one.bytes == std::string(16, '\0'));
  REQUIRE(one.linked.size() == 2);
  CHECK(one.linked[0].offset == 0);
  CHECK(one.linked[0].bytes == 8);
  CHECK(one.linked[0].symbol == "table");
  CHECK(one.linked[1].symbol == "f");
}

TEST_CASE("variables have a place and a size, as a number or as the distance of labels") {
  DataSections sections;
  sections.begin(".nv.global.init");
  sections.directive(".type table,@object");
  sections.directive(".size table,(.L_1 - table)");
  sections.directive(".word 7");
  sections.label("table");
  sections.directive(".word 1, 2");
  sections.label(".L_1");
  sections.begin(".nv.global");
  sections.directive(".size counter,4");
  sections.directive(".size lost,4");
  sections.directive(".size large,400");
  sections.label("counter");
  sections.label("large");
  sections.directive(".zero 4");
  const auto all = sections.take();
  REQUIRE(all.size() == 2);
  REQUIRE(all[0].symbols.size() == 1);
  CHECK(all[0].symbols[0].name == "table");
  CHECK(all[0].symbols[0].offset == 4);
  CHECK(all[0].symbols[0].size == 8);
  REQUIRE(all[1].symbols.size() == 1);
  CHECK(all[1].symbols[0].name == "counter");
}

TEST_CASE("more data than a GPU can hold is refused before memory is taken for it") {
  DataSections sections;
  sections.begin(".nv.constant3");
  CHECK_THROWS_AS(sections.directive(".zero 0xffffffffffffffff"), std::length_error);
  CHECK_THROWS_AS(sections.directive(".zero 4294967295"), std::length_error);
  sections.directive(".zero 16");
  CHECK(sections.take().at(0).bytes.size() == 16);
}

}  // namespace data_sections_test
