// SPDX-License-Identifier: MIT
// Whether a kernel does the work of another one: what it reads and writes, walked without a machine.
#pragma once

#include <cstdint>

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::lab {

struct Work;

/// Warp instructions that a trace is walked for.
inline constexpr std::uint64_t kMostWalked = 20'000'000;

/// Compares global memory by the names of the buffers and the bytes in them: `own` has to read at least what `like`
/// reads and to write exactly what it writes, no byte more often than once where `like` writes it once, and each word
/// from the same elements, unless origins_of() cannot follow `like`, by at least four fifths of its FLOPs; kernels that
/// are executed have values, which are not compared here. `are_sums`: each element also has to be used as often.
/// Throws InputError when the behaviour of `own` is impossible, CannotFinishError beyond kMostWalked, and LabFault for
/// the same of `like`.
[[nodiscard]] Work compare_work(const trace::Trace& own, const trace::Trace& like, bool are_sums = false);

}  // namespace gpusim::lab
