// SPDX-License-Identifier: MIT
// A trace is a program, not a log: static instructions whose branches and memory operands each have a source that
// says what happens at run time. Everything after the front ends sees only this.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/iterator/indirect_iterator.hpp>

#include "sim/base/problem.h"
#include "sim/base/trace_origin.h"
#include "sim/base/types.h"
#include "sim/model/isa/instr.h"
#include "sim/model/isa/instr_text.h"
#include "sim/model/trace/async.h"
#include "sim/model/trace/l2_window.h"

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

/// Kernels in the order of their launches. One that is launched many times is there once.
class Launches {
 public:
  using Shared = std::vector<std::shared_ptr<const Kernel>>;
  using const_iterator = boost::indirect_iterator<Shared::const_iterator>;

  Launches() = default;
  Launches(std::initializer_list<Kernel> kernels) {
    for (const Kernel& kernel : kernels) {
      push_back(kernel);
    }
  }

  void push_back(Kernel kernel) { kernels_.push_back(std::make_shared<const Kernel>(std::move(kernel))); }
  void push_back(std::shared_ptr<const Kernel> kernel) { kernels_.push_back(std::move(kernel)); }

  [[nodiscard]] std::size_t size() const { return kernels_.size(); }
  [[nodiscard]] bool empty() const { return kernels_.empty(); }
  [[nodiscard]] const Kernel& operator[](std::size_t launch) const { return *kernels_[launch]; }
  /// Throws std::out_of_range.
  [[nodiscard]] const Kernel& at(std::size_t launch) const { return *kernels_.at(launch); }
  [[nodiscard]] const std::shared_ptr<const Kernel>& shared(std::size_t launch) const { return kernels_[launch]; }
  [[nodiscard]] const_iterator begin() const { return kernels_.begin(); }
  [[nodiscard]] const_iterator end() const { return kernels_.end(); }

 private:
  Shared kernels_;
};

/// What the user may override with --param, as resolved for this run.
struct Parameter {
  std::string name;
  std::int64_t value = 0;
  std::int64_t default_value = 0;
  std::optional<std::int64_t> test_value;                      ///< value in the small `test` set
  std::optional<std::pair<std::int64_t, std::int64_t>> range;  ///< the least and the greatest value allowed
  std::vector<std::string> words;  ///< for a parameter whose values are words: value i is called words[i]
  std::string what;                ///< the author's one-line description
  bool takes_file = false;         ///< any name of a file is a value, too
  std::string file{};              ///< name of the file that was read for the value; empty where there is none

  /// A value as the file writes it.
  [[nodiscard]] std::string text_of(std::int64_t number) const {
    const bool named = number >= 0 && static_cast<std::size_t>(number) < words.size();
    return named ? words[static_cast<std::size_t>(number)] : std::to_string(number);
  }
};

/// A copy from the host before a launch: no time is charged for it.
struct HostCopy {
  Address to = 0;
  std::uint64_t bytes = 0;
  std::uint64_t launch = 0;  ///< number of the kernel it comes before
  friend bool operator==(const HostCopy&, const HostCopy&) = default;
};

struct Trace {
  std::string path;  ///< as the user named it
  TraceOrigin origin = TraceOrigin::kProgram;
  std::string title;  ///< the author's one-line description
  std::vector<Parameter> parameters;
  Launches kernels;                   ///< run one after the other
  std::vector<HostCopy> copies;       ///< in order
  std::vector<std::string> warnings;  ///< unknown opcodes and the like, without duplicates
};

/// How a trace file's parameters are chosen: overrides first, else the test set if asked for, else what the name of a
/// library kernel presets, else the defaults.
struct ParameterChoice {
  std::vector<std::pair<std::string, std::int64_t>> overrides;
  bool use_test_set = false;
  std::vector<std::pair<std::string, std::string>> words{};  ///< overrides that are not numbers
  std::vector<std::pair<std::string, std::int64_t>> presets{};
};

}  // namespace gpusim::trace
