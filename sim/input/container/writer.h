// SPDX-License-Identifier: MIT
// Writes a container, a kernel after the other, in memory that does not grow with the number of CTAs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "sim/model/trace/recorded.h"

namespace gpusim::trace {
struct Kernel;
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::container {

class Writer {
 public:
  /// Opens a temporary file beside `path`. Throws InputError when it cannot be written, as everything below does.
  explicit Writer(const std::filesystem::path& path);
  /// Removes the temporary file when finish() was not reached.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Begins a kernel, whose own behaviour is not looked at, and takes what its warps do: a CTA never comes before one
  /// with a lower number. `kernel` must live until end_kernel().
  [[nodiscard]] trace::WarpSink& begin_kernel(const trace::Kernel& kernel);
  /// The kernel's number, from 0. It is launched once.
  std::uint32_t end_kernel();
  /// A kernel that is there already is launched once more.
  void launch_again(std::uint32_t number);
  /// Writes what concerns all kernels (not the kernels of `trace`) and moves the file to its place.
  void finish(const trace::Trace& trace);

 private:
  class Output;
  class KernelRecorder;
  std::unique_ptr<Output> out_;
  std::unique_ptr<KernelRecorder> kernel_;  ///< while one is open
};

/// Everything of a trace, however its kernels' behaviour is given.
void write(const trace::Trace& trace, const std::filesystem::path& path);

}  // namespace gpusim::container
