// SPDX-License-Identifier: MIT
// One instruction whose sources are read, and what they may name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/input/text/clauses.h"
#include "sim/input/text/declarations.h"
#include "sim/input/text/environment.h"
#include "sim/model/isa/instr.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::frontend {

struct SourceContext {
  const Statement& statement;  ///< has an address source
  Environment& names;
  Declarations& declarations;
  Clauses& clauses;    ///< the statement's
  std::int64_t ctas;   ///< CTAs of a cluster
  trace::DraftOp& op;  ///< gets the sources
  isa::Instr& instr;   ///< the operation's: its sources decide what it does to the cluster

  [[nodiscard]] Reporter& reporter() const { return names.reporter(); }
};

/// Whether one of the words of an opcode, which stand between dots, is this one.
[[nodiscard]] inline bool has_part(const std::string& opcode, std::string_view part) {
  const std::string dotted = "." + std::string(part) + ".";
  return (opcode + ".").find(dotted) != std::string::npos;
}

}  // namespace gpusim::frontend
