// SPDX-License-Identifier: MIT
// A trace is a program, not a log: static instructions whose branches and memory operands each have a source that
// says what happens at run time. Everything after the front ends sees only this.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/base/types.h"
#include "sim/model/isa/instr.h"
#include "sim/model/isa/instr_text.h"
#include "sim/model/trace/async.h"

namespace gpusim::trace {

/// A region of global memory (or of a CTA's shared memory) that addresses are checked against.
struct Buffer {
  std::string name;
  isa::MemSpace space = isa::MemSpace::kGlobal;
  Address base = 0;  ///< bytes; shared: offset in the CTA's allocation
  std::uint64_t bytes = 0;
};

/// The behaviour of the code: expressions, tables, recorded streams (see program.h, recorded.h). Opaque here.
class Behaviour;

/// Static control-flow edges between instruction indices; kExit leaves the kernel. For imports: the observed edges.
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  friend bool operator==(const Edge&, const Edge&) = default;
};
inline constexpr std::uint32_t kExitNode = 0xffffffffU;

/// A thread's local memory: where its spilled registers and its arrays live. Addresses of local accesses are bytes in
/// it, the same for all threads.
struct LocalMemory {
  Address base = 0;  ///< address of the first byte: a recording has its own
  std::uint64_t bytes = 0;

  /// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": the same for all GPUs.
  static constexpr std::uint64_t kMostBytes = 512U << 10U;
};

/// A window of global memory whose lines L2 is to treat in a way of their own: the access policy window of CUDA (CUDA
/// C++ Programming Guide, "L2 Cache Control"): hitProp for hitRatio of the lines, missProp for the others.
struct L2Window {
  std::string buffer;
  Address base = 0;
  std::uint64_t bytes = 0;
  std::uint32_t hit_percent = 100;
  Eviction hit = Eviction::kLast;     ///< persisting, streaming (kFirst) or normal
  Eviction miss = Eviction::kNormal;  ///< streaming or normal
  std::uint64_t set_aside_bytes = 0;  ///< bytes of L2 for what persists; 0: as much as the GPU allows
};

struct Kernel {
  std::string name;
  SourceLocation where;                     ///< place of its declaration
  Dim3 grid;                                ///< CTAs
  Dim3 block;                               ///< threads a CTA; volume in 1..1024
  Dim3 cluster;                             ///< CTAs that run together in a GPC; divides the grid
  std::uint32_t registers_per_thread = 32;  ///< 1..255
  std::uint64_t shared_static_bytes = 0;
  std::uint64_t shared_dynamic_bytes = 0;
  LocalMemory local;
  std::uint32_t barriers = 1;        ///< named barriers a CTA uses
  std::uint64_t stream = 0;          ///< CUDA stream it was launched on; kernels run one after the other all the same
  std::uint32_t binary_version = 0;  ///< compute capability its code is for, as 80; 0 not known

  std::vector<isa::Instr> code;       ///< index = program counter index
  std::vector<isa::InstrText> texts;  ///< parallel to code
  std::vector<Edge> edges;            ///< sorted by (from, to), without duplicates
  std::vector<Buffer> buffers;
  std::vector<MbarrierArray> mbarriers;
  std::vector<TensorMap> tensor_maps;
  std::optional<L2Window> window;
  bool control_recorded = false;  ///< every instruction came with control bits
  std::shared_ptr<const Behaviour> behaviour;

  [[nodiscard]] std::uint32_t threads_per_cta() const { return static_cast<std::uint32_t>(block.volume()); }
  [[nodiscard]] std::uint32_t warps_per_cta() const { return (threads_per_cta() + kWarpLanes - 1) / kWarpLanes; }
  [[nodiscard]] std::uint64_t ctas() const { return grid.volume(); }
  [[nodiscard]] std::uint32_t ctas_per_cluster() const { return static_cast<std::uint32_t>(cluster.volume()); }
  [[nodiscard]] std::uint32_t mbarriers_per_cta() const {
    return mbarriers.empty() ? 0 : mbarriers.back().first + mbarriers.back().count;
  }
};

/// Whether a recording says what the kernel's warps do.
[[nodiscard]] bool is_recorded(const Kernel& kernel);
/// Whether code to execute says so.
[[nodiscard]] bool is_executed(const Kernel& kernel);

}  // namespace gpusim::trace
