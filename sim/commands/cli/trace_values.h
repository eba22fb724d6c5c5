// SPDX-License-Identifier: MIT
// Values of the options of commands that take a trace: which CTAs, kernels and parameters, and what to watch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpusim::gpu {
struct CtaRange;
struct WatchRequest;
}  // namespace gpusim::gpu
namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats
namespace gpusim::trace {
struct ParameterChoice;
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::cli {

/// "A..B" as two counts, both included, "A" as twice the same; throws UsageError that names the option.
[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> parse_range(std::string_view option, std::string_view text);

/// "0..63", both included, or "5".
[[nodiscard]] gpu::CtaRange parse_ctas(std::string_view text);

/// "sm=0,warp=3,cycles=100..400,kernel=0": any order; sm and kernel default to 0, warp to all of the SM, cycles to the
/// first 400. At most 100,000 cycles, because each is a glyph on the page.
[[nodiscard]] gpu::WatchRequest parse_watch(std::string_view text);

/// "NAME=VALUE" each, an integer or a word; throws InputError with all that are not, or are given twice.
[[nodiscard]] trace::ParameterChoice parse_parameters(const std::vector<std::string>& texts, bool use_test_set);

/// Leaves only kernels whose name the regular expression finds. Throws UsageError for a malformed expression,
/// InputError when no kernel is left.
void keep_kernels(trace::Trace& trace, const std::string& expression);
/// The same of a result that was saved in `file`.
void keep_kernels(stats::Result& result, const std::string& expression, const std::string& file);

}  // namespace gpusim::cli
