// SPDX-License-Identifier: MIT
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/// Groups of all sizes: sums of a tile of 8, of a warp, of the lanes with odd values, and ranks in the CTA.
extern "C" __global__ void cooperative_groups_sums(const int* in, int* of_tile, int* of_warp, int* of_odd, int* ranks) {
  const cg::thread_block block = cg::this_thread_block();
  const unsigned i = block.group_index().x * block.size() + block.thread_rank();
  const int value = in[i];

  const auto warp = cg::tiled_partition<32>(block);
  of_warp[i] = cg::reduce(warp, value, cg::plus<int>());

  const auto tile = cg::tiled_partition<8>(warp);
  int sum = value;
  for (unsigned width = tile.size() / 2; width > 0; width /= 2) {
    sum += tile.shfl_xor(sum, width);
  }
  of_tile[i] = sum;

  of_odd[i] = -1;
  if (value % 2 != 0) {
    const cg::coalesced_group odd = cg::coalesced_threads();
    of_odd[i] = static_cast<int>(odd.size() * 100 + odd.thread_rank());
  }

  __shared__ int order[256];
  order[block.size() - 1 - block.thread_rank()] =
      static_cast<int>(block.thread_rank()) + (warp.any(value > 900) ? 1000 : 0);
  block.sync();
  ranks[i] = order[block.thread_rank()];
}
