// SPDX-License-Identifier: MIT
#include "sim/input/text/kernel_head.h"

#include <array>
#include <limits>

#include "sim/model/trace/kernel.h"

namespace gpusim::frontend {
namespace {

using trace::ExprId;
using trace::ExprOp;

/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": the same for all GPUs.
constexpr std::array<std::int64_t, 3> kMostGrid{std::numeric_limits<std::int32_t>::max(), 65535, 65535};
constexpr std::array<std::int64_t, 3> kMostBlock{1024, 1024, 64};
constexpr std::uint64_t kMostCtas = 1ULL << 40U;
constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kMostRegisters = 255;
constexpr std::int64_t kMostBarriers = 16;
constexpr std::array<char, 3> kAxes{'x', 'y', 'z'};

/// CTAs of the largest cluster that any GPU takes (CUDA C++ Programming Guide: 8, and 16 that are not portable); the
/// GPU's own limit is checked where the GPU is known.
constexpr std::int64_t kMostClusterCtas = 64;
constexpr std::array<std::int64_t, 3> kMostCluster{kMostClusterCtas, kMostClusterCtas, kMostClusterCtas};

/// The three sizes, or nothing (reported). `what` is "grid", "block" or "cluster".
std::optional<Dim3> sizes_of(const std::vector<SyntaxId>& syntax, Environment& names, const std::string& what,
                             const std::array<std::int64_t, 3>& most) {
  std::array<std::uint32_t, 3> sizes{1, 1, 1};
  bool good = true;
  for (std::size_t i = 0; i < syntax.size(); ++i) {
    const auto value = names.constant_in(syntax[i], what + "." + kAxes[i], 1, most[i]);
    good = good && value.has_value();
    sizes[i] = static_cast<std::uint32_t>(value.value_or(1));
  }
  return good ? std::optional<Dim3>(Dim3{sizes[0], sizes[1], sizes[2]}) : std::nullopt;
}

/// Volume that does not overflow: grid dimensions are below 2^31, so only the third multiplication could.
bool too_many_ctas(const Dim3& grid) {
  const std::uint64_t plane = std::uint64_t{grid.x} * grid.y;
  return plane > kMostCtas || plane * grid.z > kMostCtas;
}

void read_cluster(const KernelSyntax& syntax, Environment& names, trace::Kernel& kernel) {
  const auto cluster = sizes_of(syntax.cluster, names, "cluster", kMostCluster);
  if (!cluster) {
    return;
  }
  const Place where = syntax.cluster.empty() ? syntax.name.place : names.place(syntax.cluster.front());
  const std::array<std::uint32_t, 3> grid{kernel.grid.x, kernel.grid.y, kernel.grid.z};
  const std::array<std::uint32_t, 3> sizes{cluster->x, cluster->y, cluster->z};
  bool divides = true;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    if (!syntax.grid.empty() && grid[i] % sizes[i] != 0) {
      divides = false;
      names.reporter().add(where,
                           std::string("cluster.") + kAxes[i] + " is " + std::to_string(sizes[i]) + ", grid." +
                               kAxes[i] + " is " + std::to_string(grid[i]),
                           "the grid is made of whole clusters: each of its sizes must be a multiple of theirs");
    }
  }
  if (cluster->volume() > static_cast<std::uint64_t>(kMostClusterCtas)) {
    names.reporter().add(where, "a cluster of " + std::to_string(cluster->volume()) + " CTAs",
                         "at most 8 on every GPU that has clusters, 16 where the GPU allows it");
  } else if (divides) {
    kernel.cluster = *cluster;
  }
}

}  // namespace

