// SPDX-License-Identifier: MIT
// Columns of numbers by warp: an expression as long as one says them all, a table from then on.
#include "sim/model/trace/warp_column.h"

#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

namespace warp_column_test {

using namespace gpusim;
using namespace gpusim::trace;

namespace {

constexpr Dim3 kGrid{5, 4, 3};
constexpr std::uint32_t kWarps = 3;

struct Entry {
  std::uint64_t cta;
  std::uint32_t warp;
  std::uint64_t value;
};

/// Entries of the warps of CTAs `first`.. of the grid, where value(place, warp) gives the number.
template <class Value>
std::vector<Entry> entries(std::uint64_t first, const Value& value) {
  std::vector<Entry> all;
  for (std::uint64_t cta = first; cta < kGrid.volume(); ++cta) {
    for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
      all.push_back({cta, warp, value(cta_at(cta, kGrid), warp)});
    }
  }
  return all;
}

WarpColumn column_of(const std::vector<Entry>& entries, std::uint64_t first,
                     WarpColumn::Kind kind = WarpColumn::Kind::kAddresses) {
  WarpColumn column({first, kWarps, kGrid}, kind);
  for (const Entry& entry : entries) {
    column.set(entry.cta, entry.warp, entry.value);
  }
  return column;
}

bool gives_back(const WarpColumn& column, const std::vector<Entry>& entries) {
  return std::ranges::all_of(entries, [&](const Entry& e) { return column.at(e.cta, e.warp) == e.value; });
}

std::uint64_t affine(CtaId cta, std::uint32_t warp) {
  return 0x7f0000000000 + 4096 * cta.x - 123'456'789'012'345ULL * cta.y + 7 * cta.z + warp * warp * 100;
}

}  // namespace

TEST_CASE("numbers that are affine in the CTA's place take a row and three coefficients") {
  for (const std::uint64_t first : {0, 3, 11, 59}) {
    const std::vector<Entry> all = entries(first, affine);
    const WarpColumn column = column_of(all, first);
    CHECK(column.is_expression());
    CHECK(column.row().size() == kWarps);
    CHECK(gives_back(column, all));
  }
}

TEST_CASE("a warp that differs turns the expression into a table with the same numbers") {
  const std::vector<Entry> all = entries(7, affine);
  for (std::size_t odd = kWarps; odd < all.size(); ++odd) {
    std::vector<Entry> changed = all;
    changed[odd].value += 1;
    const WarpColumn column = column_of(changed, 7);
    REQUIRE(gives_back(column, changed));
    // The last CTA in a direction may differ by what that direction counts for; nothing else may.
    REQUIRE((!column.is_expression() || changed[odd].warp == 0));
  }
}

TEST_CASE("numbers without a pattern come back in whatever order they came") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 20; ++round) {
    std::vector<Entry> all = entries(2, [&](CtaId, std::uint32_t) { return random(); });
    std::ranges::shuffle(all, random);
    const WarpColumn column = column_of(all, 2);
    CHECK_FALSE(column.is_expression());
    CHECK(gives_back(column, all));
  }
}

TEST_CASE("affine numbers come back in whatever order they came, as an expression or not") {
  std::mt19937_64 random(12);
  for (int round = 0; round < 50; ++round) {
    std::vector<Entry> all = entries(0, affine);
    std::ranges::shuffle(all, random);
    CHECK(gives_back(column_of(all, 0), all));
  }
}

TEST_CASE("warps that have no number take no part, and a table leaves them what the expression says") {
  std::vector<Entry> all = entries(0, affine);
  std::erase_if(all, [](const Entry& e) { return e.warp == 2 && e.cta % 2 == 1; });
  CHECK(column_of(all, 0).is_expression());
  all.back().value += 1;
  WarpColumn column = column_of(all, 0);
  column.extend(kGrid.volume());
  CHECK_FALSE(column.is_expression());
  CHECK(gives_back(column, all));
  CHECK(column.at(1, 2) == affine(cta_at(1, kGrid), 2));
}

TEST_CASE("numbers of vocabularies are an expression only when all CTAs have the same row") {
  const auto by_warp = [](CtaId, std::uint32_t warp) { return std::uint64_t{warp} % 2; };
  CHECK(column_of(entries(0, by_warp), 0, WarpColumn::Kind::kIds).is_expression());
  CHECK_FALSE(column_of(entries(0, affine), 0, WarpColumn::Kind::kIds).is_expression());
}

TEST_CASE("the greatest steps between numbers wrap around") {
  for (const std::uint64_t step : {std::uint64_t{1} << 63U, ~std::uint64_t{0}, ~std::uint64_t{0} >> 1U}) {
    const std::vector<Entry> all = entries(0, [&](CtaId cta, std::uint32_t) { return step * cta.x; });
    const WarpColumn column = column_of(all, 0);
    CHECK(column.is_expression());
    CHECK(gives_back(column, all));
  }
}

}  // namespace warp_column_test
