// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/input/container/reader.h"
#include "sim/input/container/writer.h"
#include "sim/input/text/load.h"

#include "tests/input/accelsim/folder.h"
#include "tests/support/same_kernel.h"

namespace gpusim::testing {

using gpusim::test::Folder;

/// The shipped traces, by name.
inline std::vector<std::filesystem::path> shipped_traces() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(GPUSIM_SOURCE_DIR "/traces")) {
    if (entry.path().extension() == ".trace") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline trace::Trace load_text(const std::filesystem::path& file) {
  trace::ParameterChoice choice;
  choice.use_test_set = true;
  return frontend::load_trace_text(file, choice);
}

/// What reading the file is refused with; "" when it is not.
inline std::string refusal(const std::filesystem::path& file) {
  try {
    static_cast<void>(container::load(file));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace gpusim::testing
