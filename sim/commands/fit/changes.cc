// SPDX-License-Identifier: MIT
// The smallest changes that fit, each calculated.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/commands/fit/answer.h"

namespace gpusim::fit {
namespace {

using memory::InferPlan;
using memory::Optimizer;
using memory::Precision;
using memory::Recompute;
using memory::Shard;
using memory::TrainPlan;
using memory::Tuning;
using memory::WeightFormat;

constexpr std::uint64_t kMostGpus = 1024;
constexpr std::uint64_t kShortestSequence = 128;

/// Tries changes of one plan, and notes what comes of each.
template <class Asked>
class Changes {
 public:
  using Plan = decltype(Asked::plan);

  explicit Changes(const Asked& asked) : asked_(asked) {}

  /// A change of the plan as it was asked; nothing where it changes nothing.
  bool add(const std::string& what, const std::string& options, const Plan& plan) {
    if (plan == asked_.plan) {
      return false;
    }
    const Trial trial = attempt(plan);
    const memory::Replay& shown = trial.fits() ? trial.limited : trial.whole;
    const bool is_tight = trial.fits() && trial.limited.stats.retries != 0;
    found_.push_back({what, options, trial.fits(), is_tight, shown.stats.peak_reserved});
    return trial.fits();
  }
  [[nodiscard]] bool fits(const Plan& plan) const { return attempt(plan).fits(); }
  [[nodiscard]] bool any_fits() const { return std::ranges::any_of(found_, &Change::fits); }
  [[nodiscard]] const Plan& plan() const { return asked_.plan; }
  [[nodiscard]] std::vector<Change> take() { return std::move(found_); }

 private:
  [[nodiscard]] Trial attempt(const Plan& plan) const {
    Asked changed = asked_;
    changed.plan = plan;
    if constexpr (std::is_same_v<Asked, Training>) {
      changed.offer.nccl = plan.gpus() > 1 ? std::max(asked_.offer.nccl, kNcclOfMore) : 0;
      return try_training(changed);
    } else {
      return try_inference(changed);
    }
  }

  /// As offer_of() has it for more than one GPU.
  static constexpr std::uint64_t kNcclOfMore = std::uint64_t{1} << 30;

