// SPDX-License-Identifier: MIT
#include "sim/system/generate/stage.h"

#include <algorithm>
#include <utility>

#include "sim/base/units.h"
#include "sim/system/generate/fold.h"
#include "sim/system/generate/frame.h"
#include "sim/system/generate/kernels.h"
#include "sim/system/generate/plan.h"

namespace gpusim::generate {

using application::Application;
using application::Index;
using collective::Collective;
using models::Operation;

namespace {

// Between stages.
constexpr Index kActivations = 2;
constexpr Index kGradientsBack = 3;
// Events: gradients of a layer are there; weights are there; all is summed; gathered weights were used; or, in a
// pipeline, what another stage needs is there; what it sent.
constexpr Index kGradients = 0;
constexpr Index kWeights = 1;
constexpr Index kSummed = 2;
constexpr Index kUsed = 3;
constexpr Index kMade = 3;
constexpr Index kArrived = 4;

/// What one GPU does of those that share layers: its heads, its part of the MLP and of the vocabulary.
Request part_of(Request request) {
  if (request.tensor > 1) {
    models::Transformer& model = request.model;
    model.heads /= request.tensor;
    model.kv_heads = std::max<std::uint64_t>(1, model.kv_heads / request.tensor);
    model.ffn /= request.tensor;
    model.vocabulary = (model.vocabulary + request.tensor - 1) / request.tensor;
  }
  return request;
}

bool has_tied_ends(const Request& request) {
  return request.pipeline > 1 && request.model.embeddings == models::Embeddings::kTied;
}

/// Layers are dealt out evenly, those that are left to the first stages.
memory::Stage stage_of(const Request& request, std::uint32_t index) {
  const std::uint64_t each = request.model.layers / request.pipeline;
  const std::uint64_t left = request.model.layers % request.pipeline;
  return {each + (index < left ? 1 : 0), index == 0, index + 1 == request.pipeline, 1};
}

memory::Script script_of(const Request& request, Pass pass, const memory::Stage& stage) {
  const memory::Script script =
      pass == Pass::kTraining ? training_script(request, stage) : inference_script(request, pass == Pass::kPrefill);
  return is_one_graph(request.mode) ? with_one_pool(script) : script;
}

double count_of(const std::vector<Operation>& operations) {
  double sum = 0;
  for (const Operation& operation : operations) {
    for (const models::Parameter& parameter : models::parameters_of(operation)) {
      sum += static_cast<double>(parameter.count());
    }
  }
  return sum;
}

bool is_before_products(const Operation& operation) {
  return operation.name == "attention.norm" || operation.name == "mlp.norm";
}

bool is_behind_products(const Operation& operation) {
  return operation.name == "attention.output" || operation.name == "mlp.down";
}

}  // namespace

void add_streams(Application& application, const Request& request) {
  if (request.gpus > 1) {
    application.events = {"gradients", "weights", "summed"};
  }
  if (request.parallel == Parallel::kFsdp) {
    application.events.emplace_back("used");
  }
  if (request.pipeline > 1) {
    application.streams.push_back({"activations", false});
    application.streams.push_back({"gradients", false});
    application.events.insert(application.events.end(), {"made", "arrived"});
  }
}

Stage::Stage(const Request& request, Pass pass, std::uint32_t index, StepBuilder& builder)
    : request_(request),
      part_(part_of(request)),
      pass_(pass),
      index_(index),
      builder_(builder),
      forward_(models::forward_pass(part_.model)),
      stage_(stage_of(request, index)),
      memory_(builder, script_of(request, pass, stage_)),
      operators_(part_, pass, builder),
      layer_parameters_(count_of(forward_.layer)),
      before_parameters_(is_first() ? count_of(forward_.before) : 0),
      after_parameters_(is_last() ? count_of(forward_.after) : 0) {}

/// Bytes of the residual stream that a stage sends on.
double Stage::activation_bytes() const {
  const bool is_narrow = is_fsdp() && request_.precision == Precision::kBf16;
  const double element_bytes = request_.fp8 || request_.pure || is_narrow ? 2 : 4;
  const auto tokens = static_cast<double>(request_.batch * request_.sequence);
  return element_bytes * tokens * static_cast<double>(request_.model.hidden) /
         (request_.sequence_parallel ? request_.tensor : 1);
}

Ranks Stage::tensor_ranks() const {
  return request_.tensor == request_.gpus ? Ranks{} : Ranks{request_.tensor, 1, 0};
}

Ranks Stage::data_ranks() const {
  return request_.data() == request_.gpus ? Ranks{} : Ranks{request_.data(), request_.tensor, 0};
}

Ranks Stage::pairs(std::uint32_t stage, std::uint32_t stages_between) const {
  const std::uint32_t of_stage = request_.gpus / request_.pipeline;
  return {2, of_stage * stages_between, of_stage * stage};
}

void Stage::receive(Index stream, std::uint32_t boundary) {
  builder_.collective(Collective::kSendReceive, activation_bytes(), stream, pairs(boundary, 1));
  builder_.record(kArrived, stream);
  builder_.wait(kArrived, kCompute);
}

void Stage::send(Index stream, std::uint32_t boundary) {
  builder_.record(kMade, kCompute);
  builder_.wait(kMade, stream);
  builder_.collective(Collective::kSendReceive, activation_bytes(), stream, pairs(boundary, 1));
}

/// Among the GPUs that share layers: tokens as products read and write them.
void Stage::exchange(Collective of) {
  if (request_.tensor == 1) {
    return;
  }
  const double element_bytes = request_.precision == Precision::kBf16 ? 2 : 4;
  const auto tokens = static_cast<double>(request_.batch * (pass_ == Pass::kDecode ? 1 : request_.sequence));
  const bool is_all_reduce = of == Collective::kAllReduce;
  builder_.collective(of, element_bytes * tokens * static_cast<double>(request_.model.hidden), kCompute, tensor_ranks(),
                      is_all_reduce ? request_.all_reduce : collective::Library::kNccl);
}

/// Each GPU has a summand of what attention or the MLP gives. With sequence parallelism it wants the sum of its tokens,
/// and gathers all tokens before the next products.
void Stage::forward(const Operations& operations) {
  for (const Operation& operation : operations) {
    memory_.before("forward of " + operation.name);
    operators_.forward(operation);
    if (is_behind_products(operation)) {
      exchange(request_.sequence_parallel ? Collective::kReduceScatter : Collective::kAllReduce);
    }
    if (request_.sequence_parallel && is_before_products(operation)) {
      exchange(Collective::kAllGather);
    }
  }
}

/// What of a layer the backward pass does once more. Selective: with scores kept out of memory attention alone, else
/// all but attention and every second product, as the memory plan keeps them.
void Stage::forward_again() {
  if (request_.recompute == Recompute::kNone) {
    return;
  }
  const bool is_selective = request_.recompute == Recompute::kSelective;
  const bool of_scores = is_selective && keeps_scores(request_);
  Operations again;
  std::uint64_t products = 0;
  for (const Operation& operation : forward_.layer) {
    const bool is_attention = operation.op == models::Op::kAttention;
    products += operation.op == models::Op::kLinear ? 1 : 0;
    const bool is_kept = is_attention || (operation.op == models::Op::kLinear && products % 2 == 1);
    if (of_scores ? is_attention : !is_selective || !is_kept) {
      again.push_back(operation);
    }
  }
  forward(again);
}

/// With sequence parallelism the gradient is gathered where the sum was scattered, the input of the products once more
/// for the gradient of their weights, and the gradient of the input is scattered.
void Stage::backward(const Operations& operations) {
  for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
    memory_.before("backward of " + operation->name);
    if (request_.sequence_parallel && (is_before_products(*operation) || is_behind_products(*operation))) {
      exchange(Collective::kAllGather);
    }
    if (is_before_products(*operation)) {
      exchange(request_.sequence_parallel ? Collective::kReduceScatter : Collective::kAllReduce);
    }
    operators_.backward(*operation);
  }
}

