// SPDX-License-Identifier: MIT
// Runs the built program as a user would, and keeps what it said.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/wait.h>

namespace gpusim::app {

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A folder of its own for one test, removed at its end; the program runs in it.
class Workshop {
 public:
  Workshop() {
    std::string name = (std::filesystem::temp_directory_path() / "gpusim-test-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~Workshop() { std::filesystem::remove_all(folder_); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  struct Said {
    int code = 0;
    std::string out;
    std::string err;
  };
  /// `arguments` as in a shell; `before` may set variables.
  [[nodiscard]] Said run(const std::string& arguments, const std::string& before = "") const {
    return shell(before + " '" + GPUSIM_PROGRAM + "' " + arguments + " >out 2>err");
  }
  [[nodiscard]] Said shell(const std::string& script) const {
    const std::string command = "cd '" + folder_.string() + "' || exit; " + script;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder_ / "out"), content_of(folder_ / "err")};
  }

 private:
  std::filesystem::path folder_;
};

/// A trace that never ends: two warps take two barriers in opposite order.
inline constexpr const char* kStuck = R"(gpusim trace 1
title "two warps take two barriers in opposite order"
kernel stuck
  grid (1)
  block (64)
  registers 16
  barriers 2
code
  @P0 BRA other            when warp == 1
  BAR.SYNC 0x0
  BAR.SYNC 0x1
  EXIT
other:
  BAR.SYNC 0x1
  BAR.SYNC 0x0
  EXIT
end
)";

}  // namespace gpusim::app
