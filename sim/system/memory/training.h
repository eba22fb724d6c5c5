// SPDX-License-Identifier: MIT
// Training as a tape: the weights, then two steps of forward pass, loss, backward pass and optimizer. The first one
// makes the optimizer's states, and what libraries keep; the second one is as all that follow.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/memory/plan.h"
#include "sim/system/memory/tape.h"
#include "sim/system/models/model.h"

namespace gpusim::memory {

/// What one GPU of a pipeline has of a model.
struct Stage {
  std::uint64_t layers = 0;
  bool first = true;                ///< with the embeddings
  bool last = true;                 ///< with the head
  std::uint64_t in_flight = 1;      ///< most micro-batches between their forward and their backward pass
  std::uint64_t micro_batches = 1;  ///< micro-batches of a step
};

/// The stages that can hold most: the first and the last; without a pipeline the one that there is.
[[nodiscard]] std::vector<Stage> stages_of(const models::Transformer& model, const TrainPlan& plan);

/// Milestones: "weights", "first forward", "first backward", "first optimizer", "forward", "backward", "optimizer".
[[nodiscard]] Tape training_step(const models::Transformer& model, const TrainPlan& plan, const Stage& stage);

/// Parameters that are trained, on one GPU, before any of them is shared with data-parallel GPUs.
[[nodiscard]] std::uint64_t trained_parameters(const models::Transformer& model, const TrainPlan& plan,
                                               const Stage& stage);

}  // namespace gpusim::memory
