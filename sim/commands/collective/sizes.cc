// SPDX-License-Identifier: MIT
#include "sim/commands/collective/sizes.h"

#include <string>

#include "sim/base/problem.h"
#include "sim/base/units.h"
#include "sim/commands/cli/values.h"

namespace gpusim::commands {
namespace {

/// No GPU has more memory; doubling stays far from the largest number.
constexpr std::uint64_t kMostBytes = kTi;

std::uint64_t parse_one(std::string_view option, std::string_view text) {
  const std::uint64_t size = cli::parse_size(option, text);
  if (size == 0 || size > kMostBytes) {
    throw UsageError(std::string(option) + ": " + cli::in_quotes(text) + " is out of range (allowed: 1 to 1 TiB)");
  }
  return size;
}

}  // namespace

std::vector<std::uint64_t> parse_sizes(std::string_view option, std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    return {parse_one(option, text)};
  }
  const std::uint64_t first = parse_one(option, text.substr(0, dots));
  const std::uint64_t last = parse_one(option, text.substr(dots + 2));
  if (last < first) {
    throw UsageError(std::string(option) + ": " + cli::in_quotes(text) + " does not ascend");
  }
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = first; size <= last; size *= 2) {
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace gpusim::commands
