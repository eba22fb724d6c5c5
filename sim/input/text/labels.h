// SPDX-License-Identifier: MIT
// The labels of a kernel, and the branches that lead to them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/input/text/environment.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::frontend {

/// Owns the labels of one kernel, each in the scope where it stands: the kernel's, or that of one turn of an unroll.
/// Reports labels that stand twice, are undefined or have no instruction behind them, and branches into loops.
class Labels {
 public:
  struct Label {
    std::uint32_t op = 0;
    std::uint32_t loop = trace::kNone;
    Place place;
  };
  /// A label that an operation names, as seen from the scope there; it may stand further down.
  struct Reference {
    std::uint32_t op = 0;
    std::uint32_t scope = 0;
    Word label;
  };

  explicit Labels(Reporter& reporter) : reporter_(reporter), scopes_(1) {}

  /// Opens a scope in the current one. Labels around it are seen inside, its own are not seen outside.
  void open_scope();
  void close_scope() { scope_ = scopes_[scope_].parent; }
  void add(const std::string& name, const Label& label);
  [[nodiscard]] Reference refer(std::uint32_t op, const Word& label) const { return {op, scope_, label}; }
  /// The operation branches to this label.
  void add_branch(std::uint32_t op, const Word& label) { branches_.push_back(refer(op, label)); }
  /// The label as seen from the reference; null, with the problem told, when there is none. All labels must be there.
  [[nodiscard]] const Label* find(const Reference& reference);
  /// Writes the targets of the branches. All labels must be there.
  void resolve(trace::ProgramDraft& draft);
  /// Reports labels at the end of the code, which has this many operations.
  void check_end(std::uint32_t ops);

 private:
  struct Scope {
    std::uint32_t parent = trace::kNone;
    std::unordered_map<std::string, std::uint32_t> labels;  ///< into labels_
  };
  void resolve(const Reference& branch, trace::ProgramDraft& draft);

  Reporter& reporter_;
  std::vector<Scope> scopes_;
  std::vector<Label> labels_;
  std::vector<Reference> branches_;
  std::uint32_t scope_ = 0;
};

}  // namespace gpusim::frontend