/// FSDP: the weights of a layer, in the type of its products, to which each GPU casts its part in training. The CPU
/// waits until the weights of the layer before the last were used, so that two layers' are there at most
/// (limit_all_gathers, which PyTorch has on since 2.0); in a graph the stream does.
void Stage::begin_gather(double parameters) {
  if (is_one_graph(request_.mode)) {
    builder_.wait(kUsed, kComm);
  } else {
    builder_.wait_on_host(kUsed);
  }
  builder_.record(kUsed, kCompute);
  if (pass_ == Pass::kTraining && gradient_bytes() < state_bytes()) {
    builder_.launch("FSDP cast of weights", moving((4 + 2) * parameters / request_.data()), kComm);
  }
  builder_.collective(Collective::kAllGather, parameters * gradient_bytes(), kComm, data_ranks());
  builder_.record(kWeights, kComm);
}

void Stage::await_weights() {
  builder_.wait(kWeights, kCompute);
}

/// FSDP: the weights of what comes next.
void Stage::gather_weights(double parameters) {
  if (is_fsdp()) {
    begin_gather(parameters);
    await_weights();
  }
}

/// Gradients are summed on a stream of their own while the backward pass goes on. FSDP's flat parameter gets them as
/// one tensor; they are divided before and after their sum, so that it does not overflow, and a GPU keeps its part in
/// FP32.
void Stage::sum_gradients(double parameters) {
  if (request_.data() == 1 || parameters == 0) {
    return;
  }
  const double element = gradient_bytes();
  if (is_fsdp()) {
    builder_.launch("FSDP join of gradients", moving(2 * element * parameters));
  }
  builder_.record(kGradients, kCompute);
  builder_.wait(kGradients, kComm);
  if (is_fsdp()) {
    builder_.launch("FSDP divide", moving(2 * element * parameters), kComm);
  }
  builder_.collective(scatters() ? Collective::kReduceScatter : Collective::kAllReduce, parameters * element, kComm,
                      data_ranks());
  if (is_fsdp()) {
    const double part = parameters / request_.data();
    if (request_.data() > 2) {
      builder_.launch("FSDP divide", moving(2 * element * part), kComm);
    }
    if (element < state_bytes()) {
      builder_.launch("FSDP cast of gradients", moving((element + 4) * part), kComm);
    }
    if (adds_shards_) {
      builder_.launch("FSDP add gradients", moving(3 * state_bytes() * part), kComm);
    }
  }
}

