// SPDX-License-Identifier: MIT
#include "sim/commands/run/record.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "sim/base/problem.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/cli/values.h"
#include "sim/machine/gpu/simulate_options.h"

namespace gpusim::commands {
namespace {

/// "SM" or "SM:A..B".
void take_warps(std::string_view value, gpu::SimulateOptions& options) {
  const std::size_t colon = value.find(':');
  gpu::WatchRequest watch;
  watch.sm = static_cast<std::uint32_t>(
      cli::parse_count("--record warps", value.substr(0, colon), 0, std::numeric_limits<std::uint32_t>::max()));
  if (colon != std::string_view::npos) {
    const auto [first, last] = cli::parse_range("--record warps", value.substr(colon + 1));
    watch.begin = first;
    watch.end = last + 1;
  }
  if (std::ranges::find(options.watch, watch.sm, &gpu::WatchRequest::sm) != options.watch.end()) {
    throw UsageError("--record: the warps of SM " + std::to_string(watch.sm) + " are asked for twice");
  }
  options.watch.push_back(watch);
}

/// Something that can be recorded.
struct Recordable {
  std::string_view name;
  std::string_view shown;  ///< with its value, if it takes any
  void (*take)(std::string_view value, gpu::SimulateOptions& options);
  [[nodiscard]] bool takes_value() const { return shown != name; }
};

constexpr std::array kRecordables{
    Recordable{"series", "series",
               [](std::string_view, gpu::SimulateOptions& options) { options.record_series = true; }},
    Recordable{"warps", "warps=SM[:A..B]", take_warps},
};

void take_part(std::string_view part, gpu::SimulateOptions& options) {
  const std::size_t equals = part.find('=');
  const auto* const what = std::ranges::find(kRecordables, part.substr(0, equals), &Recordable::name);
  if (what == kRecordables.end()) {
    throw UsageError("--record: " + cli::in_quotes(part) + " is none of " + recordable());
  }
  const bool has_value = equals != std::string_view::npos;
  if (has_value != what->takes_value()) {
    throw UsageError("--record: " + cli::in_quotes(part) + " is not " + std::string(what->shown));
  }
  what->take(has_value ? part.substr(equals + 1) : "", options);
}

}  // namespace

void parse_record(const std::vector<std::string>& values, gpu::SimulateOptions& options) {
  for (const std::string& value : values) {
    std::string_view rest = value;
    for (bool is_last = false; !is_last;) {
      const std::size_t comma = rest.find(',');
      is_last = comma == std::string_view::npos;
      take_part(rest.substr(0, comma), options);
      rest.remove_prefix(is_last ? rest.size() : comma + 1);
    }
  }
}

std::string recordable() {
  std::string all;
  for (const Recordable& what : kRecordables) {
    all += (all.empty() ? "" : ", ") + std::string(what.shown);
  }
  return all;
}

}  // namespace gpusim::commands
