// SPDX-License-Identifier: MIT
// Sources of instructions that work on an mbarrier: which one, in which CTA, how many arrivals and bytes.
#pragma once

#include <optional>
#include <string>

#include "sim/input/text/source_context.h"

namespace gpusim::frontend {

/// What SYNCS and ARRIVES do. `opcode`: the statement's, with its braces expanded. Reports forms that are not modelled,
/// clauses that are missing, and mbarriers of other CTAs that the instruction does not reach.
[[nodiscard]] trace::DraftAsync read_mbarrier_source(const SourceContext& in, const std::string& opcode);

/// What STAS and REDAS signal: the mbarrier that counts their bytes, in the CTA that they store to. Nothing (reported)
/// when they name none.
[[nodiscard]] std::optional<trace::DraftAsync> read_signal(const SourceContext& in);

}  // namespace gpusim::frontend
