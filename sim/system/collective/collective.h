// SPDX-License-Identifier: MIT
// Collectives, what runs them, and what they move, in the terms of nccl-tests.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/model/arch/words.h"

namespace gpusim::collective {

enum class Collective : std::uint8_t {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kBroadcast,
  kReduce,
  kAllToAll,
  kSendReceive
};
/// kPairs: every two GPUs that have something for each other send it directly. Library::kCustom has the others.
/// kOneShot: each GPU reads all data of all others. kTwoShot: each reads and adds its part of all others' data, and
/// then their sums.
enum class Algorithm : std::uint8_t { kRing, kTree, kNvls, kPairs, kOneShot, kTwoShot };
/// kCustom: all-reduces of few bytes by a kernel of the inference framework's own (custom.h), all else by NCCL.
enum class Library : std::uint8_t { kNccl, kCustom };
/// kLl: 4 bytes of data beside 4 of a flag. kLl128: 120 bytes of data in 128.
enum class Protocol : std::uint8_t { kLl, kLl128, kSimple };
/// What calls NCCL: one process for all GPUs (nccl-tests -g 8), one for each of them, or PyTorch.
enum class Launch : std::uint8_t { kOneProcess, kProcessPerGpu, kFramework };

/// Whether it is an algorithm of Library::kCustom, not NCCL's.
[[nodiscard]] constexpr bool is_custom(Algorithm algorithm) {
  return algorithm == Algorithm::kOneShot || algorithm == Algorithm::kTwoShot;
}

/// Ratio of bus bandwidth to algorithm bandwidth of `gpus` GPUs.
[[nodiscard]] double bus_factor(Collective of, std::uint32_t gpus);

/// Steps of a ring: how often a byte is passed on before the last GPU is done.
[[nodiscard]] std::uint32_t ring_steps(Collective of, std::uint32_t gpus);

/// Bytes that the busiest GPU puts on its links for a collective of `bytes`, flags of the protocol included. With NVLS
/// the switches add, so each GPU sends its data once and its share of the result once. In one shot all others read all
/// of its data.
[[nodiscard]] double wire_bytes(Collective of, Algorithm algorithm, Protocol protocol, std::uint32_t gpus,
                                std::uint64_t bytes);

}  // namespace gpusim::collective

namespace gpusim::arch {

/// The names of this program first, then those of nccl-tests.
template <>
inline constexpr auto kWords<collective::Collective> =
    std::to_array<Word<collective::Collective>>({{"all-reduce", collective::Collective::kAllReduce},
                                                 {"all-gather", collective::Collective::kAllGather},
                                                 {"reduce-scatter", collective::Collective::kReduceScatter},
                                                 {"broadcast", collective::Collective::kBroadcast},
                                                 {"reduce", collective::Collective::kReduce},
                                                 {"all-to-all", collective::Collective::kAllToAll},
                                                 {"send-receive", collective::Collective::kSendReceive},
                                                 {"all_reduce", collective::Collective::kAllReduce},
                                                 {"all_gather", collective::Collective::kAllGather},
                                                 {"reduce_scatter", collective::Collective::kReduceScatter},
                                                 {"alltoall", collective::Collective::kAllToAll},
                                                 {"sendrecv", collective::Collective::kSendReceive}});
template <>
inline constexpr auto kWords<collective::Algorithm> =
    std::to_array<Word<collective::Algorithm>>({{"ring", collective::Algorithm::kRing},
                                                {"tree", collective::Algorithm::kTree},
                                                {"nvls", collective::Algorithm::kNvls},
                                                {"pairs", collective::Algorithm::kPairs},
                                                {"one-shot", collective::Algorithm::kOneShot},
                                                {"two-shot", collective::Algorithm::kTwoShot}});
template <>
inline constexpr auto kWords<collective::Library> = std::to_array<Word<collective::Library>>(
    {{"nccl", collective::Library::kNccl}, {"custom", collective::Library::kCustom}});
template <>
inline constexpr auto kWords<collective::Protocol> =
    std::to_array<Word<collective::Protocol>>({{"ll", collective::Protocol::kLl},
                                               {"ll128", collective::Protocol::kLl128},
                                               {"simple", collective::Protocol::kSimple}});
template <>
inline constexpr auto kWords<collective::Launch> =
    std::to_array<Word<collective::Launch>>({{"one-process", collective::Launch::kOneProcess},
                                             {"process-per-gpu", collective::Launch::kProcessPerGpu},
                                             {"pytorch", collective::Launch::kFramework}});

}  // namespace gpusim::arch
