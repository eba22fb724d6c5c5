// SPDX-License-Identifier: MIT
// What --arch and --trace of `gpusim compare` name.
#include "sim/commands/compare/runs.h"

#include <catch2/catch.hpp>

using namespace gpusim::commands;
using Words = std::vector<std::string>;

TEST_CASE("a name may have values of its own behind a colon") {
  const NamedWithValues named = parse_named("transpose-padded:n=1024,type=f16");
  CHECK(named.name == "transpose-padded");
  CHECK(named.values == Words{"n=1024", "type=f16"});
  CHECK(parse_named("saxpy").name == "saxpy");
  CHECK(parse_named("saxpy").values.empty());
  CHECK(parse_named("h100:dram.bandwidth=4.8TB/s").values == Words{"dram.bandwidth=4.8TB/s"});
}

TEST_CASE("a colon of a path stays with the name, and values may have one") {
  CHECK(parse_named("c:old/saxpy.trace").name == "c:old/saxpy.trace");
  CHECK(parse_named("c:old/saxpy.trace:n=64").name == "c:old/saxpy.trace");
  CHECK(parse_named("a:b=c:d").name == "a");
  CHECK(parse_named("a:b=c:d").values == Words{"b=c:d"});
}

TEST_CASE("odd commas make values that are refused later, or none") {
  CHECK(parse_named("a:n=1,").values == Words{"n=1"});
  CHECK(parse_named("a:n=1,,m=2").values == Words{"n=1", "", "m=2"});
  CHECK(parse_named("=5").name == "=5");
  CHECK(parse_named("").name.empty());
}

TEST_CASE("a run's own value takes the place of the one that all have") {
  CHECK(with_own_values({"n=1", "type=f32"}, {"n=2"}) == Words{"type=f32", "n=2"});
  CHECK(with_own_values({"n=1"}, {}) == Words{"n=1"});
  CHECK(with_own_values({"nn=1"}, {"n=2"}) == Words{"nn=1", "n=2"});
}
