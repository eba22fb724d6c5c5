// SPDX-License-Identifier: MIT
// Text to YAML nodes. yaml-cpp knows the language; what is written as the shipped files are is read without it, because
// its scanner takes a thousand host instructions a character, which is most of what a small run would cost.
#pragma once

#include "sim/model/arch/yaml_node.h"

namespace gpusim::arch {

/// Reads the document's text if it is in the plain form: maps whose keys are words, by indentation or in braces; lists
/// in brackets; texts in double quotes without escapes; comments. False, and no nodes, for all else, right or wrong.
[[nodiscard]] bool parse_plain_yaml(YamlDocument& document);

/// What is wrong with a text that is not YAML.
struct YamlError {
  Place place;
  std::string message;
};

/// Reads the document's text, whatever its form. False when it is not one document with something in it. Throws
/// YamlError.
[[nodiscard]] bool parse_any_yaml(YamlDocument& document);

}  // namespace gpusim::arch
