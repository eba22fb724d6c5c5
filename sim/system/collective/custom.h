// SPDX-License-Identifier: MIT
// All-reduces of few bytes as inference frameworks run them: by a kernel of their own, in which each GPU reads the
// memory of the others over NVLink. The choice and the rates are those of vLLM's custom all-reduce, the latency is that
// of TensorRT-LLM's kernel in SGLang; PyTorch's is like them. NCCL hands data on from GPU to GPU, so it takes longer
// for few bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/system/collective/nccl.h"

namespace gpusim::collective {

/// What the kernel works with. `rate`: bytes a second, each way, that copies over a GPU's NVLinks reach; 0 where two of
/// the GPUs are not connected so.
struct Peers {
  std::uint32_t gpus = 2;
  double rate = 0;
};

/// How vLLM runs an all-reduce of `bytes` (csrc/custom_all_reduce.cuh), in the way that is wanted or else in the one
/// that it chooses. Nothing where it leaves it to NCCL: for other numbers of GPUs than 2, 4, 6 and 8, without NVLink
/// between each two of them, from 8 MiB on, and for bytes that 16 does not divide. Two GPUs that reach each other
/// over PCIe run it in vLLM, too; that is not modelled. The time has no launch of the CPU.
[[nodiscard]] std::optional<Choice> custom_all_reduce(const Peers& peers, std::uint64_t bytes,
                                                      std::optional<Algorithm> algorithm);

}  // namespace gpusim::collective
