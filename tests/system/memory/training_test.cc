// SPDX-License-Identifier: MIT
// A training step's tape: what the field's formulas say of states and activations, what sharding divides, and that
// nothing is lost or given up twice.
#include "sim/system/memory/training.h"

#include <filesystem>

#include <catch2/catch.hpp>

#include "sim/base/units.h"
#include "sim/system/memory/replay.h"
#include "sim/system/models/loader.h"
#include "sim/system/models/operations.h"

namespace system_memory_training_test {

using namespace gpusim;
using namespace gpusim::memory;
using Catch::Contains;
using models::Transformer;

namespace {

constexpr std::uint64_t kPlenty = 4096 * kGi;

Transformer shipped(const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs/models" / (name + ".yaml");
  return std::get<Transformer>(models::load_model(file).is);
}

/// GPT-3 175B of a few layers, trained as Korthikanti et al. describe.
Transformer megatron(std::uint64_t layers) {
  Transformer of = shipped("gpt3-175b");
  of.layers = layers;
  of.dropout = models::Dropout::kAll;
  return of;
}

TrainPlan megatron_plan() {
  TrainPlan plan;
  plan.sequence = 2048;
  plan.precision = Precision::kBf16Pure;
  plan.attention = AttentionKernel::kScores;
  return plan;
}

Replay run(const Transformer& model, const TrainPlan& plan) {
  return replay(training_step(model, plan, stages_of(model, plan).front()), kPlenty);
}

std::uint64_t share(const Moment& moment, Category category) {
  return moment.shares[static_cast<std::size_t>(category)];
}

/// Bytes of activations that a layer adds, without the statistics of its two norms.
double layer_activations(const TrainPlan& plan) {
  const auto at = [&](std::uint64_t layers) {
    return share(run(megatron(layers), plan).milestones[1], Category::kActivations);
  };
  const double statistics = 16.0 * static_cast<double>(plan.batch * plan.sequence) /
                            (plan.sequence_parallel ? static_cast<double>(plan.tensor) : 1.0);
  return static_cast<double>(at(3) - at(2)) - (plan.recompute == Recompute::kFull ? 0 : statistics);
}

/// s b h and s b h (a s / h) of that model.
constexpr double kSbh = 2048.0 * 12288;
constexpr double kScoresOverH = 96.0 * 2048 / 12288;

}  // namespace

TEST_CASE("a layer keeps the activations that Korthikanti et al. count, for each scheme of theirs") {
  TrainPlan plan = megatron_plan();
  constexpr double kClose = 1e-6;
  CHECK(layer_activations(plan) == Approx(kSbh * (34 + 5 * kScoresOverH)).epsilon(kClose));
  plan.tensor = 8;
  CHECK(layer_activations(plan) == Approx(kSbh * (10 + 24.0 / 8 + 5 * kScoresOverH / 8)).epsilon(kClose));
  plan.sequence_parallel = true;
  CHECK(layer_activations(plan) == Approx(kSbh / 8 * (34 + 5 * kScoresOverH)).epsilon(kClose));
  plan.recompute = Recompute::kSelective;
  CHECK(layer_activations(plan) == Approx(kSbh / 8 * 34).epsilon(kClose));
  plan.tensor = 1;
  plan.sequence_parallel = false;
  plan.recompute = Recompute::kFull;
  CHECK(layer_activations(plan) == Approx(kSbh * 2).epsilon(kClose));
}

TEST_CASE("FlashAttention keeps one number per token and head in place of the scores") {
  TrainPlan plan = megatron_plan();
  plan.attention = AttentionKernel::kFlash;
  CHECK(layer_activations(plan) == Approx(kSbh * 34 + 4.0 * 2048 * 96).epsilon(1e-6));
}

TEST_CASE("a fused loss has one tensor of the logits' size at its peak, where operations in FP32 have three") {
  Transformer model = shipped("gpt2");
  model.layers = 1;
  TrainPlan plan;
  plan.batch = 8;
  plan.sequence = 1024;
  plan.precision = Precision::kBf16Pure;
  const auto operations = static_cast<double>(run(model, plan).stats.peak_allocated);
  plan.loss = LossKernel::kFused;
  const auto fused = static_cast<double>(run(model, plan).stats.peak_allocated);
  // Softmax, its gradient and that of its input, in FP32; against the logits in BF16.
  const double logits = 8.0 * 1024 * 50257;
  CHECK(operations - fused == Approx(logits * (3 * 4 - 2)).epsilon(0.1));
}

TEST_CASE("states take the bytes a parameter that the field's table has") {
  const Transformer model = shipped("gpt2");
  const auto count = static_cast<double>(models::parameter_count(model));
  const auto states = [&](Precision precision, Optimizer optimizer) {
    TrainPlan plan;
    plan.sequence = 128;
    plan.precision = precision;
    plan.optimizer = optimizer;
    const Moment& at = run(model, plan).milestones[5];
    const std::uint64_t bytes =
        share(at, Category::kWeights) + share(at, Category::kGradients) + share(at, Category::kOptimizer);
    return static_cast<double>(bytes) / count;
  };
  constexpr double kRoundedToBlocks = 0.03;
  CHECK(states(Precision::kFp32, Optimizer::kAdamFused) == Approx(16).epsilon(kRoundedToBlocks));
  CHECK(states(Precision::kBf16, Optimizer::kAdam) == Approx(16).epsilon(kRoundedToBlocks));
  CHECK(states(Precision::kBf16Master, Optimizer::kAdamFused) == Approx(18).epsilon(kRoundedToBlocks));
  CHECK(states(Precision::kBf16Pure, Optimizer::kAdamFused) == Approx(8).epsilon(kRoundedToBlocks));
  CHECK(states(Precision::kBf16, Optimizer::kSgd) == Approx(8).epsilon(kRoundedToBlocks));
  CHECK(states(Precision::kBf16, Optimizer::kMomentum) == Approx(12).epsilon(kRoundedToBlocks));
  CHECK(states(Precision::kBf16, Optimizer::kAdam8Bit) == Approx(10.03).epsilon(kRoundedToBlocks));
}

TEST_CASE("ZeRO divides optimizer states, then gradients, then weights, by the GPUs") {
  const Transformer model = shipped("gpt2-medium");
  const auto count = static_cast<double>(models::parameter_count(model));
  const auto at = [&](Shard shard) {
    TrainPlan plan;
    plan.sequence = 128;
    plan.shard = shard;
    plan.data = 8;
    const Moment moment = run(model, plan).milestones[5];
    const auto a_parameter = [&](Category category) { return static_cast<double>(share(moment, category)) / count; };
    return std::array{a_parameter(Category::kWeights), a_parameter(Category::kGradients),
                      a_parameter(Category::kOptimizer), a_parameter(Category::kCommunication)};
  };
  // Blocks keep rests of up to 1 MiB.
  const auto close = [](double value) { return Approx(value).epsilon(0.1).margin(0.05); };
  const auto check = [&](Shard shard, const std::array<double, 4>& wanted) {
    const auto found = at(shard);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      INFO(arch::word_of(shard) << " category " << i);
      CHECK(found[i] == close(wanted[i]));
    }
  };
  check(Shard::kDdp, {4, 4, 8, 4});
  check(Shard::kZero1, {4, 4, 1, 0});
  check(Shard::kZero2, {4, 0.5, 1, 0});
  check(Shard::kZero3, {0.5, 0.5, 1, 0});
}

