// SPDX-License-Identifier: MIT
// How a model is trained or used: what decides what it keeps in memory. Plain values.
#pragma once

#include <cstdint>

#include "sim/model/arch/words.h"

namespace gpusim::memory {

/// kBf16: weights in FP32, products in BF16 by autocast. kBf16Pure: everything in BF16. kBf16Master: weights in BF16,
/// gradients and a master copy in FP32, as Megatron trains. kFp8: the same with inputs and weights of products in FP8.
enum class Precision : std::uint8_t { kFp32, kTf32, kBf16, kBf16Pure, kBf16Master, kFp8 };
/// Selective: the scores of attention, as Megatron does; with FlashAttention, which keeps no scores, everything but the
/// outputs of attention and of every second product, as torchtitan does. Full: a layer keeps its input alone.
enum class Recompute : std::uint8_t { kNone, kSelective, kFull };
/// Fused: without temporaries of the size of the model. Adam and AdamW keep the same.
enum class Optimizer : std::uint8_t { kSgd, kMomentum, kAdam, kAdamFused, kAdam8Bit };
/// What data-parallel GPUs share: nothing, optimizer states, also gradients, also weights.
enum class Shard : std::uint8_t { kDdp, kZero1, kZero2, kZero3 };
/// kLora: adapters beside weights that stay as they are, in BF16; kQlora: in 4 bits.
enum class Tuning : std::uint8_t { kFull, kLora, kQlora };
enum class AttentionKernel : std::uint8_t { kFlash, kScores };
/// kOperations: a cast to FP32, a log-softmax and the mean of the labels' values, each with its output. kFused: one
/// kernel that reads the logits as they are, and writes their gradients over them in the backward pass, as
/// flash-attn's cross entropy does; not where metrics read the logits later.
enum class LossKernel : std::uint8_t { kOperations, kFused };

struct TrainPlan {
  std::uint64_t batch = 1;     ///< sequences (or images) a GPU, of one micro-batch
  std::uint64_t sequence = 0;  ///< tokens
  Precision precision = Precision::kBf16;
  Recompute recompute = Recompute::kNone;
  Optimizer optimizer = Optimizer::kAdamFused;
  AttentionKernel attention = AttentionKernel::kFlash;
  LossKernel loss = LossKernel::kOperations;
  std::uint64_t predictions = 0;    ///< tokens of a sequence that the head gets; 0: all
  std::uint64_t train_metrics = 0;  ///< cross entropies of the logits that are taken for a log, after a backward pass
  Tuning tuning = Tuning::kFull;
  std::uint64_t rank = 16;  ///< rank of adapters
  bool dropout = true;      ///< false: none, whatever the model is trained with
  Shard shard = Shard::kDdp;
  std::uint64_t data = 1;  ///< GPUs by what they do: data parallel, tensor parallel, stages of a pipeline
  std::uint64_t tensor = 1;
  std::uint64_t pipeline = 1;
  bool sequence_parallel = false;     ///< tensor-parallel GPUs share norms and residual sums by tokens
  std::uint64_t workspace_bytes = 0;  ///< workspace of cuBLAS, for each of the two threads that call it
  [[nodiscard]] std::uint64_t gpus() const { return data * tensor * pipeline; }
  friend bool operator==(const TrainPlan&, const TrainPlan&) = default;
};

/// kInt4: with scales, 0.5 bytes and 1/64 of 2 bytes a weight.
enum class WeightFormat : std::uint8_t { kFp32, kBf16, kFp8, kInt4 };

struct InferPlan {
  std::uint64_t batch = 1;    ///< sequences
  std::uint64_t prompt = 0;   ///< tokens of each that are processed at once
  std::uint64_t context = 0;  ///< tokens of each in the cache
  WeightFormat weights = WeightFormat::kBf16;
  std::uint64_t cache_bits = 16;  ///< bits of a key's or value's element
  std::uint64_t tensor = 1;       ///< GPUs that share each layer
  std::uint64_t workspace_bytes = 0;
  friend bool operator==(const InferPlan&, const InferPlan&) = default;
};

}  // namespace gpusim::memory

namespace gpusim::arch {

template <>
inline constexpr auto kWords<memory::Precision> =
    std::to_array<Word<memory::Precision>>({{"fp32", memory::Precision::kFp32},
                                            {"tf32", memory::Precision::kTf32},
                                            {"bf16", memory::Precision::kBf16},
                                            {"bf16-pure", memory::Precision::kBf16Pure},
                                            {"bf16-master", memory::Precision::kBf16Master},
                                            {"fp8", memory::Precision::kFp8}});
template <>
inline constexpr auto kWords<memory::Recompute> =
    std::to_array<Word<memory::Recompute>>({{"none", memory::Recompute::kNone},
                                            {"selective", memory::Recompute::kSelective},
                                            {"full", memory::Recompute::kFull}});
template <>
inline constexpr auto kWords<memory::Optimizer> =
    std::to_array<Word<memory::Optimizer>>({{"sgd", memory::Optimizer::kSgd},
                                            {"sgd-momentum", memory::Optimizer::kMomentum},
                                            {"adamw", memory::Optimizer::kAdam},
                                            {"adam", memory::Optimizer::kAdam},
                                            {"adamw-fused", memory::Optimizer::kAdamFused},
                                            {"adam-fused", memory::Optimizer::kAdamFused},
                                            {"adamw-8bit", memory::Optimizer::kAdam8Bit}});
template <>
inline constexpr auto kWords<memory::Shard> = std::to_array<Word<memory::Shard>>({{"ddp", memory::Shard::kDdp},
                                                                                  {"zero1", memory::Shard::kZero1},
                                                                                  {"zero2", memory::Shard::kZero2},
                                                                                  {"zero3", memory::Shard::kZero3},
                                                                                  {"fsdp", memory::Shard::kZero3}});
template <>
inline constexpr auto kWords<memory::Tuning> = std::to_array<Word<memory::Tuning>>({{"full", memory::Tuning::kFull},
                                                                                    {"lora", memory::Tuning::kLora},
                                                                                    {"qlora", memory::Tuning::kQlora}});
template <>
inline constexpr auto kWords<memory::AttentionKernel> = std::to_array<Word<memory::AttentionKernel>>(
    {{"flash", memory::AttentionKernel::kFlash}, {"scores", memory::AttentionKernel::kScores}});
template <>
inline constexpr auto kWords<memory::LossKernel> = std::to_array<Word<memory::LossKernel>>(
    {{"operations", memory::LossKernel::kOperations}, {"fused", memory::LossKernel::kFused}});
template <>
inline constexpr auto kWords<memory::WeightFormat> =
    std::to_array<Word<memory::WeightFormat>>({{"fp32", memory::WeightFormat::kFp32},
                                               {"bf16", memory::WeightFormat::kBf16},
                                               {"fp8", memory::WeightFormat::kFp8},
                                               {"int4", memory::WeightFormat::kInt4}});

}  // namespace gpusim::arch
