// SPDX-License-Identifier: MIT
// Assigns control bits to a kernel that came without them, as an assembler would for one GPU's latencies.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/isa/instr.h"
#include "sim/model/isa/timing.h"

namespace gpusim::trace {
struct Kernel;
}  // namespace gpusim::trace

namespace gpusim::lower {

/// The control bits of each instruction: those recorded in the trace where it has them for all instructions, else
/// assigned by a forward data flow to a fixed point over kernel.edges: stall counts from fixed latencies and the
/// smallest distances at joins, dependence counters for variable-latency producers, wait masks uniting what is
/// outstanding. `guard_extra`: cycles that a predicate of fixed
/// latency is later for what it guards than for what reads it as a source. Throws InputError for a kernel of so many
/// basic blocks and registers that memory would not be bounded.
[[nodiscard]] std::vector<isa::ControlBits> assign_control_bits(const trace::Kernel& kernel,
                                                                const isa::TimingTable& timing,
                                                                std::uint32_t guard_extra = 0);

}  // namespace gpusim::lower
