// SPDX-License-Identifier: MIT
#include "sim/code/launch/launch_size.h"

#include <array>
#include <string>
#include <vector>

#include "sim/base/text.h"
#include "sim/code/launch/fail.h"

namespace gpusim::launch {
namespace {

/// CUDA Programming Guide, technical specifications by compute capability: the largest of all.
constexpr std::int64_t kMostShared = 227 * 1024;
constexpr std::array<std::int64_t, 3> kMostGrid{0x7fffffff, 65535, 65535};
constexpr std::array<std::int64_t, 3> kMostBlock{1024, 1024, 64};
constexpr std::array<std::int64_t, 3> kMostCluster{16, 16, 16};
constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kMostCtasOfCluster = 16;
constexpr std::int64_t kMostRepeats = 1'000'000;

Dim3 sizes_of(const Text& text, const std::string& what, const std::array<std::int64_t, 3>& most, const Names& names) {
  std::vector<std::int64_t> values = names.values(text.text, 3, text.where);
  values.resize(3, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 1 || values[i] > most[i]) {
      fail(text.where, "the " + what + " has size " + std::to_string(values[i]) + " in " + "xyz"[i],
           "allowed: 1 to " + with_thousands(static_cast<std::uint64_t>(most[i])));
    }
  }
  const auto size = [&values](std::size_t i) { return static_cast<std::uint32_t>(values[i]); };
  return {size(0), size(1), size(2)};
}

Dim3 block_of(const LaunchText& text, const Signature& signature, const Names& names, bool from_command_line) {
  if (!text.block && !signature.block) {
    fail(text.where, "kernel '" + signature.kernel + "' does not say how many threads a CTA has",
         from_command_line ? "add --block 256" : "add  block: 256");
  }
  if (!text.block) {
    return *signature.block;
  }
  const Dim3 block = sizes_of(*text.block, "block", kMostBlock, names);
  const std::uint64_t most = signature.most_threads ? signature.most_threads->volume() : kMostThreads;
  if (signature.block && block != *signature.block) {
    fail(text.block->where,
         "kernel '" + signature.kernel + "' needs CTAs of " + std::to_string(signature.block->x) + "x" +
             std::to_string(signature.block->y) + "x" + std::to_string(signature.block->z) + " threads",
         signature.is_triton ? "as Triton compiled it; leave the block out" : "its code says so; leave the block out");
  }
  if (block.volume() > most) {
    fail(text.block->where, "the block has " + with_thousands(block.volume()) + " threads",
         "at most " + with_thousands(most) + (signature.most_threads ? ", by its __launch_bounds__" : ""));
  }
  return block;
}

}  // namespace

void set_sizes(const LaunchText& text, const Signature& signature, const Names& names, bool from_command_line,
               Launch& launch) {
  if (!text.grid) {
    fail(text.where,
         "kernel '" + signature.kernel + "' needs a grid" +
             std::string(signature.is_triton ? ", which Triton's cache does not have" : ""),
         from_command_line ? "add --grid 1024" : "add  grid: 1024");
  }
  launch.grid = sizes_of(*text.grid, "grid", kMostGrid, names);
  launch.block = block_of(text, signature, names, from_command_line);
  launch.cluster = signature.cluster.value_or(Dim3{});
  if (text.cluster) {
    launch.cluster = sizes_of(*text.cluster, "cluster", kMostCluster, names);
  }
  const Dim3& cluster = launch.cluster;
  if (cluster.volume() > kMostCtasOfCluster || launch.grid.x % cluster.x != 0 || launch.grid.y % cluster.y != 0 ||
      launch.grid.z % cluster.z != 0) {
    fail(text.cluster ? text.cluster->where : text.grid->where,
         "the grid is not made of whole clusters of " + std::to_string(cluster.volume()) + " CTAs",
         "each size of the grid is a multiple of the cluster's, which has at most 16 CTAs");
  }
  launch.shared_bytes = signature.shared_bytes;
  if (text.shared) {
    const std::int64_t bytes = names.value(text.shared->text, text.shared->where);
    if (bytes < 0 || bytes > kMostShared) {
      fail(text.shared->where, "a CTA cannot have " + std::to_string(bytes) + " bytes of dynamic shared memory",
           "at most " + with_thousands(static_cast<std::uint64_t>(kMostShared)));
    }
    launch.shared_bytes = static_cast<std::uint32_t>(bytes);
  }
  if (text.repeat) {
    const std::int64_t repeat = names.value(text.repeat->text, text.repeat->where);
    if (repeat < 1 || repeat > kMostRepeats) {
      fail(text.repeat->where, "a launch cannot be made " + std::to_string(repeat) + " times",
           "1 to " + with_thousands(static_cast<std::uint64_t>(kMostRepeats)));
    }
    launch.repeat = static_cast<std::uint32_t>(repeat);
  }
}

}  // namespace gpusim::launch
