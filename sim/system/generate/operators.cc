// SPDX-License-Identifier: MIT
#include "sim/system/generate/operators.h"

#include <algorithm>
#include <cmath>

namespace gpusim::generate {

using models::Op;
using models::Operation;

Operators::Operators(const Request& request, Pass pass, StepBuilder& builder)
    : request_(request),
      pass_(pass),
      builder_(builder),
      is_eager_(request.mode != Mode::kCompiled),
      is_mixed_(pass == Pass::kTraining && request.precision == Precision::kBf16),
      wide_(request.precision == Precision::kBf16 && pass != Pass::kTraining ? 2 : 4),
      narrow_(request.precision == Precision::kBf16 ? 2 : 4),
      tokens_(static_cast<double>(request.batch * (pass == Pass::kDecode ? 1 : request.sequence))),
      stream_tokens_(request.sequence_parallel ? std::ceil(tokens_ / request.tensor) : tokens_) {}

/// A compiler makes one kernel of them all, or none where another kernel does it on the way.
void Operators::elementwise(const std::string& name, double elements, Bytes eager, double compiled) {
  if (!is_eager_) {
    if (compiled > 0) {
      builder_.launch(name, moving(compiled * elements));
    }
    return;
  }
  for (const double bytes : eager) {
    builder_.launch(name, moving(bytes == 0 ? kFewBytes : bytes * elements));
  }
}

/// All tokens, but in inference the head needs the last of each sequence alone.
std::uint64_t Operators::rows_of(const Operation& operation) const {
  const bool is_head = operation.name.starts_with("head.") && operation.op == Op::kLinear;
  return is_head && pass_ != Pass::kTraining ? request_.batch : static_cast<std::uint64_t>(tokens_);
}

AttentionShape Operators::attention_shape() const {
  const models::Transformer& model = request_.model;
  return {request_.batch,  model.heads,       model.kv_heads,
          model.head_size, request_.sequence, model.attention == models::Attention::kCausal};
}

/// Norms, and GELU written out, give FP32 under autocast; attention and other activations do not.
bool Operators::has_cast_input(const Operation& operation) const {
  const bool is_behind_attention = operation.name == "attention.output";
  const bool is_behind_activation = operation.name == "mlp.down";
  return is_mixed_ && !is_behind_attention && (!is_behind_activation || is_written_out_gelu());
}

/// FSDP gathers weights in the type of the products, and scatters gradients in it.
bool Operators::has_cast_weights() const {
  return is_mixed_ && (request_.data() == 1 || request_.parallel != Parallel::kFsdp);
}

KernelForm Operators::product_of(std::uint64_t m, std::uint64_t n, std::uint64_t k) const {
  const auto padded = [this](std::uint64_t side) { return is_eager_ || side == 1 ? side : (side + 7) / 8 * 8; };
  return product(request_.target, request_.precision, padded(m), padded(n), padded(k));
}

void Operators::forward(const Operation& operation) {
  const double elements = tokens_ * static_cast<double>(operation.out);
  switch (operation.op) {
    case Op::kEmbedding:
      elementwise(operation.name, stream_tokens_ * static_cast<double>(operation.out), {2 * wide_}, 2 * wide_);
      break;
    case Op::kNorm: forward_norm(operation); break;
    case Op::kLinear: forward_linear(operation); break;
    case Op::kRotary: forward_rotary(operation); break;
    case Op::kAttention: forward_attention(operation); break;
    case Op::kActivation: forward_activation(operation); break;
    case Op::kScale: elementwise(operation.name, elements, {3 * narrow_}, 0); break;
    case Op::kAdd: forward_sum(operation); break;
    case Op::kLoss: forward_loss(operation); break;
  }
}

/// Dropout keeps a mask of a byte.
void Operators::forward_sum(const Operation& operation) {
  const double elements = stream_tokens_ * static_cast<double>(operation.out);
  if (has_dropout()) {
    elementwise("dropout", elements, {2 * narrow_ + 1}, 1);
  }
  elementwise(operation.name, elements, {2 * wide_ + narrow_}, 2 * wide_ + narrow_);
}

/// Gradients of both ways are added up.
void Operators::backward_sum(const Operation& operation) {
  const double elements = stream_tokens_ * static_cast<double>(operation.out);
  elementwise(operation.name + " backward", elements, {3 * wide_}, 0);
  if (has_dropout()) {
    elementwise("dropout backward", elements, {2 * narrow_ + 1}, 1);
  }
}

void Operators::forward_norm(const Operation& operation) {
  const double elements = stream_tokens_ * static_cast<double>(operation.out);
  const bool is_rms = request_.model.norm == models::Norm::kRms;
  if (is_rms && is_eager_) {  // cast, square, mean, + epsilon, 1 / root, times, cast, times weight
    elementwise(operation.name, elements, {wide_ + 4, 8, 4, 0, 0, 8, 4 + wide_, 2 * wide_}, 0);
    return;
  }
  builder_.launch(operation.name, layer_norm(static_cast<std::uint64_t>(stream_tokens_), operation.out, !is_rms,
                                             wide_ == 2 ? Precision::kBf16 : Precision::kFp32));
}

void Operators::forward_linear(const Operation& operation) {
  const double weights = static_cast<double>(operation.in) * static_cast<double>(operation.out);
  if (has_cast_weights()) {
    builder_.launch(operation.name + " cast weight", moving(6 * weights));
    if (operation.bias) {
      small(operation.name + " cast bias");
    }
  }
  if (has_cast_input(operation) && is_eager_) {
    builder_.launch(operation.name + " cast input", moving(6 * tokens_ * static_cast<double>(operation.in)));
  }
  builder_.launch(operation.name, product_of(rows_of(operation), operation.out, operation.in));
}

/// Times the cosine, the half turned (negated, joined), times the sine, the sum; of queries and of keys.
void Operators::forward_rotary(const Operation& operation) {
  const models::Transformer& model = request_.model;
  for (const std::uint64_t features : {model.query_features(), model.kv_features()}) {
    elementwise(operation.name, tokens_ * static_cast<double>(features),
                {2 * narrow_, narrow_, 2 * narrow_, 2 * narrow_, 3 * narrow_}, 2 * narrow_);
  }
}

void Operators::forward_attention(const Operation& operation) {
  if (pass_ != Pass::kDecode) {
    builder_.launch(operation.name, attention(request_.target, attention_shape()));
    return;
  }
  const double cache = static_cast<double>(request_.batch * request_.sequence * request_.model.kv_features());
  if (is_eager_) {  // a cache that grows is copied
    builder_.launch("attention.cache", moving(2 * narrow_ * cache));
    builder_.launch("attention.cache", moving(2 * narrow_ * cache));
  }
  builder_.launch(operation.name, attention_decode(attention_shape()));
}

void Operators::forward_activation(const Operation& operation) {
  const double elements = tokens_ * static_cast<double>(operation.out);
  if (is_written_out_gelu()) {  // cube, times, sum, times, tanh, + 1, half, product
    elementwise(operation.name, elements, {narrow_ + 4, 8, 8 + narrow_, 8, 8, 8, 2 * narrow_, 8 + narrow_},
                2 * narrow_);
    return;
  }
  const bool is_gated = request_.model.mlp == models::Mlp::kGated;
  elementwise(operation.name, elements, {2 * narrow_}, is_gated ? 3 * narrow_ : 2 * narrow_);
}

/// Logits in FP32, their log-softmax (read twice), the mean of those of the labels.
void Operators::forward_loss(const Operation& operation) {
  if (pass_ != Pass::kTraining) {
    return;
  }
  const double elements = tokens_ * static_cast<double>(operation.in);
  if (is_mixed_ && is_eager_) {
    builder_.launch("loss cast", moving(6 * elements));
  }
  builder_.launch("loss log-softmax", moving((is_eager_ ? 12 : 2 * narrow_) * elements));
  small("loss mean");
}

void Operators::backward(const Operation& operation) {
  const double elements = tokens_ * static_cast<double>(operation.out);
  const std::string name = operation.name + " backward";
  switch (operation.op) {
    case Op::kEmbedding:
      for (int sort = 0; sort < 8; ++sort) {
        small("embedding sort");
      }
      elementwise(name, elements, {12}, 12);
      break;
    case Op::kNorm: backward_norm(operation); break;
    case Op::kLinear: backward_linear(operation); break;
    case Op::kRotary: backward_rotary(operation); break;
    case Op::kAttention: backward_attention(operation); break;
    case Op::kActivation: backward_activation(operation); break;
    case Op::kScale: elementwise(name, elements, {3 * narrow_, 3 * narrow_}, 0); break;
    case Op::kAdd: backward_sum(operation); break;
    case Op::kLoss:
      elementwise(name, tokens_ * static_cast<double>(operation.in), {0, 12, 4 + narrow_}, 2 * narrow_);
      break;
  }
}

void Operators::backward_norm(const Operation& operation) {
  const double elements = stream_tokens_ * static_cast<double>(operation.out);
  const std::string name = operation.name + " backward";
  const bool is_rms = request_.model.norm == models::Norm::kRms;
  if (!is_rms || !is_eager_) {  // of the input, of the weights
    builder_.launch(name, moving(3 * wide_ * elements));
    builder_.launch(name, moving(2 * wide_ * elements));
    return;
  }
  elementwise(name, elements, {8, 8, 12, 8, 4, 0, 0, 0, 8, 12, 12}, 0);
}

void Operators::backward_linear(const Operation& operation) {
  const std::uint64_t rows = rows_of(operation);
  const double weights = static_cast<double>(operation.in) * static_cast<double>(operation.out);
  const std::string& name = operation.name;
  builder_.launch(name + " dgrad", product_of(rows, operation.in, operation.out));
  builder_.launch(name + " wgrad", product_of(operation.out, operation.in, rows));
  if (operation.bias) {
    builder_.launch(name + " bias gradient", moving(narrow_ * tokens_ * static_cast<double>(operation.out)));
  }
  if (has_cast_weights()) {
    builder_.launch(name + " cast gradient", moving(6 * weights));
    if (operation.bias) {
      small(name + " cast bias gradient");
    }
  }
  if (is_accumulating_) {  // to that of the micro-batches before, in FP32
    builder_.launch(name + " add gradient", moving(12 * weights));
  }
  if (has_cast_input(operation) && is_eager_) {
    builder_.launch(name + " cast back", moving(6 * tokens_ * static_cast<double>(operation.in)));
  }
}

void Operators::backward_rotary(const Operation& operation) {
  const models::Transformer& model = request_.model;
  for (const std::uint64_t features : {model.query_features(), model.kv_features()}) {
    elementwise(operation.name + " backward", tokens_ * static_cast<double>(features),
                {2 * narrow_, 2 * narrow_, narrow_, narrow_, 2 * narrow_, 3 * narrow_}, 2 * narrow_);
  }
}

/// Beside the kernel itself the sums of gradients times outputs, and the queries' gradients in BF16; gradients of fused
/// queries, keys and values are joined.
void Operators::backward_attention(const Operation& operation) {
  const double features = static_cast<double>(request_.model.query_features());
  builder_.launch(operation.name + " sums", moving(2 * narrow_ * tokens_ * features));
  builder_.launch(operation.name + " backward", attention_backward(attention_shape()));
  builder_.launch(operation.name + " convert", moving((4 + narrow_) * tokens_ * features));
  if (request_.model.qkv == models::Qkv::kFused) {
    builder_.launch(operation.name + " join", moving(6 * narrow_ * tokens_ * features));
  }
}

void Operators::backward_activation(const Operation& operation) {
  const double elements = tokens_ * static_cast<double>(operation.out);
  if (is_written_out_gelu()) {
    elementwise(operation.name + " backward", elements, {12, 12, 12, 8, 8, 8, 12, 12, 8, 12, 6}, 3 * narrow_);
    return;
  }
  const bool is_gated = request_.model.mlp == models::Mlp::kGated;
  elementwise(operation.name + " backward", elements, {3 * narrow_}, is_gated ? 5 * narrow_ : 3 * narrow_);
}

}  // namespace gpusim::generate
