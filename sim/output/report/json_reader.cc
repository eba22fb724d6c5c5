// SPDX-License-Identifier: MIT
#include "sim/output/report/json_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/output/view/view.h"

namespace gpusim::report {

namespace {

std::optional<std::uint32_t> narrow_count_of(const JsonValue& json) {
  const std::optional<std::uint64_t> count = count_of(json);
  return count && *count <= std::numeric_limits<std::uint32_t>::max()
             ? std::optional(static_cast<std::uint32_t>(*count))
             : std::nullopt;
}

std::optional<Value> dim_of(const JsonValue& json) {
  const std::optional<JsonList> list = list_of(json);
  if (!list || list->size() != 3) {
    return std::nullopt;
  }
  std::array<std::uint32_t, 3> sides{};
  std::size_t i = 0;
  for (const JsonValue side : *list) {
    const std::optional<std::uint32_t> count = narrow_count_of(side);
    if (!count) {
      return std::nullopt;
    }
    sides[i++] = *count;
  }
  return Dim3{sides[0], sides[1], sides[2]};
}

std::optional<std::vector<std::string>> words_of(const JsonValue& json) {
  const std::optional<JsonList> list = list_of(json);
  if (!list) {
    return std::nullopt;
  }
  std::vector<std::string> words;
  for (const JsonValue word : *list) {
    const std::optional<std::string_view> text = text_of(word);
    if (!text) {
      return std::nullopt;
    }
    words.emplace_back(*text);
  }
  return words;
}

/// A value of the type that a handle gives, as a Value that holds `Kept`.
template <class Kept, class Got>
std::optional<Value> maybe(const std::optional<Got>& got) {
  return got ? std::optional<Value>(Kept(*got)) : std::nullopt;
}

template <class T>
std::optional<T> scalar_of(const JsonValue& json) {
  T value{};
  return json.get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
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
    return fmt::format("is '{}'; allowed: {}", clipped(printable(value), 30), joined(allowed.words, ", "));
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

std::optional<JsonList> Reader::find_list(JsonFinder& in, const std::string& prefix, std::string_view path) {
  const std::optional<JsonValue> at = find(in, prefix, path);
  std::optional<JsonList> list = at ? list_of(*at) : std::nullopt;
  if (at && !list) {
    wrong(prefix + std::string(path), "is not a list");
  }
  return list;
}

void Reader::wrong_type(const std::string& prefix, std::string_view path, ValueKind kind) {
  wrong(prefix + std::string(path), "is not " + std::string(name_of(kind)));
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

std::optional<Value> value_of(const JsonValue& json, ValueKind kind) {
  switch (kind) {
    case ValueKind::kOptional:
      if (json.is_null()) {
        return Value();
      }
      [[fallthrough]];
    case ValueKind::kInteger: return maybe<std::uint64_t>(count_of(json));
    case ValueKind::kBool: return maybe<bool>(scalar_of<bool>(json));
    case ValueKind::kReal: return maybe<double>(scalar_of<double>(json));
    case ValueKind::kText: return maybe<std::string>(text_of(json));
    case ValueKind::kDim: return dim_of(json);
    case ValueKind::kWords: return maybe<std::vector<std::string>>(words_of(json));
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

std::optional<std::vector<std::uint64_t>> read_numbers(Reader& reader, const JsonValue& json, const std::string& key) {
  const std::optional<JsonList> list = list_of(json);
  std::vector<std::uint64_t> numbers;
  bool is_good = list.has_value();
  if (list) {
    numbers.reserve(list->size());
    for (auto at = list->begin(); is_good && at != list->end(); ++at) {
      const std::optional<std::uint64_t> number = count_of(*at);
      is_good = number.has_value();
      numbers.push_back(number.value_or(0));
    }
  }
  if (!is_good) {
    reader.wrong(key, "is not a list of whole numbers");
    return std::nullopt;
  }
  return numbers;
}

}  // namespace gpusim::report
