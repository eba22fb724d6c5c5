// SPDX-License-Identifier: MIT
// The head of a kernel: launch sizes, resources, buffers, and the names its code may use.
#include <array>
#include <limits>

#include "sim/base/nearest.h"
#include "sim/input/text/kernel_builder.h"

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

}  // namespace

void KernelBuilder::read_head() {
  const Place where = source_.name.place;
  if (!source_.incomplete && (source_.grid.empty() || source_.block.empty())) {
    reporter_.add(where, "kernel '" + source_.name.text + "' has no " + (source_.grid.empty() ? "grid" : "block"),
                  "add 'grid (x, y, z)' and 'block (x, y, z)'");
  }
  if (const auto grid = sizes_of(source_.grid, names_, "grid", kMostGrid)) {
    kernel_.grid = *grid;
    if (too_many_ctas(*grid)) {
      reporter_.add(where, "the grid has more than 2^40 CTAs");
      kernel_.grid = {};
    }
  }
  if (const auto block = sizes_of(source_.block, names_, "block", kMostBlock)) {
    kernel_.block = *block;
    if (block->volume() > static_cast<std::uint64_t>(kMostThreads)) {
      reporter_.add(where, "the block has " + std::to_string(block->volume()) + " threads", "at most 1024");
      kernel_.block = {};
    }
  }
  read_cluster();
  const auto number = [&](SyntaxId id, const std::string& what, std::int64_t least, std::int64_t most,
                          std::int64_t otherwise) {
    return id == kNoSyntax ? otherwise : names_.constant_in(id, what, least, most).value_or(otherwise);
  };
  constexpr std::int64_t kMostShared = std::numeric_limits<std::int32_t>::max();
  kernel_.registers_per_thread = static_cast<std::uint32_t>(
      number(source_.registers, "registers", 1, kMostRegisters, kernel_.registers_per_thread));
  kernel_.barriers = static_cast<std::uint32_t>(number(source_.barriers, "barriers", 0, kMostBarriers, 1));
  kernel_.shared_static_bytes =
      static_cast<std::uint64_t>(number(source_.shared_static, "shared static", 0, kMostShared, 0));
  kernel_.shared_dynamic_bytes =
      static_cast<std::uint64_t>(number(source_.shared_dynamic, "shared dynamic", 0, kMostShared, 0));
  kernel_.local.bytes = static_cast<std::uint64_t>(
      number(source_.local, "local", 0, static_cast<std::int64_t>(trace::LocalMemory::kMostBytes), 0));
}

void KernelBuilder::read_cluster() {
  const auto cluster = sizes_of(source_.cluster, names_, "cluster", kMostCluster);
  if (!cluster) {
    return;
  }
  const Place where = source_.cluster.empty() ? source_.name.place : names_.place(source_.cluster.front());
  const std::array<std::uint32_t, 3> grid{kernel_.grid.x, kernel_.grid.y, kernel_.grid.z};
  const std::array<std::uint32_t, 3> sizes{cluster->x, cluster->y, cluster->z};
  bool divides = true;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    if (!source_.grid.empty() && grid[i] % sizes[i] != 0) {
      divides = false;
      reporter_.add(where,
                    std::string("cluster.") + kAxes[i] + " is " + std::to_string(sizes[i]) + ", grid." + kAxes[i] +
                        " is " + std::to_string(grid[i]),
                    "the grid is made of whole clusters: each of its sizes must be a multiple of theirs");
    }
  }
  if (cluster->volume() > static_cast<std::uint64_t>(kMostClusterCtas)) {
    reporter_.add(where, "a cluster of " + std::to_string(cluster->volume()) + " CTAs",
                  "at most 8 on every GPU that has clusters, 16 where the GPU allows it");
  } else if (divides) {
    kernel_.cluster = *cluster;
  }
}

void KernelBuilder::bind_buffers() {
  for (const BufferSyntax& buffer : syntax_.buffers) {
    bind_buffer(buffer);
  }
  for (const BufferSyntax& buffer : source_.buffers) {
    bind_buffer(buffer);
  }
}

/// Bytes that regions of the space have between them.
std::uint64_t KernelBuilder::bytes_of(isa::MemSpace space) const {
  if (source_.incomplete) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return space == isa::MemSpace::kLocal ? kernel_.local.bytes
                                        : kernel_.shared_static_bytes + kernel_.shared_dynamic_bytes;
}

