// SPDX-License-Identifier: MIT
// What an application is to be generated for.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/arch/words.h"
#include "sim/system/collective/collective.h"
#include "sim/system/memory/plan.h"
#include "sim/system/models/model.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::generate {

/// kBf16 and kFp16: mixed precision in training (autocast, weights in FP32; with FSDP all operations read BF16, since
/// weights are cast when they are gathered), weights of that type in inference.
enum class Precision : std::uint8_t { kFp32, kTf32, kBf16, kFp16 };
/// How a framework launches: operator by operator, fused by a compiler, all in one CUDA graph, or both.
enum class Mode : std::uint8_t { kEager, kCompiled, kGraph, kCompiledGraph };
[[nodiscard]] constexpr bool is_compiled(Mode mode) {
  return mode == Mode::kCompiled || mode == Mode::kCompiledGraph;
}
[[nodiscard]] constexpr bool is_one_graph(Mode mode) {
  return mode == Mode::kGraph || mode == Mode::kCompiledGraph;
}
/// kFull: a layer's forward pass is done again in the backward pass. kSelective: its cheap part, as memory::Recompute
/// says.
enum class Recompute : std::uint8_t { kNone, kSelective, kFull };
/// What data-parallel GPUs share. kData: nothing; gradients are summed in buckets while the backward pass goes on.
/// kZero1: the optimizer's states; gradients are scattered, and updated weights gathered. kZero2: gradients as well.
/// kFsdp: weights as well, which are gathered for each layer (ZeRO-3).
enum class Parallel : std::uint8_t { kData, kZero1, kZero2, kFsdp };
/// Which weights FSDP gathers ahead of a layer's backward pass: those of the next, or none. In the forward pass a
/// layer's weights are gathered when the CPU comes to it.
enum class Prefetch : std::uint8_t { kNone, kBackward };
/// In training. kFlash: the fused kernels that PyTorch 2.11 has for the GPU. kFlash1: the first FlashAttention, as
/// Triton compiled it for llm-foundry, with a bias for each key. kFlash2: FlashAttention-2 on every GPU. kScores:
/// product by product.
enum class Attention : std::uint8_t { kFlash, kFlash1, kFlash2, kScores };
/// How images lie in memory: the channels of a pixel together (NHWC), or the pixels of a channel (NCHW, PyTorch's
/// default).
enum class Layout : std::uint8_t { kChannelsLast, kChannelsFirst };

/// The year of the libraries that multiply matrices. k2023: cuBLAS of CUDA 12.0 to 12.2. They differ on Hopper.
enum class Libraries : std::uint8_t { k2023, k2025 };

/// The GPU and its libraries, as far as they decide which kernels run.
struct Target {
  std::uint32_t sms = 132;
  std::string compute_capability = "9.0";
  std::uint64_t workspace_bytes = 0;  ///< workspace of cuBLAS
  double product_clock = 1;           ///< product_clock_of(), at most 1
  Libraries libraries = Libraries::k2025;
  double dram = 3.35e12;  ///< peak, bytes a second
};
/// What the power limit leaves large FP16 products on tensor cores of the boost clock, relative to an H100's.
[[nodiscard]] double product_clock_of(const arch::Arch& arch);
[[nodiscard]] Target target_on(const arch::Arch& arch);

