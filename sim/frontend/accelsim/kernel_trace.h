// SPDX-License-Identifier: MIT
// One kernel's trace file to a kernel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/frontend/accelsim/line_source.h"
#include "sim/trace/kernel.h"
#include "sim/trace/recorded.h"

namespace gpusim::frontend::accelsim {

/// Reads the file twice: once for its program and for everything that may be wrong with it, once for its behaviour; and
/// more often where CTAs are not in order and their behaviour is large.
class KernelReader {
 public:
  explicit KernelReader(std::filesystem::path path, OnBytes on_bytes = {});
  ~KernelReader();
  KernelReader(const KernelReader&) = delete;
  KernelReader& operator=(const KernelReader&) = delete;

  /// The kernel without its behaviour. Throws InputError; appends warnings without duplicates.
  [[nodiscard]] const trace::Kernel& survey(std::vector<std::string>& warnings);
  /// After survey(): what its warps do, CTA after CTA in the order of their numbers.
  void record(trace::WarpSink& sink);

 private:
  struct State;
  void record(std::uint64_t begin, std::uint64_t end, trace::WarpSink& sink);
  /// As record(), of CTAs that come in another order; false when they take too much memory.
  [[nodiscard]] bool sort(std::uint64_t begin, std::uint64_t end, trace::WarpSink& sink);

  std::filesystem::path path_;
  OnBytes on_bytes_;
  std::unique_ptr<State> state_;
};

}  // namespace gpusim::frontend::accelsim