void KernelBuilder::bind_buffer(const BufferSyntax& syntax) {
  const auto placed = syntax.space == isa::MemSpace::kGlobal
                          ? file_.layout.place(syntax, names_)
                          : file_.layout.place_within(syntax, names_, bytes_of(syntax.space));
  const auto index = static_cast<std::uint32_t>(kernel_.buffers.size());
  if (!buffers_.emplace(syntax.name.text, NamedBuffer{index, placed ? placed->element_bytes : 1}).second) {
    reporter_.add(syntax.name.place, "buffer '" + syntax.name.text + "' was declared before");
    return;
  }
  // A declaration with a problem still gives its name a meaning, or every use of it would be a problem too.
  kernel_.buffers.push_back(placed ? placed->buffer : trace::Buffer{syntax.name.text, isa::MemSpace::kGlobal, 0, 0});
  if (placed && placed->table != nullptr) {
    const auto number = static_cast<std::uint32_t>(draft_.tables.size());
    draft_.tables.push_back(placed->table);
    draft_.table_names.push_back(syntax.name.text);
    names_.declare(syntax.name, {trace::kNoExpr, number, placed->table.get()});
  } else if (syntax.table && !placed) {
    reporter_.excuse(syntax.name.text);
  }
}

void KernelBuilder::bind_places() {
  trace::ExprPool& pool = names_.pool();
  const auto node = [&](ExprOp op, ExprId a, std::int64_t b) { return pool.node(op, a, pool.constant(b)); };
  const std::array<std::uint32_t, 3> grid{kernel_.grid.x, kernel_.grid.y, kernel_.grid.z};
  const std::array<std::uint32_t, 3> block{kernel_.block.x, kernel_.block.y, kernel_.block.z};
  const std::array<std::uint32_t, 3> cluster{kernel_.cluster.x, kernel_.cluster.y, kernel_.cluster.z};
  const ExprId lane = pool.variable(trace::kVarLane);
  const ExprId warp = pool.variable(trace::kVarWarp);
  const ExprId tid = pool.node(ExprOp::kAdd, node(ExprOp::kMultiply, warp, kWarpLanes), lane);
  names_.bind("lane", Environment::Binding{lane});
  names_.bind("warp", Environment::Binding{warp});
  names_.bind("tid", Environment::Binding{tid});
  names_.bind("live", Environment::Binding{pool.variable(trace::kVarRuntimePredicate)});
  const bool line = block[1] == 1 && block[2] == 1;
  ExprId rank = pool.constant(0);
  std::int64_t ranks = 1;
  ExprId rest = tid;
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    const std::string axis = std::string(".") + kAxes[i];
    const ExprId cta = grid[i] == 1 ? pool.constant(0) : pool.variable(static_cast<std::uint32_t>(i));
    names_.bind("ctaid" + axis, Environment::Binding{cta});
    names_.bind_constant("nctaid" + axis, grid[i]);
    const ExprId in_cluster = node(ExprOp::kModulo, cta, cluster[i]);
    names_.bind("cluster_ctaid" + axis, Environment::Binding{in_cluster});
    names_.bind("clusterid" + axis, Environment::Binding{node(ExprOp::kDivide, cta, cluster[i])});
    names_.bind_constant("cluster_nctaid" + axis, cluster[i]);
    names_.bind_constant("nclusterid" + axis, grid[i] / cluster[i]);
    rank = pool.node(ExprOp::kAdd, rank, node(ExprOp::kMultiply, in_cluster, ranks));
    ranks *= cluster[i];
    names_.bind_constant("ntid" + axis, block[i]);
    // x runs fastest. In a block that is a line, threads are numbered by x alone.
    const bool last = i + 1 == kAxes.size();
    const ExprId own = last || (i == 0 && line) ? rest : node(ExprOp::kModulo, rest, block[i]);
    names_.bind("tid" + axis, Environment::Binding{own});
    rest = i == 0 && line ? pool.constant(0) : node(ExprOp::kDivide, rest, block[i]);
  }
  names_.bind("cluster_ctarank", Environment::Binding{rank});
  names_.bind_constant("cluster_nctarank", ranks);
}

}  // namespace gpusim::frontend
