// SPDX-License-Identifier: MIT
#include "tools/silicon/host/driver.h"

#include <fstream>

namespace gpusim::silicon {
namespace {

bool is_release(const std::string& word) {
  return word.find('.') != word.npos && word.find_first_not_of("0123456789.") == word.npos;
}

}  // namespace

std::string driver_version(const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file);
    for (std::string word; stream >> word;) {
      if (is_release(word)) {
        return word;
      }
    }
  }
  return "";
}

}  // namespace gpusim::silicon
