// SPDX-License-Identifier: MIT
#include "sim/system/config/changes.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "sim/model/arch/value.h"
#include "sim/system/config/gpu_count.h"
#include "sim/system/config/keys.h"

namespace gpusim::system {
namespace {

constexpr std::string_view kLinkTypes = "link_types.";
constexpr std::string_view kCallsPrefix = "calls.";

bool is_changed(const Changes& changes, const std::string& key) {
  return std::ranges::find(changes.keys, key, &arch::Override::key) != changes.keys.end();
}

/// The number that a text means for a key of link types; nothing where it means none.
std::optional<double> rate_of(const std::string& key, const std::string& text) {
  const std::optional<arch::Key> row = find_system_key(key);
  const arch::ParsedValue parsed = row ? arch::parse_value(*row, text) : arch::ParsedValue{{}, "unknown", ""};
  return parsed.error.empty() ? std::optional(static_cast<double>(parsed.value.number.numerator)) : std::nullopt;
}

/// Adds a change of `follower` in proportion to that of `leader`, both of a link type.
void follow(const LinkType& type, const std::string& leader, std::uint64_t before, const std::string& follower,
            std::uint64_t was, Changes& changes) {
  const std::string path = std::string(kLinkTypes) + type.name + ".";
  const auto lead = std::ranges::find(changes.keys, path + leader, &arch::Override::key);
  if (lead == changes.keys.end() || is_changed(changes, path + follower) || was == 0 || before == 0) {
    return;
  }
  if (const std::optional<double> now = rate_of(path + leader, lead->value)) {
    const double scaled = static_cast<double>(was) * *now / static_cast<double>(before);
    changes.keys.push_back({path + follower, arch::format_decimal(arch::Unit::kBytesPerSecond,
                                                                  static_cast<std::uint64_t>(std::floor(scaled)))});
  }
}

template <class T>
std::optional<arch::Key> key_in(std::string_view path, std::string_view name) {
  const std::span<const KeyRow<T>> rows = keys_of<T>();
  const auto row = std::ranges::find_if(rows, [&](const auto& r) { return r.key.path == name; });
  if (row == rows.end()) {
    return std::nullopt;
  }
  arch::Key key = row->key;
  key.path = path;
  return key;
}

}  // namespace

Changes with_followers(const System& base, Changes changes) {
  for (const LinkType& type : base.link_types) {
    follow(type, "bandwidth", type.bytes_per_second, "usable", type.usable_bytes_per_second, changes);
    follow(type, "usable", type.usable_bytes_per_second, "both_ways", type.both_ways_bytes_per_second, changes);
  }
  return changes;
}

std::optional<arch::Key> find_system_key(std::string_view path) {
  const std::size_t first = path.find('.');
  const std::size_t last = path.rfind('.');
  if (first == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view group = path.substr(0, first);
  const std::string_view name = path.substr(last + 1);
  if (path == kGpuCountKey) {
    return arch::Key{std::string(path), arch::Unit::kCount, 1, kMostGpus, "", arch::PeakField{0}, {}};
  }
  if (first == last) {  // groups without names
    return group == "calls"         ? key_in<CallCosts>(path, name)
           : group == "collectives" ? key_in<CollectiveRates>(path, name)
                                    : std::nullopt;
  }
  return group == "hosts"        ? key_in<Host>(path, name)
         : group == "gpus"       ? key_in<Gpu>(path, name)
         : group == "switches"   ? key_in<Switch>(path, name)
         : group == "link_types" ? key_in<LinkType>(path, name)
                                 : std::nullopt;
}

std::string text_of_key(const System& system, std::string_view path) {
  if (path == kGpuCountKey) {
    return std::to_string(nodes_of<Gpu>(system).size());
  }
  const auto given = std::ranges::find(system.values, path, &GivenValue::key);
  if (given != system.values.end()) {
    return given->text;
  }
  if (path.starts_with(kCallsPrefix)) {
    for (const KeyRow<CallCosts>& row : keys_of<CallCosts>()) {
      if (row.get != nullptr && row.key.path == path.substr(kCallsPrefix.size())) {
        return arch::format_number(row.key.unit, row.get(system.calls));
      }
    }
  }
  return "";
}

}  // namespace gpusim::system
