// SPDX-License-Identifier: MIT
#include "sim/model/trace/cfg.h"

#include <random>

#include <catch2/catch.hpp>

namespace cfg_test {

using namespace gpusim::trace;

namespace {

constexpr std::uint32_t kExit = kExitNode;

/// Whether `from` can leave the kernel without passing `without`.
bool leaves(std::uint32_t count, const std::vector<Edge>& edges, std::uint32_t from, std::uint32_t without) {
  std::vector<bool> seen(count, false);
  std::vector<std::uint32_t> open{from};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (at == without || seen[at]) {
      continue;
    }
    seen[at] = true;
    for (const Edge& edge : edges) {
      if (edge.from == at && edge.to == kExit) {
        return true;
      }
      if (edge.from == at) {
        open.push_back(edge.to);
      }
    }
  }
  return false;
}

/// By definition: p post-dominates n when every way out of n passes p; the immediate one is post-dominated by all
/// others.
std::uint32_t join_by_definition(std::uint32_t count, const std::vector<Edge>& edges, std::uint32_t n) {
  if (!leaves(count, edges, n, kExit)) {
    return kExit;
  }
  std::vector<std::uint32_t> all;
  for (std::uint32_t p = 0; p < count; ++p) {
    if (p != n && !leaves(count, edges, n, p)) {
      all.push_back(p);
    }
  }
  for (const std::uint32_t p : all) {
    bool nearest = true;
    for (const std::uint32_t other : all) {
      nearest = nearest && (other == p || !leaves(count, edges, p, other));
    }
    if (nearest) {
      return p;
    }
  }
  return kExit;
}

}  // namespace

TEST_CASE("the two sides of a diamond meet where they join") {
  const std::vector<Edge> edges{{0, 1}, {0, 3}, {1, 2}, {2, 4}, {3, 4}, {4, kExit}};
  CHECK(immediate_post_dominators(5, edges) == std::vector<std::uint32_t>{4, 2, 4, 4, kExit});
  CHECK(block_leaders(5, edges) == std::vector<std::uint32_t>{0, 1, 3, 4});
}

TEST_CASE("lanes that leave a loop meet behind it") {
  const std::vector<Edge> edges{{0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, kExit}};
  CHECK(immediate_post_dominators(4, edges) == std::vector<std::uint32_t>{1, 2, 3, kExit});
}

TEST_CASE("paths that end apart never meet") {
  const std::vector<Edge> edges{{0, 1}, {0, 2}, {1, kExit}, {2, kExit}};
  CHECK(immediate_post_dominators(3, edges) == std::vector<std::uint32_t>{kExit, kExit, kExit});
}

TEST_CASE("code that cannot end has no place to meet") {
  const std::vector<Edge> edges{{0, 1}, {0, 3}, {1, 2}, {2, 1}, {3, kExit}};
  CHECK(immediate_post_dominators(4, edges) == std::vector<std::uint32_t>{3, kExit, kExit, kExit});
}

TEST_CASE("a kernel without instructions has no blocks") {
  CHECK(immediate_post_dominators(0, {}).empty());
  CHECK(block_leaders(0, {}).empty());
}

TEST_CASE("post-dominators of random graphs are those of the definition") {
  std::mt19937 engine(3);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t count = 1 + random() % 12;
    std::vector<Edge> edges;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (random() % 4 != 0) {
        edges.push_back({i, i + 1 < count ? i + 1 : kExit});
      }
      if (random() % 3 == 0) {
        const std::uint32_t to = random() % (count + 1);
        edges.push_back({i, to < count ? to : kExit});
      }
    }
    const std::vector<std::uint32_t> joins = immediate_post_dominators(count, edges);
    for (std::uint32_t i = 0; i < count; ++i) {
      INFO("round " << round << ", node " << i << " of " << count);
      REQUIRE(joins[i] == join_by_definition(count, edges, i));
    }
  }
}

TEST_CASE("a chain of as many loops and branches as a kernel may have fits on the stack") {
  constexpr std::uint32_t kBranches = 8192;
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < kBranches; ++i) {
    edges.push_back({i, i + 1 < kBranches ? i + 1 : kExit});
    edges.push_back({i, i + 2 < kBranches ? i + 2 : kExit});
  }
  edges.push_back({kBranches - 1, 0});
  CHECK(immediate_post_dominators(kBranches, edges).size() == kBranches);
}

}  // namespace cfg_test
