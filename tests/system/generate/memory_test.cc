// SPDX-License-Identifier: MIT
// What generated steps allocate: as much as `gpusim fit` says, and no more from round to round.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/base/units.h"
#include "sim/system/generate/plan.h"
#include "sim/system/generate/transformer.h"
#include "sim/system/memory/inference.h"
#include "sim/system/memory/replay.h"
#include "sim/system/models/loader.h"
#include "sim/system/models/operations.h"

namespace generate_memory_test {

using namespace gpusim;
using namespace gpusim::generate;
using application::Application;
using application::Call;
using application::Calls;

namespace {

Request request_for(const std::string& model) {
  Request request;
  const auto file = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / "models" / (model + ".yaml");
  request.model = std::get<models::Transformer>(models::load_model(file).is);
  request.model_name = model;
  request.batch = 2;
  request.sequence = 512;
  request.target.workspace_bytes = 32 * kMi;
  return request;
}

/// The calls of a thread on an allocator without end.
class Allocations {
 public:
  explicit Allocations(const Application& application) : application_(application), allocator_(1024 * kTi) {}

  void play(const Calls& calls) {
    for (const Call& call : calls) {
      if (const auto* const repeat = std::get_if<application::Repeat>(&call.is)) {
        for (std::uint64_t i = 0; i < repeat->times; ++i) {
          play(repeat->body);
        }
      } else if (const auto* const range = std::get_if<application::Range>(&call.is)) {
        play(range->body);
      } else if (const auto* const make = std::get_if<application::Allocate>(&call.is)) {
        REQUIRE((make->more || held_[make->buffer].empty()));
        held_[make->buffer].push_back(*allocator_.allocate(
            make->bytes, make->stream == 0 ? memory::Stream::kCompute : memory::Stream::kReduction));
      } else if (const auto* const drop = std::get_if<application::Free>(&call.is)) {
        CAPTURE(application_.buffers[drop->buffer]);
        REQUIRE_FALSE(held_[drop->buffer].empty());
        allocator_.free(held_[drop->buffer].back());
        held_[drop->buffer].pop_back();
      }
    }
  }
  [[nodiscard]] const memory::AllocatorStats& stats() const { return allocator_.stats(); }

 private:
  const Application& application_;
  memory::CachingAllocator allocator_;
  std::map<application::Index, std::vector<memory::CachingAllocator::Block>> held_;
};

/// Bytes held after the set-up and after each of three rounds, and the allocator then.
struct Played {
  std::vector<std::uint64_t> held;
  memory::AllocatorStats stats;
};

Played play(const Application& application, std::size_t thread = 0) {
  Played out;
  Allocations allocations(application);
  allocations.play(application.bodies[application.threads[thread].setup.value()]);
  out.held.push_back(allocations.stats().allocated);
  for (int round = 0; round < 3; ++round) {
    allocations.play(application.bodies[application.threads[thread].body]);
    out.held.push_back(allocations.stats().allocated);
  }
  out.stats = allocations.stats();
  return out;
}

memory::AllocatorStats fit_of(const Request& request) {
  const memory::TrainPlan plan = train_plan(request);
  const memory::Stage stage{request.model.layers, true, true, 1};
  return memory::replay(memory::training_step(request.model, plan, stage), 1024 * kTi).stats;
}

void check_training(const Request& request) {
  const Played played = play(transformer_train(request));
  const memory::AllocatorStats wanted = fit_of(request);
  CHECK(static_cast<double>(played.stats.peak_allocated) ==
        Approx(static_cast<double>(wanted.peak_allocated)).epsilon(0.001));
  CHECK(static_cast<double>(played.stats.peak_reserved) ==
        Approx(static_cast<double>(wanted.peak_reserved)).epsilon(0.02));
  CHECK(played.held == std::vector(4, played.held.front()));
}

}  // namespace

TEST_CASE("a generated training step allocates at its peak what fit says, and gives it back each round") {
  for (const char* const model : {"gpt2", "bert-large", "llama-3.2-1b", "mpt-1b"}) {
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      Request request = request_for(model);
      request.precision = precision;
      CAPTURE(model, precision == Precision::kBf16);
      check_training(request);
      request.recompute = Recompute::kFull;
      check_training(request);
    }
    Request request = request_for(model);
    request.pure = true;
    check_training(request);
  }
}

TEST_CASE("a generated training step that keeps the scores of attention allocates at its peak what fit says of it") {
  Request request = request_for("gpt2");
  const std::uint64_t flash = fit_of(request).peak_allocated;
  request.attention = Attention::kScores;
  check_training(request);
  CHECK(fit_of(request).peak_allocated > flash);
}

TEST_CASE("a masked head of some predictions allocates what fit says of it, and logits of those alone") {
  Request request = request_for("bert-large");
  request.precision = Precision::kFp32;
  request.attention = Attention::kScores;
  const auto all = static_cast<double>(fit_of(request).peak_allocated);
  request.predictions = 77;
  check_training(request);
  const double logits = 4.0 * 2 * (512 - 77) * 30522;
  CHECK(all - static_cast<double>(fit_of(request).peak_allocated) >= 2 * logits);
}

TEST_CASE("a generated training step with a fused loss allocates at its peak what fit says of it") {
  Request request = request_for("gpt2");
  const std::uint64_t operations = fit_of(request).peak_allocated;
  request.loss = memory::LossKernel::kFused;
  const Played played = play(transformer_train(request));
  const std::uint64_t fused = fit_of(request).peak_allocated;
  CHECK(static_cast<double>(played.stats.peak_allocated) == Approx(static_cast<double>(fused)).epsilon(0.001));
  CHECK(played.held == std::vector(4, played.held.front()));
  CHECK(fused < operations);
}

