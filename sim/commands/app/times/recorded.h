// SPDX-License-Identifier: MIT
// What a kernel that was recorded on one GPU takes of another one.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::application {
struct Kernel;
}  // namespace gpusim::application
namespace gpusim::run {
struct KernelCost;
}  // namespace gpusim::run

namespace gpusim::app {

/// What the time of a kernel goes with.
enum class ScaleBy : std::uint8_t {
  kTensor,   ///< peak of tensor cores: products, convolutions and attention
  kFp32,     ///< peak without tensor cores: products in FP32
  kFp64,     ///< peak of FP64: products in it
  kDram,     ///< bandwidth of DRAM: what only moves data, as far as the name says
  kNothing,  ///< collectives of NCCL, which wait for other GPUs
};

/// By the kernel's name, as libraries give them.
[[nodiscard]] ScaleBy scale_by(std::string_view name);

/// The time of a kernel recorded on `source`, on `arch`: what is more than a launch goes with the ratio of peaks.
/// Sets `how`, `note` and `ns`.
void scale_recorded(const application::Kernel& kernel, const arch::Arch& source, const arch::Arch& arch,
                    run::KernelCost& cost);

}  // namespace gpusim::app
