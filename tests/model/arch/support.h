// SPDX-License-Identifier: MIT
// What the tests of architecture files share: a folder of their own, and problems as text.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "sim/base/problem.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/resolved.h"

namespace gpusim::arch::test {

inline const std::filesystem::path kConfigs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";

/// A new folder that is removed with its files.
class Folder {
 public:
  Folder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("gpusim-arch-" + std::to_string(getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The resolved architecture as a file that loads to the same value, sources and kinds included.
inline std::string dump_arch(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  return write_sheet(resolve_arch(file, overrides).sheet);
}

/// Every problem of a file, a line each, with file names instead of paths; "" when it loads.
inline std::string problems_of(const std::filesystem::path& file, const std::vector<Override>& overrides = {}) {
  try {
    (void)load_arch(file, overrides);
    return "";
  } catch (const InputError& error) {
    std::string text;
    for (Problem problem : error.problems()) {
      problem.where.file = std::filesystem::path(problem.where.file).filename().string();
      text += to_text(problem) + "\n";
    }
    return text;
  }
}

/// The problems of a variant of the shipped H100, whose first line is the `extends`.
inline std::string problems_of_variant(std::string_view text) {
  const Folder folder;
  return problems_of(
      folder.write("v.yaml", "extends: " + (kConfigs / "h100.yaml").string() + "\n" + std::string(text)));
}

inline Arch h100(const std::vector<Override>& overrides = {}) {
  return load_arch(kConfigs / "h100.yaml", overrides);
}

inline std::string problems_of_set(const std::vector<Override>& overrides) {
  return problems_of(kConfigs / "h100.yaml", overrides);
}

}  // namespace gpusim::arch::test
