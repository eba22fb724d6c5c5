// SPDX-License-Identifier: MIT
#include "tests/exec/kernels/run.h"

#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "sim/base/problem.h"
#include "sim/code/cubin/bytes.h"
#include "sim/code/flow/slice.h"
#include "sim/exec/alike/alike_ctas.h"
#include "sim/exec/alike/pattern_table.h"
#include "sim/exec/async/tensor_map.h"
#include "sim/exec/check/checker.h"
#include "sim/exec/memory/global_port.h"
#include "sim/exec/run/make_image.h"
#include "sim/exec/trace/executable.h"
#include "sim/exec/trace/held_memory.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/model/arch/arch.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/record_run.h"
#include "sim/model/trace/trace.h"
#include "sim/model/trace/walker.h"

#include "tests/exec/kernels/files.h"
#include "tests/exec/kernels/listed.h"
#include "tests/support/same_counts.h"

namespace gpusim::exec {
namespace {

TensorMap tensor_map_of(const TensorArgument& argument, Address address) {
  using Element = TensorMap::Element;
  TensorMap map;
  map.address = address;
  map.element = argument.element_bytes == 2 ? Element::kBf16 : Element::kF32;
  map.dimensions = 2;
  map.swizzle_bytes = static_cast<std::uint8_t>(argument.swizzle_bytes);
  map.sizes = {argument.columns, argument.rows};
  map.strides = {argument.element_bytes, std::uint64_t{argument.columns} * argument.element_bytes};
  map.box = {argument.tile_columns, argument.tile_rows};
  return map;
}

/// The problem on a GPU: its buffers in global memory, its arguments as bytes.
class LoadedProblem {
 public:
  explicit LoadedProblem(const cubin::Module& module, const Problem& problem, std::uint64_t reserved = 0)
      : module_(module), problem_(problem), loaded_(module, memory()) {
    if (reserved != 0) {
      memory().reserve("reserved", reserved);
    }
    for (std::size_t i = 0; i < problem.buffers().size(); ++i) {
      const Bytes& bytes = problem.buffers()[i];
      addresses_.push_back(memory().allocate("buffer " + std::to_string(i), bytes.size()));
      memory().write(addresses_.back(), bytes);
    }
  }

  [[nodiscard]] Image image_of(const cubin::Function& kernel) const {
    Launch launch;
    launch.grid = problem_.grid;
    launch.block = problem_.block;
    launch.cluster = kernel.cluster.value_or(Dim3{1, 1, 1});
    launch.dynamic_shared_bytes = problem_.dynamic_shared;
    launch.parameters.resize(kernel.parameter_bytes);
    for (std::size_t i = 0; i < problem_.arguments().size(); ++i) {
      const Bytes bytes = bytes_for(problem_.arguments()[i]);
      std::memcpy(launch.parameters.data() + kernel.parameters.at(i).offset, bytes.data(), bytes.size());
    }
    return make_image(loaded_, kernel, launch);
  }

  RunCounts run(const cubin::Function& kernel, double& seconds) {
    const Image image = image_of(kernel);
    DirectPort port(memory());
    constexpr RunLimits kLimits{.warp_instructions = 20'000'000};
    const auto begin = std::chrono::steady_clock::now();
    const RunCounts counts = run_grid(image, port, kLimits);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return counts;
  }

  std::vector<std::string> check(const cubin::Function& kernel) {
    const Image image = image_of(kernel);
    DirectPort port(memory());
    Checker checker(image);
    run_watched(image, port, {}, checker);
    std::vector<std::string> texts;
    for (const Finding& finding : checker.findings()) {
      texts.push_back(to_text(finding, image));
    }
    return texts;
  }

  /// The kernel in a trace of its own.
  [[nodiscard]] trace::Trace trace_of(const cubin::Function& kernel) const {
    return trace_of(kernel, image_of(kernel));
  }
  [[nodiscard]] trace::Trace trace_of(const cubin::Function& kernel, Image image) const {
    trace::Trace trace;
    trace.kernels.push_back(make_kernel(std::make_shared<const Image>(std::move(image)), module_, kernel, memory_));
    return trace;
  }

  [[nodiscard]] Outcome outcome() const { return outcome(memory_->memory()); }
  [[nodiscard]] Outcome outcome(const GlobalMemory& memory) const {
    Outcome all;
    for (std::size_t i = 0; i < addresses_.size(); ++i) {
      all.emplace_back(problem_.buffers()[i].size());
      memory.read(addresses_[i], all.back());
    }
    return all;
  }

  GlobalMemory& memory() { return memory_->memory(); }

 private:
  [[nodiscard]] Bytes bytes_for(const Argument& argument) const {
    if (const auto* value = std::get_if<Bytes>(&argument)) {
      return *value;
    }
    if (const auto* buffer = std::get_if<std::size_t>(&argument)) {
      return bytes_of(std::vector<Address>{addresses_[*buffer]});
    }
    const auto& tensor = std::get<TensorArgument>(argument);
    const TensorMapBytes map = encoded(tensor_map_of(tensor, addresses_[tensor.buffer]));
    return {map.begin(), map.end()};
  }

