// SPDX-License-Identifier: MIT
// Sources of bulk copies: which bytes or which box of which tensor, to which CTAs, and what is signalled.
#pragma once

#include <string>

#include "sim/input/text/source_context.h"

namespace gpusim::frontend {

/// What UTMA..., UBLKCP and their kin copy. `opcode`: the statement's, with its braces expanded. Reports sources of
/// another form than the opcode has, and masks of CTAs outside the cluster.
[[nodiscard]] trace::DraftAsync read_bulk_copy(const SourceContext& in, const std::string& opcode);

}  // namespace gpusim::frontend
