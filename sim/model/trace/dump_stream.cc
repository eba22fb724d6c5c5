// SPDX-License-Identifier: MIT
#include "sim/model/trace/dump_stream.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace gpusim::trace {
namespace {

/// " + 128*warp"; nothing for 0.
std::string term(std::uint64_t coefficient, const std::string& variable) {
  const auto number = static_cast<std::int64_t>(coefficient);
  if (number == 0) {
    return "";
  }
  const std::string magnitude = std::to_string(number < 0 ? 0 - coefficient : coefficient);
  return (number < 0 ? " - " : " + ") + magnitude + '*' + variable;
}

/// What numbers advance by, when that is always the same.
std::optional<std::uint64_t> step_of(std::span<const std::uint64_t> numbers) {
  const std::uint64_t step = numbers.size() < 2 ? 0 : numbers[1] - numbers[0];
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] - numbers[i - 1] != step) {
      return std::nullopt;
    }
  }
  return step;
}

std::string describe_lanes(const LaneOffsets& offsets) {
  const std::vector<std::uint64_t> numbers(offsets.begin(), offsets.end());
  const std::optional<std::uint64_t> step = step_of(numbers);
  return step ? term(*step, "lane") : " + by lane";
}

/// The accesses of one warp, one after the other.
std::string describe_runs(const RecordedCtas& ctas, std::span<const Vocabulary::AddressRun> runs) {
  if (runs.size() != 1) {
    return " + one of " + std::to_string(runs.size()) + " runs";
  }
  const Vocabulary::AddressRun& run = runs.front();
  const std::string lanes = describe_lanes(ctas.pattern(run.pattern));
  return run.count == 1 ? lanes : lanes + term(run.stride, "i") + ", i < " + std::to_string(run.count);
}

/// Which warps have accesses at a site, and which shape most of them have.
struct Users {
  std::vector<std::uint32_t> warps;  ///< warps of a CTA, in any CTA
  std::uint32_t shape = 0;
  std::uint64_t all = 0;     ///< warps of all CTAs
  std::uint64_t others = 0;  ///< those of them with another shape
};

Users users_of(const RecordedCtas& ctas, const WarpColumn& shapes) {
  const std::span<const std::uint64_t> rows = shapes.is_expression() ? shapes.row() : shapes.table();
  const std::size_t warps = shapes.warps();
  std::set<std::uint32_t> users;
  std::map<std::uint32_t, std::uint64_t> uses;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto shape = static_cast<std::uint32_t>(rows[i]);
    if (!ctas.runs(shape).empty()) {
      users.insert(static_cast<std::uint32_t>(i % warps));
      uses[shape] += shapes.is_expression() ? ctas.count : 1;
    }
  }
  if (uses.empty()) {
    return {};
  }
  const auto most = std::ranges::max_element(uses, {}, &decltype(uses)::value_type::second);
  Users out{{users.begin(), users.end()}, most->first};
  for (const auto& [shape, count] : uses) {
    out.all += count;
  }
  out.others = out.all - most->second;
  return out;
}

std::string describe_base(const WarpColumn& bases, const std::vector<std::uint32_t>& warps) {
  std::vector<std::uint64_t> row;
  for (const std::uint32_t warp : warps) {
    row.push_back(bases.row()[warp]);
  }
  const std::optional<std::uint64_t> step =
      warps.back() - warps.front() + 1 == warps.size() ? step_of(row) : std::nullopt;
  std::array<char, 32> first{};
  std::snprintf(first.data(), first.size(), "0x%" PRIx64, row.front() - step.value_or(0) * warps.front());
  std::string text = first.data() + (step ? term(*step, "warp") : " + by warp");
  constexpr std::array<const char*, 3> kPlaces{"ctaid.x", "ctaid.y", "ctaid.z"};
  for (std::size_t d = 0; d < kPlaces.size(); ++d) {
    text += term(bases.coefficients()[d], kPlaces[d]);
  }
  return text;
}

std::string describe_site(const RecordedCtas& ctas, const RecordedCtas::SiteStreams& site) {
  if (!site.bases.is_expression()) {
    return "recorded for each warp";
  }
  const Users users = users_of(ctas, site.shapes);
  if (users.warps.empty()) {
    return "no accesses";
  }
  const std::string text = describe_base(site.bases, users.warps) + describe_runs(ctas, ctas.runs(users.shape));
  return users.others == 0
             ? text
             : text + " (" + std::to_string(users.others) + " of " + std::to_string(users.all) + " warps differ)";
}

}  // namespace

std::string describe_stream(const Recording& recording, std::uint32_t site) {
  const std::shared_ptr<const RecordedCtas> ctas = recording.source->around(0);
  const std::string text = describe_site(*ctas, ctas->streams[site]);
  return ctas->count == recording.grid.volume() ? text : text + " (CTAs 0.." + std::to_string(ctas->count - 1) + ")";
}

}  // namespace gpusim::trace
