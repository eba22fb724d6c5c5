// SPDX-License-Identifier: MIT
#include "sim/system/memory/inference.h"

#include <numeric>
#include <utility>

#include "sim/system/memory/forward.h"
#include "sim/system/memory/widths.h"

namespace gpusim::memory {
namespace {

using models::Op;
using models::Operation;
using models::Transformer;

constexpr std::uint64_t kByteBits = 8;

std::uint64_t bytes_of(std::uint64_t elements, WeightFormat format) {
  switch (format) {
    case WeightFormat::kFp32: return 4 * elements;
    case WeightFormat::kBf16: return 2 * elements;
    case WeightFormat::kFp8: return elements;
    case WeightFormat::kInt4: return int4_bytes(elements);
  }
  return 0;
}

/// A pass without gradients, in the precision of the weights or in BF16.
TrainPlan pass_plan(const InferPlan& plan, std::uint64_t tokens) {
  TrainPlan of;
  of.batch = plan.batch;
  of.sequence = tokens;
  of.precision = plan.weights == WeightFormat::kFp32 ? Precision::kFp32 : Precision::kBf16Pure;
  of.dropout = false;
  of.tensor = plan.tensor;
  return of;
}

class Reader {
 public:
  Reader(const Transformer& model, const InferPlan& plan)
      : model_(model), plan_(plan), pass_(models::forward_pass(model)), autograd_(tape_) {
    autograd_.set_recording(false);
  }

  Tape make() {
    tape_.begin("weights");
    visit_weights([this](std::uint64_t bytes) { tape_.make(bytes, Category::kWeights); });
    tape_.milestone("weights");
    if (plan_.workspace_bytes != 0) {
      tape_.begin("workspace of cuBLAS");
      tape_.make(plan_.workspace_bytes, Category::kWorkspace);
    }
    tape_.section("prompt begin");
    tape_.make(plan_.batch * plan_.prompt * kTokenBytes, Category::kActivations);
    run("prompt", plan_.prompt, [this](std::uint64_t) {
      cache_.push_back(tape_.make(plan_.batch * plan_.context * layer_bytes(), Category::kCache));
      cache_.push_back(tape_.make(plan_.batch * plan_.context * layer_bytes(), Category::kCache));
    });
    tape_.milestone("prompt");
    tape_.section("token begin");
    run("token", 1, [this](std::uint64_t layer) {
      for (std::size_t i = 2 * layer; i < 2 * layer + 2; ++i) {
        const TensorId longer = tape_.make(plan_.batch * (plan_.context + 1) * layer_bytes(), Category::kCache);
        tape_.drop(std::exchange(cache_[i], longer));
      }
    });
    tape_.milestone("token");
    return std::move(tape_);
  }

  template <class Visit>
  void visit_weights(const Visit& visit) {
    const TrainPlan plan = pass_plan(plan_, 1);
    const Forward forward(model_, plan, tape_, autograd_);
    const auto visit_all = [&](const std::vector<Operation>& operations, bool in_layer) {
      for (const Operation& of : operations) {
        const bool small = in_layer && of.op == Op::kLinear;
        const WeightFormat format = small || plan_.weights == WeightFormat::kFp32 ? plan_.weights : WeightFormat::kBf16;
        for (const std::uint64_t elements : forward.parameters(of)) {
          visit(bytes_of(elements, format));
        }
      }
    };
    visit_all(pass_.before, false);
    for (std::uint64_t i = 0; i < pass_.layers; ++i) {
      visit_all(pass_.layer, true);
    }
    visit_all(pass_.after, false);
  }

  /// Bytes of a token's keys, or values, in one layer.
  [[nodiscard]] std::uint64_t layer_bytes() const {
    return (model_.kv_features() + plan_.tensor - 1) / plan_.tensor * plan_.cache_bits / kByteBits;
  }

 private:
  template <class Cache>
  void run(const std::string& which, std::uint64_t tokens, const Cache& cache) {
    const TrainPlan plan = pass_plan(plan_, tokens);
    Forward forward(model_, plan, tape_, autograd_);
    forward.embed(pass_.before);
    forward.make_angles();
    const TensorId embedded = forward.stream();
    tape_.hold(embedded);
    for (std::uint64_t i = 0; i < pass_.layers; ++i) {
      tape_.section(which + " layer " + std::to_string(i));
      tape_.begin("cache of layer " + std::to_string(i));
      cache(i);
      forward.layer(pass_.layer, "layer " + std::to_string(i));
    }
    tape_.section(which + " end");
    tape_.drop(embedded);
    forward.end_layers();
    // The vocabulary's product is for the last token of each sequence.
    tape_.begin("logits");
    tape_.scratch(plan_.batch * model_.vocabulary / plan_.tensor * widths_of(plan).compute);
    forward.drop_stream();
  }

  const Transformer& model_;
  const InferPlan& plan_;
  models::ForwardPass pass_;
  Tape tape_;
  Autograd autograd_;
  std::vector<TensorId> cache_;  ///< keys and values of each layer
};

}  // namespace

std::uint64_t cache_bytes_per_token(const Transformer& model, const InferPlan& plan) {
  return 2 * model.layers * Reader(model, plan).layer_bytes();
}

std::uint64_t weight_bytes(const Transformer& model, const InferPlan& plan) {
  std::uint64_t sum = 0;
  Reader(model, plan).visit_weights([&sum](std::uint64_t bytes) { sum += bytes; });
  return sum;
}

Tape inference(const Transformer& model, const InferPlan& plan) {
  return Reader(model, plan).make();
}

}  // namespace gpusim::memory
