// SPDX-License-Identifier: MIT
// A long text comes in pieces: objects are the same wherever it is cut.
#include "sim/system/kineto/splitter.h"

#include <vector>

#include <catch2/catch.hpp>

using namespace gpusim::kineto;

namespace kineto_splitter_test {

namespace {

struct Found {
  std::vector<std::string> items;
  std::vector<std::string> objects;
  std::vector<std::string> others;
  bool is_whole = false;
  bool has_list = false;
  friend bool operator==(const Found&, const Found&) = default;
};

Found split(std::string_view text, std::size_t piece) {
  Found found;
  Splitter splitter({{"list", true, [&](std::string& object) { found.items.push_back(object); }},
                     {"beside", false, [&](std::string& object) { found.objects.push_back(object); }},
                     {"other", true, [&](std::string& object) { found.others.push_back(object); }}});
  for (std::size_t at = 0; at < text.size(); at += piece) {
    splitter.feed(text.substr(at, piece));
  }
  found.is_whole = splitter.is_whole();
  found.has_list = splitter.has_list();
  return found;
}

const std::string kText =
    R"({"a": [{"list": [{}]}], "list": [{"x": {"y": [1, {}]}, "s": "}]\"{"}, 3, [{"no": 1}], {}], "beside":
{"list": [{"z": 1}]}, "end": {"beside": {}}, "other": [{"o": {}}, {}]} )";

}  // namespace

TEST_CASE("objects of the lists and the object beside them are found wherever the text is cut") {
  const Found whole = split(kText, kText.size());
  CHECK(whole.items == std::vector<std::string>{R"({"x": {"y": [1, {}]}, "s": "}]\"{"})", "{}"});
  CHECK(whole.objects == std::vector<std::string>{R"({"list": [{"z": 1}]})"});
  CHECK(whole.others == std::vector<std::string>{R"({"o": {}})", "{}"});
  CHECK((whole.is_whole && whole.has_list));
  for (std::size_t piece = 1; piece < kText.size(); ++piece) {
    INFO(piece);
    CHECK(split(kText, piece) == whole);
  }
}

TEST_CASE("a text that is cut off, or whose brackets do not match, is not whole") {
  const std::size_t end = kText.find_last_of('}');
  for (std::size_t size = 0; size <= end; ++size) {
    INFO(size);
    CHECK_FALSE(split(std::string_view(kText).substr(0, size), 16).is_whole);
  }
  for (const char* const text : {"", " ", "x", "{]", "[}", "{}}", "{} {}", "{} x", "\"a\""}) {
    INFO(text);
    CHECK_FALSE(split(text, 1).is_whole);
  }
  CHECK_FALSE(split(std::string(100'000, '['), 1000).is_whole);
}

TEST_CASE("a list within another list or object is not the one that is asked for") {
  CHECK_FALSE(split(R"([{"list": [{}]}])", 3).has_list);
  CHECK_FALSE(split(R"({"a": {"list": [{}]}})", 3).has_list);
  CHECK(split(R"({"a": "list", "b": [{}]})", 3).items.empty());
}

}  // namespace kineto_splitter_test
