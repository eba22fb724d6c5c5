// SPDX-License-Identifier: MIT
#include "sim/output/report/json_parse.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/output/report/json_plain.h"

namespace gpusim::report {
namespace {

using Json = nlohmann::ordered_json;

/// What the library's parser calls for each piece of the text.
class TreeBuilder {
 public:
  explicit TreeBuilder(Json& root) : root_(root) {}

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(std::int64_t value) { return put(value); }
  bool number_unsigned(std::uint64_t value) { return put(value); }
  bool number_float(double value, const std::string& /*text*/) { return put(value); }
  bool string(std::string& value) { return put(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) { return false; }
  bool key(std::string& value) {
    // The vector below the map: the map itself would search it for the key.
    auto& members = static_cast<Json::object_t::Container&>(open_.back()->get_ref<Json::object_t&>());
    if (members.empty()) {
      members.reserve(kMembersAtFirst);
    }
    members.emplace_back(std::move(value), nullptr);
    return true;
  }
  bool start_object(std::size_t /*size*/) { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const nlohmann::detail::exception& /*error*/) {
    return false;
  }

 private:
  /// Instructions have some twenty states.
  static constexpr std::size_t kMembersAtFirst = 24;

  /// A place that stays where it is until its parent gets another member: then it is complete.
  Json& place() {
    if (open_.empty()) {
      return root_;
    }
    Json& parent = *open_.back();
    return parent.is_array() ? parent.get_ref<Json::array_t&>().emplace_back()
                             : parent.get_ref<Json::object_t&>().back().second;
  }

  template <class Value>
  bool put(Value&& value) {
    place() = Json(std::forward<Value>(value));
    return true;
  }

  bool open(Json value) {
    Json& at = place();
    at = std::move(value);
    open_.push_back(&at);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json& root_;
  std::vector<Json*> open_;
};

}  // namespace

std::optional<Json> parse_tree(std::string_view text) {
  Json plain;
  TreeBuilder plain_builder(plain);
  if (PlainJson(text, plain_builder).parse()) {
    return plain;
  }
  Json root;
  TreeBuilder builder(root);
  return Json::sax_parse(text, &builder) ? std::optional(std::move(root)) : std::nullopt;
}

}  // namespace gpusim::report
