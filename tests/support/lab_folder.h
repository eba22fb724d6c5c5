// SPDX-License-Identifier: MIT
// A lab of a few lines, in a folder of its own for one test.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/base/temporary_folder.h"

namespace gpusim::testing {

class LabFolder {
 public:
  /// Writes a lab whose two tasks are `tasks` of lab.yaml and `texts` of text.yaml.
  LabFolder(const std::string& tasks, const std::string& texts) {
    write("lab.yaml",
          "schema: gpusim.lab/1\n"
          "minutes: 20\n"
          "parameters:\n"
          "  n: {choose: [64, 128]}\n"
          "  type: {choose: [f32]}\n"
          "files: [kernel.trace]\n"
          "runs:\n"
          "  student: {trace: kernel.trace, arch: t4, params: {n: n, type: type}}\n"
          "  reference: {trace: solution/kernel.trace, arch: t4, params: {n: n}}\n"
          "tasks:\n" +
              tasks);
    write("text.yaml", "title: A lab\nsummary: In short\ntasks:\n" + texts);
    write("handout.md", "# A lab\n\nYour n is {{n}}, twice that {{2 * n}}, in {{type}}.\n");
    write("start/kernel.trace", "start\n");
    write("solution/kernel.trace", "solution\n");
  }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream in(path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] std::filesystem::path path() const { return place_.path() / "tiny"; }

 private:
  TemporaryFolder place_;
};

}  // namespace gpusim::testing
