// SPDX-License-Identifier: MIT
// "in cta (rank)" behind an address: the CTA of the cluster whose shared memory an instruction reaches.
#pragma once

#include <cstdint>
#include <string>

#include "sim/input/text/environment.h"
#include "sim/model/trace/program_draft.h"

namespace gpusim::frontend {

/// Adds the rank, which is the same for all lanes, to the operation. False (reported) when it is not a rank; one
/// outside a cluster of `ctas` is reported, too.
[[nodiscard]] bool bind_rank(SyntaxId rank, std::int64_t ctas, Environment& names, trace::DraftOp& op);

/// Reports a rank where the instruction takes none.
void refuse_rank(const AccessSyntax& syntax, const std::string& opcode, Reporter& reporter);

}  // namespace gpusim::frontend