/// DDP's buckets have 25 MiB, and so have those of ZeRO here: whole layers, one at least. FSDP's are layers.
std::uint64_t Stage::layers_in_bucket() const {
  constexpr double kBucketBytes = 25.0 * static_cast<double>(kMi);
  if (request_.data() == 1 || is_fsdp()) {
    return 1;
  }
  const auto wanted = static_cast<std::uint64_t>(kBucketBytes / (layer_parameters_ * gradient_bytes()));
  std::uint64_t layers = std::clamp<std::uint64_t>(wanted, 1, stage_.layers);
  while (stage_.layers % layers != 0) {
    --layers;
  }
  return layers;
}

/// Layers in the order of the pass; alike ones have the same kind.
std::vector<Stage::Layer> Stage::layers_of(const std::string& which, bool reversed, std::uint64_t bucket) const {
  std::vector<Layer> layers;
  std::vector<std::string> kinds;
  for (std::uint64_t i = 0; i < stage_.layers; ++i) {
    const std::uint64_t layer = reversed ? stage_.layers - 1 - i : i;
    const std::string section = which + "layer " + std::to_string(layer);
    const auto known =
        std::ranges::find_if(kinds, [&](const std::string& kind) { return memory_.are_alike(kind, section); });
    const auto kind = static_cast<std::size_t>(known - kinds.begin());
    if (known == kinds.end()) {
      kinds.push_back(section);
    }
    layers.push_back({kind, bucket != 0 && (i + 1) % bucket == 0, reversed && prefetches() && i + 1 < stage_.layers});
  }
  return layers;
}

void Stage::forward_layers(const std::string& which) {
  const std::vector<Layer> layers = layers_of(which, false, 0);
  for (const Fold& fold : folds_of(layers)) {
    builder_.begin_repeat(fold.times);
    for (std::size_t i = fold.begin; i < fold.begin + fold.period; ++i) {
      memory_.begin(which + "layer " + std::to_string(i));
      gather_weights(layer_parameters_);
      forward(forward_.layer);
      memory_.end();
    }
    builder_.end();
  }
}

void Stage::run_forward(const std::string& which) {
  builder_.begin_range("forward");
  memory_.begin(which + "begin");
  if (is_first()) {
    gather_weights(other_parameters());
    forward(forward_.before);
  } else {
    receive(kActivations, index_ - 1);
  }
  memory_.end();
  forward_layers(which);
  memory_.begin(which + "end");
  if (is_last()) {
    forward(forward_.after);
  } else {
    send(kActivations, index_);
  }
  memory_.end();
  builder_.end();
}

void Stage::forward(bool first) {
  run_forward(first ? "forward 0 " : "forward 1 ");
}

void Stage::infer() {
  run_forward(pass_ == Pass::kPrefill ? "prompt " : "token ");
  memory_.free_rest();
}

