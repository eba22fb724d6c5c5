// SPDX-License-Identifier: MIT
#include "sim/machine/mem/dram/banks.h"

#include <catch2/catch.hpp>

namespace banks_test {

using namespace gpusim;
using namespace gpusim::mem::dram;

namespace {

Queued request(std::uint64_t row, std::uint64_t order) {
  return {row, order, 0, 1, false};
}

}  // namespace

TEST_CASE("a request hits when its row is open, until the row takes no more bursts") {
  Banks banks(4, 8);
  CHECK_FALSE(banks.push({2, 7}, request(7, 0), false));
  CHECK(banks.row_command(2) == Command::kActivate);
  banks.open_row(2, false);
  CHECK(banks.row_command(2) == Command::kPrecharge);
  CHECK(banks.push({2, 7}, request(7, 1), false));
  CHECK_FALSE(banks.push({2, 8}, request(8, 2), false));
  banks.stop_serving(2);
  CHECK_FALSE(banks.push({2, 7}, request(7, 3), false));
  CHECK(banks.open().contains(2));
}

TEST_CASE("a row is promised to the direction it was opened for until a burst of that direction goes") {
  Banks banks(4, 8);
  banks.push({1, 5}, request(5, 0), false);
  banks.push({1, 5}, request(5, 1), true);
  banks.open_row(1, true);
  CHECK(banks.promised(true).contains(1));
  CHECK_FALSE(banks.promised(false).contains(1));
  banks.take_burst(1, false);
  CHECK(banks.promised(true).contains(1));
  banks.take_burst(1, true);
  CHECK_FALSE(banks.promised(true).contains(1));
}

TEST_CASE("a bank that is given up for a refresh keeps its requests, and promises its row to nobody") {
  Banks banks(4, 8);
  banks.push({3, 5}, request(5, 4), true);
  banks.open_row(3, true);
  banks.give_up(3);
  CHECK(banks.promised(true).empty());
  CHECK(banks.oldest_order(3) == 4);
  CHECK(banks.queue(true).banks_waiting().contains(3));
  CHECK(banks.has_requests(3));
  CHECK_FALSE(banks.has_requests(2));
}

}  // namespace banks_test
