// SPDX-License-Identifier: MIT
#include "sim/base/letter_case.h"

#include <catch2/catch.hpp>

using namespace gpusim;

TEST_CASE("capitals of ASCII become small letters, and nothing else changes") {
  CHECK(in_lower_case(std::string_view("H100-PCIe_[@Z`{az\xC3\x84")) == "h100-pcie_[@z`{az\xC3\x84");
  CHECK(in_lower_case('Q') == 'q');
}
