// SPDX-License-Identifier: MIT
// The work of kernels whose control flow or addresses follow from random data.
#include "sim/model/trace/expression.h"
#include "sim/model/trace/table.h"

#include "tests/traces/library_work.h"

namespace gpusim::testing {
namespace {

constexpr std::uint64_t kIndexBytes = 4;

std::uint64_t hash(std::uint64_t seed, std::uint64_t i) {
  trace::Fault none;
  return static_cast<std::uint64_t>(
      trace::apply(trace::ExprOp::kHash, static_cast<std::int64_t>(seed), static_cast<std::int64_t>(i), 0, none));
}

trace::Table offsets_of(const Values& v, std::uint64_t rows) {
  return trace::Table::offsets(rows + 1, static_cast<std::int64_t>(v.at("seed")),
                               {static_cast<std::int64_t>(v.at("least")), static_cast<std::int64_t>(v.at("most")),
                                static_cast<std::int64_t>(v.at("power"))});
}

/// An element is a column, a value, a word of x and an FFMA; a warp that shares a row adds up its lanes.
Work spmv(const Values& v) {
  const std::uint64_t rows = v.at("rows");
  const auto elements = static_cast<std::uint64_t>(offsets_of(v, rows).at(static_cast<std::int64_t>(rows)));
  const std::uint64_t sharing = v.at("wide") == 1 ? 32 : 1;
  const std::uint64_t sums = v.at("wide") == 1 ? 5 * 32 * rows : 0;
  const std::uint64_t bytes = v.at("type") == 0 ? 4 : 8;  // f32 | f64
  return {2 * elements + sums, (kIndexBytes + 2 * bytes) * elements + 2 * kIndexBytes * sharing * rows, bytes * rows,
          0};
}

/// Lanes that add up the sums of others do so in vain: the more, the shorter the rows.
Algorithm multiply_adds(const Values& v) {
  const std::uint64_t rows = v.at("rows");
  return {2 * static_cast<std::uint64_t>(offsets_of(v, rows).at(static_cast<std::int64_t>(rows))),
          v.at("wide") == 1 ? 500U : 0U};
}

/// The graph once more, vertex by vertex: what is looked up, and what is marked.
Work bfs(const Values& v) {
  const std::uint64_t vertices = v.at("vertices");
  const std::uint64_t seed = v.at("seed");
  const trace::Table offsets = offsets_of(v, vertices);
  const auto in_front = [&](std::uint64_t u) { return hash(seed + 2, u) % 100 < v.at("frontier"); };
  const auto known = [&](std::uint64_t u) { return in_front(u) || hash(seed + 3, u) % 100 < v.at("visited"); };
  Work work{0, vertices, 0, 0};
  for (std::uint64_t u = 0; u < vertices; ++u) {
    if (!in_front(u)) {
      continue;
    }
    work.read += 3 * kIndexBytes;
    work.written += 1;
    const auto end = static_cast<std::uint64_t>(offsets.at(static_cast<std::int64_t>(u) + 1));
    for (auto edge = static_cast<std::uint64_t>(offsets.at(static_cast<std::int64_t>(u))); edge < end; ++edge) {
      work.read += kIndexBytes + 1;
      work.written += known(hash(seed + 1, edge) % vertices) ? 0 : kIndexBytes + 1;
    }
  }
  return work;
}

/// The search once more, over the edges of the random graph: every vertex looks at its distance, those of the level go
/// through their edges, and mark the neighbours that are farther away.
Work bfs_level(const Values& v) {
  const std::uint64_t vertices = v.at("vertices");
  const trace::Table offsets = offsets_of(v, vertices);
  const auto edges_of = [&](std::uint64_t u) {
    std::vector<std::uint64_t> ends;
    const std::int64_t end = offsets.at(static_cast<std::int64_t>(u) + 1);
    for (std::int64_t edge = offsets.at(static_cast<std::int64_t>(u)); edge < end; ++edge) {
      ends.push_back(hash(v.at("seed") + 1, static_cast<std::uint64_t>(edge)) % vertices);
    }
    return ends;
  };
  std::vector<bool> reached(vertices);
  reached[v.at("source")] = true;
  std::vector<std::uint64_t> front{v.at("source")};
  for (std::uint64_t level = 0; level < v.at("level"); ++level) {
    std::vector<std::uint64_t> next;
    for (const std::uint64_t u : front) {
      for (const std::uint64_t to : edges_of(u)) {
        if (!reached[to]) {
          reached[to] = true;
          next.push_back(to);
        }
      }
    }
    front = next;
  }
  Work work{0, kIndexBytes * vertices, 0, 0};
  for (const std::uint64_t u : front) {
    work.read += 2 * kIndexBytes;
    for (const std::uint64_t to : edges_of(u)) {
      work.read += 2 * kIndexBytes;
      work.written += reached[to] ? 0 : 2 * kIndexBytes;
    }
  }
  return work;
}

/// Four FFMAs a turn and lane, two additions at the end.
Work imbalance(const Values& v) {
  const std::uint64_t warps = v.at("ctas") * 8;
  const std::uint64_t least = v.at("turns") - v.at("turns") * v.at("spread") / 100;
  std::uint64_t turns = 0;
  for (std::uint64_t warp = 0; warp < warps; ++warp) {
    turns += least + hash(v.at("seed"), warp) % (2 * (v.at("turns") - least) + 1);
  }
  return {32 * (8 * turns + 2 * warps), kIndexBytes * 32 * warps, kIndexBytes * 32 * warps, 0};
}

}  // namespace

std::span<const LibraryCase> irregular_cases() {
  static const std::vector<LibraryCase> kCases{
      {"spmv-csr",
       spmv,
       {"", "wide=no", "rows=128 columns=50 least=0 most=3 power=1 wide=no", "type=f64", "type=f64 wide=no"},
       multiply_adds,
       "x"},
      {"spmv-csr-file",
       spmv,
       {"", "wide=no", "rows=5 columns=1 least=30 most=60", "rows=129 wide=no type=f64 power=2"},
       multiply_adds,
       "x"},
      {"bfs-file",
       bfs_level,
       {"", "level=0 source=17", "level=1", "vertices=1000 most=9 power=1 level=4", "level=40"},
       nullptr,
       "edge_begin edge changed distance"},
      {"warp-imbalance", imbalance, {"", "ctas=3 turns=10 spread=0", "spread=37"}},
      {"bfs-step",
       bfs,
       {"", "vertices=1024 most=9 power=1 frontier=90 visited=0", "frontier=0"},
       nullptr,
       "edge_begin edge seen next_front cost"}};
  return kCases;
}

}  // namespace gpusim::testing
