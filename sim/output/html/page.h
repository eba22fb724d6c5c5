// SPDX-License-Identifier: MIT
// Results as one self-contained page: the viewer of tools/viewer with the data put in, compressed. Pure functions of
// Results; the page's data is described in docs/reports.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::stats {
struct Result;
}  // namespace gpusim::stats

namespace gpusim::html {

/// Schema of a page's data.
inline constexpr std::string_view kPageSchema = "gpusim.page/1";

/// The page of one run.
[[nodiscard]] std::string run_page(const stats::Result& result);

/// A result, and what the page calls it.
struct NamedResult {
  std::string name;
  const stats::Result* result = nullptr;
};

/// The page that compares runs. `comparison`: JSON of schema gpusim.compare/1.
[[nodiscard]] std::string compare_page(std::span<const NamedResult> runs, std::string_view comparison);

/// The page of a sweep. `sweep`: JSON, an object of "title", "columns", "rows", "axes", "metrics" and "tables".
[[nodiscard]] std::string sweep_page(std::string_view sweep);

/// The page of an application. `app`: JSON, an object of what `gpusim app --html` shows.
[[nodiscard]] std::string app_page(std::string_view app);

}  // namespace gpusim::html
