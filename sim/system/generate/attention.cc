// SPDX-License-Identifier: MIT
// Attention, forward and backward: FlashAttention's kernels, those of a decode step, or product by product.
#include "sim/system/generate/operators.h"

namespace gpusim::generate {

using models::Operation;

namespace {

Flash flash_version(Attention attention) {
  return attention == Attention::kFlash1   ? Flash::kFirst
         : attention == Attention::kFlash2 ? Flash::kSecond
                                           : Flash::kNewest;
}

/// FlashAttention has no FP32; what is asked for is taken all the same.
bool is_wide(const Request& request) {
  const bool is_of_32_bits = request.precision == Precision::kFp32 || request.precision == Precision::kTf32;
  return is_of_32_bits && request.attention == Attention::kFlash;
}

}  // namespace

/// Hugging Face's models give PyTorch's attention a mask when they are compiled, and for a prompt when the cache is
/// that of a graph. It then takes all pairs of tokens, and keys and values for each head: on an H200 its kernels of
/// GPT-2 take 112 us forward and 283 us backward, 47 and 146 us without a mask (tests/validation/silicon). A decode
/// step that is a graph has none here, as in gpt-fast; FlashAttention that is asked for by its version needs none.
bool Operators::has_mask() const {
  const bool is_masked = pass_ == Pass::kTraining  ? !is_eager_ && request_.attention == Attention::kFlash
                         : pass_ == Pass::kPrefill ? request_.mode != Mode::kEager
                                                   : false;
  return is_masked && request_.model.attention == models::Attention::kCausal;
}

AttentionShape Operators::attention_shape() const {
  const models::Transformer& model = request_.model;
  const bool is_causal = model.attention == models::Attention::kCausal && !has_mask();
  const std::uint64_t kv_heads = has_mask() ? model.heads : model.kv_heads;
  return {request_.batch, model.heads, kv_heads, model.head_size, request_.sequence, is_causal};
}

double Operators::score_elements() const {
  const auto pairs = static_cast<double>(request_.sequence) * static_cast<double>(request_.sequence);
  return static_cast<double>(request_.batch * request_.model.heads) * pairs;
}

KernelForm Operators::product_of_heads(std::uint64_t m, std::uint64_t n, std::uint64_t k) const {
  return batched_product(request_.target, request_.precision, request_.batch * request_.model.heads, m, n, k);
}

/// Keys and values that several heads share are copied to each. A compiler copies keys where it rotates them, so values
/// alone are copied here.
void Operators::repeat_heads(const std::string& name) {
  const models::Transformer& model = request_.model;
  if (model.kv_heads == model.heads) {
    return;
  }
  if (!is_eager_) {
    const std::uint64_t features = model.query_features() + model.kv_features();
    builder_.launch(name, moving(narrow_ * tokens_ * static_cast<double>(features)));
    return;
  }
  const StridedShape shape{static_cast<std::uint64_t>(tokens_), model.heads, model.head_size,
                           model.heads / model.kv_heads};
  for (int of = 0; of < 2; ++of) {
    builder_.launch(name, strided(Strided::kRepeat, shape, narrow_precision()));
  }
}

/// Scores of queries and keys, scaled, masked, their softmax, dropout, times the values. Each kernel reads what the one
/// before wrote; a compiler makes one of those between the products.
void Operators::forward_scores(const Operation& operation) {
  const std::uint64_t tokens = request_.sequence;
  const std::uint64_t features = request_.model.head_size;
  const std::string& name = operation.name;
  repeat_heads(name + " repeat");
  builder_.launch(name + " scores", product_of_heads(tokens, tokens, features));
  elementwise(name + " scale", score_elements(), {2 * narrow_}, 0);
  if (request_.model.attention == models::Attention::kCausal) {
    elementwise(name + " mask", score_elements(), {2 * narrow_}, 0);
  }
  const double dropped = has_dropout() ? narrow_ + 1 : 0;
  elementwise(name + " softmax", score_elements(), {2 * narrow_}, 2 * narrow_ + dropped);
  if (has_dropout()) {
    elementwise(name + " dropout", score_elements(), {2 * narrow_ + 1}, 0);
  }
  builder_.launch(name + " values", product_of_heads(tokens, features, tokens));
}

/// The cache of a graph has a place of its own. Zeros are written there, then keys and values; the mask is made as
/// numbers.
void Operators::fill_cache() {
  const auto features = static_cast<double>(request_.model.kv_features());
  for (int of = 0; of < 2; ++of) {
    small("attention.cache");
    builder_.launch("attention.cache", moving(2 * narrow_ * tokens_ * features));
  }
  const auto length = static_cast<double>(request_.sequence);
  builder_.launch("attention.mask", moving((1 + narrow_) * length * length));
}

void Operators::forward_attention(const Operation& operation) {
  const bool by_products = pass_ == Pass::kTraining ? keeps_scores(request_) : !has_flash_attention(request_.target);
  if (has_mask() && is_eager_) {
    fill_cache();
  }
  if (pass_ != Pass::kDecode && by_products) {
    forward_scores(operation);
    return;
  }
  if (pass_ != Pass::kDecode) {
    const AttentionShape shape = attention_shape();
    if (has_mask()) {
      repeat_heads(operation.name + " repeat");
    }
    const Flash version = pass_ == Pass::kTraining ? flash_version(request_.attention) : Flash::kNewest;
    builder_.launch(operation.name,
                    is_wide(request_) ? wide_attention(shape, false) : attention(request_.target, shape, version));
    return;
  }
  const KernelForm form = attention_decode(attention_shape());
  if (!is_eager_ || is_one_graph(request_.mode)) {  // what other layers read since drove the cache of this one out
    if (is_eager_) {  // keys, and values, of a token to their place in a cache that does not grow
      small("attention.cache");
      small("attention.cache");
    }
    builder_.launch(operation.name, from_cold_caches(form));
    return;
  }
  // A cache that grows is joined with what is new: keys, and values.
  const models::Transformer& model = request_.model;
  const KernelForm grown = concatenation(request_.target, request_.batch * model.kv_heads,
                                         request_.sequence * model.head_size, model.head_size, narrow_precision());
  for (int of = 0; of < 2; ++of) {
    builder_.launch("attention.cache", from_cold_caches(grown));
  }
  builder_.launch(operation.name, form);
}

/// The library's trace has the kernels before and behind, too: the sums of gradients times outputs, and the queries'
/// gradients in BF16. Gradients of fused queries, keys and values are joined.
void Operators::backward_attention(const Operation& operation) {
  const models::Transformer& model = request_.model;
  if (keeps_scores(request_)) {
    backward_scores(operation);
  } else {
    builder_.launch(operation.name + " backward",
                    is_wide(request_)
                        ? wide_attention(attention_shape(), true)
                        : attention_backward(request_.target, attention_shape(), flash_version(request_.attention)));
  }
  if (has_mask() && model.kv_heads < model.heads) {  // gradients of keys and values that were copied to each head
    const auto features = static_cast<double>(model.query_features() + model.kv_features());
    builder_.launch(operation.name + " sum of heads", moving(narrow_ * tokens_ * features));
  }
  if (model.qkv == models::Qkv::kFused) {
    const double features = static_cast<double>(model.query_features() + 2 * model.kv_features());
    builder_.launch(operation.name + " join", moving(2 * narrow_ * tokens_ * features));
  }
}

/// Gradients of the values and of the softmax, of its input (from both), of the scale, of queries and of keys.
void Operators::backward_scores(const Operation& operation) {
  const std::uint64_t tokens = request_.sequence;
  const std::uint64_t features = request_.model.head_size;
  const std::string& name = operation.name;
  builder_.launch(name + " values gradient", product_of_heads(tokens, features, tokens));
  builder_.launch(name + " softmax gradient", product_of_heads(tokens, tokens, features));
  if (has_dropout()) {
    elementwise(name + " dropout backward", score_elements(), {2 * narrow_ + 1}, 0);
  }
  elementwise(name + " softmax backward", score_elements(), {3 * narrow_}, 3 * narrow_ + (has_dropout() ? 1 : 0));
  elementwise(name + " scale backward", score_elements(), {2 * narrow_}, 0);
  builder_.launch(name + " queries gradient", product_of_heads(tokens, features, tokens));
  builder_.launch(name + " keys gradient", product_of_heads(tokens, features, tokens));
  if (request_.model.kv_heads < request_.model.heads) {  // each copy's gradient is read, their sum written
    const auto features_of_both = static_cast<double>(request_.model.kv_features() + request_.model.query_features());
    elementwise(name + " repeat backward", tokens_ * features_of_both, {narrow_, narrow_}, 0);
  }
}

}  // namespace gpusim::generate
