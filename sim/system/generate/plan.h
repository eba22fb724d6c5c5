// SPDX-License-Identifier: MIT
// A request as sim/system/memory knows it, and its script: what `gpusim fit` calculates with.
#pragma once

#include "sim/system/generate/request.h"
#include "sim/system/memory/script.h"
#include "sim/system/memory/training.h"

namespace gpusim::generate {

[[nodiscard]] memory::TrainPlan train_plan(const Request& request);

/// A training step of a stage of the pipeline, which has two micro-batches where the step has more than one.
[[nodiscard]] memory::Script training_script(const Request& request, memory::Stage stage);

/// The prompts of all sequences, or one token more of each.
[[nodiscard]] memory::Script inference_script(const Request& request, bool of_prompt);

/// What a graph holds in place of tensors that come and go: as much as those of the script hold at most.
[[nodiscard]] memory::Script with_one_pool(const memory::Script& script);

}  // namespace gpusim::generate
