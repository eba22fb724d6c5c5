// SPDX-License-Identifier: MIT
// What a GPU offers to PyTorch: its memory as the driver reports it, less what CUDA and NCCL keep.
#pragma once

#include <cstdint>

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch

namespace gpusim::memory {

struct Offer {
  std::uint64_t total = 0;    ///< as torch.cuda.get_device_properties() and messages of PyTorch have it
  std::uint64_t context = 0;  ///< CUDA's context with the code of libraries
  std::uint64_t nccl = 0;     ///< buffers of communicators
  [[nodiscard]] std::uint64_t left() const { return total < context + nccl ? 0 : total - context - nccl; }
};
[[nodiscard]] Offer offer_of(const arch::Arch& arch, std::uint64_t gpus);

/// Bytes of the workspace that PyTorch makes for cuBLAS, for each thread that calls it (PyTorch 2, CUDABlas.cpp).
[[nodiscard]] std::uint64_t workspace_of(const arch::Arch& arch);

}  // namespace gpusim::memory
