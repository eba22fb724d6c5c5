// SPDX-License-Identifier: MIT
// BSSY, BSYNC, BREAK, WARPSYNC and YIELD: which lanes of a warp wait for which. What makes no sense is refused here.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/input/text/environment.h"
#include "sim/input/text/labels.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::frontend {

/// Owns the convergence barriers of one kernel that name the place where their lanes meet. Reports barriers and lanes
/// that do not exist, barriers that no path has begun, and meeting places without a BSYNC.
class ConvergenceReader {
 public:
  ConvergenceReader(Environment& names, Labels& labels, const trace::Kernel& kernel, trace::ProgramDraft& draft)
      : names_(names), reporter_(names.reporter()), labels_(labels), kernel_(kernel), draft_(draft) {}

  /// Makes the last operation one that parts or joins lanes, when its opcode says so.
  void add(const Statement& statement, trace::DraftOp& op);
  /// Looks for problems when the code is complete and has no others.
  void check();

 private:
  void check_meeting_place(const Labels::Reference& place);

  Environment& names_;
  Reporter& reporter_;
  Labels& labels_;
  const trace::Kernel& kernel_;
  trace::ProgramDraft& draft_;
  std::vector<Labels::Reference> places_;  ///< by BSSY, where its lanes meet
};

}  // namespace gpusim::frontend
