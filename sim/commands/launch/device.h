// SPDX-License-Identifier: MIT
// The memory of the GPU as a plan asks for it: buffers filled, read back, written to files, compared.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/code/array/compare.h"
#include "sim/exec/async/tensor_map.h"
#include "sim/exec/core/launch.h"
#include "sim/exec/trace/held_memory.h"
#include "sim/model/trace/device_memory.h"

namespace gpusim::cubin {
struct Module;
}  // namespace gpusim::cubin
namespace gpusim::exec {
class GlobalMemory;
}  // namespace gpusim::exec
namespace gpusim::launch {
struct Buffer;
struct Launch;
struct MapShape;
struct Plan;
}  // namespace gpusim::launch

namespace gpusim::commands {

struct FoundKernel;

/// An expectation, and what came of it.
struct Checked {
  std::string buffer;
  array::Comparison comparison;
  double tolerance = 0;
};

class Device {
 public:
  /// Gives the buffers their addresses. Throws InputError. The plan must outlive it.
  explicit Device(const launch::Plan& plan);
  /// Gives the buffers their values, once. Throws InputError, also when the host has too little memory for them.
  void fill();

  [[nodiscard]] exec::GlobalMemory& memory() { return memory_->memory(); }
  /// The same, for kernels that begin with a copy of it each time they are simulated.
  [[nodiscard]] std::shared_ptr<const exec::HeldMemory> held() const { return memory_; }
  /// What such a copy holds at the end of a simulation: that is what is written, compared and shown from here on.
  void take_result(std::unique_ptr<trace::DeviceMemory> result) { result_ = std::move(result); }

  /// The kernel's module with its variables; every kernel of a module finds the same ones.
  [[nodiscard]] const exec::LoadedModule& load(const FoundKernel& kernel);
  /// A launch as the executor takes it.
  [[nodiscard]] exec::Launch launch_of(const launch::Launch& launch) const;

  /// Writes the plan's outputs; throws InputError.
  void write_outputs() const;
  /// Compares the plan's expectations, in their order; throws InputError for a file that cannot be read.
  [[nodiscard]] std::vector<Checked> check() const;

  /// "y  f32[1,048,576]  3.5, 1.25, 0.5, 2, ...": a buffer for people.
  [[nodiscard]] std::string buffer_text(std::size_t buffer) const;

 private:
  void fill(const launch::Buffer& buffer, Address address);
  [[nodiscard]] exec::TensorMapBytes tensor_map(std::size_t buffer, const launch::MapShape& shape) const;
  [[nodiscard]] array::View view(std::size_t buffer) const;

  const launch::Plan& plan_;
  bool is_filled_ = false;
  std::shared_ptr<exec::HeldMemory> memory_ = std::make_shared<exec::HeldMemory>();
  std::unique_ptr<trace::DeviceMemory> result_;  ///< null: it is in memory_
  std::vector<Address> addresses_;               ///< addresses of the plan's buffers
  std::map<const cubin::Module*, exec::LoadedModule> modules_;
};

/// Throws InputError when an output cannot be written, or would replace one of the inputs.
void require_writable(const launch::Plan& plan, const std::vector<std::filesystem::path>& inputs);

}  // namespace gpusim::commands
