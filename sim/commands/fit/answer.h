// SPDX-License-Identifier: MIT
// Whether a model fits a GPU: the step replayed on what the GPU offers, and on a GPU without end; and the smallest
// changes after which it fits. Nothing is simulated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/system/memory/inference.h"
#include "sim/system/memory/offer.h"
#include "sim/system/memory/plan.h"
#include "sim/system/memory/replay.h"
#include "sim/system/memory/training.h"
#include "sim/system/models/model.h"

namespace gpusim::fit {

/// A step on one GPU: that of a pipeline which holds most.
struct Trial {
  memory::Replay whole;    ///< with memory without end
  memory::Replay limited;  ///< with what the GPU offers
  std::string stage;       ///< "first stage"; empty without a pipeline
  [[nodiscard]] bool fits() const { return !limited.out_of_memory.has_value(); }
};

struct Training {
  models::Transformer model;
  memory::TrainPlan plan;
  memory::Offer offer;
};
[[nodiscard]] Trial try_training(const Training& training);

struct Inference {
  models::Transformer model;
  memory::InferPlan plan;
  memory::Offer offer;
};
[[nodiscard]] Trial try_inference(const Inference& inference);

/// A change of the plan, and what comes of it.
struct Change {
  std::string what;     ///< "recompute every layer's activations"
  std::string options;  ///< "--recompute full": what to add to the command
  bool fits = false;
  bool is_tight = false;   ///< it fits, and cached memory has to go back to the driver first
  std::uint64_t peak = 0;  ///< bytes reserved at most; where it does not fit, as if memory had no end
};
/// Changes from the smallest on: each alone, then together. Those that change nothing are left out.
[[nodiscard]] std::vector<Change> changes_of(const Training& training);
[[nodiscard]] std::vector<Change> changes_of(const Inference& inference);

/// What fits beside the weights of a model that is used.
struct Room {
  std::uint64_t bytes_per_token = 0;
  std::uint64_t sequences = 0;     ///< sequences of the plan's context, at most
  std::uint64_t tokens = 0;        ///< tokens of one sequence, at most; 0: not one
  std::uint64_t paged_tokens = 0;  ///< in a pool such as vLLM's: 0.90 of the GPU, pages of 16 tokens
};
[[nodiscard]] Room room_of(const Inference& inference);

/// PyTorch's message of an error; `offer` says how much the GPU has.
[[nodiscard]] std::string message_of(const memory::Replay& limited, const memory::Offer& offer);

}  // namespace gpusim::fit
