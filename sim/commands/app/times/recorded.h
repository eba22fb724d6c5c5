// SPDX-License-Identifier: MIT
// What a kernel that was recorded on one GPU takes of another one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/generate/kernels.h"

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::application {
struct Application;
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

/// By index of the kernel: whether its time on another GPU is worth a simulation. Those are of the operations that take
/// most of all recorded time, until 95 % of that of all operations or 64 operations. The others go with peaks.
[[nodiscard]] std::vector<bool> worth_simulating(const application::Application& application);

/// What stands for an operation on a GPU: a kernel of the library, or the roofline where it has none.
struct StandIn {
  std::string kernel;  ///< its name; empty: the roofline
  const run::KernelCost& cost;
};

/// The time of a kernel recorded on one GPU, on another: it goes with that of the library's kernels, `there` on the
/// first and `here` on the other. What the kernel takes of the GPU is what the one here takes. `cost` is that of
/// scale_recorded() before.
void carry_recorded(const application::Kernel& kernel, const StandIn& there, const StandIn& here,
                    run::KernelCost& cost);

}  // namespace gpusim::app
