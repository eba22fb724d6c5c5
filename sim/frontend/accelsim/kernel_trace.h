// SPDX-License-Identifier: MIT
// One kernel's trace file to a kernel.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/frontend/accelsim/line_source.h"
#include "sim/trace/kernel.h"
#include "sim/trace/recorded.h"

namespace gpusim::frontend::accelsim {

/// Reads the file twice: once for its program and for everything that may be wrong with it, once for its behaviour.
class KernelReader {
 public:
  explicit KernelReader(std::filesystem::path path, OnBytes on_bytes = {});
  ~KernelReader();
  KernelReader(const KernelReader&) = delete;
  KernelReader& operator=(const KernelReader&) = delete;

  /// The kernel without its behaviour. Throws InputError; appends warnings without duplicates.
  [[nodiscard]] const trace::Kernel& survey(std::vector<std::string>& warnings);
  /// After survey(): what its warps do, CTA after CTA.
  void record(trace::WarpSink& sink);

 private:
  struct State;
  std::filesystem::path path_;
  OnBytes on_bytes_;
  std::unique_ptr<State> state_;
};

}  // namespace gpusim::frontend::accelsim