  const cubin::Module& module_;
  const Problem& problem_;
  std::shared_ptr<HeldMemory> memory_ = std::make_shared<HeldMemory>();
  LoadedModule loaded_;
  std::vector<Address> addresses_;
};

/// Digests of what warps do.
class WalkDigests final : public trace::RunVisitor {
 public:
  explicit WalkDigests(const trace::Kernel& kernel)
      : kernel_(kernel), digests_(kernel.grid.volume() * kernel.warps_per_cta(), kFirst) {}

  bool step(std::uint64_t cta, std::uint32_t warp_in_cta, const trace::Step& step, trace::ExecutedWarp& warp) override {
    std::uint64_t& digest = digests_[cta * kernel_.warps_per_cta() + warp_in_cta];
    mix(digest, step.pc);
    mix(digest, step.active);
    mix(digest, step.mask);
    const isa::Instr& instr = kernel_.code[step.pc];
    if (instr.is_memory() && step.mask != 0) {
      mix_lanes(digest, step.mask, warp.addresses(trace::AccessSlot::kPrimary));
      if (instr.kind == isa::OpKind::kAsyncCopy) {
        mix_lanes(digest, step.mask, warp.addresses(trace::AccessSlot::kSharedDestination));
      }
    }
    return true;
  }
  void end_cta(std::uint64_t cta) override { mix(digests_[cta * kernel_.warps_per_cta()], ++ended_); }

  [[nodiscard]] const std::vector<std::uint64_t>& digests() const { return digests_; }

 private:
  static constexpr std::uint64_t kFirst = 0xcbf29ce484222325ULL;  // FNV-1a
  static void mix(std::uint64_t& digest, std::uint64_t value) { digest = (digest ^ value) * 0x100000001b3ULL; }
  static void mix_lanes(std::uint64_t& digest, LaneMask mask, const trace::LaneAddresses& addresses) {
    mix(digest, addresses.is_nowhere ? 1 : 0);
    for_each_lane(mask,
                  [&](unsigned lane) { mix(digest, addresses.base + static_cast<Address>(addresses.offsets[lane])); });
  }

