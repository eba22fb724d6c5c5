// SPDX-License-Identifier: MIT
#include "sim/commands/trace/list.h"

#include <algorithm>
#include <string_view>

#include "sim/base/letter_case.h"
#include "sim/base/nearest.h"
#include "sim/base/problem.h"

namespace gpusim::commands {
namespace {

bool contains(std::string_view text, std::string_view word) {
  return in_lower_case(text).find(in_lower_case(word)) != std::string::npos;
}

bool is_about(const frontend::LibraryKernel& kernel, std::string_view word) {
  return contains(kernel.name, word) || contains(kernel.family, word) || contains(kernel.title, word);
}

}  // namespace

std::vector<frontend::LibraryKernel> kernels_about(const std::string& word,
                                                   std::vector<frontend::LibraryKernel> library) {
  std::vector<frontend::LibraryKernel> found;
  std::ranges::copy_if(library, std::back_inserter(found),
                       [&](const frontend::LibraryKernel& kernel) { return is_about(kernel, word); });
  if (found.empty()) {
    std::vector<std::string_view> known;
    std::ranges::transform(library, std::back_inserter(known), &frontend::LibraryKernel::name);
    throw InputError(
        {{word, 0, 0}, "no kernel of the library has this word in its name, family or title", suggestion(word, known)});
  }
  return found;
}

}  // namespace gpusim::commands
