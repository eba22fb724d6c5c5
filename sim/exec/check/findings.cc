// SPDX-License-Identifier: MIT
#include "sim/exec/check/findings.h"

#include "sim/base/text.h"

namespace gpusim::exec {

Finding* Findings::add(Finding::Kind kind, std::uint32_t pc, std::uint32_t other_pc) {
  const auto [known, is_new] = known_.try_emplace({kind, pc, other_pc}, findings_.size());
  if (!is_new) {
    ++findings_[known->second].times;
    return nullptr;
  }
  Finding& finding = findings_.emplace_back();
  finding.kind = kind;
  finding.pc = pc;
  finding.other_pc = other_pc;
  return &finding;
}

std::string to_text(const Finding& finding, const Image& image) {
  const std::string line = image.line_text(finding.pc);
  std::string text = (line.empty() ? image.kernel : line) + ": " + finding.message + "\n  by " + finding.who + ", at " +
                     image.instruction_text(finding.pc);
  if (!finding.other.empty()) {
    const std::string other_line = image.line_text(finding.other_pc);
    text += "\n  " + finding.other + ", at " + image.instruction_text(finding.other_pc) +
            (other_line.empty() ? "" : " (" + other_line + ")");
  }
  return text + (finding.times == 1 ? "" : "\n  " + with_thousands(finding.times) + " times");
}

}  // namespace gpusim::exec
