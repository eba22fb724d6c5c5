// SPDX-License-Identifier: MIT
#include "sim/base/ratio.h"

#include <catch2/catch.hpp>

#include "sim/base/rate_server.h"

using gpusim::ClockConverter;
using gpusim::Cycle;
using gpusim::RateServer;
using gpusim::Ratio;

TEST_CASE("a clock converter rounds up to the receiver's next edge") {
  const ClockConverter up(1'000'000'000, 1'500'000'000);
  CHECK(up.convert(0) == 0);
  CHECK(up.convert(1) == 2);
  CHECK(up.convert(2) == 3);
}

TEST_CASE("a clock converter is exact on both sides of what 64 bits hold") {
  // Denominators 1220, 2^32 - 5 and above 2^32; the longest times need 128 bits.
  const std::uint64_t from[] = {1'830'000'000, 4'294'967'291, 4'294'967'311};
  const std::uint64_t to[] = {1'309'500'000, 4'294'967'279, 2'000'000'000};
  for (std::size_t i = 0; i < 3; ++i) {
    const ClockConverter converter(from[i], to[i]);
    for (std::uint32_t bit = 0; bit < 63; ++bit) {
      for (const Cycle cycle : {(Cycle{1} << bit) - 1, Cycle{1} << bit, (Cycle{1} << bit) + 1}) {
        __extension__ using Wide = unsigned __int128;
        const Wide exact = (Wide{cycle} * to[i] + from[i] - 1) / from[i];
        CHECK(converter.convert(cycle) == static_cast<Cycle>(exact));
      }
    }
  }
}

TEST_CASE("a clock converter between equal clocks changes nothing") {
  const ClockConverter same(1'755'000'000, 1'755'000'000);
  CHECK(same.convert(123'456'789'012) == 123'456'789'012);
}

TEST_CASE("a rate server that is always busy keeps its exact rate") {
  RateServer server(Ratio::of(268, 100));
  gpusim::Cycle at = 0;
  for (int i = 0; i < 1000; ++i) {
    at = server.take(at, 1);
  }
  CHECK(at == 2680);
}

TEST_CASE("a rate server that was idle owes nothing from before") {
  RateServer server(Ratio::of(5, 2));
  CHECK(server.take(0, 1) == 2);
  CHECK(server.take(10, 1) == 12);
  CHECK(server.take(12, 1) == 15);
}
