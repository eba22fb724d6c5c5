// SPDX-License-Identifier: MIT
// The kernels that PyTorch launches for an operation of a model, forward and backward, eager and compiled.
//
// They are those that Hugging Face's models launch on an H100 with PyTorch 2.11, counted in the traces of
// tests/validation/silicon/h100, compiled ones and graphs on an H200. An element-wise kernel of one type is a copy of
// as many bytes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>

#include "sim/system/generate/kernels.h"
#include "sim/system/generate/request.h"
#include "sim/system/generate/step_builder.h"
#include "sim/system/models/operations.h"

namespace gpusim::generate {

/// What is done with the tokens of a step.
enum class Pass : std::uint8_t { kTraining, kPrefill, kDecode };

class Operators {
 public:
  Operators(const Request& request, Pass pass, StepBuilder& builder);

  void forward(const models::Operation& operation);
  void backward(const models::Operation& operation);
  /// What a framework logs of a micro-batch: cross entropies of the logits, each cast to FP32 anew.
  void log_metrics(const models::Operation& loss);
  /// Whether gradients of weights are added to those that are there.
  void set_accumulating(bool accumulating) { is_accumulating_ = accumulating; }

 private:
  /// An element-wise kernel: of one type so many bytes a token and feature, 0: of a few bytes; or of two types.
  struct Pointwise {
    Pointwise(double moved) : bytes(moved) {}       // NOLINT(google-explicit-constructor): lists of them read as bytes
    Pointwise(Mixed function) : mixed(function) {}  // NOLINT(google-explicit-constructor)
    double bytes = 0;
    std::optional<Mixed> mixed;
  };
  using Kernels = std::initializer_list<Pointwise>;

  void elementwise(const std::string& name, double elements, Kernels eager, double compiled);
  /// A kernel whose inputs are FP32 and what products give; `bytes` where those are of one type.
  [[nodiscard]] Pointwise of_both(Mixed function, double bytes) const;
  void small(const std::string& name) { builder_.launch(name, moving(kFewBytes)); }
  void forward_sum(const models::Operation& operation);
  void backward_sum(const models::Operation& operation);
  void forward_norm(const models::Operation& operation);
  void forward_rms_norm(const models::Operation& operation);
  void forward_linear(const models::Operation& operation);
  void forward_rotary(const models::Operation& operation);
  void forward_attention(const models::Operation& operation);
  void fill_cache();
  void repeat_heads(const std::string& name);
  void forward_scores(const models::Operation& operation);
  void forward_activation(const models::Operation& operation);
  void forward_loss(const models::Operation& operation);
  void backward_embedding(const models::Operation& operation);
  void backward_loss(const models::Operation& loss);
  void backward_norm(const models::Operation& operation);
  void backward_rms_norm(const std::string& name, double elements, std::uint64_t columns);
  void backward_bias(const models::Operation& operation);
  void backward_linear(const models::Operation& operation);
  void backward_rotary(const models::Operation& operation);
  void backward_attention(const models::Operation& operation);
  void backward_scores(const models::Operation& operation);
  void backward_activation(const models::Operation& operation);
  [[nodiscard]] bool has_cast_input(const models::Operation& operation) const;
  [[nodiscard]] bool is_written_out_gelu() const { return request_.model.activation == models::Activation::kGeluNew; }
  /// Whether the head multiplies with the table of the tokens, and no other GPU has one of them.
  [[nodiscard]] bool is_tied_here() const {
    return request_.model.embeddings == models::Embeddings::kTied && request_.pipeline == 1;
  }
  [[nodiscard]] bool is_of_table(const models::Operation& operation) const {
    return operation.name == "head.vocabulary" && is_tied_here();
  }
  [[nodiscard]] bool has_dropout() const {
    return pass_ == Pass::kTraining && request_.dropout && request_.model.dropout == models::Dropout::kAll;
  }
  [[nodiscard]] bool has_mask() const;
  [[nodiscard]] AttentionShape attention_shape() const;
  /// Elements of the scores: of each head and pair of tokens.
  [[nodiscard]] double score_elements() const;
  /// A product of each head, of m x k and k x n.
  [[nodiscard]] KernelForm product_of_heads(std::uint64_t m, std::uint64_t n, std::uint64_t k) const;
  /// Whether a compiler copies what is multiplied, since its rows are not whole 16 bytes. In inference the weights were
  /// padded once.
  [[nodiscard]] bool is_padded(const models::Operation& operation) const {
    return !is_eager_ && pass_ == Pass::kTraining && operation.out % static_cast<std::uint64_t>(16 / narrow_) != 0;
  }
  /// A product of the model; a compiler pads the sides that are not whole 16 bytes.
  [[nodiscard]] KernelForm product_of(std::uint64_t m, std::uint64_t n, std::uint64_t k) const;
  [[nodiscard]] KernelForm product_with_weights(const models::Operation& operation, std::uint64_t rows,
                                                std::uint64_t out, std::uint64_t in) const;
  [[nodiscard]] KernelForm product_of(const models::Operation& operation, std::uint64_t m, std::uint64_t n,
                                      std::uint64_t k) const;
  [[nodiscard]] bool is_fp8(const models::Operation& operation) const;
  [[nodiscard]] Precision narrow_precision() const { return narrow_ == 2 ? Precision::kBf16 : Precision::kFp32; }
  [[nodiscard]] std::uint64_t rows_of(const models::Operation& operation) const;
  /// From now on as many tokens as the operation gets: a masked head may have some alone.
  void set_tokens(const models::Operation& operation);

  static constexpr double kFewBytes = 4096;

  const Request& request_;
  Pass pass_;
  StepBuilder& builder_;
  bool is_eager_;
  bool is_mixed_;             ///< FP32 weights and sums, BF16 products: autocast. FSDP casts what it gathers instead
  double wide_;               ///< bytes of an element of the residual stream
  double narrow_;             ///< width of what products read and write
  double tokens_ = 0;         ///< tokens that the operation at hand gets, as set_tokens() says
  double stream_tokens_ = 0;  ///< tokens of norms and residual sums, which sequence-parallel GPUs share
  bool is_accumulating_ = false;
};

}  // namespace gpusim::generate