void Stage::backward_layers(const std::string& which, bool last) {
  const std::uint64_t bucket = last || sums_each() ? layers_in_bucket() : 0;
  const std::vector<Layer> layers = layers_of(which, true, bucket);
  for (const Fold& fold : folds_of(layers)) {
    builder_.begin_repeat(fold.times);
    for (std::size_t i = fold.begin; i < fold.begin + fold.period; ++i) {
      memory_.begin(which + "layer " + std::to_string(stage_.layers - 1 - i));
      if (prefetches()) {
        await_weights();
      } else {
        gather_weights(layer_parameters_);
      }
      if (layers[i].gathers_next) {
        begin_gather(layer_parameters_);
      }
      forward_again();
      backward(forward_.layer);
      memory_.end();
      if (layers[i].sums) {
        sum_gradients(layer_parameters_ * static_cast<double>(bucket));
      }
    }
    builder_.end();
  }
}

void Stage::backward(bool first, bool last) {
  const std::string which = first ? "backward 0 " : "backward 1 ";
  operators_.set_accumulating(!first && !sums_each());
  adds_shards_ = !first;
  builder_.begin_range("backward");
  memory_.begin(which + "begin");
  if (prefetches()) {
    begin_gather(layer_parameters_);
  }
  if (is_last()) {
    backward(forward_.after);
  } else {
    receive(kGradientsBack, index_);
  }
  memory_.end();
  backward_layers(which, last);
  memory_.begin(which + "end");
  if (is_first()) {
    backward(forward_.before);
  } else {
    send(kGradientsBack, index_ - 1);
  }
  memory_.end();
  if (last || sums_each()) {
    sum_gradients(other_parameters());
  }
  builder_.end();
  log_metrics(which);
}

void Stage::log_metrics(const std::string& which) {
  if (!is_last() || request_.train_metrics == 0) {
    return;
  }
  builder_.begin_range("metrics");
  memory_.begin(which + "metrics");
  memory_.before("metric");
  operators_.log_metrics(forward_.after.back());
  memory_.end();
  builder_.end();
}

/// The norm of all gradients, of which each GPU may have a part, and their product with what it gives.
void Stage::clip_gradients() {
  builder_.launch("gradient norm", moving(state_bytes() * own_parameters()));
  if (scatters()) {
    builder_.record(kGradients, kCompute);
    builder_.wait(kGradients, kComm);
    builder_.collective(Collective::kAllReduce, 4, kComm, data_ranks());
    builder_.record(kSummed, kComm);
    builder_.wait(kSummed, kCompute);
  }
  builder_.launch("gradient clip", moving(2 * state_bytes() * own_parameters()));
}

/// AdamW, fused: reads weights, gradients and two moments, and writes all but the gradients. Operation by operation: a
/// moment times a factor, the gradient added; the same of the other one with the gradient's square; its root, divided,
/// and a little more; the weights' change. With FP8 it keeps FP32 weights of its own, and writes them in BF16 as well.
void Stage::step_optimizer() {
  if (request_.optimizer == memory::Optimizer::kAdamFused) {
    builder_.launch("AdamW", fused_adam(request_.target, (request_.fp8 ? 30 : 7 * state_bytes()) * own_parameters()));
    return;
  }
  for (const double elements : {2, 3, 2, 3, 2, 2, 2, 4}) {
    builder_.launch("AdamW", moving(elements * state_bytes() * own_parameters()));
  }
  if (request_.fp8) {
    builder_.launch("AdamW", moving(6 * own_parameters()));
  }
}

/// GPUs that share the optimizer's states gather the weights that each has updated.
void Stage::optimize() {
  const double weight_bytes = request_.fp8 ? 2 : state_bytes();
  builder_.begin_range("optimizer");
  memory_.begin("all backward");
  memory_.end();
  if (has_tied_ends(request_) && (is_first() || is_last())) {
    const auto table = static_cast<double>(part_.model.vocabulary * part_.model.hidden);
    builder_.record(kGradients, kCompute);
    builder_.wait(kGradients, kComm);
    builder_.collective(Collective::kAllReduce, gradient_bytes() * table, kComm, pairs(0, request_.pipeline - 1));
  }
  if (request_.data() > 1 || has_tied_ends(request_)) {
    builder_.record(kSummed, kComm);
    builder_.wait(kSummed, kCompute);
  }
  memory_.begin("optimizer");
  memory_.before("optimizer");
  if (request_.clips_gradients) {
    clip_gradients();
  }
  step_optimizer();
  if (scatters() && !is_fsdp()) {
    builder_.record(kGradients, kCompute);
    builder_.wait(kGradients, kComm);
    builder_.collective(Collective::kAllGather, weight_bytes * parameters(), kComm, data_ranks());
    builder_.record(kWeights, kComm);
    builder_.wait(kWeights, kCompute);
  }
  memory_.end();
  builder_.end();
}

}  // namespace gpusim::generate
