// SPDX-License-Identifier: MIT
#include "sim/output/report/json_parse.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <simdjson.h>

namespace gpusim::report {
namespace {

using Json = nlohmann::ordered_json;

/// A kernel's text, and much more; what is larger goes to the other library.
constexpr std::size_t kMostBytes = std::size_t{1} << 31U;

/// The other library calls a number without a sign unsigned, and what reads the tree relies on it.
Json integer_of(std::int64_t value) {
  return value < 0 ? Json(value) : Json(static_cast<std::uint64_t>(value));
}

Json tree_of(const simdjson::dom::element& element);

Json tree_of(const simdjson::dom::object& object) {
  Json tree = Json::object();
  // The vector below the map: the map itself would search it for each key.
  auto& members = static_cast<Json::object_t::Container&>(tree.get_ref<Json::object_t&>());
  members.reserve(object.size());
  for (const auto& [key, value] : object) {
    members.emplace_back(std::string(key), tree_of(value));
  }
  return tree;
}

Json tree_of(const simdjson::dom::array& array) {
  Json tree = Json::array();
  auto& values = tree.get_ref<Json::array_t&>();
  values.reserve(array.size());
  for (const simdjson::dom::element value : array) {
    values.push_back(tree_of(value));
  }
  return tree;
}

Json tree_of(const simdjson::dom::element& element) {
  using simdjson::dom::element_type;
  switch (element.type()) {
    case element_type::OBJECT: return tree_of(simdjson::dom::object(element));
    case element_type::ARRAY: return tree_of(simdjson::dom::array(element));
    case element_type::STRING: return std::string_view(element);
    case element_type::INT64: return integer_of(std::int64_t(element));
    case element_type::UINT64: return std::uint64_t(element);
    case element_type::DOUBLE: return double(element);
    case element_type::BOOL: return bool(element);
    case element_type::NULL_VALUE: break;
  }
  return nullptr;
}

}  // namespace

std::optional<Json> parse_tree(std::string_view text) {
  simdjson::dom::parser parser(kMostBytes);
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) == simdjson::SUCCESS) {
    return tree_of(root);
  }
  // Right texts that simdjson does not take, such as whole numbers of 30 digits, and wrong ones.
  Json tree = Json::parse(text, nullptr, false);
  return tree.is_discarded() ? std::nullopt : std::optional(std::move(tree));
}

}  // namespace gpusim::report
