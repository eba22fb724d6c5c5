// SPDX-License-Identifier: MIT
// Rounds of places: those that are looked up by two digits at once against the digits themselves.
#include "sim/machine/mem/map/interleaver.h"

#include <bit>
#include <random>

#include <catch2/catch.hpp>

using namespace gpusim::mem::map;

namespace {

/// Whether an item is where the two lowest digits of its number send it, in base of the odd part of `places`.
bool is_where_digits_say(const Interleaver& interleaver, std::uint32_t places, std::uint64_t item) {
  const auto bits = static_cast<unsigned>(std::countr_zero(places));
  const std::uint32_t others = places >> bits;
  const std::uint64_t rest = item >> bits;
  const Round round = interleaver.assign(item, 0);
  return round.number == rest / others && round.place < places &&
         round.place % others == (rest % others + rest / others % others) % others;
}

}  // namespace

TEST_CASE("a place is that of the two lowest digits' sum, for bases that are looked up and for larger ones") {
  std::mt19937_64 random(11);
  for (const std::uint32_t places : {3U, 5U, 10U, 12U, 15U, 30U, 17U, 34U, 19U, 100U}) {
    const Interleaver interleaver(places, Interleaver::kMostBits);
    bool all = true;
    for (std::uint64_t i = 0; i < 4096; ++i) {
      const std::uint64_t item = i < 2048 ? i : random() >> 16;
      const Round round = interleaver.assign(item, 0);
      all = all && is_where_digits_say(interleaver, places, item) && round.number == interleaver.number_of(item) &&
            interleaver.item_of(round, [](std::uint64_t /*item*/) { return 0U; }) == item;
    }
    INFO("places: " << places);
    CHECK(all);
  }
}
