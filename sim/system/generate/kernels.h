// SPDX-License-Identifier: MIT
// Which kernel of the library stands for an operation of a framework, at its real shape.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "sim/system/application/application.h"
#include "sim/system/generate/request.h"

namespace gpusim::generate {

/// How a kernel's time is found, and the FLOPs that count for MFU.
struct KernelForm {
  std::variant<application::Simulated, application::Roofline> how;
  double flops = 0;
  std::optional<application::Simulated> then = std::nullopt;  ///< launched behind: the sum of a product's parts
};

/// The form of a kernel that finds nothing of what it reads in L2.
[[nodiscard]] KernelForm from_cold_caches(KernelForm form);

/// Element-wise work that moves so many bytes to and from memory: a copy of as many.
[[nodiscard]] KernelForm moving(double bytes);

/// What an element-wise kernel of tensors of different types computes; its result is FP32.
enum class Mixed : std::uint8_t { kCast, kAdd, kMultiply };
/// PyTorch reads such tensors one element at a time, and goes through a switch over types for each.
[[nodiscard]] KernelForm mixed(Mixed function, double elements);

/// An element-wise kernel of arrays that lie with strides, or of which one value serves many elements: PyTorch divides
/// to find the place of each element.
enum class Strided : std::uint8_t {
  kMultiply,  ///< heads times one row for all heads
  kAdd,       ///< two layouts
  kNegate,    ///< the upper half of each head: half as many elements
  kRepeat,    ///< heads of keys, copied for their groups of queries; `heads` counts the copies
  kWeight,    ///< rows times one row
  kScale,     ///< rows times one value per row
};
struct StridedShape {
  std::uint64_t tokens = 1;
  std::uint64_t heads = 1;
  std::uint64_t head_size = 128;
  std::uint64_t groups = 1;  ///< groups of kRepeat
};
/// `precision`: kBf16, else FP32.
[[nodiscard]] KernelForm strided(Strided function, const StridedShape& shape, Precision precision);

/// Two arrays joined row by row, as torch.cat does it: so many elements of each row from the first and from the second.
[[nodiscard]] KernelForm concatenation(const Target& target, std::uint64_t rows, std::uint64_t first,
                                       std::uint64_t second, Precision precision);

/// Means of the rows of an FP32 matrix.
[[nodiscard]] KernelForm row_mean(std::uint64_t rows, std::uint64_t columns);

/// SiLU of so many elements, with a division of its own.
[[nodiscard]] KernelForm silu(double elements, Precision precision);

/// GELU of so many elements, with the error function: PyTorch's default.
[[nodiscard]] KernelForm gelu(double elements, Precision precision);

/// Softmax or log-softmax of rows, as PyTorch's kernels do it.
[[nodiscard]] KernelForm softmax(std::uint64_t rows, std::uint64_t columns, Precision precision);

/// So many rows of a table with `table` rows, copied by their numbers, as an embedding does.
[[nodiscard]] KernelForm lookup(std::uint64_t rows, std::uint64_t columns, std::uint64_t table, Precision precision);

/// Sums of the columns of a matrix of BF16 or FP32, as the gradient of a bias.
[[nodiscard]] KernelForm column_sum(const Target& target, std::uint64_t rows, std::uint64_t columns,
                                    Precision precision);

/// Gradients of a layer norm's weights, in FP32.
[[nodiscard]] KernelForm norm_weight_gradient(std::uint64_t rows, std::uint64_t columns);

/// D = A B of m x k and k x n. A product whose rows are not whole 16 bytes has no fast kernel on tensor
/// cores, as in cuBLAS.
[[nodiscard]] KernelForm product(const Target& target, Precision precision, std::uint64_t m, std::uint64_t n,
                                 std::uint64_t k);

/// Whether libraries of 2023 launched other kernels for products than those of 2025: on Hopper.
[[nodiscard]] bool differs_by_year(const Target& target);

/// `count` such products side by side, as those of the heads of attention. In FP32, and before Ampere, the time is by
/// the roofline.
[[nodiscard]] KernelForm batched_product(const Target& target, Precision precision, std::uint64_t count,
                                         std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// A product of FP8 with results in BF16; the roofline where the library has no such kernel for the GPU.
[[nodiscard]] KernelForm fp8_product(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k);

/// Fused attention.
struct AttentionShape {
  std::uint64_t batch = 1;
  std::uint64_t heads = 1;
  std::uint64_t kv_heads = 1;
  std::uint64_t head_size = 128;
  std::uint64_t sequence = 1;
  bool causal = true;
  std::uint64_t keys = 0;  ///< tokens that are attended to, in the forward pass; 0: `sequence`
};
/// The versions of FlashAttention: the newest that the GPU has, or one of those before on every GPU.
enum class Flash : std::uint8_t { kNewest, kFirst, kSecond };
[[nodiscard]] KernelForm attention(const Target& target, const AttentionShape& shape, Flash version = Flash::kNewest);
/// Since Ampere. GPUs before have attention product by product.
[[nodiscard]] bool has_flash_attention(const Target& target);
/// Whether tensor cores multiply BF16: since Ampere. On GPUs before, its products are those of FP16.
[[nodiscard]] bool has_bf16(const Target& target);
/// Whether a training step has attention product by product, and so keeps the scores: asked for, or all that the GPU
/// has.
[[nodiscard]] bool keeps_scores(const Request& request);
/// The newest is the second one. The roofline on GPUs whose SMs are too small for the CTAs of the library's kernel.
[[nodiscard]] KernelForm attention_backward(const Target& target, const AttentionShape& shape,
                                            Flash version = Flash::kNewest);
/// Attention of 32 bits, also with products in TF32, forward or backward: PyTorch's memory-efficient kernels, on GPUs
/// that have fused attention here.
[[nodiscard]] KernelForm wide_attention(const AttentionShape& shape, bool backward);
/// One query a sequence, `sequence` tokens in the cache.
[[nodiscard]] KernelForm attention_decode(const AttentionShape& shape);

/// An element-wise kernel or a sum that moves so many bytes. Its threads have so many instructions in all, which may
/// take the lanes of the SMs longer.
[[nodiscard]] KernelForm calculating(const Target& target, double bytes, double instructions);

/// The optimizer's kernel, which reads weights, gradients and two moments, and writes all but the gradients: so many
/// bytes together.
[[nodiscard]] KernelForm fused_adam(const Target& target, double bytes);

[[nodiscard]] KernelForm layer_norm(std::uint64_t rows, std::uint64_t columns, bool centre, Precision precision);
/// The residual sum and the norm of it in one kernel, whose rows stay in registers, as a compiler makes it.
[[nodiscard]] KernelForm added_norm(std::uint64_t rows, std::uint64_t columns, bool centre, Precision precision);

}  // namespace gpusim::generate
