// SPDX-License-Identifier: MIT
// One kernel's trace file to a kernel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "sim/input/accelsim/byte_source.h"

namespace gpusim::trace {
struct Kernel;
class WarpSink;
}  // namespace gpusim::trace

namespace gpusim::frontend::accelsim {

class Warnings;

/// Reads the file twice: once for its program and for everything that may be wrong with it, once for its behaviour; and
/// more often where CTAs are not in order and their behaviour is large.
class KernelReader {
 public:
  explicit KernelReader(std::filesystem::path path, OnBytes on_bytes = {});
  ~KernelReader();
  KernelReader(const KernelReader&) = delete;
  KernelReader& operator=(const KernelReader&) = delete;

  /// The kernel without its behaviour. Throws InputError.
  [[nodiscard]] const trace::Kernel& survey(Warnings& warnings);
  /// After survey(): what its warps do, CTA after CTA in the order of their numbers.
  void record(trace::WarpSink& sink) { record(sink, kMostSortedBytes); }
  /// What is put into order at once takes at most so much memory, or is one CTA.
  void record(trace::WarpSink& sink, std::size_t most_sorted_bytes);

 private:
  static constexpr std::size_t kMostSortedBytes = 64 << 20;

  struct State;
  void record(std::uint64_t begin, std::uint64_t end, trace::WarpSink& sink);
  /// As record(), of CTAs that come in another order; false when they take too much memory.
  [[nodiscard]] bool sort(std::uint64_t begin, std::uint64_t end, std::size_t most_bytes, trace::WarpSink& sink);

  std::filesystem::path path_;
  OnBytes on_bytes_;
  std::unique_ptr<State> state_;
};

}  // namespace gpusim::frontend::accelsim
