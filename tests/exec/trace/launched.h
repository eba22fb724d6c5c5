// SPDX-License-Identifier: MIT
// Kernels of data/walked.cubin, launched: buffers are filled, the kernel is simulated, what is in memory comes back.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/code/cubin/module.h"
#include "sim/exec/core/launch.h"
#include "sim/exec/run/make_image.h"
#include "sim/exec/trace/executable.h"
#include "sim/exec/trace/held_memory.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/stats/result.h"
#include "sim/model/trace/trace.h"

namespace gpusim::test {

inline std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

inline const cubin::Module& walked_module() {
  static const cubin::Module module =
      cubin::read_cubin(file_bytes(GPUSIM_SOURCE_DIR "/tests/exec/trace/data/walked.cubin"), "walked.cubin");
  return module;
}

/// A shipped architecture with fewer SMs would be another one: tests use it as it is.
inline const arch::Arch& a100() {
  static const arch::Arch arch = arch::load_arch(GPUSIM_SOURCE_DIR "/configs/a100.yaml", {});
  return arch;
}

class Launched {
 public:
  explicit Launched(std::string kernel) : kernel_(std::move(kernel)), loaded_(walked_module(), memory_) {}

  template <class T>
  Launched& buffer(const std::string& name, const std::vector<T>& values) {
    const Address address = memory_.allocate(name, values.size() * sizeof(T));
    memory_.write(address, std::as_bytes(std::span(values)));
    return value(address);
  }
  template <class T>
  Launched& value(T value) {
    parameters_.resize((parameters_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T) + sizeof(T));
    std::memcpy(parameters_.data() + parameters_.size() - sizeof(T), &value, sizeof(T));
    return *this;
  }
  /// The only launch: the memory goes into the trace.
  trace::Trace trace(Dim3 grid, Dim3 block) {
    exec::Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.parameters = parameters_;
    const cubin::Function& function = this->function();
    auto image = std::make_shared<const exec::Image>(exec::make_image(loaded_, function, launch));
    auto memory = std::make_shared<const exec::HeldMemory>(std::move(memory_));
    trace::Trace trace;
    trace.origin = TraceOrigin::kCompiled;
    trace.kernels.push_back(exec::make_kernel(std::move(image), walked_module(), function, std::move(memory)));
    return trace;
  }

 private:
  [[nodiscard]] const cubin::Function& function() const {
    for (const cubin::Function& function : walked_module().functions) {
      if (function.name == kernel_) {
        return function;
      }
    }
    throw std::invalid_argument(kernel_);
  }

  std::string kernel_;
  exec::GlobalMemory memory_;
  exec::LoadedModule loaded_;
  std::vector<std::byte> parameters_;
};

/// A simulation and what memory holds after it.
struct Simulated {
  stats::Result result;
  std::vector<std::pair<std::string, std::string>> buffers;  ///< names and bytes

  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& name) const {
    for (const auto& [buffer, bytes] : buffers) {
      if (buffer == name) {
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
      }
    }
    throw std::invalid_argument(name);
  }
};

inline Simulated simulate(const arch::Arch& arch, const trace::Trace& trace, gpu::SimulateOptions options = {}) {
  Simulated simulated;
  options.take_memory = [&simulated](const std::unique_ptr<trace::DeviceMemory>& memory) {
    for (const auto& buffer : exec::global_memory_of(*memory).buffers()) {
      simulated.buffers.emplace_back(buffer->name(),
                                     std::string(reinterpret_cast<const char*>(buffer->data()), buffer->size()));
    }
  };
  simulated.result = gpu::simulate(arch, trace, options);
  return simulated;
}

}  // namespace gpusim::test
