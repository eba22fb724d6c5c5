// SPDX-License-Identifier: MIT
// Which of an architecture's uncertain values a run rests on, and which of them weigh most.
#pragma once

#include <vector>

namespace gpusim::stats {
struct GuessedValue;
struct Result;
}  // namespace gpusim::stats

namespace gpusim::arch {
struct Arch;
}  // namespace gpusim::arch
namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::gpu {

/// Guessed and inferred values of what the trace uses, in the order of the architecture file: not the timing of
/// instructions that it does not have, nor TLBs that are off, nor the rate of tensor cores at a type that it does not
/// multiply.
[[nodiscard]] std::vector<stats::GuessedValue> guesses_behind(const arch::Arch& arch, const trace::Trace& trace);

/// Puts a result's guesses in the order of their weight: first those of the units that bound its longest kernel,
/// or that its warps wait for; guesses before inferred values; then as they stood.
void sort_by_weight(stats::Result& result);

}  // namespace gpusim::gpu
