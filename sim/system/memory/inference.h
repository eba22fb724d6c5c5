// SPDX-License-Identifier: MIT
// Inference as a tape: weights, the prompts of all sequences at once, then a token of each. Keys and values are kept as
// Hugging Face's DynamicCache does, which makes a longer copy of a layer's at each token.
#pragma once

#include <cstdint>

#include "sim/system/memory/plan.h"
#include "sim/system/memory/tape.h"
#include "sim/system/models/model.h"

namespace gpusim::memory {

/// Bytes of a token's keys and values in all layers, on one of the GPUs that share them.
[[nodiscard]] std::uint64_t cache_bytes_per_token(const models::Transformer& model, const InferPlan& plan);

/// Bytes of the weights on one GPU. In 4 bits and FP8 embeddings and head stay in BF16.
[[nodiscard]] std::uint64_t weight_bytes(const models::Transformer& model, const InferPlan& plan);

/// Milestones: "weights", "prompt", "token".
[[nodiscard]] Tape inference(const models::Transformer& model, const InferPlan& plan);

}  // namespace gpusim::memory
