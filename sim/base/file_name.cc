// SPDX-License-Identifier: MIT
#include "sim/base/file_name.h"

#include <algorithm>
#include <string>

#include "sim/base/letter_case.h"

namespace gpusim {

const std::filesystem::path* in_other_case(std::span<const std::filesystem::path> files, std::string_view name) {
  const std::string wanted = in_lower_case(name);
  const auto found = std::ranges::find_if(files, [&wanted](const std::filesystem::path& file) {
    return in_lower_case(file.filename().string()) == wanted || in_lower_case(file.stem().string()) == wanted;
  });
  return found == files.end() ? nullptr : &*found;
}

}  // namespace gpusim
