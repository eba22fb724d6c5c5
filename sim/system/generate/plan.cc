// SPDX-License-Identifier: MIT
#include "sim/system/generate/plan.h"

#include <algorithm>
#include <map>
#include <vector>

#include "sim/system/generate/kernels.h"
#include "sim/system/memory/inference.h"

namespace gpusim::generate {

memory::TrainPlan train_plan(const Request& request) {
  memory::TrainPlan plan;
  plan.batch = request.batch;
  plan.sequence = request.sequence;
  plan.precision = request.fp8                             ? memory::Precision::kFp8
                   : request.pure                          ? memory::Precision::kBf16Pure
                   : request.precision == Precision::kFp32 ? memory::Precision::kFp32
                   : request.precision == Precision::kTf32 ? memory::Precision::kTf32
                                                           : memory::Precision::kBf16;
  plan.recompute = request.recompute == Recompute::kFull        ? memory::Recompute::kFull
                   : request.recompute == Recompute::kSelective ? memory::Recompute::kSelective
                                                                : memory::Recompute::kNone;
  plan.attention = keeps_scores(request) ? memory::AttentionKernel::kScores : memory::AttentionKernel::kFlash;
  plan.loss = request.loss;
  plan.predictions = request.predictions;
  plan.train_metrics = request.train_metrics;
  plan.optimizer = request.optimizer;
  plan.dropout = request.dropout;
  plan.shard = request.parallel == Parallel::kZero1   ? memory::Shard::kZero1
               : request.parallel == Parallel::kZero2 ? memory::Shard::kZero2
               : request.parallel == Parallel::kFsdp  ? memory::Shard::kZero3
                                                      : memory::Shard::kDdp;
  plan.data = request.data();
  plan.tensor = request.tensor;
  plan.pipeline = request.pipeline;
  plan.sequence_parallel = request.sequence_parallel;
  plan.workspace_bytes = request.target.workspace_bytes;
  return plan;
}

memory::Script training_script(const Request& request, memory::Stage stage) {
  stage.micro_batches = std::min<std::uint64_t>(2, request.micro_batches);
  // The last stage, or the only one, ends each before it begins the next.
  stage.in_flight = stage.last ? 1 : stage.micro_batches;
  return memory::script_of(memory::training_step(request.model, train_plan(request), stage), "forward 0 begin");
}

memory::Script inference_script(const Request& request, bool of_prompt) {
  memory::InferPlan plan;
  plan.batch = request.batch;
  plan.context = request.sequence;
  plan.prompt = request.sequence;
  plan.weights = request.fp8                             ? memory::WeightFormat::kFp8
                 : request.precision == Precision::kBf16 ? memory::WeightFormat::kBf16
                                                         : memory::WeightFormat::kFp32;
  plan.cache_bits = request.precision == Precision::kBf16 ? 16 : 32;
  plan.tensor = request.tensor;
  plan.workspace_bytes = request.target.workspace_bytes;
  const memory::Tape tape = memory::inference(request.model, plan);
  return of_prompt ? memory::script_of(tape, "prompt begin", "token begin") : memory::script_of(tape, "token begin");
}

namespace {

/// The changes without tensors that are made and given up.
memory::Changes held_of(const memory::Changes& changes) {
  std::map<std::uint32_t, std::vector<std::size_t>> made;
  std::vector<bool> stays(changes.size(), false);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    std::vector<std::size_t>& of_buffer = made[changes[i].buffer];
    if (changes[i].makes) {
      of_buffer.push_back(i);
      stays[i] = true;
    } else {
      stays[of_buffer.back()] = false;
      of_buffer.pop_back();
    }
  }
  memory::Changes held;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (stays[i]) {
      held.push_back(changes[i]);
    }
  }
  return held;
}

}  // namespace

memory::Script with_one_pool(const memory::Script& script) {
  std::uint64_t held = 0;
  std::uint64_t most = 0;
  for (const std::string& name : script.order) {
    for (const memory::Change& change : script.section(name)) {
      const std::uint64_t bytes = memory::CachingAllocator::rounded(script.buffers[change.buffer].bytes);
      held = change.makes ? held + bytes : held - bytes;
      most = std::max(most, held);
    }
  }
  memory::Script out;
  out.buffers = script.buffers;
  out.before = held_of(script.before);
  if (most > 0) {
    out.before.push_back({static_cast<std::uint32_t>(out.buffers.size()), true, "graph"});
    out.buffers.push_back({"pool of the graph", most, memory::Category::kActivations});
  }
  return out;
}

}  // namespace gpusim::generate
