// SPDX-License-Identifier: MIT
// The tensor maps of a kernel by their names, with the limits that the CUDA driver API (cuTensorMapEncodeTiled) sets
// them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/input/text/buffers.h"
#include "sim/input/text/environment.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::frontend {

/// Owns the tensor maps of one kernel. Reports a map that is declared twice, whose sizes, box or place make no sense,
/// and a source with another number of coordinates than the map it names.
class TensorMaps {
 public:
  TensorMaps(Environment& names, Buffers& buffers) : names_(names), reporter_(names.reporter()), buffers_(buffers) {}

  void declare(const TensorMapSyntax& syntax);
  /// Adds the box that a source names to what the instruction does; false when the name is not a tensor map's.
  [[nodiscard]] bool add_source(const AccessSyntax& syntax, trace::DraftAsync& async);
  /// The maps go to the kernel and the draft.
  void move_to(trace::Kernel& kernel, trace::ProgramDraft& draft);

 private:
  void read(const TensorMapSyntax& syntax, trace::TensorMap& map);
  void read_sizes(const TensorMapSyntax& syntax, trace::TensorMap& map);
  void check_box(const TensorMapSyntax& syntax, const trace::TensorMap& map);
  void place(const TensorMapSyntax& syntax, trace::TensorMap& map);

  Environment& names_;
  Reporter& reporter_;
  Buffers& buffers_;
  std::vector<trace::TensorMap> maps_;
  std::unordered_map<std::string, std::uint32_t> by_name_;  ///< into maps_
};

}  // namespace gpusim::frontend
