// SPDX-License-Identifier: MIT
#include "sim/system/generate/forms.h"

namespace gpusim::generate {

using application::ElementType;
using application::OperationKind;

namespace {

/// Kernels in FP16 take as long as those in BF16.
Precision precision_of(ElementType type) {
  return type == ElementType::kFp32   ? Precision::kFp32
         : type == ElementType::kTf32 ? Precision::kTf32
                                      : Precision::kBf16;
}

KernelForm product_form(const Target& target, const application::Operation& of) {
  if (of.batch > 1) {
    return batched_product(target, precision_of(of.type), of.batch, of.m, of.n, of.k);
  }
  const bool is_column = of.n == 1;  // a matrix times a vector: the transposed product has one row
  const std::uint64_t m = is_column ? 1 : of.m;
  const std::uint64_t n = is_column ? of.m : of.n;
  return of.type == ElementType::kFp8 ? fp8_product(target, m, n, of.k)
                                      : product(target, precision_of(of.type), m, n, of.k);
}

std::optional<KernelForm> attention_form(const Target& target, const application::Operation& of) {
  const AttentionShape shape{of.batch, of.heads, of.kv_heads, of.head_size, of.queries, of.causal, of.keys};
  const bool is_backward = of.of == OperationKind::kAttentionBackward;
  if (!has_flash_attention(target) || (is_backward && of.queries != of.keys)) {
    return std::nullopt;
  }
  const Flash version = of.flash == application::FlashKernel::kSecond ? Flash::kSecond : Flash::kNewest;
  return is_backward ? attention_backward(target, shape, version) : attention(target, shape, version);
}

}  // namespace

std::optional<KernelForm> form_of(const Target& target, const application::Operation& of) {
  const bool is_product = of.of == OperationKind::kProduct;
  if (of.type == ElementType::kFp8 && (!is_product || of.batch > 1)) {
    return std::nullopt;
  }
  const Precision precision = precision_of(of.type);
  const auto elements = static_cast<double>(of.elements);
  switch (of.of) {
    case OperationKind::kProduct: return product_form(target, of);
    case OperationKind::kAttention:
    case OperationKind::kAttentionBackward: return attention_form(target, of);
    case OperationKind::kAttentionDecode:
      return attention_decode({of.batch, of.heads, of.kv_heads, of.head_size, of.keys, false});
    case OperationKind::kLayerNorm: return layer_norm(of.rows, of.columns, true, precision);
    case OperationKind::kRmsNorm: return layer_norm(of.rows, of.columns, false, precision);
    case OperationKind::kNormWeightGradient: return norm_weight_gradient(of.rows, of.columns);
    case OperationKind::kSoftmax: return softmax(of.rows, of.columns, precision);
    case OperationKind::kRowSum: return row_mean(of.rows, of.columns);
    case OperationKind::kColumnSum: return column_sum(target, of.rows, of.columns, precision);
    case OperationKind::kMove: return moving(static_cast<double>(of.bytes));
    case OperationKind::kCast: return mixed(Mixed::kCast, elements);
    case OperationKind::kMixedAdd: return mixed(Mixed::kAdd, elements);
    case OperationKind::kMixedMultiply: return mixed(Mixed::kMultiply, elements);
    case OperationKind::kGelu: return gelu(elements, precision);
    case OperationKind::kSilu: return silu(elements, precision);
    case OperationKind::kLookup: return lookup(of.rows, of.columns, of.table, precision);
  }
  return std::nullopt;
}

}  // namespace gpusim::generate
