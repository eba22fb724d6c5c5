// SPDX-License-Identifier: MIT
#include "sim/system/memory/forward.h"

#include <numeric>
#include <utility>

namespace gpusim::memory {

using models::Op;
using models::Operation;

namespace {

constexpr std::uint64_t kFp32Bytes = 4;
constexpr std::uint64_t kMaskBytes = 1;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Products whose inputs tensor-parallel GPUs share, and whose outputs they add up.
bool is_row_parallel(const Operation& of) {
  return of.name == "attention.output" || of.name == "mlp.down";
}
/// Products that every GPU does whole.
bool is_replicated(const Operation& of) {
  return of.name == "head.transform";
}
bool reads_with_others(const Operation& of) {
  return of.name == "attention.query" || of.name == "attention.key" || of.name == "attention.value" ||
         of.name == "mlp.gate";
}

}  // namespace

std::vector<std::uint64_t> Forward::parameters(const Operation& operation) const {
  std::vector<std::uint64_t> out;
  const bool is_shared =
      (operation.op == Op::kLinear && !is_replicated(operation)) || operation.name == "embedding.tokens";
  for (const models::Parameter& parameter : models::parameters_of(operation)) {
    const bool is_whole = !is_shared || (parameter.columns == 1 && is_row_parallel(operation));
    out.push_back(is_whole ? parameter.count() : share(parameter.count()));
  }
  return out;
}

std::vector<std::uint64_t> Forward::adapters(const Operation& operation) const {
  const bool has =
      plan_.tuning != Tuning::kFull && operation.op == Op::kLinear && !ends_with(operation.name, "vocabulary");
  return has ? std::vector{plan_.rank * operation.in, plan_.rank * operation.out} : std::vector<std::uint64_t>{};
}

void Forward::replace(std::optional<Value>& old, Value by) {
  if (old) {
    tape_.drop(old->tensor);
  }
  old = by;
}

void Forward::keep(TensorId tensor) {
  tape_.hold(tensor);
  kept_.push_back(tensor);
}

void Forward::make_angles() {
  if (model_.position_kind == models::Positions::kRotary) {
    tape_.begin("forward of positions");
    for (int i = 0; i < 2; ++i) {
      angles_.push_back(make(plan_.sequence * model_.head_size, widths_.stream).tensor);
    }
  }
}

void Forward::end_layers() {
  for (int i = 0; i < 2 && !angles_.empty(); ++i) {
    tape_.drop(angles_.back());
    angles_.pop_back();
  }
}

void Forward::receive() {
  tape_.begin("receive");
  stream_ = make(stream_tokens() * model_.hidden, widths_.stream);
}

void Forward::embed(const std::vector<Operation>& operations) {
  const std::uint64_t width = widths_.stream;
  for (const Operation& operation : operations) {
    Node node{operation.name};
    tape_.begin("forward of " + operation.name);
    if (operation.op == Op::kNorm) {
      x_ = std::exchange(stream_, std::nullopt);
      norm(operation, std::move(node));
      stream_ = std::exchange(x_, std::nullopt);
    } else if (operation.op == Op::kEmbedding) {
      add_gradients(operation, node);
      const bool is_row = operation.name == "embedding.positions";
      const Value made = make((is_row ? plan_.sequence : stream_tokens()) * operation.out, width);
      autograd_.add(std::move(node));
      if (stream_) {
        sides_.push_back(made);
      } else {
        stream_ = made;
      }
    } else if (!sides_.empty()) {
      replace(stream_, make(stream_tokens() * operation.out, width));
      tape_.drop(sides_.back().tensor);
      sides_.pop_back();
    }
  }
  x_ = std::exchange(stream_, std::nullopt);
  drop_out("embedding");
  stream_ = std::exchange(x_, std::nullopt);
}

void Forward::layer(const std::vector<Operation>& operations, const std::string& where) {
  const TensorId input = stream_->tensor;
  tape_.hold(input);
  bool begins = true;
  for (const Operation& operation : operations) {
    if (begins) {
      begin_half(where);
    }
    run(operation, where);
    begins = operation.op == (model_.norm_place == models::NormPlace::kPre ? Op::kAdd : Op::kNorm);
    if (begins) {
      end_half();
    }
  }
  tape_.drop(input);
}

void Forward::begin_half(const std::string& where) {
  autograd_.add({where, Flow::kJoin});
  tape_.hold(stream_->tensor);
  x_ = stream_;
}

void Forward::end_half() {
  for (const TensorId tensor : frame_) {
    tape_.drop(tensor);
  }
  frame_.clear();
}

void Forward::run(const Operation& operation, const std::string& where) {
  Node node{where + " " + operation.name};
  tape_.begin("forward of " + node.name);
  switch (operation.op) {
    case Op::kNorm:
      norm(operation, std::move(node));
      if (model_.norm_place == models::NormPlace::kPost) {
        replace(stream_, *std::exchange(x_, std::nullopt));
      } else {
        tape_.hold(x_->tensor);
        frame_.push_back(x_->tensor);
      }
      return;
    case Op::kLinear: return linear(operation, std::move(node));
    case Op::kRotary: return rotary(std::move(node));
    case Op::kAttention: return attention(operation, std::move(node));
    case Op::kActivation: return activation(operation, std::move(node));
    case Op::kScale: return scale(operation, std::move(node));
    case Op::kAdd: drop_out(where); return sum(operation, std::move(node));
    case Op::kEmbedding:
    case Op::kLoss: return;
  }
}

/// Hugging Face's RMSNorm in element-wise operations, which calculates in FP32.
void Forward::rms_norm(const Operation& operation, Node& node, const Value& in) {
  const std::uint64_t elements = stream_tokens() * operation.out;
  if (in.width == kFp32Bytes) {
    autograd_.save(node, in.tensor);
  } else {
    autograd_.save_new(node, elements * kFp32Bytes);
  }
  tape_.scratch(elements * kFp32Bytes);
  autograd_.save_new(node, stream_tokens() * kFp32Bytes);
  autograd_.save_new(node, elements * in.width);
  node.scratch = {elements * kFp32Bytes, elements * kFp32Bytes};
}

void Forward::norm(const Operation& operation, Node node) {
  const Value in = *x_;
  const std::uint64_t elements = stream_tokens() * operation.out;
  const std::uint64_t out_width = widths_.casts ? kFp32Bytes : in.width;
  if (model_.norm == models::Norm::kRms) {
    rms_norm(operation, node, in);
  } else if (out_width != in.width) {
    autograd_.save_new(node, elements * out_width);
  } else {
    autograd_.save(node, in.tensor);
  }
  if (model_.norm == models::Norm::kLayer) {
    autograd_.save_new(node, stream_tokens() * kFp32Bytes);
    autograd_.save_new(node, stream_tokens() * kFp32Bytes);
  }
  replace(x_, make(elements, out_width));
  node.input_gradient = elements * in.width;
  add_gradients(operation, node);
  autograd_.add(std::move(node));
}

/// Autocast keeps a cast copy of each weight until it ends; a backward pass needs it too. Weights in 4 bits are written
/// out for each product, forward and backward.
void Forward::save_weight(const Operation& operation, Node& node) {
  if (plan_.tuning == Tuning::kQlora && !ends_with(operation.name, "vocabulary")) {
    const std::uint64_t bytes = share(operation.in * operation.out) * widths_.compute;
    tape_.scratch(bytes, Category::kWeights);
    node.scratch.push_back(bytes);
  }
  if (!widths_.casts) {
    return;
  }
  const std::uint64_t elements =
      is_replicated(operation) ? operation.in * operation.out : share(operation.in * operation.out);
  const TensorId cast = tape_.make(elements * widths_.compute, Category::kWeights);
  autograd_.save(node, cast);
  casts_.push_back(cast);
}

void Forward::save_input(const Operation& operation, const Value& in, std::uint64_t elements, Node& node) {
  node.input_gradient = elements * in.width;
  if (widths_.fp8 && !ends_with(operation.name, "vocabulary")) {
    autograd_.save_new(node, elements);
  } else if (in.width != widths_.compute) {
    autograd_.save_new(node, elements * widths_.compute);
    node.scratch.push_back(elements * widths_.compute);
  } else {
    autograd_.save(node, in.tensor);
  }
}

void Forward::add_gradients(const Operation& operation, Node& node) const {
  const bool is_tied = operation.name == "embedding.tokens" && model_.embeddings == models::Embeddings::kTied;
  const bool in_gathered_precision = plan_.shard == Shard::kZero2 || plan_.shard == Shard::kZero3;
  const std::uint64_t kept = in_gathered_precision ? widths_.compute : widths_.gradient;
  const bool is_product = operation.op == Op::kLinear;
  const std::uint64_t made = is_product ? widths_.compute : kept;
  if (plan_.tuning != Tuning::kFull) {
    for (const std::uint64_t elements : adapters(operation)) {
      node.parameters.push_back({elements * widths_.compute, elements * widths_.gradient});
    }
    return;
  }
  for (const std::uint64_t elements : parameters(operation)) {
    node.parameters.push_back({elements * made, is_tied ? 0 : elements * kept});
  }
  if (is_product && !operation.owns_weights) {
    // The embedding has these weights. Its own gradient comes later and is added.
    const std::uint64_t elements = share(operation.in * operation.out);
    node.parameters.push_back({elements * made, elements * kept});
  }
}

void Forward::linear(const Operation& operation, Node node) {
  const bool is_row = is_row_parallel(operation);
  // Products that read what others read as well take the last norm's output, or the stream.
  const Value in = input_ && !is_row ? *input_ : *x_;
  const std::uint64_t in_elements = is_row ? tokens() * share(operation.in) : stream_tokens() * operation.in;
  const std::uint64_t out_elements =
      is_row || is_replicated(operation) ? stream_tokens() * operation.out : tokens() * share(operation.out);
  if (plan_.sequence_parallel && !is_row && !is_replicated(operation)) {
    tape_.scratch(tokens() * operation.in * widths_.compute, Category::kCommunication);
    node.scratch.push_back(tokens() * operation.in * widths_.compute);
  }
  save_input(operation, in, in_elements, node);
  save_weight(operation, node);
  if (!adapters(operation).empty()) {
    autograd_.save_new(node, tokens() * plan_.rank * widths_.compute);
  }
  add_gradients(operation, node);
  const Value out = make(out_elements, widths_.compute);
  if (keeps_ && ++products_ % 2 == 1) {
    keep(out.tensor);
  }
  const bool is_first = operation.name == "attention.query" || operation.name == "mlp.gate";
  const bool joins = reads_with_others(operation) || (input_ && operation.name == "mlp.up");
  node.flow = is_first ? Flow::kFirst : joins ? Flow::kSibling : Flow::kChain;
  autograd_.add(std::move(node));
  if (is_first) {
    input_ = std::exchange(x_, std::nullopt);
  }
  if (operation.name == "attention.value" || (joins && operation.name == "mlp.up")) {
    tape_.drop(std::exchange(input_, std::nullopt)->tensor);
  }
  if (joins && operation.name != "mlp.gate") {
    sides_.push_back(out);
  } else if (operation.name == "mlp.gate") {
    x_ = out;
  } else {
    replace(x_, out);
  }
}

/// Queries and keys turned by their positions; the angles have the stream's precision.
void Forward::rotary(Node node) {
  const std::uint64_t turned = std::max(widths_.stream, widths_.compute);
  if (sides_.empty()) {
    tape_.scratch(tokens() * share(model_.query_features() + model_.kv_features()) * turned);
    return;
  }
  const std::uint64_t elements[] = {tokens() * share(model_.query_features()), tokens() * share(model_.kv_features())};
  for (std::size_t i = 0; i < 2; ++i) {
    tape_.scratch(elements[i] * turned);
    if (turned != widths_.compute) {
      tape_.scratch(elements[i] * turned);
    }
    const Value out = make(elements[i], widths_.compute);
    tape_.drop(sides_[i].tensor);
    sides_[i] = out;
    node.scratch.push_back(elements[i] * turned);
  }
  for (const TensorId tensor : angles_) {
    autograd_.save(node, tensor);
  }
  autograd_.add(std::move(node));
}

/// Softmax of the scores, and what dropout makes of it.
void Forward::scores(Node& node) {
  const std::uint64_t elements = plan_.batch * share(model_.heads) * plan_.sequence * plan_.sequence;
  const bool drops = plan_.dropout && model_.dropout == models::Dropout::kAll;
  node.scratch.push_back(elements * widths_.compute);
  if (plan_.recompute == Recompute::kSelective) {
    tape_.scratch(elements * widths_.compute);
    node.scratch.push_back(elements * widths_.compute);
    return;
  }
  autograd_.save_new(node, elements * widths_.compute);
  if (drops) {
    autograd_.save_new(node, elements * kMaskBytes);
    autograd_.save_new(node, elements * widths_.compute);
  }
}

void Forward::attention(const Operation& operation, Node node) {
  const std::uint64_t out_elements = tokens() * share(operation.out);
  if (sides_.empty()) {
    autograd_.save(node, x_->tensor);
  }
  for (const Value& side : sides_) {
    autograd_.save(node, side.tensor);
  }
  const Value out = make(out_elements, widths_.compute);
  if (plan_.attention == AttentionKernel::kFlash) {
    autograd_.save(node, out.tensor);
    const TensorId sums = tape_.make(tokens() * share(model_.heads) * kFp32Bytes, Category::kActivations);
    autograd_.save(node, sums);
    if (keeps_) {
      keep(out.tensor);
      keep(sums);
    }
    tape_.drop(sums);
  } else {
    scores(node);
  }
  node.input_gradient = tokens() * share(operation.in) * widths_.compute;
  autograd_.add(std::move(node));
  for (const Value& side : std::exchange(sides_, {})) {
    tape_.drop(side.tensor);
  }
  replace(x_, out);
}

/// x * 0.5 * (1 + tanh(...)) as element-wise operations: the cube is calculated in FP32 under autocast, and what
/// follows with it.
void Forward::gelu_in_steps(std::uint64_t elements, Node& node, const Value& in) {
  const std::uint64_t inner = widths_.casts ? kFp32Bytes : in.width;
  if (inner == in.width) {
    autograd_.save(node, in.tensor);
  } else {
    autograd_.save_new(node, elements * inner);
  }
  autograd_.save_new(node, elements * in.width);
  tape_.scratch(elements * inner);
  autograd_.save_new(node, elements * inner);
  autograd_.save_new(node, elements * inner);
  replace(x_, make(elements, inner));
  node.scratch = {elements * inner, elements * inner};
}

void Forward::activation(const Operation& operation, Node node) {
  const bool is_in_mlp = operation.name == "mlp.activation";
  const std::uint64_t elements = is_in_mlp ? tokens() * share(operation.out) : stream_tokens() * operation.out;
  const Value in = *x_;
  node.input_gradient = elements * in.width;
  if (is_in_mlp && model_.activation == models::Activation::kGeluNew) {
    gelu_in_steps(elements, node, in);
  } else {
    autograd_.save(node, in.tensor);
    replace(x_, make(elements, in.width));
  }
  autograd_.add(std::move(node));
}

void Forward::scale(const Operation& operation, Node node) {
  const std::uint64_t elements = tokens() * share(operation.out);
  autograd_.save(node, x_->tensor);
  autograd_.save(node, sides_.back().tensor);
  const Value out = make(elements, widths_.compute);
  node.input_gradient = 2 * elements * widths_.compute;
  autograd_.add(std::move(node));
  tape_.drop(sides_.back().tensor);
  sides_.pop_back();
  replace(x_, out);
}

void Forward::drop_out(const std::string& where) {
  if (!plan_.dropout || model_.dropout == models::Dropout::kNone) {
    return;
  }
  Node node{where + " dropout"};
  const std::uint64_t elements = stream_tokens() * model_.hidden;
  const std::uint64_t width = x_->width;
  const Value out = make(elements, width);
  autograd_.save_new(node, elements * kMaskBytes);
  node.input_gradient = elements * width;
  autograd_.add(std::move(node));
  replace(x_, out);
}

void Forward::sum(const Operation& operation, Node node) {
  const Value out = make(stream_tokens() * operation.out, widths_.stream);
  node.flow = Flow::kSplit;
  if (widths_.stream != x_->width) {
    node.input_gradient = stream_tokens() * operation.out * x_->width;
  }
  autograd_.add(std::move(node));
  tape_.drop(std::exchange(x_, std::nullopt)->tensor);
  if (model_.norm_place == models::NormPlace::kPre) {
    replace(stream_, out);
  } else {
    x_ = out;
  }
}

/// Cross entropy of logits that are cast first, as Hugging Face's language models do: all of it in FP32.
void Forward::cast_then_loss(std::uint64_t elements, const std::string& name) {
  const std::uint64_t width = x_->width;
  if (width != kFp32Bytes) {
    replace(x_, make(elements, kFp32Bytes));
    autograd_.add({.name = name + " cast", .input_gradient = elements * width});
  }
  Node softmax{.name = name + " softmax", .input_gradient = elements * kFp32Bytes};
  replace(x_, make(elements, kFp32Bytes));
  autograd_.save(softmax, x_->tensor);
  autograd_.add(std::move(softmax));
}

/// Cross entropy of logits as they are: autocast leaves the softmax, and casts for the likelihood.
void Forward::loss_then_cast(std::uint64_t elements, const std::string& name) {
  const std::uint64_t width = x_->width;
  Node softmax{.name = name + " softmax", .input_gradient = elements * width};
  replace(x_, make(elements, width));
  autograd_.save(softmax, x_->tensor);
  autograd_.add(std::move(softmax));
  if (width != kFp32Bytes) {
    replace(x_, make(elements, kFp32Bytes));
    autograd_.add({.name = name + " cast", .input_gradient = elements * width});
  }
}

void Forward::loss(Node node) {
  const std::uint64_t elements = tokens() * share(model_.vocabulary);
  if (plan_.train_metrics > 0) {
    tape_.hold(x_->tensor);
    logits_ = *x_;
  }
  if (plan_.loss == LossKernel::kFused) {
    node.flow = logits_ ? Flow::kChain : Flow::kInPlace;
    node.input_gradient = logits_ ? elements * x_->width : 0;
  } else {
    model_.head == models::Head::kMasked ? loss_then_cast(elements, node.name) : cast_then_loss(elements, node.name);
    node.input_gradient = elements * kFp32Bytes;
  }
  autograd_.save(node, x_->tensor);
  tape_.drop(std::exchange(x_, std::nullopt)->tensor);
  autograd_.add(std::move(node));
}

/// Copies the rows of the tokens that the head predicts. Their gradient has rows of all tokens again.
void Forward::pick_predictions() {
  Node node{"head.pick"};
  node.input_gradient = tokens() * model_.hidden * x_->width;
  const std::uint64_t width = x_->width;
  is_in_head_ = true;
  tape_.begin("forward of head.pick");
  replace(x_, make(tokens() * model_.hidden, width));
  autograd_.add(std::move(node));
}

void Forward::finish(const std::vector<Operation>& operations) {
  x_ = std::exchange(stream_, std::nullopt);
  if (plan_.predictions > 0) {
    pick_predictions();
  }
  for (const Operation& operation : operations) {
    Node node{operation.name};
    tape_.begin("forward of " + operation.name);
    if (operation.op == Op::kNorm) {
      norm(operation, std::move(node));
    } else if (operation.op == Op::kLinear) {
      linear(operation, std::move(node));
    } else if (operation.op == Op::kActivation) {
      activation(operation, std::move(node));
    } else {
      loss(std::move(node));
    }
  }
  is_in_head_ = false;
}

void Forward::take_metrics() {
  is_in_head_ = true;
  const std::uint64_t bytes = tokens() * share(model_.vocabulary) * kFp32Bytes;
  is_in_head_ = false;
  for (std::uint64_t i = 0; i < plan_.train_metrics; ++i) {
    tape_.begin("metric");
    const bool is_cast = logits_->width != kFp32Bytes;
    const TensorId cast = is_cast ? tape_.make(bytes, Category::kActivations) : logits_->tensor;
    tape_.scratch(bytes);
    if (is_cast) {
      tape_.drop(cast);
    }
  }
  tape_.drop(std::exchange(logits_, std::nullopt)->tensor);
}

TensorId Forward::gradient(bool of_loss) {
  constexpr std::uint64_t kScalar = 4;
  return tape_.make(of_loss ? kScalar : stream_tokens() * model_.hidden * widths_.stream, Category::kGradients);
}

void Forward::end_autocast() {
  for (const TensorId cast : casts_) {
    tape_.drop(cast);
  }
  casts_.clear();
}

}  // namespace gpusim::memory
