// SPDX-License-Identifier: MIT
#include "sim/exec/trace/executable.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "sim/exec/alike/alike_ctas.h"
#include "sim/exec/core/async_effect.h"
#include "sim/exec/memory/checking_port.h"
#include "sim/exec/trace/code.h"
#include "sim/exec/trace/execution.h"
#include "sim/exec/trace/held_memory.h"
#include "sim/exec/trace/untimed_alike.h"
#include "sim/exec/trace/untimed_run.h"
#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/record_run.h"
#include "sim/model/trace/recorded.h"

namespace gpusim::exec {
namespace {

class CompiledKernel final : public trace::Executable {
 public:
  /// `kernel`: without behaviour.
  CompiledKernel(std::shared_ptr<const Image> image, trace::Kernel kernel, std::shared_ptr<const HeldMemory> memory)
      : image_(std::move(image)), kernel_(std::move(kernel)), memory_(std::move(memory)), alike_(*image_, patterns_) {}

  [[nodiscard]] const std::shared_ptr<const trace::DeviceMemory>& memory() const override { return memory_; }

  [[nodiscard]] std::unique_ptr<trace::Execution> begin(trace::DeviceMemory& memory, std::uint32_t sms,
                                                        std::uint64_t most_walked) const override {
    return std::make_unique<TimedExecution>(TimedExecution::Shared{*image_, kernel_, patterns_, alike_}, held(memory),
                                            sms, most_walked);
  }

  trace::RunEnd run(trace::DeviceMemory& memory, const trace::RunRange& range, trace::Effects effects,
                    trace::RunVisitor& visitor) const override {
    if (!image_->has_values()) {
      const bool is_recorded = alike_.record_for(trace::cta_at(range.first, kernel_.grid), held(memory)) != nullptr;
      if (is_recorded) {
        return run_alike(*image_, kernel_, alike_, patterns_, held(memory), range, visitor);
      }
      CheckingPort port(held(memory));
      return run_untimed(*image_, kernel_, patterns_, port, range, visitor);
    }
    DirectPort port(held(memory));
    if (effects == trace::Effects::kKept) {
      return run_untimed(*image_, kernel_, patterns_, port, range, visitor);
    }
    const Trial trial(held(memory));
    return run_untimed(*image_, kernel_, patterns_, port, range, visitor);
  }

  [[nodiscard]] const trace::Recording& recording() const override {
    const std::scoped_lock lock(recording_mutex_);
    if (!recording_) {
      trace::RecordingBuilder builder(kernel_.code, kernel_.grid, kernel_.warps_per_cta());
      const std::unique_ptr<trace::DeviceMemory> scratch = memory_->clone();
      trace::record_run(*this, kernel_, *scratch, trace::kMostWalked, builder);
      recording_.emplace(builder.finish());
    }
    return *recording_;
  }

  [[nodiscard]] std::uint32_t pattern_count() const override { return PatternTable::kMost; }

 private:
  /// While it lives, what changes in memory is put back in the end.
  class Trial {
   public:
    explicit Trial(GlobalMemory& memory) : memory_(memory) { memory_.begin_trial(); }
    ~Trial() { memory_.roll_back(); }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

   private:
    GlobalMemory& memory_;
  };

  static GlobalMemory& held(trace::DeviceMemory& memory) { return static_cast<HeldMemory&>(memory).memory(); }

  std::shared_ptr<const Image> image_;
  trace::Kernel kernel_;
  std::shared_ptr<const trace::DeviceMemory> memory_;
  mutable PatternTable patterns_;
  mutable AlikeCtas alike_;
  mutable std::mutex recording_mutex_;
  mutable std::optional<trace::Recording> recording_;  ///< made when it is first asked for
};

/// Which eight bytes of shared memory are mbarriers is known when they are initialised: any may be.
bool is_of_mbarriers(const isa::Instr& instr) {
  return instr.kind == isa::OpKind::kMbarrier || instr.kind == isa::OpKind::kPoll ||
         instr.kind == isa::OpKind::kTensorCopy || instr.space == isa::MemSpace::kClusterShared;
}

}  // namespace

trace::Kernel make_kernel(std::shared_ptr<const Image> image, const cubin::Module& module,
                          const cubin::Function& function, std::shared_ptr<const HeldMemory> memory) {
  trace::Kernel kernel;
  kernel.name = cubin::short_name(function.name);
  kernel.where = {module.name, 0, 0};
  kernel.grid = image->launch.grid;
  kernel.block = image->launch.block;
  kernel.cluster = image->launch.cluster;
  kernel.registers_per_thread = function.registers;
  kernel.shared_static_bytes = function.shared_bytes;
  kernel.shared_dynamic_bytes = image->launch.dynamic_shared_bytes;
  kernel.barriers = std::max(1U, function.barriers);
  kernel.binary_version = module.sm;
  for (const std::unique_ptr<Buffer>& buffer : memory->memory().buffers()) {
    kernel.buffers.push_back({buffer->name(), isa::MemSpace::kGlobal, buffer->address(), buffer->size()});
  }
  add_code(*image, kernel);
  const auto is_local = [](const isa::Instr& instr) { return instr.space == isa::MemSpace::kLocal; };
  kernel.local.bytes = std::ranges::any_of(kernel.code, is_local) ? image->facts.local_bytes : 0;
  if (std::ranges::any_of(kernel.code, is_of_mbarriers)) {
    kernel.mbarriers.push_back({"", 0, static_cast<std::uint32_t>(image->facts.shared_bytes / kMbarrierBytes), 0});
  }
  auto executable = std::make_shared<const CompiledKernel>(std::move(image), kernel, std::move(memory));
  kernel.behaviour = std::make_shared<const trace::Behaviour>(std::move(executable));
  return kernel;
}

}  // namespace gpusim::exec
