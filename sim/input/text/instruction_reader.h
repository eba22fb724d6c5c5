// SPDX-License-Identifier: MIT
// One instruction of a kernel with its sources: guard, branch and addresses.
#pragma once

#include "sim/input/text/code_writer.h"

namespace gpusim::isa {
struct Instr;
}  // namespace gpusim::isa
namespace gpusim::trace {
struct DraftOp;
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::frontend {

class ConvergenceReader;
struct Declarations;
class FileWarnings;
class Labels;
struct SourceContext;
struct Statement;

/// Writes instructions to the code of one kernel, and answers for what stands behind '@' and 'when'. Reports sources
/// that the instruction lacks or does not take, and warns of operands and sources that are not there.
class InstructionReader {
 public:
  InstructionReader(Environment& names, FileWarnings& warnings, Declarations& declarations, Labels& labels,
                    CodeWriter& writer, ConvergenceReader& convergence, const trace::Kernel& kernel)
      : names_(names),
        reporter_(names.reporter()),
        warnings_(warnings),
        declarations_(declarations),
        labels_(labels),
        writer_(writer),
        convergence_(convergence),
        kernel_(kernel) {}

  void read(const Statement& statement);

 private:
  [[nodiscard]] InstructionText expand(const Statement& statement);
  void add_guard(const Statement& statement, trace::DraftOp& op);
  void add_async(const SourceContext& in);
  void add_sources(const SourceContext& in);
  void refuse_access(const Statement& statement, const isa::Instr& instr);
  void add_rank(const SourceContext& in);
  void warn_of_missing_source(const Statement& statement);

  Environment& names_;
  Reporter& reporter_;
  FileWarnings& warnings_;
  Declarations& declarations_;
  Labels& labels_;
  CodeWriter& writer_;
  ConvergenceReader& convergence_;
  const trace::Kernel& kernel_;
};

}  // namespace gpusim::frontend