  const trace::Kernel& kernel_;
  std::vector<std::uint64_t> digests_;  ///< by warp
  std::uint64_t ended_ = 0;
};

const cubin::Function& kernel_of(const cubin::Module& module, const std::string& name) {
  for (const cubin::Function& function : module.functions) {
    if (function.is_kernel && function.name == name) {
      return function;
    }
  }
  throw std::runtime_error("no kernel " + name);
}

/// The module with the kernel of a case, for a launch with the arguments of the problem.
cubin::Module module_for(const KernelCase& row, unsigned sm, const Problem& problem, From from) {
  cubin::Module module = modules_of(kernel_file(row.file), sm).at(0);
  return from == From::kListing ? relisted(module, row.kernel, problem) : module;
}

void note(const stats::KernelResult& result, SimulatedCase& simulated) {
  simulated.cycles = result.cycles;
  simulated.bulk_sectors = result.l1.bulk_sectors;
  simulated.dsmem_requests = result.dsmem.requests;
  simulated.shared_requests = result.sm.shared_requests;
  simulated.thread_instructions = result.sm.thread_instructions;
}

}  // namespace

KernelResult run_case(const KernelCase& row, unsigned sm, From from) {
  const Problem problem = row.make();
  KernelResult result;
  try {
    const cubin::Module module = module_for(row, sm, problem, from);
    LoadedProblem loaded(module, problem);
    result.counts = loaded.run(kernel_of(module, row.kernel), result.seconds);
    result.wrong = problem.judge(loaded.outcome());
  } catch (const std::exception& error) {
    result.wrong = error.what();
  }
  return result;
}

std::vector<std::string> check_case(const KernelCase& row, unsigned sm) {
  const std::vector<cubin::Module> modules = modules_of(kernel_file(row.file), sm);
  const Problem problem = row.make();
  std::vector<std::string> texts;
  try {
    LoadedProblem loaded(modules.at(0), problem);
    texts = loaded.check(kernel_of(modules.at(0), row.kernel));
    texts.push_back(problem.judge(loaded.outcome()));
    std::erase(texts, "");
  } catch (const std::exception& error) {
    texts.emplace_back(error.what());
  }
  return texts;
}

SimulatedCase simulate_case(const KernelCase& row, unsigned sm, const arch::Arch& arch,
                            const gpu::SimulateOptions& options, From from) {
  const Problem problem = row.make();
  SimulatedCase simulated;
  try {
    const cubin::Module module = module_for(row, sm, problem, from);
    const LoadedProblem loaded(module, problem);
    gpu::SimulateOptions how = options;
    how.take_memory = [&](const std::unique_ptr<trace::DeviceMemory>& memory) {
      simulated.wrong = problem.judge(loaded.outcome(global_memory_of(*memory)));
    };
    simulated.wrong = "no memory came back";
    note(gpu::simulate(arch, loaded.trace_of(kernel_of(module, row.kernel)), how).kernels[0], simulated);
  } catch (const std::exception& error) {
    simulated.wrong = error.what();
  }
  return simulated;
}

std::optional<SimulatedCase> simulate_slice(const KernelCase& row, unsigned sm, const arch::Arch& arch,
                                            const gpu::SimulateOptions& options) {
  const std::vector<cubin::Module> modules = modules_of(kernel_file(row.file), sm);
  const Problem problem = row.make();
  SimulatedCase simulated;
  try {
    const cubin::Function& kernel = kernel_of(modules.at(0), row.kernel);
    const LoadedProblem loaded(modules.at(0), problem);
    Image image = loaded.image_of(kernel);
    const flow::Slice slice = flow::slice_of(image.instructions);
    if (slice.decider) {
      return std::nullopt;
    }
    leave_out_values(image, slice);
    note(gpu::simulate(arch, loaded.trace_of(kernel, std::move(image)), options).kernels[0], simulated);
  } catch (const std::exception& error) {
    simulated.wrong = error.what();
  }
  return simulated;
}

std::string watched_difference(const KernelCase& row, unsigned sm, const arch::Arch& arch) {
  const Problem problem = row.make();
  const cubin::Module module = module_for(row, sm, problem, From::kCubin);
  const LoadedProblem loaded(module, problem);
  const trace::Trace trace = loaded.trace_of(kernel_of(module, row.kernel));
  gpu::SimulateOptions watched;
  for (std::uint32_t i = 0; i < arch.sm.count; ++i) {
    watched.watch.push_back({.sm = i});
  }
  return testing::count_difference(gpu::simulate(arch, trace, {}).kernels.at(0),
                                   gpu::simulate(arch, trace, watched).kernels.at(0));
}

std::optional<WalkedCase> walk_case(const KernelCase& row, unsigned sm, Walked what) {
  constexpr std::uint64_t kAlmost4GiB = (std::uint64_t{1} << 32U) - (1U << 16U);
  const std::vector<cubin::Module> modules = modules_of(kernel_file(row.file), sm);
  const Problem problem = row.make();
  WalkedCase walked;
  try {
    const cubin::Function& kernel = kernel_of(modules.at(0), row.kernel);
    const LoadedProblem loaded(modules.at(0), problem, kAlmost4GiB);
    Image image = loaded.image_of(kernel);
    const flow::Slice slice = flow::slice_of(image.instructions);
    if (slice.decider) {
      return std::nullopt;
    }
    if (what == Walked::kSlice) {
      leave_out_values(image, slice);
    }
    const trace::Trace trace = loaded.trace_of(kernel, std::move(image));
    const trace::Kernel& traced = trace.kernels[0];
    const trace::Executable& executable = *traced.behaviour->executable();
    WalkDigests digests(traced);
    const trace::RunRange all{0, traced.grid.volume(), 1};
    executable.run(*executable.memory()->clone(), all, trace::Effects::kKept, digests);
    walked.warps = digests.digests();
  } catch (const std::exception& error) {
    walked.wrong = error.what();
  }
  return walked;
}

AlikeCount count_alike(const KernelCase& row, unsigned sm) {
  const std::vector<cubin::Module> modules = modules_of(kernel_file(row.file), sm);
  const Problem problem = row.make();
  LoadedProblem loaded(modules.at(0), problem);
  Image image = loaded.image_of(kernel_of(modules.at(0), row.kernel));
  leave_out_values(image, flow::slice_of(image.instructions));
  PatternTable patterns;
  AlikeCtas alike(image, patterns);
  std::set<std::shared_ptr<const CtaRecord>> records;
  AlikeCount count;
  for (std::uint64_t cta = 0; cta < image.launch.grid.volume(); ++cta) {
    if (auto record = alike.record_for(trace::cta_at(cta, image.launch.grid), loaded.memory()); record != nullptr) {
      records.insert(std::move(record));
    } else {
      ++count.executed;
    }
  }
  count.records = records.size();
  return count;
}

SimulatedCase simulate_recording(const KernelCase& row, unsigned sm, const arch::Arch& arch) {
  const std::vector<cubin::Module> modules = modules_of(kernel_file(row.file), sm);
  const Problem problem = row.make();
  SimulatedCase simulated;
  try {
    const LoadedProblem loaded(modules.at(0), problem);
    trace::Trace trace = loaded.trace_of(kernel_of(modules.at(0), row.kernel));
    const trace::Executable& executable = *trace.kernels[0].behaviour->executable();
    trace::Kernel kernel =
        trace::with_known_spaces(executable, trace.kernels[0], *executable.memory()->clone(), trace::kMostWalked);
    trace::RecordingBuilder builder(kernel.code, kernel.grid, kernel.warps_per_cta());
    trace::record_run(executable, kernel, *executable.memory()->clone(), trace::kMostWalked, builder);
    kernel.behaviour = std::make_shared<const trace::Behaviour>(builder.finish());
    trace.kernels = {kernel};
    note(gpu::simulate(arch, trace, {}).kernels[0], simulated);
  } catch (const std::exception& error) {
    simulated.wrong = error.what();
  }
  return simulated;
}

}  // namespace gpusim::exec
