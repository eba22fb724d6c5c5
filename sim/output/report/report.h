// SPDX-License-Identifier: MIT
// A Result as text, JSON or CSV, each a pure function that returns the whole text. Nothing here knows a
// machine or prints.
#pragma once

#include <string>
#include <string_view>

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::report {

struct TextOptions;

/// The report for people, at most as wide as the options say.
[[nodiscard]] std::string to_text(const stats::Result& result, const TextOptions& options);

/// Schema gpusim.result/1 (docs/result.md): finite numbers only, keys in a fixed order, byte-identical from run to run
/// but for `host`. What was recorded is part of it.
[[nodiscard]] std::string to_json(const stats::Result& result);

/// A header and one row per kernel, comma-separated, quoted where needed (RFC 4180), lines end in "\n".
[[nodiscard]] std::string to_csv(const stats::Result& result);

/// The columns and names of `ncu --csv --page details`: one row per kernel and metric, all quoted; what Nsight Compute
/// counts and we do not is left out.
[[nodiscard]] std::string to_ncu_csv(const stats::Result& result);

/// Reads what to_json() wrote; to_json() of it gives the same text. `file` names the text in messages. Throws
/// InputError with every key that is missing or has the wrong type, or when the schema is another.
[[nodiscard]] stats::Result parse_json(std::string_view text, const std::string& file);

/// The tables of docs/metrics.md: keys with formulas, warp states.
[[nodiscard]] std::string metrics_markdown();
/// The table of docs/counters.md.
[[nodiscard]] std::string counters_markdown();

}  // namespace gpusim::report
