// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

#include "sim/code/cubin/module.h"

namespace gpusim::cubin {
namespace {

/// Longer names are shown as they are: what takes them apart recurses.
constexpr std::size_t kLongestMangled = 4096;

/// Where the bracket that `text` ends in was opened; npos when it ends in none.
std::size_t opening_of(std::string_view text, char open, char close) {
  std::size_t depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == close ? 1 : 0;
    if (text[i] == open && --depth == 0) {
      return i;
    }
    if (depth == 0) {
      break;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z") || name.size() > kLongestMangled) {
    return name;
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

std::string short_name(const std::string& name) {
  const std::string full = demangled(name);
  std::string_view text = full;
  if (const std::size_t parameters = opening_of(text, '(', ')'); parameters != std::string_view::npos) {
    text = text.substr(0, parameters);
  }
  if (const std::size_t arguments = opening_of(text, '<', '>'); arguments != std::string_view::npos) {
    text = text.substr(0, arguments);
  }
  const std::size_t before = text.find_last_of(": ");
  return std::string(before == std::string_view::npos ? text : text.substr(before + 1));
}

}  // namespace gpusim::cubin
