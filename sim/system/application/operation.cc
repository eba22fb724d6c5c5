// SPDX-License-Identifier: MIT
#include "sim/system/application/operation.h"

#include <algorithm>
#include <array>

#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

namespace gpusim::application {
namespace {

using Kind = OperationKind;
using Sizes = std::array<OperationSize, 6>;

constexpr Sizes kProductSizes{
    {{"m", &Operation::m}, {"n", &Operation::n}, {"k", &Operation::k}, {"batch", &Operation::batch}}};
constexpr Sizes kAttentionSizes{{{"batch", &Operation::batch},
                                 {"heads", &Operation::heads},
                                 {"kv_heads", &Operation::kv_heads},
                                 {"queries", &Operation::queries},
                                 {"keys", &Operation::keys},
                                 {"head_size", &Operation::head_size}}};
constexpr Sizes kDecodeSizes{{{"batch", &Operation::batch},
                              {"heads", &Operation::heads},
                              {"kv_heads", &Operation::kv_heads},
                              {"keys", &Operation::keys},
                              {"head_size", &Operation::head_size}}};
constexpr Sizes kMatrix{{{"rows", &Operation::rows}, {"columns", &Operation::columns}}};
constexpr Sizes kTable{{{"rows", &Operation::rows}, {"columns", &Operation::columns}, {"table", &Operation::table}}};
constexpr Sizes kElements{{{"elements", &Operation::elements}}};
constexpr Sizes kBytes{{{"bytes", &Operation::bytes}}};

constexpr std::array<OperationForm, 17> kForms{
    {{Kind::kProduct, kProductSizes, true, false, "`batch` products of m x k and k x n"},
     {Kind::kAttention, kAttentionSizes, false, true,
      "FlashAttention, forward; `flash: 2` is FlashAttention-2 on every GPU, `newest` what libraries have for it"},
     {Kind::kAttentionBackward, kAttentionSizes, false, true, "its gradients"},
     {Kind::kAttentionDecode, kDecodeSizes, false, false, "attention of one query a sequence"},
     {Kind::kLayerNorm, kMatrix, true, false, "layer norm of each row"},
     {Kind::kRmsNorm, kMatrix, true, false, "RMS norm of each row"},
     {Kind::kNormWeightGradient, kMatrix, false, false, "gradients of a layer norm's weights, in FP32"},
     {Kind::kSoftmax, kMatrix, true, false, "softmax or log-softmax of each row"},
     {Kind::kRowSum, kMatrix, false, false, "sums or means of rows, in FP32"},
     {Kind::kColumnSum, kMatrix, true, false, "sums or means of columns"},
     {Kind::kMove, kBytes, false, false, "element-wise work that reads and writes so many bytes in all"},
     {Kind::kCast, kElements, false, false, "element-wise cast to FP32 of a narrower type"},
     {Kind::kMixedAdd, kElements, false, false, "element-wise sum of FP32 and a narrower type"},
     {Kind::kMixedMultiply, kElements, false, false, "element-wise product of FP32 and a narrower type"},
     {Kind::kGelu, kElements, true, false, "GELU, element by element"},
     {Kind::kSilu, kElements, true, false, "SiLU, element by element"},
     {Kind::kLookup, kTable, true, false, "so many rows of a table of `table` rows, copied by their numbers"}}};

}  // namespace

std::span<const OperationForm> operation_forms() {
  return kForms;
}

const OperationForm& form_of(OperationKind of) {
  return *std::ranges::find(kForms, of, &OperationForm::of);
}

bool is_complete(const Operation& operation) {
  return std::ranges::all_of(form_of(operation.of).sizes, [&operation](const OperationSize& size) {
    return size.name.empty() || (operation.*size.at >= 1 && operation.*size.at <= most_of(size));
  });
}

std::string text_of(const Operation& operation) {
  const OperationForm& form = form_of(operation.of);
  std::string text = "{of: " + std::string(arch::word_of(operation.of));
  for (const OperationSize& size : form.sizes) {
    if (!size.name.empty()) {
      const arch::Unit unit = size.at == &Operation::bytes ? arch::Unit::kBytes : arch::Unit::kCount;
      text += ", " + std::string(size.name) + ": " + arch::format_number(unit, operation.*size.at);
    }
  }
  if (form.has_type) {
    text += ", type: " + std::string(arch::word_of(operation.type));
  }
  if (form.is_attention) {
    text += std::string(", causal: ") + (operation.causal ? "yes" : "no") +
            ", flash: " + std::string(arch::word_of(operation.flash));
  }
  return text + "}";
}

std::string operations_markdown() {
  std::string text = "| `of` | sizes | what it is |\n| --- | --- | --- |\n";
  for (const OperationForm& form : kForms) {
    text += "| `" + std::string(arch::word_of(form.of)) + "` | ";
    std::string keys;
    for (const OperationSize& size : form.sizes) {
      keys += size.name.empty() ? "" : (keys.empty() ? "`" : ", `") + std::string(size.name) + "`";
    }
    text += keys + (form.has_type ? ", `type`" : "") + (form.is_attention ? ", `causal`, `flash`" : "") + " | " +
            std::string(form.meaning) + " |\n";
  }
  return text;
}

}  // namespace gpusim::application
