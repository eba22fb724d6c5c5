// SPDX-License-Identifier: MIT
// The blocks of counters of a kernel, as one struct and as one table. Units add what they count to the struct; sums,
// columns of reports and their tests walk the table. A block is a field and a row here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "sim/base/types.h"
#include "sim/model/stats/counters.h"
#include "sim/model/stats/noc_counters.h"

namespace gpusim::stats {

struct CounterBlocks {
  SmCounters sm;
  FetchCounters fetch;
  ConstantCounters constant;
  L1Counters l1;
  L2Counters l2;
  DramCounters dram;
  DsmemCounters dsmem;
  TlbCounters tlb;
  NocCounters noc;
  LocalCounters local;
};

/// Up to which cycle counts what still goes on when a run ends.
struct CountEnd {
  Cycle warps = 0;  ///< warps that are resident
  Cycle ports = 0;  ///< queues of ports that are full
};

/// Whose blocks a report shows: those of every kernel, or of those that did what the block counts.
enum class ShownFor { kAll, kClusters, kTranslated, kCounted, kLocalMemory };

/// A row of the table. `name` is the block's part of its columns' paths, such as l1 in counters.l1.hits.
template <class Block>
struct BlockRow {
  std::string_view name;
  Block CounterBlocks::*member;
  ShownFor shown = ShownFor::kAll;
};
// Not every compiler deduces the arguments of an aggregate by itself.
template <class Block>
BlockRow(std::string_view name, Block CounterBlocks::*member, ShownFor shown = ShownFor::kAll) -> BlockRow<Block>;

/// Calls f(row) for each row of the table, in the order of the columns.
template <class F>
constexpr void for_each_block(F f) {
  f(BlockRow{"sm", &CounterBlocks::sm});
  f(BlockRow{"fetch", &CounterBlocks::fetch});
  f(BlockRow{"constant", &CounterBlocks::constant});
  f(BlockRow{"l1", &CounterBlocks::l1});
  f(BlockRow{"l2", &CounterBlocks::l2});
  f(BlockRow{"dram", &CounterBlocks::dram});
  f(BlockRow{"dsmem", &CounterBlocks::dsmem, ShownFor::kClusters});
  f(BlockRow{"tlb", &CounterBlocks::tlb, ShownFor::kTranslated});
  f(BlockRow{"noc", &CounterBlocks::noc, ShownFor::kCounted});
  f(BlockRow{"local", &CounterBlocks::local, ShownFor::kLocalMemory});
}

/// Each field of each block is a 64-bit counter, and each block has a row.
consteval bool covers_every_block() {
  std::size_t bytes = 0;
  for_each_block([&bytes]<class Block>(const BlockRow<Block>&) { bytes += sizeof(Block); });
  return bytes == sizeof(CounterBlocks);
}
static_assert(covers_every_block());

/// Adds every block of `from` to `to`.
constexpr void add(CounterBlocks& to, const CounterBlocks& from) {
  for_each_block([&](const auto& row) { add(to.*row.member, from.*row.member); });
}

/// Whether any field of the block is not zero.
template <class Block>
constexpr bool counts_any(const Block& block) {
  return std::ranges::any_of(Block::kFields, [&block](const auto& field) { return block.*field.member > 0; });
}

}  // namespace gpusim::stats
