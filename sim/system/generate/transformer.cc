// SPDX-License-Identifier: MIT
#include "sim/system/generate/transformer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/system/generate/frame.h"
#include "sim/system/generate/operators.h"

namespace gpusim::generate {

using application::Application;
using application::Index;
using models::Operation;

namespace {

/// Gradients of the layer are there; the weights of the layer are there; all is summed.
constexpr Index kGradients = 0;
constexpr Index kWeights = 1;
constexpr Index kSummed = 2;

/// With tensor parallelism what one GPU does: its heads, its part of the MLP and of the vocabulary.
Request part_of(Request request) {
  if (request.gpus > 1 && request.parallel == Parallel::kTensor) {
    models::Transformer& model = request.model;
    model.heads /= request.gpus;
    model.kv_heads = std::max<std::uint64_t>(1, model.kv_heads / request.gpus);
    model.ffn /= request.gpus;
    model.vocabulary = (model.vocabulary + request.gpus - 1) / request.gpus;
  }
  return request;
}

class TransformerStep {
 public:
  TransformerStep(const Request& request, Pass pass)
      : request_(part_of(request)),
        pass_(pass),
        forward_(models::forward_pass(request_.model)),
        builder_(application_, request.mode == Mode::kGraph ? 0 : request.operator_ns),
        operators_(request_, pass, builder_) {}

  Application make();

 private:
  using Operations = std::vector<Operation>;

  void describe();
  void add_forward();
  void add_backward();
  void add_optimizer();
  void forward(const Operations& operations);
  void backward(const Operations& operations);
  void sum_activations();
  void gather_weights(double parameters);
  void sum_gradients(double parameters);
  [[nodiscard]] bool is_fsdp() const { return request_.gpus > 1 && request_.parallel == Parallel::kFsdp; }
  [[nodiscard]] bool is_tensor() const { return request_.gpus > 1 && request_.parallel == Parallel::kTensor; }
  [[nodiscard]] std::uint64_t layers_in_bucket() const;
  [[nodiscard]] double layer_parameters() const {
    return static_cast<double>(models::layer_parameters(request_.model));
  }
  /// Parameters outside of layers.
  [[nodiscard]] double other_parameters() const {
    return static_cast<double>(models::parameter_count(request_.model)) -
           layer_parameters() * static_cast<double>(forward_.layers);
  }
  [[nodiscard]] double gradient_bytes() const { return is_fsdp() && request_.precision == Precision::kBf16 ? 2 : 4; }

