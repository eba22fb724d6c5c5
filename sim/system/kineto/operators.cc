// SPDX-License-Identifier: MIT
#include "sim/system/kineto/operators.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>

#include "sim/base/text.h"

namespace gpusim::kineto {
namespace {

using application::ElementType;
using application::FlashKernel;
using application::Operation;
using application::OperationKind;

using Dims = std::vector<std::uint64_t>;
using Found = std::optional<Operation>;

constexpr std::size_t kNone = 99;  ///< an argument that the operator does not have

const Input& input(const Operator& op, std::size_t index) {
  static const Input kAbsent;
  return index < op.inputs.size() ? op.inputs[index] : kAbsent;
}

/// The product of sizes; the largest number where that is more.
std::uint64_t volume(std::span<const std::uint64_t> dims) {
  std::uint64_t product = 1;
  for (const std::uint64_t dim : dims) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    product = dim != 0 && product > kMost / dim ? kMost : product * dim;
  }
  return product;
}

/// Bytes of an element; 0: not a tensor of numbers that we know.
std::uint64_t width_of(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 12> kWidths{{{"float", 4},
                                                                                       {"double", 8},
                                                                                       {"c10::Half", 2},
                                                                                       {"c10::BFloat16", 2},
                                                                                       {"long int", 8},
                                                                                       {"long", 8},
                                                                                       {"int", 4},
                                                                                       {"short int", 2},
                                                                                       {"short", 2},
                                                                                       {"bool", 1},
                                                                                       {"unsigned char", 1},
                                                                                       {"signed char", 1}}};
  const auto* const found = std::ranges::find(kWidths, type, &std::pair<std::string_view, std::uint64_t>::first);
  return found != kWidths.end() ? found->second : type.starts_with("c10::Float8") ? 1 : 0;
}

std::optional<ElementType> element_type(std::string_view type) {
  return type == "float"                   ? std::optional(ElementType::kFp32)
         : type == "c10::Half"             ? std::optional(ElementType::kFp16)
         : type == "c10::BFloat16"         ? std::optional(ElementType::kBf16)
         : type.starts_with("c10::Float8") ? std::optional(ElementType::kFp8)
                                           : std::nullopt;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts,
                             [text](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

/// "True" and "False" as Python writes them.
std::optional<bool> flag_of(const Input& of) {
  return of.value == "True" || of.value == "true"     ? std::optional(true)
         : of.value == "False" || of.value == "false" ? std::optional(false)
                                                      : std::nullopt;
}

/// The whole numbers of "[0, -1]", at most 16; nullopt for another text.
std::optional<std::vector<std::int64_t>> numbers_of(std::string_view text) {
  constexpr std::size_t kMost = 16;
  if (text.size() < 2 || !text.starts_with('[') || !text.ends_with(']')) {
    return std::nullopt;
  }
  std::vector<std::int64_t> numbers;
  for (text = text.substr(1, text.size() - 2); !text.empty();) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(' '), end);
    const bool is_negative = text.substr(begin, end - begin).starts_with('-');
    const std::size_t digits = begin + (is_negative ? 1 : 0);
    const std::optional<std::uint64_t> number = parse_unsigned(text.substr(digits, end - digits));
    if (!number || *number > application::kMostOfSize || numbers.size() == kMost) {
      return std::nullopt;
    }
    numbers.push_back((is_negative ? -1 : 1) * static_cast<std::int64_t>(*number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

Found checked(const Operation& operation) {
  return application::is_complete(operation) ? Found(operation) : std::nullopt;
}

// Products.

/// TF32 by the kernel's name, which cuBLAS and CUTLASS give: tf32, or the instruction 1688 of FP32. All kernels of
/// nvjet are of tensor cores.
std::optional<ElementType> product_type(const Input& of, std::string_view kernel) {
  const std::optional<ElementType> type = element_type(of.type);
  const bool is_tf32 = type == ElementType::kFp32 && has_any(kernel, {"tf32", "s1688", "nvjet"});
  return is_tf32 ? ElementType::kTf32 : type;
}

bool is_product_kernel(std::string_view kernel) {
  return has_any(kernel, {"gemm", "gemv", "cutlass", "nvjet", "xmma", "cublas"}) &&
         !has_any(kernel, {"splitkreduce", "reduce_kernel", "elementwise"});
}

/// The product of [m, k] and [k, n], or of [batch, m, k] and [batch, k, n].
template <std::size_t A, std::size_t B>
Found product(const Operator& op, std::string_view kernel) {
  const Dims& a = input(op, A).dims;
  const Dims& b = input(op, B).dims;
  const std::optional<ElementType> type = product_type(input(op, A), kernel);
  const std::size_t rank = a.size();
  if (!type || !is_product_kernel(kernel) || (rank != 2 && rank != 3) || b.size() != rank ||
      a[rank - 1] != b[rank - 2] || (rank == 3 && a[0] != b[0])) {
    return std::nullopt;
  }
  Operation made{.of = OperationKind::kProduct, .type = *type};
  made.m = a[rank - 2];
  made.n = b[rank - 1];
  made.k = a[rank - 1];
  made.batch = rank == 3 ? a[0] : 1;
  return checked(made);
}

/// The product of [m, k] and [k].
template <std::size_t A, std::size_t B>
Found matrix_vector(const Operator& op, std::string_view kernel) {
  const Dims& a = input(op, A).dims;
  const Dims& b = input(op, B).dims;
  const std::optional<ElementType> type = product_type(input(op, A), kernel);
  if (!type || !is_product_kernel(kernel) || a.size() != 2 || b.size() != 1 || a[1] != b[0]) {
    return std::nullopt;
  }
  Operation made{.of = OperationKind::kProduct, .type = *type};
  made.m = a[0];
  made.n = 1;
  made.k = a[1];
  made.batch = 1;
  return checked(made);
}

/// The product of [..., k] and the weight [n, k], transposed.
Found linear(const Operator& op, std::string_view kernel) {
  const Dims& a = input(op, 0).dims;
  const Dims& weight = input(op, 1).dims;
  const std::optional<ElementType> type = product_type(input(op, 0), kernel);
  if (!type || !is_product_kernel(kernel) || a.empty() || weight.size() != 2 || a.back() != weight[1]) {
    return std::nullopt;
  }
  Operation made{.of = OperationKind::kProduct, .type = *type};
  made.m = volume(std::span(a).first(a.size() - 1));
  made.n = weight[0];
  made.k = weight[1];
  made.batch = 1;
  return checked(made);
}

// Attention.

/// Where an operator has its arguments. `rows_first`: queries are [batch, row, head, element], as the authors' kernels
/// have them, else [batch, head, row, element]. `ragged`: where sequences of several lengths have their places, of
/// which no shape tells the lengths.
struct AttentionArguments {
  bool backward;
  bool rows_first;
  std::size_t causal;
  std::size_t ragged;
};

/// FlashAttention-2 has one kernel for all GPUs since Ampere; cuDNN's and FlashAttention-3's are for some generations.
std::optional<FlashKernel> flash_of(std::string_view kernel, bool backward) {
  const bool is_second = backward ? has_any(kernel, {"flash_bwd_dq_dk_dv"})
                                  : has_any(kernel, {"flash_fwd"}) && !has_any(kernel, {"combine", "sm90"});
  const bool is_newest =
      backward ? has_any(kernel, {"flash_bprop", "flashattnbwd"}) : has_any(kernel, {"flash_fprop", "flashattnfwd"});
  return is_newest   ? std::optional(FlashKernel::kNewest)
         : is_second ? std::optional(FlashKernel::kSecond)
                     : std::nullopt;
}

Found attention(const Operator& op, std::string_view kernel, const AttentionArguments& at) {
  const std::size_t first = at.backward ? 1 : 0;  // behind the gradient
  const Dims& q = input(op, first).dims;
  const Dims& k = input(op, first + 1).dims;
  const std::optional<ElementType> type = element_type(input(op, first).type);
  const std::optional<FlashKernel> flash = flash_of(kernel, at.backward);
  const std::optional<bool> causal = flag_of(input(op, at.causal));
  const bool is_narrow = type == ElementType::kBf16 || type == ElementType::kFp16;
  if (!is_narrow || !flash || !causal || q.size() != 4 || k.size() != 4 || !input(op, at.ragged).dims.empty()) {
    return std::nullopt;
  }
  const std::size_t row = at.rows_first ? 1 : 2;
  const std::size_t head = at.rows_first ? 2 : 1;
  Operation made;
  made.of = at.backward ? OperationKind::kAttentionBackward : OperationKind::kAttention;
  made.causal = *causal;
  made.flash = *flash;
  made.batch = q[0];
  made.heads = q[head];
  made.kv_heads = k[head];
  made.queries = q[row];
  made.keys = k[row];
  made.head_size = q[3];
  if (!at.backward && made.queries == 1) {
    made.of = OperationKind::kAttentionDecode;
    made.queries = 0;
    made.causal = false;
    made.flash = FlashKernel::kNewest;
  }
  return checked(made);
}

template <bool Backward, bool RowsFirst, std::size_t Causal, std::size_t Ragged>
Found attention(const Operator& op, std::string_view kernel) {
  return attention(op, kernel, AttentionArguments{Backward, RowsFirst, Causal, Ragged});
}

// Rows.

/// The elements of a row of a norm: those of its shape, else of its weight, else of the last dimension.
std::uint64_t norm_columns(const Operator& op, std::size_t of, std::size_t shape, std::size_t weight) {
  std::uint64_t columns = 1;
  const std::vector<std::int64_t> sizes = numbers_of(input(op, shape).value).value_or(std::vector<std::int64_t>{});
  for (const std::int64_t size : sizes) {
    columns = volume(std::array{columns, static_cast<std::uint64_t>(std::max<std::int64_t>(0, size))});
  }
  const Dims& dims = input(op, of).dims;
  return !sizes.empty()                    ? columns
         : !input(op, weight).dims.empty() ? volume(input(op, weight).dims)
         : dims.empty()                    ? 0
                                           : dims.back();
}

Found rows_of_norm(const Operator& op, OperationKind of, std::size_t tensor, std::uint64_t columns) {
  const std::uint64_t all = volume(input(op, tensor).dims);
  const std::optional<ElementType> type = element_type(input(op, tensor).type);
  if (!type || input(op, tensor).dims.empty() || columns == 0 || all % columns != 0) {
    return std::nullopt;
  }
  Operation made{.of = of, .type = *type};
  made.rows = all / columns;
  made.columns = columns;
  return checked(made);
}

template <OperationKind Of>
Found norm(const Operator& op, std::string_view kernel) {
  const bool is_main = has_any(kernel, {"layer_norm", "rms_norm"}) && !has_any(kernel, {"grad"});
  return is_main ? rows_of_norm(op, Of, 0, norm_columns(op, 0, 1, 2)) : std::nullopt;
}

/// Element-wise work that moves so many bytes.
Found moving(std::uint64_t bytes) {
  Operation made{.of = OperationKind::kMove};
  made.bytes = bytes;
  return checked(made);
}

/// The gradient of the input reads two tensors and writes one; that of the weights sums over rows.
Found norm_backward(const Operator& op, std::string_view kernel) {
  const Input& x = input(op, 1);
  if (has_any(kernel, {"layer_norm_grad_input"}) && !x.dims.empty()) {
    return moving(volume(std::array{3 * width_of(x.type), volume(x.dims)}));
  }
  Found made = has_any(kernel, {"gammabeta"})
                   ? rows_of_norm(op, OperationKind::kNormWeightGradient, 1, norm_columns(op, 1, 2, 5))
                   : std::nullopt;
  if (made) {
    made->type = {};  // sums are in FP32, whatever the input is
  }
  return made;
}

Found softmax(const Operator& op, std::string_view kernel) {
  const Dims& dims = input(op, 0).dims;
  const bool is_main = has_any(kernel, {"softmax"}) && !has_any(kernel, {"spatial", "backward"});
  return is_main && !dims.empty() ? rows_of_norm(op, OperationKind::kSoftmax, 0, dims.back()) : std::nullopt;
}

Found softmax_backward(const Operator& op, std::string_view kernel) {
  const Input& gradient = input(op, 0);
  const bool is_main = has_any(kernel, {"softmax"}) && !has_any(kernel, {"spatial"}) && !gradient.dims.empty();
  return is_main ? moving(volume(std::array{3 * width_of(gradient.type), volume(gradient.dims)})) : std::nullopt;
}

// Sums.

Found matrix_sum(OperationKind of, const Input& x, std::uint64_t rows, std::uint64_t columns) {
  const std::optional<ElementType> type = element_type(x.type);
  Operation made{.of = of, .type = of == OperationKind::kRowSum ? ElementType{} : type.value_or(ElementType::kFp32)};
  made.rows = rows;
  made.columns = columns;
  return checked(made);
}

/// Which dimensions are summed: those of the list, or all where the operator has none or an empty one. nullopt for a
/// list that was not recorded or cannot be read.
std::optional<std::vector<bool>> summed_dimensions(const Operator& op) {
  const Input& list = input(op, 1);
  const std::optional<std::vector<std::int64_t>> numbers = numbers_of(list.value);
  const bool is_list = list.type == "ScalarList" || list.value.starts_with('[');
  if (!numbers && is_list) {
    return std::nullopt;
  }
  const auto rank = static_cast<std::int64_t>(input(op, 0).dims.size());
  std::vector<bool> is_summed(input(op, 0).dims.size(), !numbers || numbers->empty());
  for (const std::int64_t dim : numbers.value_or(std::vector<std::int64_t>{})) {
    const std::int64_t from_front = dim < 0 ? dim + rank : dim;
    if (from_front < 0 || from_front >= rank) {
      return std::nullopt;
    }
    is_summed[static_cast<std::size_t>(from_front)] = true;
  }
  return is_summed;
}

Found sum(const Operator& op, std::string_view kernel) {
  constexpr std::uint64_t kFewRows = 1024;  // fewer sums or rows: the library's kernels are for many
  const Input& x = input(op, 0);
  const std::uint64_t width = width_of(x.type);
  const std::optional<std::vector<bool>> which = summed_dimensions(op);
  if (!has_any(kernel, {"reduce_kernel"}) || x.dims.empty() || width == 0 || !which) {
    return std::nullopt;
  }
  const std::vector<bool>& is_summed = *which;
  const auto summed = static_cast<std::size_t>(std::ranges::count(is_summed, true));
  const std::size_t kept = x.dims.size() - summed;
  const std::span<const std::uint64_t> dims(x.dims);
  const bool is_trailing =
      std::find(is_summed.begin() + static_cast<std::ptrdiff_t>(kept), is_summed.end(), false) == is_summed.end();
  const bool is_leading = std::find(is_summed.begin(), is_summed.begin() + static_cast<std::ptrdiff_t>(summed),
                                    false) == is_summed.begin() + static_cast<std::ptrdiff_t>(summed);
  if (summed > 0 && kept > 0 && is_trailing && element_type(x.type) == ElementType::kFp32 &&
      volume(dims.first(kept)) >= kFewRows) {
    return matrix_sum(OperationKind::kRowSum, x, volume(dims.first(kept)), volume(dims.subspan(kept)));
  }
  const bool has_type = element_type(x.type).value_or(ElementType::kFp8) != ElementType::kFp8;
  if (summed > 0 && kept > 0 && is_leading && has_type && volume(dims.first(summed)) >= kFewRows) {
    return matrix_sum(OperationKind::kColumnSum, x, volume(dims.first(summed)), volume(dims.subspan(summed)));
  }
  return moving(volume(std::array{width, volume(dims)}));
}

// Element by element.

/// The shape of what tensors of these shapes give together; nothing where they do not go together.
std::optional<Dims> broadcast(const Operator& op, std::size_t tensors) {
  Dims shape;
  for (std::size_t i = 0; i < std::min(tensors, op.inputs.size()); ++i) {
    const Dims& dims = op.inputs[i].dims;
    shape.insert(shape.begin(), dims.size() > shape.size() ? dims.size() - shape.size() : 0, 1);
    for (std::size_t back = 1; back <= dims.size(); ++back) {
      std::uint64_t& size = shape[shape.size() - back];
      const std::uint64_t other = dims[dims.size() - back];
      if (size != other && size != 1 && other != 1) {
        return std::nullopt;
      }
      size = size == 1 ? other : size;
    }
  }
  return shape;
}

bool is_elementwise_kernel(std::string_view kernel) {
  return has_any(kernel, {"elementwise"});
}

/// Bytes that the first `tensors` inputs and one output have, whose type is the widest of them.
Found move_of(const Operator& op, std::size_t tensors) {
  const std::optional<Dims> shape = broadcast(op, tensors);
  std::uint64_t widest = 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < std::min(tensors, op.inputs.size()); ++i) {
    if (op.inputs[i].dims.empty()) {
      continue;  // a number
    }
    const std::uint64_t width = width_of(op.inputs[i].type);
    if (width == 0) {
      return std::nullopt;
    }
    widest = std::max(widest, width);
    bytes += std::min(volume(std::array{width, volume(op.inputs[i].dims)}), application::kMostOperationBytes + 1);
  }
  if (!shape || shape->empty()) {
    return std::nullopt;
  }
  return moving(bytes + std::min(volume(std::array{widest, volume(*shape)}), application::kMostOperationBytes + 1));
}

/// PyTorch reads tensors of different types one element at a time.
template <OperationKind Mixed>
Found two_inputs(const Operator& op, std::string_view kernel) {
  if (!is_elementwise_kernel(kernel)) {
    return std::nullopt;
  }
  const Input& a = input(op, 0);
  const Input& b = input(op, 1);
  const bool is_mixed = a.dims == b.dims && !a.dims.empty() && (a.type == "float") != (b.type == "float") &&
                        width_of(a.type) + width_of(b.type) == 4 + 2;
  if (is_mixed && !op.name.ends_with('_')) {
    Operation made{.of = Mixed};
    made.elements = volume(a.dims);
    return checked(made);
  }
  return move_of(op, 2);
}

template <std::size_t Tensors>
Found elementwise(const Operator& op, std::string_view kernel) {
  return is_elementwise_kernel(kernel) ? move_of(op, Tensors) : std::nullopt;
}

/// The second input goes to the first.
Found copy(const Operator& op, std::string_view kernel) {
  const Input& to = input(op, 0);
  const Input& from = input(op, 1);
  const std::uint64_t width = width_of(from.type);
  if (!is_elementwise_kernel(kernel) || to.dims.empty() || width == 0 || width_of(to.type) == 0) {
    return std::nullopt;
  }
  if (to.type == "float" && width == 2 && to.dims == from.dims) {
    Operation made{.of = OperationKind::kCast};
    made.elements = volume(to.dims);
    return checked(made);
  }
  return move_of(op, 2).has_value() ? moving(volume(std::array{width_of(to.type), volume(to.dims)}) +
                                             volume(std::array{width, volume(from.dims)}))
                                    : std::nullopt;
}

template <OperationKind Of>
Found activation(const Operator& op, std::string_view kernel) {
  const std::optional<ElementType> type = element_type(input(op, 0).type);
  if (!is_elementwise_kernel(kernel) || !type || input(op, 0).dims.empty()) {
    return std::nullopt;
  }
  Operation made{.of = Of, .type = *type};
  made.elements = volume(input(op, 0).dims);
  return checked(made);
}

/// Rows of a table [rows, columns] by numbers.
template <std::size_t Numbers>
Found lookup(const Operator& op, std::string_view kernel) {
  const Input& table = input(op, 0);
  const Input& numbers = input(op, Numbers);
  const std::optional<ElementType> type = element_type(table.type);
  const bool is_main = has_any(kernel, {"indexselect", "gather", "embedding"});
  const bool is_by_rows = Numbers == 1 || input(op, 1).value == "0";
  if (!type || !is_main || !is_by_rows || table.dims.size() != 2 || numbers.dims.empty()) {
    return std::nullopt;
  }
  Operation made{.of = OperationKind::kLookup, .type = *type};
  made.rows = volume(numbers.dims);
  made.columns = table.dims[1];
  made.table = table.dims[0];
  return checked(made);
}

struct Row {
  std::string_view name;
  Found (*read)(const Operator& op, std::string_view kernel);
};

/// Arguments by their places in PyTorch's native_functions.yaml and in flash-attn's flash_attn_interface.py.
constexpr std::array kRows =
    std::to_array<Row>({{"aten::mm", product<0, 1>},
                        {"aten::addmm", product<1, 2>},
                        {"aten::_addmm_activation", product<1, 2>},
                        {"aten::bmm", product<0, 1>},
                        {"aten::baddbmm", product<1, 2>},
                        {"aten::matmul", product<0, 1>},
                        {"aten::_scaled_mm", product<0, 1>},
                        {"aten::mv", matrix_vector<0, 1>},
                        {"aten::addmv", matrix_vector<1, 2>},
                        {"aten::linear", linear},
                        {"aten::_scaled_dot_product_flash_attention", attention<false, false, 4, kNone>},
                        {"aten::_scaled_dot_product_flash_attention_backward", attention<true, false, 11, kNone>},
                        {"aten::_scaled_dot_product_cudnn_attention", attention<false, false, 6, kNone>},
                        {"aten::_scaled_dot_product_cudnn_attention_backward", attention<true, false, 14, kNone>},
                        {"aten::_cudnn_attention_forward", attention<false, false, 10, 4>},
                        {"aten::_flash_attention_forward", attention<false, true, 8, 3>},
                        {"aten::_flash_attention_backward", attention<true, true, 11, 6>},
                        {"flash_attn::_flash_attn_forward", attention<false, true, 5, kNone>},
                        {"flash_attn::_flash_attn_backward", attention<true, true, 11, kNone>},
                        {"aten::native_layer_norm", norm<OperationKind::kLayerNorm>},
                        {"aten::native_layer_norm_backward", norm_backward},
                        {"aten::rms_norm", norm<OperationKind::kRmsNorm>},
                        {"aten::_fused_rms_norm", norm<OperationKind::kRmsNorm>},
                        {"aten::_softmax", softmax},
                        {"aten::_log_softmax", softmax},
                        {"aten::_softmax_backward_data", softmax_backward},
                        {"aten::_log_softmax_backward_data", softmax_backward},
                        {"aten::sum", sum},
                        {"aten::mean", sum},
                        {"aten::add", two_inputs<OperationKind::kMixedAdd>},
                        {"aten::add_", two_inputs<OperationKind::kMixedAdd>},
                        {"aten::mul", two_inputs<OperationKind::kMixedMultiply>},
                        {"aten::mul_", two_inputs<OperationKind::kMixedMultiply>},
                        {"aten::sub", elementwise<2>},
                        {"aten::sub_", elementwise<2>},
                        {"aten::div", elementwise<2>},
                        {"aten::div_", elementwise<2>},
                        {"aten::copy_", copy},
                        {"aten::gelu", activation<OperationKind::kGelu>},
                        {"aten::silu", activation<OperationKind::kSilu>},
                        {"aten::gelu_backward", elementwise<2>},
                        {"aten::silu_backward", elementwise<2>},
                        {"aten::relu", elementwise<1>},
                        {"aten::relu_", elementwise<1>},
                        {"aten::clamp_min", elementwise<1>},
                        {"aten::clamp_min_", elementwise<1>},
                        {"aten::threshold_backward", elementwise<2>},
                        {"aten::tanh", elementwise<1>},
                        {"aten::sigmoid", elementwise<1>},
                        {"aten::pow", elementwise<1>},
                        {"aten::neg", elementwise<1>},
                        {"aten::sqrt", elementwise<1>},
                        {"aten::rsqrt", elementwise<1>},
                        {"aten::embedding", lookup<1>},
                        {"aten::index_select", lookup<2>}});

}  // namespace

bool is_known_operator(std::string_view name) {
  return std::ranges::find(kRows, name, &Row::name) != kRows.end();
}

Found operation_of(const Operator& op, std::string_view kernel) {
  const auto row = std::ranges::find(kRows, std::string_view(op.name), &Row::name);
  if (row == kRows.end()) {
    return std::nullopt;
  }
  std::string plain(kernel);
  std::ranges::transform(plain, plain.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return row->read(op, plain);
}

}  // namespace gpusim::kineto
