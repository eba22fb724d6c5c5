// SPDX-License-Identifier: MIT
// The buffers of a kernel by their names, and the addresses that an access to one of them has.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/input/text/environment.h"
#include "sim/input/text/memory_layout.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::frontend {

/// Owns the buffers of one kernel, and the tables among them. Reports a name that is declared twice or not at all, and
/// an access to another memory than its buffer's.
class Buffers {
 public:
  explicit Buffers(Environment& names) : names_(names), reporter_(names.reporter()) {}

  /// `all_bytes`: bytes of the space that a region in shared or local memory must lie in.
  void declare(const BufferSyntax& syntax, MemoryLayout& layout, std::uint64_t all_bytes);
  /// The buffer; null when there is none of this name.
  [[nodiscard]] const trace::Buffer* find(const std::string& name) const;
  void report_undefined(const std::string& name, Place place);
  /// What an instruction accesses in a space; no buffer (reported) where that makes no sense.
  [[nodiscard]] trace::DraftAccess access(const AccessSyntax& syntax, isa::MemSpace space);
  /// The buffers go to the kernel and the draft, the tables to the draft.
  void move_to(trace::Kernel& kernel, trace::ProgramDraft& draft);

 private:
  struct Named {
    std::uint32_t index = 0;
    std::uint32_t element_bytes = 1;
  };
  [[nodiscard]] trace::ExprId address(const AccessSyntax& syntax, const Named& named);

  Environment& names_;
  Reporter& reporter_;
  std::vector<trace::Buffer> buffers_;
  std::unordered_map<std::string, Named> by_name_;
  trace::Tables tables_;
  std::vector<std::string> table_names_;
};

}  // namespace gpusim::frontend