  const Asked& asked_;
  std::vector<Change> found_;
};

using TrainChanges = Changes<Training>;

/// The largest smaller batch that fits, or the smallest where none does; with what else is changed.
void add_batch(TrainChanges& changes, TrainPlan plan, const std::string& with_what, const std::string& with_options) {
  std::uint64_t batch = plan.batch / 2;
  for (; batch > 1; batch /= 2) {
    plan.batch = batch;
    if (changes.fits(plan)) {
      break;
    }
  }
  if (batch != 0) {
    plan.batch = batch;
    changes.add(fmt::format("a micro-batch of {}{}, with {} of them before each optimizer step", batch, with_what,
                            (changes.plan().batch + batch - 1) / batch),
                fmt::format("--batch {}{}", batch, with_options), plan);
  }
}

void add_sequence(TrainChanges& changes) {
  TrainPlan plan = changes.plan();
  for (plan.sequence /= 2; plan.sequence >= kShortestSequence; plan.sequence /= 2) {
    if (changes.fits(plan)) {
      changes.add(fmt::format("sequences of {} tokens", plan.sequence), fmt::format("--sequence {}", plan.sequence),
                  plan);
      return;
    }
  }
}

/// The fewest GPUs over which weights, gradients and states fit, with what else is changed.
void add_shards(TrainChanges& changes, TrainPlan plan, const std::string& with_what, const std::string& with_options) {
  plan.shard = Shard::kZero3;
  const std::uint64_t other = plan.tensor * plan.pipeline;
  for (plan.data = std::max<std::uint64_t>(2, 2 * changes.plan().data); plan.data * other <= kMostGpus;
       plan.data *= 2) {
    if (changes.fits(plan)) {
      changes.add(
          fmt::format("{} GPUs that share weights, gradients and states (FSDP, ZeRO-3){}", plan.gpus(), with_what),
          fmt::format("--gpus {} --shard fsdp{}", plan.gpus(), with_options), plan);
      return;
    }
  }
}

void add_single(TrainChanges& changes) {
  const TrainPlan& asked = changes.plan();
  add_batch(changes, asked, "", "");
  TrainPlan plan = asked;
  plan.recompute = Recompute::kFull;
  changes.add("activations calculated again in the backward pass (gradient checkpointing)", "--recompute full", plan);
  plan = asked;
  if (plan.attention == memory::AttentionKernel::kScores) {
    plan.attention = memory::AttentionKernel::kFlash;
    changes.add("FlashAttention, which keeps no scores", "--attention flash", plan);
  }
  plan = asked;
  if (plan.optimizer == Optimizer::kAdam) {
    plan.optimizer = Optimizer::kAdamFused;
    changes.add("a fused optimizer, without temporaries", "--optimizer adamw-fused", plan);
  }
  plan = asked;
  if (plan.optimizer == Optimizer::kAdam || plan.optimizer == Optimizer::kAdamFused) {
    plan.optimizer = Optimizer::kAdam8Bit;
    changes.add("optimizer states in 8 bits", "--optimizer adamw-8bit", plan);
  }
  plan = asked;
  if (plan.data > 1 && plan.shard != Shard::kZero3) {
    plan.shard = Shard::kZero3;
    changes.add("weights, gradients and states shared by the GPUs (FSDP, ZeRO-3)", "--shard fsdp", plan);
  }
  plan = asked;
  plan.precision = Precision::kBf16Pure;
  changes.add("weights and states in BF16 as well, which can cost accuracy", "--precision bf16-pure", plan);
  add_sequence(changes);
}

void add_combined(TrainChanges& changes) {
  TrainPlan plan = changes.plan();
  plan.recompute = Recompute::kFull;
  if (changes.plan().recompute != Recompute::kFull) {
    add_batch(changes, plan, " and checkpointing", " --recompute full");
  }
  plan.optimizer = Optimizer::kAdam8Bit;
  plan.batch = 1;
  if (!changes.any_fits()) {
    changes.add("a micro-batch of 1, checkpointing and states in 8 bits",
                "--batch 1 --recompute full --optimizer adamw-8bit", plan);
  }
  add_shards(changes, changes.plan(), "", "");
  plan = changes.plan();
  plan.recompute = Recompute::kFull;
  if (changes.plan().recompute != Recompute::kFull) {
    add_shards(changes, plan, " with checkpointing", " --recompute full");
  }
}

void add_adapters(TrainChanges& changes) {
  if (changes.plan().tuning == Tuning::kQlora) {
    return;
  }
  for (const Tuning tuning : {Tuning::kLora, Tuning::kQlora}) {
    TrainPlan plan = changes.plan();
    plan.tuning = tuning;
    plan.precision = Precision::kBf16;
    const std::string word(arch::word_of(tuning));
    const std::string what = tuning == Tuning::kLora ? "adapters trained beside BF16 weights (LoRA)"
                                                     : "adapters trained beside 4-bit weights (QLoRA)";
    if (!changes.add(what, "--tuning " + word, plan)) {
      plan.recompute = Recompute::kFull;
      changes.add(what + " with checkpointing", "--tuning " + word + " --recompute full", plan);
    }
  }
}

}  // namespace

std::vector<Change> changes_of(const Training& training) {
  TrainChanges changes(training);
  add_single(changes);
  add_combined(changes);
  add_adapters(changes);
  return changes.take();
}

std::vector<Change> changes_of(const Inference& inference) {
  Changes<Inference> changes(inference);
  InferPlan plan = inference.plan;
  for (plan.batch /= 2; plan.batch > 1 && !changes.fits(plan);) {
    plan.batch /= 2;
  }
  if (plan.batch != 0) {
    changes.add(fmt::format("{} sequences at once", plan.batch), fmt::format("--batch {}", plan.batch), plan);
  }
  plan = inference.plan;
  plan.cache_bits = 8;
  changes.add("keys and values in FP8", "--cache fp8", plan);
  for (const WeightFormat format : {WeightFormat::kBf16, WeightFormat::kFp8, WeightFormat::kInt4}) {
    plan = inference.plan;
    if (format > plan.weights) {
      plan.weights = format;
      changes.add(fmt::format("weights in {}", arch::word_of(format)),
                  fmt::format("--weights {}", arch::word_of(format)), plan);
    }
  }
  plan = inference.plan;
  for (plan.tensor *= 2; plan.tensor <= inference.model.kv_heads; plan.tensor *= 2) {
    if (changes.fits(plan)) {
      changes.add(fmt::format("{} GPUs that share each layer (tensor parallel)", plan.tensor),
                  fmt::format("--gpus {}", plan.tensor), plan);
      break;
    }
  }
  return changes.take();
}

}  // namespace gpusim::fit
