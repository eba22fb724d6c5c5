// SPDX-License-Identifier: MIT
// The main job: replay a trace on an architecture and return every number of the run.
#pragma once

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats
namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::gpu {

struct SimulateOptions;

/// Throws InputError with every kernel that cannot run as asked: that does not fit an SM of the GPU, or lacks the CTAs
/// asked for. simulate() begins with it.
void require_runnable(const arch::Arch& arch, const trace::Trace& trace, const SimulateOptions& options);

/// Runs the trace's kernels one after the other. Throws InputError (the kernel does not fit the machine, an address
/// outside its buffer, ...) and CannotFinishError (nothing can progress: with the wait-for cycle in words; or the
/// limit). Result::host is left empty for the caller.
[[nodiscard]] stats::Result simulate(const arch::Arch& arch, const trace::Trace& trace, const SimulateOptions& options);

}  // namespace gpusim::gpu
