// SPDX-License-Identifier: MIT
// The mbarriers of a kernel by their names, with the limits that the PTX ISA sets them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/input/text/environment.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::frontend {

/// Owns the arrays of mbarriers of one kernel. Reports arrays that overlap, lie outside shared memory or are declared
/// twice, and a source that names none of them or has no index of theirs.
class Mbarriers {
 public:
  explicit Mbarriers(Environment& names) : names_(names), reporter_(names.reporter()) {}

  void declare(const MbarrierSyntax& syntax, std::uint64_t shared_bytes);
  /// Adds the mbarrier that a source names to what the instruction does.
  void add_source(const AccessSyntax& syntax, trace::DraftAsync& async);
  /// The arrays go to the kernel and the draft.
  void move_to(trace::Kernel& kernel, trace::ProgramDraft& draft);

 private:
  Environment& names_;
  Reporter& reporter_;
  std::vector<trace::MbarrierArray> arrays_;
  std::unordered_map<std::string, std::uint32_t> by_name_;  ///< into arrays_
};

}  // namespace gpusim::frontend
