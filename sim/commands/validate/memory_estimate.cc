// SPDX-License-Identifier: MIT
#include "sim/commands/validate/memory_estimate.h"

#include <array>
#include <string>
#include <variant>

#include "sim/base/units.h"
#include "sim/commands/cli/find_arch.h"
#include "sim/commands/system/find_model.h"
#include "sim/commands/validate/estimate_keys.h"
#include "sim/model/arch/arch.h"
#include "sim/system/memory/inference.h"
#include "sim/system/memory/offer.h"
#include "sim/system/memory/plan.h"
#include "sim/system/memory/replay.h"
#include "sim/system/memory/training.h"

namespace gpusim::commands {
namespace {

using memory::Replay;

enum class Use : std::uint8_t { kTraining, kInference };
/// kPeak, kReserved: the most allocated, or reserved. kAbove: the most allocated above the weights. kForward: allocated
/// after the first forward pass, above the weights. kEnd: allocated where memory ends on the GPU.
enum class Wanted : std::uint8_t { kPeak, kReserved, kAbove, kForward, kEnd };
/// Whether the process has had workspaces of cuBLAS before, which the measured value then lacks.
enum class Workspace : std::uint8_t { kNew, kHeld };
enum class Dropout : std::uint8_t { kModel, kNone };

}  // namespace
}  // namespace gpusim::commands

namespace gpusim::arch {

template <>
inline constexpr auto kWords<commands::Use> = std::to_array<Word<commands::Use>>(
    {{"training", commands::Use::kTraining}, {"inference", commands::Use::kInference}});
template <>
inline constexpr auto kWords<commands::Wanted> =
    std::to_array<Word<commands::Wanted>>({{"peak", commands::Wanted::kPeak},
                                           {"reserved", commands::Wanted::kReserved},
                                           {"above-weights", commands::Wanted::kAbove},
                                           {"forward", commands::Wanted::kForward},
                                           {"end", commands::Wanted::kEnd}});
template <>
inline constexpr auto kWords<commands::Workspace> = std::to_array<Word<commands::Workspace>>(
    {{"new", commands::Workspace::kNew}, {"held", commands::Workspace::kHeld}});
template <>
inline constexpr auto kWords<commands::Dropout> =
    std::to_array<Word<commands::Dropout>>({{"model", commands::Dropout::kModel}, {"none", commands::Dropout::kNone}});

}  // namespace gpusim::arch

namespace gpusim::commands {
namespace {

constexpr std::array<std::string_view, 20> kMemoryKeys{
    "memory",  "model", "gpu",  "batch",  "sequence", "precision", "recompute", "optimizer", "attention", "loss",
    "dropout", "shard", "gpus", "tensor", "pipeline", "prompt",    "context",   "weights",   "workspace", "value"};
constexpr std::uint64_t kMost = std::uint64_t{1} << 22;
constexpr std::uint64_t kWithoutEnd = 1024 * kTi;

std::uint64_t workspace_bytes(const EstimateKeys& keys, const arch::Arch& arch) {
  const bool is_new = keys.word<Workspace>("workspace").value_or(Workspace::kNew) == Workspace::kNew;
  return is_new ? memory::workspace_of(arch) : 0;
}

memory::TrainPlan train_plan(const EstimateKeys& keys, const arch::Arch& arch) {
  memory::TrainPlan plan;
  plan.batch = keys.count("batch", 1, kMost);
  plan.sequence = keys.count("sequence", 1, kMost);
  plan.precision = keys.word<memory::Precision>("precision").value_or(plan.precision);
  plan.recompute = keys.word<memory::Recompute>("recompute").value_or(plan.recompute);
  plan.optimizer = keys.word<memory::Optimizer>("optimizer").value_or(plan.optimizer);
  plan.attention = keys.word<memory::AttentionKernel>("attention").value_or(plan.attention);
  plan.shard = keys.word<memory::Shard>("shard").value_or(plan.shard);
  plan.loss = keys.word<memory::LossKernel>("loss").value_or(plan.loss);
  plan.dropout = keys.word<Dropout>("dropout").value_or(Dropout::kModel) == Dropout::kModel;
  plan.tensor = keys.count("tensor", 1, kMost);
  plan.pipeline = keys.count("pipeline", 1, kMost);
  plan.data = std::max<std::uint64_t>(1, keys.count("gpus", 1, kMost) / (plan.tensor * plan.pipeline));
  plan.workspace_bytes = workspace_bytes(keys, arch);
  return plan;
}

memory::InferPlan infer_plan(const EstimateKeys& keys, const arch::Arch& arch) {
  memory::InferPlan plan;
  plan.batch = keys.count("batch", 1, kMost);
  plan.prompt = keys.count("prompt", 1, kMost);
  plan.context = keys.text("context") == "0" ? 0 : keys.count("context", plan.prompt, kMost);
  plan.weights = keys.word<memory::WeightFormat>("weights").value_or(plan.weights);
  plan.tensor = keys.count("tensor", 1, kMost);
  plan.workspace_bytes = workspace_bytes(keys, arch);
  return plan;
}

std::uint64_t value_of(const EstimateKeys& keys, const Replay& out, Wanted wanted) {
  const auto above = [&](std::uint64_t bytes) { return bytes - out.milestones.at(0).allocated; };
  switch (wanted) {
    case Wanted::kPeak: return out.stats.peak_allocated;
    case Wanted::kReserved: return out.stats.peak_reserved;
    case Wanted::kAbove: return above(out.stats.peak_allocated);
    case Wanted::kForward: return above(out.milestones.at(1).allocated);
    case Wanted::kEnd:
      if (!out.out_of_memory) {
        keys.refuse("'value' is 'end', and memory does not end", "");
      }
      return out.stats.allocated;
  }
  return 0;
}

}  // namespace

std::span<const std::string_view> memory_keys() {
  return kMemoryKeys;
}

double memory_gib(const EstimateKeys& keys) {
  const models::Model model = cli::find_model(keys.text("model"));
  const auto* const transformer = std::get_if<models::Transformer>(&model.is);
  if (transformer == nullptr) {
    keys.refuse("'" + model.name + "' is not a transformer", "");
  }
  const arch::Arch arch = cli::load_arch(keys.text("gpu"), {});
  const Wanted wanted = keys.word<Wanted>("value").value_or(Wanted::kPeak);
  memory::Tape tape;
  std::uint64_t gpus = 1;
  if (keys.word<Use>("memory") == Use::kTraining) {
    const memory::TrainPlan plan = train_plan(keys, arch);
    gpus = plan.gpus();
    tape = memory::training_step(*transformer, plan, memory::stages_of(*transformer, plan).front());
  } else {
    tape = memory::inference(*transformer, infer_plan(keys, arch));
  }
  const std::uint64_t limit = wanted == Wanted::kEnd ? memory::offer_of(arch, gpus).left() : kWithoutEnd;
  return static_cast<double>(value_of(keys, memory::replay(tape, limit), wanted)) / static_cast<double>(kGi);
}

}  // namespace gpusim::commands
