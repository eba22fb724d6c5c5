// SPDX-License-Identifier: MIT
// A kernel as text: its expanded program, and what one warp does with it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/trace/step.h"

namespace gpusim::trace {

struct Kernel;

/// A line for each static instruction: byte address, control bits when recorded, text, of recordings the addresses as
/// an expression, line of the trace.
[[nodiscard]] std::string dump_program(const Kernel& kernel);

/// A line for each of the first `most` steps of a warp: number, byte address, lanes, text and addresses. Throws
/// InputError for a CTA or warp that the kernel does not have, and where the walk fails.
[[nodiscard]] std::string dump_warp(const Kernel& kernel, CtaId cta, std::uint32_t warp, std::uint64_t most);

}  // namespace gpusim::trace
