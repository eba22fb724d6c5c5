// SPDX-License-Identifier: MIT
// Executes one CTA without time, and records it.
#pragma once

#include <memory>

namespace gpusim::trace {
struct CtaId;
}  // namespace gpusim::trace

namespace gpusim::exec {

struct CtaRecord;
class GlobalMemory;
struct Image;
class PatternTable;
struct RowsOfCode;

/// Steps of a warp that a record has at most.
inline constexpr std::uint64_t kMostRecordedSteps = 1U << 16;

/// Null for a CTA that has to be executed: its warps have more steps, it does what it may not, its warps wait for each
/// other, or it would stand for itself alone because its values change in too many ways. `image`: without values. The
/// record's addresses live as long as `patterns`.
[[nodiscard]] std::unique_ptr<const CtaRecord> record_cta(const Image& image, const RowsOfCode& rows,
                                                          GlobalMemory& memory, PatternTable& patterns,
                                                          trace::CtaId place);

}  // namespace gpusim::exec
