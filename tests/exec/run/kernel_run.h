// SPDX-License-Identifier: MIT
// A compiled kernel of data/ with buffers, launched and run.
#pragma once

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "sim/base/problem.h"
#include "sim/exec/memory/global_port.h"
#include "sim/exec/run/make_image.h"
#include "sim/exec/run/run_grid.h"

namespace gpusim::exec {

class KernelRun {
 public:
  /// `folder`: of the cubin, in the source tree.
  explicit KernelRun(const std::string& cubin, const std::string& folder = "tests/exec/run/data")
      : module_(cubin::read_cubin(bytes_of(folder, cubin), cubin)), loaded_(module_, memory_) {}

  template <class T>
  Address buffer(const std::string& name, const std::vector<T>& content) {
    const Address address = memory_.allocate(name, content.size() * sizeof(T));
    memory_.write(address, std::as_bytes(std::span(content)));
    return address;
  }
  template <class T>
  std::vector<T> content(Address address, std::size_t count) const {
    std::vector<T> values(count);
    memory_.read(address, std::as_writable_bytes(std::span(values)));
    return values;
  }

  [[nodiscard]] const cubin::Function& function(const std::string& kernel) const {
    for (const cubin::Function& function : module_.functions) {
      if (cubin::short_name(function.name) == kernel) {
        return function;
      }
    }
    throw std::runtime_error("no kernel " + kernel);
  }

  template <class... Parameters>
  [[nodiscard]] Image image(const std::string& kernel, Dim3 grid, Dim3 block, Parameters... parameters) const {
    const cubin::Function& code = function(kernel);
    Launch launch = launch_;
    launch.grid = grid;
    launch.block = block;
    launch.parameters.resize(code.parameter_bytes);
    std::size_t ordinal = 0;
    (put(launch, code.parameters.at(ordinal++), parameters), ...);
    return make_image(loaded_, code, launch);
  }
  template <class... Parameters>
  RunCounts run(const std::string& kernel, Dim3 grid, Dim3 block, Parameters... parameters) {
    const Image made = image(kernel, grid, block, parameters...);
    DirectPort port(memory_);
    return run_grid(made, port, limits_);
  }

  [[nodiscard]] GlobalMemory& memory() { return memory_; }
  [[nodiscard]] RunLimits& limits() { return limits_; }
  /// What every launch has beside grid, block and parameters.
  [[nodiscard]] Launch& launch() { return launch_; }

 private:
  template <class T>
  static void put(Launch& launch, const cubin::Parameter& parameter, T value) {
    if (parameter.size != sizeof value) {
      throw std::runtime_error("parameter " + std::to_string(parameter.ordinal) + " has another size");
    }
    std::memcpy(launch.parameters.data() + parameter.offset, &value, sizeof value);
  }
  static std::string bytes_of(const std::string& folder, const std::string& name) {
    std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  cubin::Module module_;
  GlobalMemory memory_;
  LoadedModule loaded_;
  RunLimits limits_;
  Launch launch_;
};

/// Deterministic numbers, some of them negative.
inline std::vector<float> floats(std::size_t count, std::uint32_t seed) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<float>(static_cast<std::int32_t>(seed >> 8U) - (1 << 23)) / static_cast<float>(1 << 20);
  }
  return values;
}

/// The text of the exception that `work` throws; empty when there is none.
inline std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace gpusim::exec
