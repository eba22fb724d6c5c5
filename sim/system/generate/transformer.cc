// SPDX-License-Identifier: MIT
#include "sim/system/generate/transformer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.h"
#include "sim/system/generate/fold.h"
#include "sim/system/generate/frame.h"
#include "sim/system/generate/stage.h"

namespace gpusim::generate {

using application::Application;
using application::Calls;

namespace {

/// What a stage of a pipeline does with micro-batches. The first backward pass makes gradients, the last one is
/// followed by their sum.
enum class Act : std::uint8_t { kForward, kForwardAgain, kBackward, kBackwardAgain, kBackwardLast, kBoth };

/// One forward, one backward (1F1B): a stage does the forward passes that those behind it wait for, then a forward and
/// a backward pass in turn, then the backward passes that are left.
std::vector<Act> schedule(const Request& request, std::uint32_t stage) {
  const std::uint64_t all = request.micro_batches;
  const std::uint64_t ahead = std::min<std::uint64_t>(request.pipeline - stage, all);
  std::vector<Act> acts;
  std::uint64_t forward = 0;
  std::uint64_t backward = 0;
  while (backward < all) {
    if (forward < all && forward - backward < ahead) {
      acts.push_back(forward++ == 0 ? Act::kForward : Act::kForwardAgain);
      continue;
    }
    ++backward;
    acts.push_back(all == 1          ? Act::kBoth
                   : backward == 1   ? Act::kBackward
                   : backward == all ? Act::kBackwardLast
                                     : Act::kBackwardAgain);
  }
  return acts;
}

void play(Stage& stage, Act act) {
  switch (act) {
    case Act::kForward: return stage.forward(true);
    case Act::kForwardAgain: return stage.forward(false);
    case Act::kBackward: return stage.backward(true, false);
    case Act::kBackwardAgain: return stage.backward(false, false);
    case Act::kBackwardLast: return stage.backward(false, true);
    case Act::kBoth: return stage.backward(true, true);
  }
}

void train(Stage& stage, const std::vector<Act>& acts, StepBuilder& builder) {
  for (const Fold& fold : folds_of(acts)) {
    if (fold.times > 1) {
      builder.begin_repeat(fold.times);
    }
    for (std::size_t i = fold.begin; i < fold.begin + fold.period; ++i) {
      play(stage, acts[i]);
    }
    if (fold.times > 1) {
      builder.end();
    }
  }
  stage.optimize();
}

std::string describe(const Request& request) {
  std::string text = counted(request.batch, "sequence") + " of " + counted(request.sequence, "token") + ", " +
                     (request.fp8    ? "fp8"
                      : request.pure ? "bf16-pure"
                      : request.fp16 ? "fp16"
                                     : std::string(arch::word_of(request.precision))) +
                     ", " + std::string(arch::word_of(request.mode));
  text += request.micro_batches > 1 ? ", " + std::to_string(request.micro_batches) + " micro-batches" : "";
  text += request.gpus > 1 ? ", " + counted(request.gpus, "GPU") : "";
  if (request.tensor > 1 || request.pipeline > 1) {
    text += " (" + std::to_string(request.data()) + " data, " + std::to_string(request.tensor) + " tensor, " +
            std::to_string(request.pipeline) + " pipeline)";
  }
  return text;
}

Application make(const Request& request, Pass pass) {
  const std::string what = pass == Pass::kTraining  ? "training step"
                           : pass == Pass::kPrefill ? "prefill"
                                                    : "decode of a token";
  Application application = begin_step(request.model_name + ", " + what, describe(request), request.gpus > 1);
  add_streams(application, request);
  StepBuilder builder(application, is_one_graph(request.mode) ? 0 : request.operator_ns);
  const std::uint32_t of_stage = request.gpus / request.pipeline;
  for (std::uint32_t index = 0; index < request.pipeline; ++index) {
    Stage stage(request, pass, index, builder);
    stage.set_up();
    Calls setup = builder.take();
    if (pass == Pass::kTraining) {
      train(stage, schedule(request, index), builder);
    } else {
      stage.infer();
    }
    Calls calls = as_launched(request.mode, application, builder.take());
    add_threads(application, {index * of_stage, of_stage, request.gpus == 1}, std::move(setup), std::move(calls));
  }
  return application;
}

}  // namespace

Application transformer_train(const Request& request) {
  return make(request, Pass::kTraining);
}

Application transformer_prefill(const Request& request) {
  return make(request, Pass::kPrefill);
}

Application transformer_decode(const Request& request) {
  return make(request, Pass::kDecode);
}

}  // namespace gpusim::generate
