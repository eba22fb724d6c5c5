// SPDX-License-Identifier: MIT
// Text compared with a committed file; GPUSIM_REGENERATE=1 writes the file instead.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace gpusim {

/// What the file holds; `text` after having written it there when GPUSIM_REGENERATE is set. `file` is relative to the
/// source tree.
inline std::string golden(const std::string& file, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(GPUSIM_SOURCE_DIR) / file;
  if (std::getenv("GPUSIM_REGENERATE") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::ifstream in(path);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

}  // namespace gpusim
