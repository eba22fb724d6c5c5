// SPDX-License-Identifier: MIT
// What is kept of a file's decoded parts, and for how long.
#include "sim/input/container/part_cache.h"

#include <stdexcept>

#include <catch2/catch.hpp>

using gpusim::container::PartCache;

namespace {

struct Part {
  std::uint64_t number = 0;
  [[nodiscard]] static std::size_t bytes() { return 10; }
};

struct TooMuch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A cache of parts of ten bytes, and how many were decoded.
struct Parts {
  explicit Parts(std::size_t kept, std::size_t present = 1000) : cache({kept, present}) {}
  std::shared_ptr<const Part> get(std::uint64_t offset) {
    return cache.get<Part>(
        offset,
        [&] {
          ++decoded;
          return Part{offset};
        },
        [](std::size_t) { throw TooMuch("too much"); });
  }
  PartCache cache;
  int decoded = 0;
};

}  // namespace

TEST_CASE("parts are decoded once as long as they all fit") {
  Parts parts(30);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t offset = 0; offset < 3; ++offset) {
      CHECK(parts.get(offset)->number == offset);
    }
  }
  CHECK(parts.decoded == 3);
}

TEST_CASE("the part that was used longest ago makes room") {
  Parts parts(20);
  static_cast<void>(parts.get(1));
  static_cast<void>(parts.get(2));
  static_cast<void>(parts.get(1));
  static_cast<void>(parts.get(3));  // 2 goes
  static_cast<void>(parts.get(1));
  CHECK(parts.decoded == 3);
  static_cast<void>(parts.get(2));
  CHECK(parts.decoded == 4);
}

TEST_CASE("a part that somebody has is found although it made room") {
  Parts parts(10);
  const std::shared_ptr<const Part> held = parts.get(1);
  static_cast<void>(parts.get(2));
  CHECK(parts.get(1) == held);
  CHECK(parts.decoded == 2);
}

TEST_CASE("parts that are held by all together may not take more than memory is there for") {
  Parts parts(10, 30);
  std::vector<std::shared_ptr<const Part>> held{parts.get(1), parts.get(2), parts.get(3)};
  CHECK_THROWS_AS(parts.get(4), TooMuch);
  held.erase(held.begin());
  CHECK(parts.get(4)->number == 4);
}

TEST_CASE("a part outlives the cache for whoever has it") {
  auto parts = std::make_unique<Parts>(10);
  const std::shared_ptr<const Part> held = parts->get(7);
  parts.reset();
  CHECK(held->number == 7);
}
