// SPDX-License-Identifier: MIT
#include "sim/commands/trace/list.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
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

/// Names, and the words that names and families are made of.
std::set<std::string> words_of(const std::vector<frontend::LibraryKernel>& library) {
  std::set<std::string> words;
  for (const frontend::LibraryKernel& kernel : library) {
    words.insert(kernel.name);
    for (std::string text : {kernel.name, kernel.family}) {
      std::ranges::replace(text, '-', ' ');
      std::istringstream in(text);
      for (std::string word; in >> word;) {
        words.insert(word);
      }
    }
  }
  return words;
}

}  // namespace

std::vector<frontend::LibraryKernel> kernels_about(const std::string& word,
                                                   std::vector<frontend::LibraryKernel> library) {
  std::vector<frontend::LibraryKernel> found;
  std::ranges::copy_if(library, std::back_inserter(found),
                       [&](const frontend::LibraryKernel& kernel) { return is_about(kernel, word); });
  if (found.empty()) {
    const std::set<std::string> words = words_of(library);
    const std::vector<std::string_view> known(words.begin(), words.end());
    throw InputError(
        {{word, 0, 0}, "no kernel of the library has this word in its name, family or title", suggestion(word, known)});
  }
  return found;
}

}  // namespace gpusim::commands
