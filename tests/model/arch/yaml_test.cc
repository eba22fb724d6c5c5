// SPDX-License-Identifier: MIT
// The plain form of YAML is read as YAML is.
#include <filesystem>
#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "sim/model/arch/yaml_parser.h"
#include "sim/model/arch/yaml_reader.h"

#include "tests/model/arch/support.h"

namespace yaml_test {

using namespace gpusim;
using namespace gpusim::arch;
using namespace gpusim::arch::test;

namespace {

/// A node and all below it, with places.
std::string dump(const YamlNode& node) {
  std::string out = std::to_string(static_cast<int>(node.kind)) + "@" + std::to_string(node.place.line) + ":" +
                    std::to_string(node.place.column) + "<" + std::string(node.tag) + ">";
  out += node.is_scalar() ? double_quoted(node.text) : "";
  for (const YamlNode* const value : node.values) {
    out += "(" + dump(*value) + ")";
  }
  return out;
}

std::string in_full(const std::string& text) {
  YamlDocument document(text);
  try {
    return parse_any_yaml(document) ? dump(document.root()) : "not one document";
  } catch (const YamlError& error) {
    return "no YAML: " + error.message;
  }
}

/// Empty when the text is not of the plain form.
std::string as_plain(const std::string& text) {
  YamlDocument document(text);
  return parse_plain_yaml(document) ? dump(document.root()) : "";
}

const std::string kSample =
    "# a comment\n"
    "name: H100 SXM5:80GB # behind\n"
    "\n"
    "sm:\n"
    "  # deeper\n"
    "  count: [132, vendor, h100wp]\n"
    "  l1.bytes:  [[0 KiB, 8 KiB], guess, \"two lines,\n"
    "             one text\", -5]\n"
    "  fma: {latency: [4 cycles, guess], interval: 2,\n"
    "        what: \"no\"}\n"
    "    \n"
    "dram:\n"
    "    timing: 14 ns\n"
    "    CL: \"quoted\"\n"
    "clocks: {sm: 1\n";

}  // namespace

TEST_CASE("every shipped architecture is of the plain form, and read as YAML is") {
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs)) {
    if (!entry.is_regular_file()) {
      continue;  // systems
    }
    CAPTURE(entry.path().string());
    std::string why;
    const std::string text = read_yaml_text(entry.path(), why).value();
    const std::string plain = as_plain(text);
    CHECK_FALSE(plain.empty());
    CHECK(plain == in_full(text));
  }
}

TEST_CASE("what means something else to YAML than it seems to is not of the plain form") {
  for (const std::string text : {"a: b\n  c\n",
                                 "a: b: c\n",
                                 "a:\n",
                                 "a: ~\n",
                                 "a: null\n",
                                 "a: [b, c: d]\n",
                                 "a: [b c\n  d]\n",
                                 "a: \"b\\n\"\n",
                                 "a: 'b'\n",
                                 "a: &x b\n",
                                 "a: !t b\n",
                                 "- a\n",
                                 "a: |\n  b\n",
                                 "a: {b}\n",
                                 "a: {b: c\n",
                                 "a: []\n",
                                 "a: {b: [c}]\n",
                                 "a: [b}\n",
                                 "a: b\n---\na: c\n",
                                 "a: [b,, c]\n",
                                 "a: [b, ]\n",
                                 "a: [b\n",
                                 "a: \"b\n",
                                 "a: b\n c: d\n",
                                 "a:\n    b: c\n  d: e\n",
                                 "a:\tb\n",
                                 "\"a\": b\n",
                                 "",
                                 "# a\n",
                                 "a: \"b \n  c\"\n",
                                 "a: \"b\n\n  c\"\n",
                                 "a: [b?]\n",
                                 "a: [b]c\n",
                                 "a: é\n",
                                 "a: b\r\n"}) {
    CAPTURE(text);
    CHECK(as_plain(text).empty());
  }
}

TEST_CASE("whatever is of the plain form is read as YAML is") {
  const std::string sample = kSample.substr(0, kSample.find("clocks"));
  REQUIRE_FALSE(as_plain(sample).empty());
  const std::string letters = " \n:#[],\"'-?{}&*!|>%~@`\\ab0.\t";
  std::mt19937 random(1);
  const auto below = [&random](std::size_t most) { return static_cast<std::size_t>(random() % most); };
  int plain_ones = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = i % 2 == 0 ? sample : kSample;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      switch (below(3)) {
        case 0: text[at] = letters[below(letters.size())]; break;
        case 1: text.insert(at, 1, letters[below(letters.size())]); break;
        default: text.erase(at, 1 + below(4)); break;
      }
    }
    if (const std::string plain = as_plain(text); !plain.empty()) {
      ++plain_ones;
      CAPTURE(text);
      REQUIRE(plain == in_full(text));
    }
  }
  CHECK(plain_ones > 1000);
}

TEST_CASE("a node that is named twice stands in both places") {
  YamlDocument document("a: &x [b]\nc: *x\n");
  REQUIRE(parse_any_yaml(document));
  REQUIRE(document.root().values.size() == 4);
  CHECK(document.root().find("c") == document.root().find("a"));
  CHECK(document.root().find("d") == nullptr);
}

}  // namespace yaml_test
