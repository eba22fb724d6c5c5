// SPDX-License-Identifier: MIT
#include "sim/output/report/json_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/text.h"

namespace gpusim::report {

using nlohmann::ordered_json;

namespace {

bool fits_32_bits(const ordered_json& json) {
  return json.is_number_unsigned() && json.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
}

std::optional<Value> dim_of(const ordered_json& json) {
  if (!json.is_array() || json.size() != 3 || !fits_32_bits(json[0]) || !fits_32_bits(json[1]) ||
      !fits_32_bits(json[2])) {
    return std::nullopt;
  }
  return Dim3{json[0].get<std::uint32_t>(), json[1].get<std::uint32_t>(), json[2].get<std::uint32_t>()};
}

std::optional<std::vector<std::string>> words_of(const ordered_json& json) {
  std::vector<std::string> words;
  if (!json.is_array()) {
    return std::nullopt;
  }
  for (const ordered_json& word : json) {
    if (!word.is_string()) {
      return std::nullopt;
    }
    words.push_back(word.get<std::string>());
  }
  return words;
}

/// Says of a value that it is not allowed, and what is.
struct Complaint {
  const Allowed& allowed;
  bool needs_more;  ///< than 0

  std::string operator()(std::uint64_t value) const {
    const std::uint64_t least = needs_more ? 1 : 0;
    if (value >= least && value <= allowed.most) {
      return {};
    }
    return fmt::format("is {}; allowed: {}", value,
                       allowed.most == std::numeric_limits<std::uint64_t>::max()
                           ? with_thousands(least) + " or more"
                           : with_thousands(least) + " to " + with_thousands(allowed.most));
  }
  std::string operator()(double value) const {
    if (std::isfinite(value) && (needs_more ? value > 0 : value >= 0)) {
      return {};
    }
    return fmt::format("is {}; allowed: {}", value, needs_more ? "more than 0" : "0 or more");
  }
  std::string operator()(const Dim3& value) const {
    return !needs_more || std::min({value.x, value.y, value.z}) > 0
               ? ""
               : "is " + to_text(value) + "; allowed: 1 or more each";
  }
  std::string operator()(const std::string& value) const {
    if (allowed.words.empty() || std::ranges::find(allowed.words, value) != allowed.words.end()) {
      return {};
    }
    return fmt::format("is '{}'; allowed: {}", clipped(printable(value), 30), fmt::join(allowed.words, ", "));
  }
  std::string operator()(const std::vector<std::string>& values) const {
    for (const std::string& value : values) {
      if (std::string complaint = (*this)(value); !complaint.empty()) {
        return complaint;
      }
    }
    return {};
  }
  template <class Other>
  std::string operator()(const Other& /*value*/) const {
    return {};
  }
};

}  // namespace

const ordered_json* Reader::find_list(const ordered_json& root, const std::string& prefix, std::string_view path) {
  const ordered_json* const list = find(root, prefix, path);
  if (list != nullptr && !list->is_array()) {
    wrong(prefix + std::string(path), "is not a list");
    return nullptr;
  }
  return list;
}

void Reader::finish() {
  // Beyond these the file is another one than it seems, and a list of all its lacks would hide that.
  constexpr std::size_t kMostNamed = 5;
  const std::size_t named = missing_.size() > kMostNamed ? 1 : missing_.size();
  for (std::size_t i = 0; i < named; ++i) {
    const std::string what = named == missing_.size()
                                 ? ": is missing"
                                 : " and " + with_thousands(missing_.size() - 1) + " more keys are missing";
    problems_.add({{file_, 0, 0}, "'" + missing_[i] + "'" + what, ""});
  }
  missing_.clear();
  problems_.throw_if_any();
}

std::optional<Value> value_of(const ordered_json& json, ValueKind kind) {
  switch (kind) {
    case ValueKind::kOptional:
      if (json.is_null()) {
        return Value();
      }
      [[fallthrough]];
    case ValueKind::kInteger:
      return json.is_number_unsigned() ? std::optional<Value>(json.get<std::uint64_t>()) : std::nullopt;
    case ValueKind::kBool: return json.is_boolean() ? std::optional<Value>(json.get<bool>()) : std::nullopt;
    case ValueKind::kReal: return json.is_number() ? std::optional<Value>(json.get<double>()) : std::nullopt;
    case ValueKind::kText: return json.is_string() ? std::optional<Value>(json.get<std::string>()) : std::nullopt;
    case ValueKind::kDim: return dim_of(json);
    case ValueKind::kWords: {
      auto words = words_of(json);
      return words ? std::optional<Value>(std::move(*words)) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::string_view name_of(ValueKind kind) {
  static constexpr std::array<std::string_view, 7> kNames{
      "a whole number or null", "true or false",  "a whole number", "a number", "a text",
      "three whole numbers",    "a list of texts"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string complaint_about(const Value& value, const Allowed& allowed, bool is_whole) {
  const bool needs_more = allowed.least == Least::kMore || (allowed.least == Least::kMoreOfWholeRun && is_whole);
  return std::visit(Complaint{allowed, needs_more}, value);
}

std::optional<stats::Stall> state_of(std::string_view key) {
  const auto row =
      std::find_if(stats::kStalls.begin(), stats::kStalls.end(), [key](const auto& info) { return info.key == key; });
  return row == stats::kStalls.end() ? std::nullopt
                                     : std::optional(static_cast<stats::Stall>(row - stats::kStalls.begin()));
}

std::optional<std::vector<std::uint64_t>> read_numbers(Reader& reader, const ordered_json& json,
                                                       const std::string& key) {
  const bool is_list =
      json.is_array() && std::ranges::all_of(json, [](const ordered_json& item) { return item.is_number_unsigned(); });
  if (!is_list) {
    reader.wrong(key, "is not a list of whole numbers");
    return std::nullopt;
  }
  return json.get<std::vector<std::uint64_t>>();
}

}  // namespace gpusim::report
