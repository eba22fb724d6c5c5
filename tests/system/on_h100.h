// SPDX-License-Identifier: MIT
// Small kernels on the shipped H100: what one run gives, what is said of those that cannot be.
#pragma once

#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/stats/result.h"

#include "tests/system/support.h"

namespace gpusim::test {

[[nodiscard]] inline gpu::SimulateOptions from(CacheState cache) {
  gpu::SimulateOptions options;
  options.cache = cache;
  return options;
}

[[nodiscard]] inline stats::KernelResult on_h100(const std::string& head, const std::string& body,
                                                 const std::vector<arch::Override>& overrides = {},
                                                 const gpu::SimulateOptions& options = from(CacheState::kCold)) {
  return gpu::simulate(shipped("h100", overrides), program(head, body + "EXIT"), options).kernels.at(0);
}

/// What ends the run, or keeps the trace from being loaded; empty when nothing does.
[[nodiscard]] inline std::string failure_on_h100(const std::string& head, const std::string& body) {
  try {
    (void)on_h100(head, body);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// What is said of it when it is loaded.
[[nodiscard]] inline std::string load_failure(const std::string& head, const std::string& body) {
  try {
    (void)program(head, body + "EXIT");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Warp instructions whose opcode begins so.
[[nodiscard]] inline std::uint64_t executed(const stats::KernelResult& kernel, const std::string& opcode) {
  std::uint64_t sum = 0;
  for (const stats::PcResult& pc : kernel.pcs) {
    sum += pc.opcode.starts_with(opcode) ? pc.warp_instructions : 0;
  }
  return sum;
}

/// Warp-cycles that the instructions whose text begins so spent in a state.
[[nodiscard]] inline std::uint64_t waited(const stats::KernelResult& kernel, const std::string& text,
                                          stats::Stall state) {
  std::uint64_t sum = 0;
  for (const stats::PcResult& pc : kernel.pcs) {
    sum += pc.text.starts_with(text) ? pc.stalls[static_cast<std::size_t>(state)] : 0;
  }
  return sum;
}

}  // namespace gpusim::test