  Request request_;
  Pass pass_;
  models::ForwardPass forward_;
  Application application_;
  StepBuilder builder_;
  Operators operators_;
};

void TransformerStep::forward(const Operations& operations) {
  for (const Operation& operation : operations) {
    operators_.forward(operation);
    if (operation.name == "attention.output" || operation.name == "mlp.down") {
      sum_activations();
    }
  }
}

void TransformerStep::backward(const Operations& operations) {
  for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
    if (operation->name == "attention.norm" || operation->name == "mlp.norm") {
      sum_activations();
    }
    operators_.backward(*operation);
  }
}

/// Tensor parallel: each GPU has a summand of what attention or the MLP gives, or of the gradient of what they take.
void TransformerStep::sum_activations() {
  if (!is_tensor()) {
    return;
  }
  const double element_bytes = request_.precision == Precision::kBf16 ? 2 : 4;
  const auto tokens = static_cast<double>(request_.batch * (pass_ == Pass::kDecode ? 1 : request_.sequence));
  builder_.collective(collective::Collective::kAllReduce,
                      element_bytes * tokens * static_cast<double>(request_.model.hidden), kCompute);
}

/// FSDP: the weights of what comes next, in the type of its products.
void TransformerStep::gather_weights(double parameters) {
  if (!is_fsdp()) {
    return;
  }
  builder_.collective(collective::Collective::kAllGather, parameters * gradient_bytes(), kComm);
  builder_.record(kWeights, kComm);
  builder_.wait(kWeights, kCompute);
}

/// Gradients are summed on a stream of their own while the backward pass goes on.
void TransformerStep::sum_gradients(double parameters) {
  if (request_.gpus == 1 || is_tensor()) {
    return;
  }
  builder_.record(kGradients, kCompute);
  builder_.wait(kGradients, kComm);
  builder_.collective(is_fsdp() ? collective::Collective::kReduceScatter : collective::Collective::kAllReduce,
                      parameters * gradient_bytes(), kComm);
}

/// DDP's buckets have 25 MiB: whole layers here, one at least. FSDP's are layers.
std::uint64_t TransformerStep::layers_in_bucket() const {
  constexpr double kBucketBytes = 25.0 * static_cast<double>(kMi);
  if (request_.gpus == 1 || is_fsdp() || is_tensor()) {
    return 1;
  }
  const auto wanted = static_cast<std::uint64_t>(kBucketBytes / (layer_parameters() * gradient_bytes()));
  std::uint64_t layers = std::clamp<std::uint64_t>(wanted, 1, forward_.layers);
  while (forward_.layers % layers != 0) {
    --layers;
  }
  return layers;
}

void TransformerStep::add_forward() {
  builder_.begin_range("forward");
  gather_weights(other_parameters());
  forward(forward_.before);
  builder_.begin_repeat(forward_.layers);
  gather_weights(layer_parameters());
  forward(forward_.layer);
  builder_.end();
  forward(forward_.after);
  builder_.end();
}

void TransformerStep::add_backward() {
  const std::uint64_t bucket = layers_in_bucket();
  builder_.begin_range("backward");
  backward(forward_.after);
  builder_.begin_repeat(forward_.layers / bucket);
  for (std::uint64_t layer = 0; layer < bucket; ++layer) {
    gather_weights(layer_parameters());
    if (request_.recompute == Recompute::kFull) {
      forward(forward_.layer);
    }
    backward(forward_.layer);
  }
  sum_gradients(layer_parameters() * static_cast<double>(bucket));
  builder_.end();
  backward(forward_.before);
  sum_gradients(other_parameters());
  builder_.end();
}

/// AdamW, fused: reads weights, gradients and two moments, and writes all but the gradients.
void TransformerStep::add_optimizer() {
  constexpr double kBytes = 28;
  if (request_.gpus > 1 && !is_tensor()) {
    builder_.record(kSummed, kComm);
    builder_.wait(kSummed, kCompute);
  }
  const double parameters = layer_parameters() * static_cast<double>(forward_.layers) + other_parameters();
  builder_.begin_range("optimizer");
  builder_.launch("AdamW", moving(kBytes * parameters / (is_fsdp() ? request_.gpus : 1)));
  builder_.end();
}

void TransformerStep::describe() {
  const std::string what = pass_ == Pass::kTraining  ? "training step"
                           : pass_ == Pass::kPrefill ? "prefill"
                                                     : "decode of a token";
  application_ =
      begin_step(request_.model_name + ", " + what,
                 counted(request_.batch, "sequence") + " of " + counted(request_.sequence, "token") + ", " +
                     std::string(arch::word_of(request_.precision)) + ", " + std::string(arch::word_of(request_.mode)) +
                     (request_.gpus > 1 ? ", " + counted(request_.gpus, "GPU") : ""),
                 request_.gpus > 1);
  if (request_.gpus > 1) {
    application_.events = {"gradients", "weights", "summed"};
  }
}

Application TransformerStep::make() {
  describe();
  add_forward();
  if (pass_ == Pass::kTraining) {
    add_backward();
    add_optimizer();
  }
  application::Calls calls = builder_.take();
  if (request_.mode == Mode::kGraph) {
    calls = as_graph(application_, std::move(calls));
  }
  add_ranks(application_, std::move(calls), request_.gpus);
  return std::move(application_);
}

}  // namespace

Application transformer_train(const Request& request) {
  return TransformerStep(request, Pass::kTraining).make();
}

Application transformer_prefill(const Request& request) {
  return TransformerStep(request, Pass::kPrefill).make();
}

Application transformer_decode(const Request& request) {
  return TransformerStep(request, Pass::kDecode).make();
}

}  // namespace gpusim::generate
