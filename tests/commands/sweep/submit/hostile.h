// SPDX-License-Identifier: MIT
// What a shell says and does, for words and scripts that try its rules.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

namespace gpusim::sweep {

/// Words that a shell would read as something else, were they not quoted.
inline const std::vector<std::string>& hostile_words() {
  static const std::vector<std::string> words = {"a b",        "it's",      "''",    "\"x\"",     "$HOME",
                                                 "$(touch x)", "`touch x`", "a\nb",  "a\\nb",     "\\",
                                                 "*",          "~",         "#note", "a;touch x", "a|b",
                                                 "a&b",        "(a)",       "!!",    "\t",        "-n",
                                                 "%s",         "{a,b}",     ">x",    "",          "gr\xc3\xbc\xc3\x9f",
                                                 "\xff\xfe"};
  return words;
}

/// Standard output of a shell's command line.
inline std::string shell_output(const std::string& line) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(line.c_str(), "r"), &::pclose);
  if (pipe == nullptr) {
    throw std::runtime_error("no shell");
  }
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
    text += static_cast<char>(c);
  }
  return text;
}

/// A folder of its own, removed in the end.
class Folder {
 public:
  explicit Folder(const std::string& name = "plain")
      : top_(std::filesystem::temp_directory_path() / ("gpusim-submit-" + std::to_string(::getpid()))),
        path_(top_ / name) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(top_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::ofstream(file, std::ios::binary) << text;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

 private:
  std::filesystem::path top_;
  std::filesystem::path path_;
};

}  // namespace gpusim::sweep
