// SPDX-License-Identifier: MIT
// Text compared with a committed file; GPUSIM_REGENERATE=1 writes the file instead.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace gpusim {

/// What a file holds; `file` is relative to the source tree.
inline std::string committed(const std::string& file) {
  std::ifstream in(std::filesystem::path(GPUSIM_SOURCE_DIR) / file);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

/// What the file holds; `text` after having written it there when GPUSIM_REGENERATE is set. `file` is relative to the
/// source tree.
inline std::string golden(const std::string& file, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(GPUSIM_SOURCE_DIR) / file;
  if (std::getenv("GPUSIM_REGENERATE") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  return committed(file);
}

/// Whether the file ends with the line `marker`, an empty line and `part`. GPUSIM_REGENERATE writes `part` there first.
/// Throws std::runtime_error when the file lacks the marker.
inline bool ends_with_generated(const std::string& file, const std::string& marker, const std::string& part) {
  const std::string page = committed(file);
  const std::size_t start = page.find(marker);
  if (start == std::string::npos) {
    throw std::runtime_error(file + " has no line " + marker);
  }
  const std::string expected = page.substr(0, start + marker.size()) + "\n" + part;
  return golden(file, expected) == expected;
}

}  // namespace gpusim
