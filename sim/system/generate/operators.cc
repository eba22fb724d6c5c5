// SPDX-License-Identifier: MIT
#include "sim/system/generate/operators.h"

#include <algorithm>
#include <cmath>

namespace gpusim::generate {

using models::Op;
using models::Operation;

namespace {

/// A matrix in the form of tokens and heads.
StridedShape as_strided(std::uint64_t rows, std::uint64_t columns) {
  constexpr std::uint64_t kPiece = 32;  // elements of a row, which is as wide as all of them
  return {rows, (columns + kPiece - 1) / kPiece, kPiece, 1};
}

}  // namespace

Operators::Operators(const Request& request, Pass pass, StepBuilder& builder)
    : request_(request),
      pass_(pass),
      builder_(builder),
      is_eager_(!is_compiled(request.mode)),
      is_mixed_(pass == Pass::kTraining && request.precision == Precision::kBf16 && !request.fp8 && !request.pure &&
                (request.data() == 1 || request.parallel != Parallel::kFsdp)),
      wide_(request.precision == Precision::kBf16 && !is_mixed_ ? 2 : 4),
      narrow_(request.precision == Precision::kBf16 ? 2 : 4) {}

/// A compiler makes one kernel of them all, or none where another kernel does it on the way.
void Operators::elementwise(const std::string& name, double elements, Kernels eager, double compiled) {
  if (!is_eager_) {
    if (compiled > 0) {
      builder_.launch(name, moving(compiled * elements));
    }
    return;
  }
  for (const Pointwise& kernel : eager) {
    builder_.launch(name, kernel.mixed        ? mixed(*kernel.mixed, elements)
                          : kernel.bytes == 0 ? moving(kFewBytes)
                                              : moving(kernel.bytes * elements));
  }
}

Operators::Pointwise Operators::of_both(Mixed function, double bytes) const {
  return is_mixed_ ? Pointwise(function) : Pointwise(bytes);
}

/// All tokens, but in inference the head needs the last of each sequence alone.
std::uint64_t Operators::rows_of(const Operation& operation) const {
  const bool is_head = operation.name.starts_with("head.") && operation.op == Op::kLinear;
  return is_head && pass_ != Pass::kTraining ? request_.batch : static_cast<std::uint64_t>(tokens_);
}

/// Norms, and GELU written out, give FP32 under autocast; attention and other activations do not.
bool Operators::has_cast_input(const Operation& operation) const {
  const bool is_behind_attention = operation.name == "attention.output";
  const bool is_behind_activation = operation.name == "mlp.down";
  return is_mixed_ && !is_behind_attention && (!is_behind_activation || is_written_out_gelu());
}

KernelForm Operators::product_of(std::uint64_t m, std::uint64_t n, std::uint64_t k) const {
  const auto padded = [this](std::uint64_t side) { return is_eager_ || side == 1 ? side : (side + 7) / 8 * 8; };
  return product(request_.target, request_.precision, padded(m), padded(n), padded(k));
}

/// Layers have FP8, and the head has not.
bool Operators::is_fp8(const Operation& operation) const {
  return request_.fp8 && !operation.name.starts_with("head.");
}

KernelForm Operators::product_of(const Operation& operation, std::uint64_t m, std::uint64_t n, std::uint64_t k) const {
  return is_fp8(operation) ? fp8_product(request_.target, m, n, k) : product_of(m, n, k);
}

/// A product with weights. Where they are more than what is multiplied with them, they are not in L2: those of other
/// layers were read since.
KernelForm Operators::product_with_weights(const Operation& operation, std::uint64_t rows, std::uint64_t out,
                                           std::uint64_t in) const {
  KernelForm form = product_of(operation, rows, out, in);
  const auto weights = static_cast<double>(out) * static_cast<double>(in);
  const double others = static_cast<double>(rows) * static_cast<double>(out + in);
  return weights > others ? from_cold_caches(std::move(form)) : form;
}

void Operators::set_tokens(const Operation& operation) {
  const bool is_of_head = operation.op == Op::kLoss || operation.name.starts_with("head.");
  const bool is_picked = is_of_head && request_.predictions > 0;
  const std::uint64_t length = pass_ == Pass::kDecode ? 1 : is_picked ? request_.predictions : request_.sequence;
  tokens_ = static_cast<double>(request_.batch * length);
  stream_tokens_ = request_.sequence_parallel ? std::ceil(tokens_ / request_.tensor) : tokens_;
}

void Operators::forward(const Operation& operation) {
  set_tokens(operation);
  if (request_.predictions > 0 && operation.name == "head.transform") {
    builder_.launch("head.pick", moving(2 * wide_ * tokens_ * static_cast<double>(operation.in)));
  }
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

/// Dropout keeps a mask of a byte. A compiler makes one kernel of the sum and the norm behind it.
void Operators::forward_sum(const Operation& operation) {
  const double elements = stream_tokens_ * static_cast<double>(operation.out);
  if (has_dropout()) {
    elementwise("dropout", elements, {2 * narrow_ + 1}, 1);
  }
  elementwise(operation.name, elements, {of_both(Mixed::kAdd, 2 * wide_ + narrow_)}, 0);
}

/// Gradients of both ways are added up; the products behind take them as their own type.
void Operators::backward_sum(const Operation& operation) {
  const double elements = stream_tokens_ * static_cast<double>(operation.out);
  elementwise(operation.name + " backward", elements, {3 * wide_}, 0);
  if (is_mixed_) {
    builder_.launch(operation.name + " cast", moving(6 * elements));
  }
  if (has_dropout()) {
    elementwise("dropout backward", elements, {2 * narrow_ + 1}, 1);
  }
}

void Operators::forward_norm(const Operation& operation) {
  const bool is_rms = request_.model.norm == models::Norm::kRms;
  if (is_rms && is_eager_) {
    forward_rms_norm(operation);
    return;
  }
  const auto rows = static_cast<std::uint64_t>(stream_tokens_);
  const Precision precision = wide_ == 2 ? Precision::kBf16 : Precision::kFp32;
  const bool is_behind_sum = operation.name != "head.transform_norm";
  builder_.launch(operation.name, !is_eager_ && is_behind_sum ? added_norm(rows, operation.out, !is_rms, precision)
                                                              : layer_norm(rows, operation.out, !is_rms, precision));
}

/// Square, mean, + epsilon, 1 / root, times, times weight, in FP32, with casts where that is not the residual's type.
void Operators::forward_rms_norm(const Operation& operation) {
  const std::string& name = operation.name;
  const double elements = stream_tokens_ * static_cast<double>(operation.out);
  const auto rows = static_cast<std::uint64_t>(stream_tokens_);
  const StridedShape matrix = as_strided(rows, operation.out);
  const bool is_narrow = wide_ == 2;
  if (is_narrow) {
    builder_.launch(name, mixed(Mixed::kCast, elements));
  }
  builder_.launch(name, moving(8 * elements));
  builder_.launch(name, row_mean(rows, operation.out));
  small(name);
  small(name);
  builder_.launch(name, strided(Strided::kScale, matrix, Precision::kFp32));
  if (is_narrow) {
    builder_.launch(name, moving((4 + wide_) * elements));
  }
  builder_.launch(name, strided(Strided::kWeight, matrix, is_narrow ? Precision::kBf16 : Precision::kFp32));
}

void Operators::forward_linear(const Operation& operation) {
  const double weights = static_cast<double>(operation.in) * static_cast<double>(operation.out);
  if (is_mixed_) {
    builder_.launch(operation.name + " cast weight", moving(6 * weights));
    if (operation.bias) {
      small(operation.name + " cast bias");
    }
  }
  if (has_cast_input(operation) && is_eager_) {
    builder_.launch(operation.name + " cast input", moving(6 * tokens_ * static_cast<double>(operation.in)));
  }
  if (is_fp8(operation)) {
    // Each tensor by its own scale; in training as it is and transposed, with its largest value, and weights as well.
    const double cast = pass_ == Pass::kTraining ? 2 + 1 + 1 : 2 + 1;
    builder_.launch(operation.name + " to FP8", moving(cast * tokens_ * static_cast<double>(operation.in)));
    if (pass_ == Pass::kTraining) {
      builder_.launch(operation.name + " weight to FP8", moving(cast * weights));
    }
  }
  if (is_padded(operation)) {
    builder_.launch(operation.name + " pad weight", moving(2 * narrow_ * weights));
  }
  builder_.launch(operation.name, product_with_weights(operation, rows_of(operation), operation.out, operation.in));
}

/// Times the cosine, the half turned (negated, joined), times the sine, the sum; of queries and of keys.
void Operators::forward_rotary(const Operation& operation) {
  const models::Transformer& model = request_.model;
  for (const std::uint64_t heads : {model.heads, model.kv_heads}) {
    const double elements = tokens_ * static_cast<double>(heads * model.head_size);
    if (!is_eager_) {
      elementwise(operation.name, elements, {}, 2 * narrow_);
      continue;
    }
    const StridedShape shape{static_cast<std::uint64_t>(tokens_), heads, model.head_size, 1};
    const KernelForm product =
        is_mixed_ ? mixed(Mixed::kMultiply, elements) : strided(Strided::kMultiply, shape, narrow_precision());
    builder_.launch(operation.name, product);
    builder_.launch(operation.name, strided(Strided::kNegate, shape, narrow_precision()));
    builder_.launch(operation.name, concatenation(request_.target, static_cast<std::uint64_t>(tokens_) * heads,
                                                  model.head_size / 2, model.head_size / 2, narrow_precision()));
    builder_.launch(operation.name, product);
    builder_.launch(operation.name, strided(Strided::kAdd, shape, narrow_precision()));
  }
}

void Operators::forward_activation(const Operation& operation) {
  const double elements = tokens_ * static_cast<double>(operation.out);
  if (is_written_out_gelu()) {  // half, cast, cube, times, sum, times, tanh, + 1, product
    if (is_mixed_ && is_eager_) {
      builder_.launch(operation.name + " cast", mixed(Mixed::kCast, elements));
    }
    elementwise(operation.name, elements,
                {2 * narrow_, 8, 8, of_both(Mixed::kAdd, 8 + narrow_), 8, 8, 8, of_both(Mixed::kMultiply, 8 + narrow_)},
                2 * narrow_);
    return;
  }
  if (is_eager_ && request_.model.activation == models::Activation::kSilu) {
    builder_.launch(operation.name, silu(elements, narrow_precision()));
    return;
  }
  const bool is_gated = request_.model.mlp == models::Mlp::kGated;
  elementwise(operation.name, elements, {2 * narrow_}, is_gated ? 3 * narrow_ : 2 * narrow_);
}

/// One kernel that reads the logits; or logits in FP32, their log-softmax (read for the maximum, the sum and the
/// result), the mean of those of the labels.
void Operators::forward_loss(const Operation& operation) {
  if (pass_ != Pass::kTraining) {
    return;
  }
  const double elements = tokens_ * static_cast<double>(operation.in);
  if (request_.loss == memory::LossKernel::kFused) {
    builder_.launch("loss cross entropy", moving(narrow_ * elements));
  } else {
    if (narrow_ < 4 && is_eager_) {
      builder_.launch("loss cast", mixed(Mixed::kCast, elements));
    }
    constexpr double kInstructions = 53;  // see backward_loss()
    builder_.launch(
        "loss log-softmax",
        is_eager_ ? moving(16 * elements) : calculating(request_.target, narrow_ * elements, kInstructions * elements));
  }
  small("loss mean");
  if (request_.fp8) {
    small("FP8 scales");
  }
}

/// Autocast has a cross entropy in FP32: a cast, a log-softmax as that of the loss, the sum of the labels' values;
/// their count (a comparison, a sum) and both added to what the log has. No compiler sees them.
void Operators::log_metrics(const Operation& loss) {
  set_tokens(loss);
  constexpr int kSmall = 5;
  const double elements = tokens_ * static_cast<double>(loss.in);
  for (std::uint64_t metric = 0; metric < request_.train_metrics; ++metric) {
    if (narrow_ < 4) {
      builder_.launch("metric cast", mixed(Mixed::kCast, elements));
    }
    builder_.launch("metric log-softmax", moving(16 * elements));
    for (int kernel = 0; kernel < kSmall; ++kernel) {
      small("metric sums");
    }
  }
}

void Operators::backward(const Operation& operation) {
  set_tokens(operation);
  const double elements = tokens_ * static_cast<double>(operation.out);
  const std::string name = operation.name + " backward";
  switch (operation.op) {
    case Op::kEmbedding: backward_embedding(operation); break;
    case Op::kNorm: backward_norm(operation); break;
    case Op::kLinear:
      backward_linear(operation);
      if (request_.predictions > 0 && operation.name == "head.transform") {  // rows of zeros, and what is added to them
        const double all = static_cast<double>(request_.batch * request_.sequence);
        builder_.launch("head.pick backward", moving(wide_ * (all + 3 * tokens_) * static_cast<double>(operation.in)));
      }
      break;
    case Op::kRotary: backward_rotary(operation); break;
    case Op::kAttention: backward_attention(operation); break;
    case Op::kActivation: backward_activation(operation); break;
    case Op::kScale: elementwise(name, elements, {3 * narrow_, 3 * narrow_}, 0); break;
    case Op::kAdd: backward_sum(operation); break;
    case Op::kLoss: backward_loss(operation); break;
  }
}

/// A gradient of the whole table, mostly zeros. It is added to that of the head where that has the same weights, which
/// a compiler casts on the way, or to that of the micro-batches before.
void Operators::backward_embedding(const Operation& operation) {
  const std::string name = operation.name + " backward";
  const double table = static_cast<double>(operation.in) * static_cast<double>(operation.out);
  for (int sort = 0; sort < 8; ++sort) {
    small("embedding sort");
  }
  builder_.launch(name + " zeros", moving(wide_ * table));
  elementwise(name, tokens_ * static_cast<double>(operation.out), {12}, 12);
  const bool is_tied = operation.name == "embedding.tokens" && is_tied_here();
  if (is_tied || is_accumulating_) {
    const double bytes = is_tied && !is_eager_ ? 2 * wide_ + narrow_ : 3 * wide_;
    builder_.launch(operation.name + " add gradient", moving(bytes * table));
  }
}

/// What a compiler makes reads the logits once to a kernel, forward and backward, and is bound by its instructions. By
/// the kernels of GPT-2 and Llama-3.2 1B on an H200 they are 56 and 50 for an element forward, 66 and 61 backward
/// at 1.98 GHz (tests/validation/silicon). Else the gradient of the log-softmax is filled with zeros, then read for its
/// sum and with the output.
void Operators::backward_loss(const Operation& loss) {
  const std::string name = loss.name + " backward";
  const double elements = tokens_ * static_cast<double>(loss.in);
  if (request_.loss == memory::LossKernel::kFused) {
    elementwise(name, elements, {2 * narrow_}, 2 * narrow_);
  } else if (is_eager_) {
    for (const double bytes : {4.0, 16.0, 4 + narrow_}) {
      builder_.launch(name, moving(bytes * elements));
    }
  } else {
    constexpr double kInstructions = 64;
    builder_.launch(name, calculating(request_.target, 2 * narrow_ * elements, kInstructions * elements));
  }
}

void Operators::backward_norm(const Operation& operation) {
  const double elements = stream_tokens_ * static_cast<double>(operation.out);
  const std::string name = operation.name + " backward";
  const bool is_rms = request_.model.norm == models::Norm::kRms;
  if (!is_rms && is_eager_) {  // gradients of the input, then of the weights
    builder_.launch(name, moving(3 * wide_ * elements));
    builder_.launch(name + " weights", norm_weight_gradient(static_cast<std::uint64_t>(tokens_), operation.out));
    return;
  }
  if (!is_eager_) {  // a layer norm has two weights, whose gradients PyTorch's own kernels sum
    builder_.launch(name, moving(3 * wide_ * elements));
    builder_.launch(name + " weights", moving((is_rms ? 2 : 1) * wide_ * elements));
    builder_.launch(name + " weights", moving(is_rms ? kFewBytes : wide_ * elements));
    return;
  }
  backward_rms_norm(name, elements, operation.out);
}

/// What the gradients of forward_rms_norm() are made of, as often as on an H200: four products with a weight of each
/// column or a factor of each row and one of a sum's gradient, four of whole arrays, one of them with a number, and a
/// sum; the sums of columns for the weights and of rows for the factor, and what is done with that.
void Operators::backward_rms_norm(const std::string& name, double elements, std::uint64_t columns) {
  const auto rows = static_cast<std::uint64_t>(stream_tokens_);
  const StridedShape matrix = as_strided(rows, columns);
  for (const Strided function :
       {Strided::kWeight, Strided::kScale, Strided::kScale, Strided::kScale, Strided::kScale}) {
    builder_.launch(name, strided(function, matrix, Precision::kFp32));
  }
  for (const double bytes : {12, 12, 12, 8, 12}) {
    builder_.launch(name, moving(bytes * elements));
  }
  builder_.launch(name + " weights", column_sum(request_.target, rows, columns, Precision::kFp32));
  builder_.launch(name, row_mean(rows, columns));
  for (int of_rows = 0; of_rows < 3; ++of_rows) {
    small(name);
  }
}

/// A compiler sums rows in two steps, and casts what they give.
void Operators::backward_bias(const Operation& operation) {
  const std::string name = operation.name + " bias gradient";
  if (is_eager_) {
    builder_.launch(
        name, column_sum(request_.target, static_cast<std::uint64_t>(tokens_), operation.out, narrow_precision()));
    return;
  }
  builder_.launch(name, moving(narrow_ * tokens_ * static_cast<double>(operation.out)));
  small(name);
}

void Operators::backward_linear(const Operation& operation) {
  const std::uint64_t rows = rows_of(operation);
  const double weights = static_cast<double>(operation.in) * static_cast<double>(operation.out);
  const std::string& name = operation.name;
  if (is_fp8(operation)) {  // the gradient of the bias on the way
    constexpr double kCast = 2 + 1 + 1;
    builder_.launch(name + " gradient to FP8", moving(kCast * tokens_ * static_cast<double>(operation.out)));
  }
  if (is_padded(operation)) {
    builder_.launch(name + " pad gradient", moving(2 * narrow_ * tokens_ * static_cast<double>(operation.out)));
  }
  builder_.launch(name + " dgrad", product_with_weights(operation, rows, operation.in, operation.out));
  builder_.launch(name + " wgrad", product_of(operation, operation.out, operation.in, rows));
  if (operation.bias && !is_fp8(operation)) {
    backward_bias(operation);
  }
  const bool is_cast_later = !is_eager_ && is_of_table(operation);
  if (is_mixed_ && !is_cast_later) {
    builder_.launch(name + " cast gradient", is_eager_ ? mixed(Mixed::kCast, weights) : moving(6 * weights));
    if (operation.bias && is_eager_) {
      small(name + " cast bias gradient");
    }
  }
  if (is_accumulating_) {  // to that of the micro-batches before, in the weights' type
    builder_.launch(name + " add gradient", moving((request_.pure ? 6 : 12) * weights));
  }
  if (has_cast_input(operation) && is_eager_) {
    builder_.launch(name + " cast back", mixed(Mixed::kCast, tokens_ * static_cast<double>(operation.in)));
  }
}

void Operators::backward_rotary(const Operation& operation) {
  const models::Transformer& model = request_.model;
  for (const std::uint64_t features : {model.query_features(), model.kv_features()}) {
    elementwise(operation.name + " backward", tokens_ * static_cast<double>(features),
                {2 * narrow_, 2 * narrow_, narrow_, narrow_, 2 * narrow_, 3 * narrow_}, 2 * narrow_);
  }
}

void Operators::backward_activation(const Operation& operation) {
  const double elements = tokens_ * static_cast<double>(operation.out);
  const std::string name = operation.name + " backward";
  if (is_written_out_gelu() && is_mixed_) {  // gradients go back to BF16 at each operation that began with it
    elementwise(name, elements, {Mixed::kMultiply, 12, 6, 12, 8, 6, 8, 8, 8, 12, 6, 6, 4, 6}, 3 * narrow_);
    return;
  }
  if (is_written_out_gelu()) {
    elementwise(name, elements, {12, 12, 12, 8, 8, 8, 12, 12, 8, 12, 6}, 3 * narrow_);
    return;
  }
  const bool is_gated = request_.model.mlp == models::Mlp::kGated;
  elementwise(name, elements, {3 * narrow_}, is_gated ? 5 * narrow_ : 3 * narrow_);
}

}  // namespace gpusim::generate