TEST_CASE("adapters train a part of a per cent of the parameters, beside weights that keep their gradients to none") {
  const Transformer model = shipped("llama-2-7b");
  TrainPlan plan;
  plan.sequence = 512;
  plan.tuning = Tuning::kLora;
  const std::uint64_t trained = trained_parameters(model, plan, stages_of(model, plan).front());
  // Four products of attention and three of the MLP, each with 16 rows into and out of it.
  CHECK(trained == 32 * 16 * (4 * (4096 + 4096) + 3 * (4096 + 11008)));
  const Moment lora = run(model, plan).milestones[0];
  CHECK(static_cast<double>(share(lora, Category::kWeights)) ==
        Approx(2.0 * 6'738'415'616 + 4.0 * static_cast<double>(trained)).epsilon(1e-3));
  plan.tuning = Tuning::kQlora;
  const Moment qlora = run(model, plan).milestones[0];
  CHECK(static_cast<double>(share(qlora, Category::kWeights)) < 4.2e9);
}

TEST_CASE("a pipeline's first stage keeps as many micro-batches as there are stages, its last one the logits") {
  const Transformer model = megatron(8);
  TrainPlan plan = megatron_plan();
  plan.pipeline = 4;
  const std::vector<Stage> stages = stages_of(model, plan);
  REQUIRE(stages.size() == 2);
  CHECK((stages[0].layers == 2 && stages[0].in_flight == 4 && stages[0].first && !stages[0].last));
  CHECK((stages[1].layers == 2 && stages[1].in_flight == 1 && !stages[1].first && stages[1].last));
  const Replay first = replay(training_step(model, plan, stages[0]), kPlenty);
  CHECK(static_cast<double>(share(first.milestones[1], Category::kActivations)) >
        4 * 2 * kSbh * (34 + 5 * kScoresOverH));
  // Gradients of all micro-batches are added up.
  TrainPlan alone = megatron_plan();
  CHECK(share(first.milestones[2], Category::kGradients) <
        share(run(megatron(4), alone).milestones[2], Category::kGradients));
}

TEST_CASE("each step ends with what the first one left, whatever is trained and how") {
  const char* const names[] = {"gpt2", "bert-base", "llama-3.2-1b", "mpt-125m"};
  std::size_t runs = 0;
  for (const char* const name : names) {
    Transformer model = shipped(name);
    model.layers = 3;
    for (const Precision precision : {Precision::kFp32, Precision::kBf16, Precision::kBf16Master, Precision::kFp8}) {
      for (const Recompute recompute : {Recompute::kNone, Recompute::kSelective, Recompute::kFull}) {
        for (const Shard shard : {Shard::kDdp, Shard::kZero2, Shard::kZero3}) {
          for (const Tuning tuning : {Tuning::kFull, Tuning::kQlora}) {
            TrainPlan plan;
            plan.batch = 2;
            plan.sequence = 64;
            plan.precision = precision;
            plan.recompute = recompute;
            plan.shard = shard;
            plan.tuning = tuning;
            plan.data = 4;
            plan.tensor = runs % 2 + 1;
            plan.sequence_parallel = runs % 4 == 3;
            plan.pipeline = runs % 3 == 0 ? 2 : 1;
            plan.attention = runs % 5 == 0 ? AttentionKernel::kScores : AttentionKernel::kFlash;
            INFO(name << " run " << runs);
            ++runs;
            for (const Stage& stage : stages_of(model, plan)) {
              const Tape tape = training_step(model, plan, stage);
              std::vector<int> made(tape.tensors().size());
              std::uint64_t live = 0;
              std::uint64_t after_first = 0;
              bool ends_first = false;
              for (const Event& event : tape.events()) {
                if (event.kind == Event::Kind::kMilestone) {
                  // Gradients and inputs go behind it.
                  ends_first = ends_first || tape.operations()[event.operation] == "first optimizer";
                }
                if (event.kind == Event::Kind::kMilestone || event.kind == Event::Kind::kSection) {
                  continue;
                }
                const bool makes = event.kind == Event::Kind::kMake;
                if (makes && ends_first && after_first == 0) {
                  after_first = live;
                }
                made[event.tensor] += makes ? 1 : -1;
                live += makes ? tape.tensors()[event.tensor].bytes : 0 - tape.tensors()[event.tensor].bytes;
                REQUIRE((made[event.tensor] == 0 || made[event.tensor] == 1));
              }
              CHECK(live == after_first);
            }
          }
        }
      }
    }
  }
  CHECK(runs == 4 * 4 * 3 * 3 * 2);
}

TEST_CASE("where memory ends, the operation and what it wanted are known") {
  const Transformer model = shipped("gpt2");
  TrainPlan plan;
  plan.batch = 8;
  plan.sequence = 1024;
  plan.dropout = false;
  const Replay whole = run(model, plan);
  CHECK_FALSE(whole.out_of_memory.has_value());
  const Replay ended =
      replay(training_step(model, plan, stages_of(model, plan).front()), whole.stats.peak_allocated / 2);
  REQUIRE(ended.out_of_memory.has_value());
  CHECK_THAT(ended.out_of_memory->moment.operation, Contains("forward of layer"));
  CHECK(ended.out_of_memory->wanted > ended.out_of_memory->driver_free);
  CHECK(ended.milestones.size() == 1);
}

}  // namespace system_memory_training_test
