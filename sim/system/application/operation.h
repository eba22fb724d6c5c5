// SPDX-License-Identifier: MIT
// What a recorded kernel does: an operation of a framework with its shape. The library of kernels has kernels for it on
// every GPU (sim/system/generate/forms.h), so that a time recorded on one GPU can be carried to another.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/model/arch/words.h"

namespace gpusim::application {

enum class OperationKind : std::uint8_t {
  kProduct,
  kAttention,
  kAttentionBackward,
  kAttentionDecode,
  kLayerNorm,
  kRmsNorm,
  kNormWeightGradient,
  kSoftmax,
  kRowSum,
  kColumnSum,
  kMove,
  kCast,
  kMixedAdd,
  kMixedMultiply,
  kGelu,
  kSilu,
  kLookup,
};

/// What the elements of an operation's tensors are; kTf32: FP32 whose products are in TF32.
enum class ElementType : std::uint8_t { kFp32, kTf32, kBf16, kFp16, kFp8 };

/// Versions of FlashAttention: the newest that a GPU has, or one that runs as it is on every GPU.
enum class FlashKernel : std::uint8_t { kNewest, kSecond };

/// Sizes that a kind does not have are 0. operation_forms() says which ones it has.
struct Operation {
  OperationKind of = OperationKind::kMove;
  ElementType type = ElementType::kBf16;
  bool causal = false;
  FlashKernel flash = FlashKernel::kNewest;
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  std::uint64_t batch = 0;
  std::uint64_t heads = 0;
  std::uint64_t kv_heads = 0;
  std::uint64_t queries = 0;
  std::uint64_t keys = 0;
  std::uint64_t head_size = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t table = 0;  ///< rows of a table of which some are looked up
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;
  friend auto operator<=>(const Operation&, const Operation&) = default;
};

struct OperationSize {
  std::string_view name;
  std::uint64_t Operation::*at;
};

/// What a kind needs, and how it is written in a file.
struct OperationForm {
  OperationKind of;
  std::array<OperationSize, 6> sizes;  ///< those without a name are none
  bool has_type;                       ///< whether elements have one of several types
  bool is_attention;                   ///< takes `causal` and `flash`
  std::string_view meaning;
};
[[nodiscard]] std::span<const OperationForm> operation_forms();
[[nodiscard]] const OperationForm& form_of(OperationKind of);

/// Most of each size: what the kernels of the library take at most, and more.
inline constexpr std::uint64_t kMostOfSize = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kMostOperationBytes = std::uint64_t{1} << 40;
[[nodiscard]] constexpr std::uint64_t most_of(const OperationSize& size) {
  return size.at == &Operation::bytes || size.at == &Operation::elements ? kMostOperationBytes : kMostOfSize;
}

/// Whether each size that the kind needs is given and not above its most.
[[nodiscard]] bool is_complete(const Operation& operation);

/// As a file has it: "{of: product, m: 4096, n: 4096, k: 1024, batch: 1, type: bf16}".
[[nodiscard]] std::string text_of(const Operation& operation);

/// A Markdown table of the kinds, for the documents.
[[nodiscard]] std::string operations_markdown();

}  // namespace gpusim::application

namespace gpusim::arch {

template <>
inline constexpr auto kWords<application::OperationKind> = std::to_array<Word<application::OperationKind>>(
    {{"product", application::OperationKind::kProduct},
     {"attention", application::OperationKind::kAttention},
     {"attention-backward", application::OperationKind::kAttentionBackward},
     {"attention-decode", application::OperationKind::kAttentionDecode},
     {"layer-norm", application::OperationKind::kLayerNorm},
     {"rms-norm", application::OperationKind::kRmsNorm},
     {"norm-weight-gradient", application::OperationKind::kNormWeightGradient},
     {"softmax", application::OperationKind::kSoftmax},
     {"row-sum", application::OperationKind::kRowSum},
     {"column-sum", application::OperationKind::kColumnSum},
     {"move", application::OperationKind::kMove},
     {"cast", application::OperationKind::kCast},
     {"mixed-add", application::OperationKind::kMixedAdd},
     {"mixed-multiply", application::OperationKind::kMixedMultiply},
     {"gelu", application::OperationKind::kGelu},
     {"silu", application::OperationKind::kSilu},
     {"lookup", application::OperationKind::kLookup}});
template <>
inline constexpr auto kWords<application::ElementType> =
    std::to_array<Word<application::ElementType>>({{"fp32", application::ElementType::kFp32},
                                                   {"tf32", application::ElementType::kTf32},
                                                   {"bf16", application::ElementType::kBf16},
                                                   {"fp16", application::ElementType::kFp16},
                                                   {"fp8", application::ElementType::kFp8}});
template <>
inline constexpr auto kWords<application::FlashKernel> = std::to_array<Word<application::FlashKernel>>(
    {{"newest", application::FlashKernel::kNewest}, {"2", application::FlashKernel::kSecond}});

}  // namespace gpusim::arch
