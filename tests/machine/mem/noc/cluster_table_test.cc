// SPDX-License-Identifier: MIT
#include "sim/machine/mem/noc/cluster_table.h"

#include <catch2/catch.hpp>

namespace cluster_table_test {

using gpusim::mem::noc::ClusterTable;

namespace {

ClusterTable placed(std::uint32_t ctas) {
  ClusterTable table(ctas);
  for (std::uint32_t rank = 0; rank < ctas; ++rank) {
    table.place(7, rank, 10 + rank);
  }
  return table;
}

}  // namespace

TEST_CASE("the last arrival releases all CTAs of a cluster, and the next round begins") {
  ClusterTable table = placed(3);
  for (int round = 0; round < 3; ++round) {
    CHECK(table.arrive(7, 2).empty());
    CHECK(table.arrive(7, 0).empty());
    const auto released = table.arrive(7, 1);
    REQUIRE(released.size() == 3);
    CHECK(released[2].rank == 2);
    CHECK(released[2].sm == 12);
  }
}

TEST_CASE("a CTA that has exited is at every barrier and is not released") {
  ClusterTable table = placed(3);
  CHECK(table.arrive(7, 0).empty());
  CHECK(table.arrive(7, 1).empty());
  CHECK(table.exit(7, 2).size() == 2);
  CHECK(table.arrive(7, 0).empty());
  CHECK(table.arrive(7, 1).size() == 2);
}

TEST_CASE("a CTA that has arrived and then exited is not released") {
  ClusterTable table = placed(2);
  CHECK(table.arrive(7, 0).empty());
  CHECK(table.exit(7, 0).empty());
  const auto released = table.arrive(7, 1);
  REQUIRE(released.size() == 1);
  CHECK(released[0].rank == 1);
}

TEST_CASE("a cluster is known until the last of its CTAs has left") {
  ClusterTable table = placed(64);
  for (std::uint32_t rank = 0; rank < 64; ++rank) {
    CHECK_FALSE(table.empty());
    CHECK(table.sm_of(7, 63) == 73);
    static_cast<void>(table.exit(7, rank));
    table.leave(7, rank);
  }
  CHECK(table.empty());
}

}  // namespace cluster_table_test
