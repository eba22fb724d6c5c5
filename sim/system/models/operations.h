// SPDX-License-Identifier: MIT
// The operations of a forward pass in order, with the shape of each: what kernels are made of, and what has parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/system/models/model.h"

namespace gpusim::models {

/// kEmbedding: rows of a table, by token. kLinear: a product with weights. kAdd: a residual sum. kScale: the gate of an
/// MLP times what it scales.
enum class Op : std::uint8_t { kEmbedding, kNorm, kLinear, kRotary, kAttention, kActivation, kScale, kAdd, kLoss };

/// An operation on tokens. A linear one is a product of (batch x sequence) rows with k = `in` and n = `out`.
struct Operation {
  Op op = Op::kLinear;
  std::string name;       ///< "attention.qkv"
  std::uint64_t in = 0;   ///< features of a token that it reads; of an embedding: rows of its table
  std::uint64_t out = 0;  ///< features of a token that it writes
  bool bias = false;
  bool owns_weights = true;  ///< false: its weights are another operation's (a tied head), or it has none
  friend bool operator==(const Operation&, const Operation&) = default;
};

/// A transformer's forward pass: `layer` is done `layers` times.
struct ForwardPass {
  std::vector<Operation> before;
  std::uint64_t layers = 0;
  std::vector<Operation> layer;
  std::vector<Operation> after;  ///< the head, and the loss
};
[[nodiscard]] ForwardPass forward_pass(const Transformer& model);

enum class ImageOp : std::uint8_t { kConvolution, kBatchNorm, kRelu, kMaxPool, kAdd, kAveragePool, kLinear, kLoss };

/// An operation on images, of (batch) x channels x side x side.
struct ImageOperation {
  ImageOp op = ImageOp::kConvolution;
  std::string name;       ///< "stage2.block0.conv1"
  std::uint64_t in = 0;   ///< channels
  std::uint64_t out = 0;  ///< channels
  std::uint64_t kernel = 1;
  std::uint64_t stride = 1;
  std::uint64_t in_side = 0;   ///< pixels
  std::uint64_t out_side = 0;  ///< pixels
  bool on_shortcut = false;    ///< beside the block's own way
  friend bool operator==(const ImageOperation&, const ImageOperation&) = default;
};
[[nodiscard]] std::vector<ImageOperation> forward_pass(const ResNet& model);

/// A tensor of parameters; vectors have one column.
struct Parameter {
  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t columns = 1;
  [[nodiscard]] std::uint64_t count() const { return rows * columns; }
  friend bool operator==(const Parameter&, const Parameter&) = default;
};
/// The parameters of one operation: its weights, then its bias. `norm`: of LayerNorm or RMSNorm.
[[nodiscard]] std::vector<Parameter> parameters_of(const Operation& operation);
[[nodiscard]] std::vector<Parameter> parameters_of(const ImageOperation& operation);

/// Parameters of one layer of a transformer.
[[nodiscard]] std::uint64_t layer_parameters(const Transformer& model);

/// All parameters, each once.
[[nodiscard]] std::uint64_t parameter_count(const Transformer& model);
[[nodiscard]] std::uint64_t parameter_count(const ResNet& model);
[[nodiscard]] std::uint64_t parameter_count(const Model& model);

/// Floating-point operations of products and attention, of a forward pass over `sequence` tokens, for one sequence.
/// Attention counts all pairs of tokens, as the field does, also where it is causal.
[[nodiscard]] double forward_flops(const Transformer& model, std::uint64_t sequence);

}  // namespace gpusim::models
