// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/draw.h"

#include <string>

#include "sim/base/hash.h"

namespace gpusim::lab {

std::uint64_t digest_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text) {
    hash = mix64(hash * 257 + static_cast<unsigned char>(c) + 1);
  }
  return hash;
}

std::uint32_t seed_of(std::string_view lab, std::string_view student) {
  return static_cast<std::uint32_t>(digest_of(std::string(lab) + '\n' + std::string(student)) >> 32);
}

std::vector<Setting> draw(const Lab& lab, std::uint32_t seed) {
  std::vector<Setting> drawn;
  for (const Parameter& parameter : lab.parameters) {
    const std::uint64_t hash = mix64(digest_of(parameter.with.empty() ? parameter.name : parameter.with) ^ seed);
    const auto count = static_cast<std::uint32_t>(parameter.choices.size());
    drawn.emplace_back(parameter.name, parameter.choices[scale_to(hash, count)]);
  }
  return drawn;
}

Scope scope_of(const Lab& lab, std::uint32_t seed) {
  Scope scope;
  for (const auto& [name, value] : draw(lab, seed)) {
    scope.set_text(name, value);
  }
  return scope;
}

}  // namespace gpusim::lab
