// SPDX-License-Identifier: MIT
// What must add up in every finished run, whatever the kernel and the machine.
#pragma once

#include <string>

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::stats {
struct KernelResult;
}  // namespace gpusim::stats

namespace gpusim::gpu {

/// The first invariant that a complete kernel's numbers break, with both sides; empty when all hold:
/// warp states sum to warp-cycles, instructions by program counter to the total, sectors looked up are hits and misses,
/// sectors asked of a level are those it answered, what misses L2 is asked of DRAM unless it is on its way, DRAM moves
/// whole bursts for them, each of which found its row open, its bank closed or another row open. Every port is busy for
/// as long as its bytes take, and nothing is busy, full or stalled for longer than the run. `arch`: what the run was
/// of; without TLBs nothing is translated, and without banks there are no rows.
[[nodiscard]] std::string conservation_problem(const stats::KernelResult& kernel, const arch::Arch& arch);

}  // namespace gpusim::gpu