void read_head(const KernelSyntax& syntax, Environment& names, trace::Kernel& kernel) {
  const Place where = syntax.name.place;
  if (!syntax.incomplete && (syntax.grid.empty() || syntax.block.empty())) {
    names.reporter().add(where, "kernel '" + syntax.name.text + "' has no " + (syntax.grid.empty() ? "grid" : "block"),
                         "add 'grid (x, y, z)' and 'block (x, y, z)'");
  }
  if (const auto grid = sizes_of(syntax.grid, names, "grid", kMostGrid)) {
    kernel.grid = *grid;
    if (too_many_ctas(*grid)) {
      names.reporter().add(where, "the grid has more than 2^40 CTAs");
      kernel.grid = {};
    }
  }
  if (const auto block = sizes_of(syntax.block, names, "block", kMostBlock)) {
    kernel.block = *block;
    if (block->volume() > static_cast<std::uint64_t>(kMostThreads)) {
      names.reporter().add(where, "the block has " + std::to_string(block->volume()) + " threads", "at most 1024");
      kernel.block = {};
    }
  }
  read_cluster(syntax, names, kernel);
  const auto number = [&](SyntaxId id, const std::string& what, std::int64_t least, std::int64_t most,
                          std::int64_t otherwise) {
    return id == kNoSyntax ? otherwise : names.constant_in(id, what, least, most).value_or(otherwise);
  };
  constexpr std::int64_t kMostShared = std::numeric_limits<std::int32_t>::max();
  kernel.registers_per_thread =
      static_cast<std::uint32_t>(number(syntax.registers, "registers", 1, kMostRegisters, kernel.registers_per_thread));
  kernel.barriers = static_cast<std::uint32_t>(number(syntax.barriers, "barriers", 0, kMostBarriers, 1));
  kernel.shared_static_bytes =
      static_cast<std::uint64_t>(number(syntax.shared_static, "shared static", 0, kMostShared, 0));
  kernel.shared_dynamic_bytes =
      static_cast<std::uint64_t>(number(syntax.shared_dynamic, "shared dynamic", 0, kMostShared, 0));
  kernel.local.bytes = static_cast<std::uint64_t>(
      number(syntax.local, "local", 0, static_cast<std::int64_t>(trace::LocalMemory::kMostBytes), 0));
}

std::uint64_t bytes_of_space(isa::MemSpace space, const KernelSyntax& syntax, const trace::Kernel& kernel) {
  if (syntax.incomplete) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return space == isa::MemSpace::kLocal ? kernel.local.bytes : kernel.shared_static_bytes + kernel.shared_dynamic_bytes;
}

void bind_places(const trace::Kernel& kernel, Environment& names) {
  trace::ExprPool& pool = names.pool();
  const auto node = [&](ExprOp op, ExprId a, std::int64_t b) { return pool.node(op, a, pool.constant(b)); };
  const std::array<std::uint32_t, 3> grid{kernel.grid.x, kernel.grid.y, kernel.grid.z};
  const std::array<std::uint32_t, 3> block{kernel.block.x, kernel.block.y, kernel.block.z};
  const std::array<std::uint32_t, 3> cluster{kernel.cluster.x, kernel.cluster.y, kernel.cluster.z};
  const ExprId lane = pool.variable(trace::kVarLane);
  const ExprId warp = pool.variable(trace::kVarWarp);
  const ExprId tid = pool.node(ExprOp::kAdd, node(ExprOp::kMultiply, warp, kWarpLanes), lane);
  names.bind("lane", Environment::Binding{lane});
  names.bind("warp", Environment::Binding{warp});
  names.bind("tid", Environment::Binding{tid});
  names.bind("live", Environment::Binding{pool.variable(trace::kVarRuntimePredicate)});
  const bool line = block[1] == 1 && block[2] == 1;
  ExprId rank = pool.constant(0);
  std::int64_t ranks = 1;
  ExprId rest = tid;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    const std::string axis = std::string(".") + kAxes[i];
    const ExprId cta = grid[i] == 1 ? pool.constant(0) : pool.variable(static_cast<std::uint32_t>(i));
    names.bind("ctaid" + axis, Environment::Binding{cta});
    names.bind_constant("nctaid" + axis, grid[i]);
    const ExprId in_cluster = node(ExprOp::kModulo, cta, cluster[i]);
    names.bind("cluster_ctaid" + axis, Environment::Binding{in_cluster});
    names.bind("clusterid" + axis, Environment::Binding{node(ExprOp::kDivide, cta, cluster[i])});
    names.bind_constant("cluster_nctaid" + axis, cluster[i]);
    names.bind_constant("nclusterid" + axis, grid[i] / cluster[i]);
    rank = pool.node(ExprOp::kAdd, rank, node(ExprOp::kMultiply, in_cluster, ranks));
    ranks *= cluster[i];
    names.bind_constant("ntid" + axis, block[i]);
    // x runs fastest. In a block that is a line, threads are numbered by x alone.
    const bool last = i + 1 == kAxes.size();
    const ExprId own = last || (i == 0 && line) ? rest : node(ExprOp::kModulo, rest, block[i]);
    names.bind("tid" + axis, Environment::Binding{own});
    rest = i == 0 && line ? pool.constant(0) : node(ExprOp::kDivide, rest, block[i]);
  }
  names.bind("cluster_ctarank", Environment::Binding{rank});
  names.bind_constant("cluster_nctarank", ranks);
}

}  // namespace gpusim::frontend