TEST_CASE("metrics keep the logits, and need two tensors in FP32 behind a backward pass that has freed the layers") {
  Request request = request_for("gpt2");
  request.loss = memory::LossKernel::kFused;
  const auto peak = static_cast<double>(fit_of(request).peak_allocated);
  request.train_metrics = 2;
  check_training(request);
  const double logits = 2.0 * 512 * 50257;
  CHECK(static_cast<double>(fit_of(request).peak_allocated) - peak == Approx(logits * 2).epsilon(0.02));
  request.model.layers = 1;  // so that the peak is that of the metrics
  request.recompute = Recompute::kFull;
  const auto with = static_cast<double>(fit_of(request).peak_allocated);
  request.model.vocabulary *= 2;
  const double parameters = 50257.0 * static_cast<double>(request.model.hidden);
  CHECK(static_cast<double>(fit_of(request).peak_allocated) - with >= logits * (2 + 4 + 4) + parameters * 4);
}

TEST_CASE("generated steps of several GPUs allocate at their peak what fit says") {
  for (const Parallel parallel : {Parallel::kData, Parallel::kZero1, Parallel::kZero2, Parallel::kFsdp}) {
    Request request = request_for("llama-3.2-1b");
    request.gpus = 8;
    request.parallel = parallel;
    CAPTURE(static_cast<int>(parallel));
    check_training(request);
  }
  Request request = request_for("llama-3.2-1b");
  request.gpus = 4;
  request.tensor = 4;
  check_training(request);
  request.sequence_parallel = true;
  check_training(request);
}

TEST_CASE("micro-batches hold no more than one of them and the gradients, however many there are") {
  Request request = request_for("gpt2");
  request.micro_batches = 2;
  const Played two = play(transformer_train(request));
  request.micro_batches = 7;
  const Played seven = play(transformer_train(request));
  CHECK(seven.stats.peak_allocated == two.stats.peak_allocated);
  // Gradients stay while the next micro-batch is done, and each makes one before it is added to that: the largest is
  // the vocabulary's.
  const double parameters = static_cast<double>(models::parameter_count(request.model));
  const double more =
      static_cast<double>(two.stats.peak_allocated) - static_cast<double>(fit_of(request).peak_allocated);
  CHECK(more > 0);
  CHECK(more < 1.05 * 4 * (parameters + static_cast<double>(request.model.vocabulary * request.model.hidden)));
  CHECK(seven.held == std::vector(4, seven.held.front()));
}

TEST_CASE("micro-batches of sharded gradients hold no more than one of them, from the first step on") {
  Request request = request_for("gpt2");
  request.batch = 16;  // so that activations are nearly all there is
  request.gpus = 8;
  request.parallel = Parallel::kFsdp;
  const auto one = static_cast<double>(play(transformer_train(request)).stats.peak_allocated);
  request.micro_batches = 4;
  CHECK(static_cast<double>(play(transformer_train(request)).stats.peak_allocated) == Approx(one).epsilon(0.03));
}

TEST_CASE("the first stage of a pipeline holds as many micro-batches as there are stages, and the last one") {
  Request request = request_for("gpt2-medium");
  request.gpus = request.pipeline = 4;
  request.micro_batches = 8;
  const Application made = transformer_train(request);
  const memory::TrainPlan plan = train_plan(request);
  const std::vector<memory::Stage> stages = memory::stages_of(request.model, plan);
  const auto peak_of = [&](const memory::Stage& stage) {
    return static_cast<double>(
        memory::replay(memory::training_step(request.model, plan, stage), 1024 * kTi).stats.peak_allocated);
  };
  for (std::size_t stage = 0; stage < 4; ++stage) {
    const Played played = play(made, stage);
    CHECK(played.held == std::vector(4, played.held.front()));
    if (stage == 0 || stage == 3) {
      // fit does not know that gradients stay while the next micro-batch is done: 4 bytes a parameter.
      const memory::Stage& of = stages[stage == 0 ? 0 : 1];
      const std::uint64_t table = stage == 3 ? request.model.vocabulary * request.model.hidden : 0;
      const double gradients = 4.0 * static_cast<double>(memory::trained_parameters(request.model, plan, of) + table);
      const double more = static_cast<double>(played.stats.peak_allocated) - peak_of(of);
      CHECK(more > -0.01 * peak_of(of));
      CHECK(more < 1.05 * gradients);
    }
  }
}

TEST_CASE("a generated prefill allocates what fit says of its prompt, and a decode step what it says of a token") {
  Request request = request_for("llama-3-8b");
  memory::InferPlan plan;
  plan.batch = request.batch;
  plan.prompt = plan.context = request.sequence;
  plan.workspace_bytes = request.target.workspace_bytes;
  const memory::Replay wanted = memory::replay(memory::inference(request.model, plan), 1024 * kTi);
  const Played prefill = play(transformer_prefill(request));
  CHECK(prefill.stats.peak_allocated == wanted.stats.peak_allocated);
  CHECK(prefill.held == std::vector(4, prefill.held.front()));
  const Played decode = play(transformer_decode(request));
  const std::uint64_t token = wanted.milestones.back().allocated;
  CHECK(static_cast<double>(decode.held.back()) == Approx(static_cast<double>(token)).epsilon(0.001));
  CHECK(decode.held == std::vector(4, decode.held.front()));
}

TEST_CASE("a graph holds a pool as large as what comes and goes in the eager step") {
  Request request = request_for("gpt2");
  const Played eager = play(transformer_train(request));
  request.mode = Mode::kGraph;
  const Played graph = play(transformer_train(request));
  CHECK(static_cast<double>(graph.stats.peak_allocated) ==
        Approx(static_cast<double>(eager.stats.peak_allocated)).epsilon(0.02));
}

}  // namespace generate_memory_test