struct Request {
  models::Transformer model;
  std::string model_name;
  Target target;
  std::uint64_t batch = 1;     ///< sequences on each GPU
  std::uint64_t sequence = 1;  ///< tokens of each; in a decode step those in the cache
  Precision precision = Precision::kBf16;
  bool fp16 = false;  ///< with kBf16: FP16 in place of BF16, whose kernels take as long
  bool pure = false;  ///< with kBf16, in training: weights, gradients and the optimizer's states in BF16, too
  /// With kBf16: products of layers read FP8; in training as with Transformer Engine, in inference weights are FP8.
  bool fp8 = false;
  Mode mode = Mode::kEager;
  Recompute recompute = Recompute::kNone;
  Attention attention = Attention::kFlash;
  memory::LossKernel loss = memory::LossKernel::kOperations;    ///< in training
  memory::Optimizer optimizer = memory::Optimizer::kAdamFused;  ///< in training: kAdamFused or kAdam
  bool clips_gradients = false;                                 ///< in training: by the norm of all
  std::uint64_t predictions = 0;    ///< in training: tokens of a sequence that a masked head gets; 0: all
  std::uint64_t train_metrics = 0;  ///< in training: cross entropies of the logits that are taken for a log
  Parallel parallel = Parallel::kData;
  Prefetch prefetch = Prefetch::kBackward;
  std::uint32_t gpus = 1;
  std::uint32_t tensor = 1;        ///< GPUs that share each layer: heads, the MLP, the vocabulary
  bool sequence_parallel = false;  ///< they share norms and residual sums as well, by tokens
  collective::Library all_reduce = collective::Library::kNccl;  ///< what adds what they have of a layer's results
  std::uint32_t pipeline = 1;                                   ///< stages
  std::uint64_t micro_batches = 1;  ///< micro-batches of `batch`, before each optimizer step
  bool dropout = true;              ///< where the model has it
  double operator_ns = 9'000;       ///< CPU time of the framework for each kernel, besides the launch
  [[nodiscard]] std::uint32_t data() const { return gpus / (tensor * pipeline); }
};

/// A step of a residual network.
struct ImageRequest {
  models::ResNet model;
  std::string model_name;
  Target target;
  std::uint64_t batch = 1;                 ///< images on each GPU
  Precision precision = Precision::kBf16;  ///< kBf16 and kFp16: mixed precision, in inference too
  Layout layout = Layout::kChannelsLast;
  Mode mode = Mode::kEager;
  std::uint32_t gpus = 1;  ///< in training: data parallel
  double operator_ns = 9'000;
};

}  // namespace gpusim::generate

namespace gpusim::arch {

template <>
inline constexpr auto kWords<generate::Precision> =
    std::to_array<Word<generate::Precision>>({{"fp32", generate::Precision::kFp32},
                                              {"tf32", generate::Precision::kTf32},
                                              {"bf16", generate::Precision::kBf16},
                                              {"fp16", generate::Precision::kFp16}});
template <>
inline constexpr auto kWords<generate::Mode> =
    std::to_array<Word<generate::Mode>>({{"eager", generate::Mode::kEager},
                                         {"compiled", generate::Mode::kCompiled},
                                         {"graph", generate::Mode::kGraph},
                                         {"compiled-graph", generate::Mode::kCompiledGraph}});
template <>
inline constexpr auto kWords<generate::Recompute> =
    std::to_array<Word<generate::Recompute>>({{"none", generate::Recompute::kNone},
                                              {"selective", generate::Recompute::kSelective},
                                              {"full", generate::Recompute::kFull}});
template <>
inline constexpr auto kWords<generate::Parallel> =
    std::to_array<Word<generate::Parallel>>({{"data", generate::Parallel::kData},
                                             {"zero1", generate::Parallel::kZero1},
                                             {"zero2", generate::Parallel::kZero2},
                                             {"fsdp", generate::Parallel::kFsdp},
                                             {"zero3", generate::Parallel::kFsdp}});
template <>
inline constexpr auto kWords<generate::Prefetch> = std::to_array<Word<generate::Prefetch>>(
    {{"none", generate::Prefetch::kNone}, {"backward", generate::Prefetch::kBackward}});
template <>
inline constexpr auto kWords<generate::Attention> =
    std::to_array<Word<generate::Attention>>({{"flash", generate::Attention::kFlash},
                                              {"flash1", generate::Attention::kFlash1},
                                              {"flash2", generate::Attention::kFlash2},
                                              {"scores", generate::Attention::kScores}});
template <>
inline constexpr auto kWords<generate::Libraries> = std::to_array<Word<generate::Libraries>>(
    {{"2023", generate::Libraries::k2023}, {"2025", generate::Libraries::k2025}});
template <>
inline constexpr auto kWords<generate::Layout> = std::to_array<Word<generate::Layout>>(
    {{"channels-last", generate::Layout::kChannelsLast}, {"channels-first", generate::Layout::kChannelsFirst}});

}  // namespace gpusim::arch
