// SPDX-License-Identifier: MIT
// Makes the seeds of the containers' target from those of the text form: no binary file is kept for that.
#include <filesystem>
#include <fstream>

#include "sim/input/container/writer.h"
#include "sim/input/text/load.h"

#include "tests/fuzz/container_parts.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc != 3) {
    return 1;
  }
  const fs::path into = argv[2];
  fs::create_directories(into);
  for (const auto& entry : fs::directory_iterator(argv[1])) {
    const std::string name = entry.path().stem().string();
    const fs::path whole = into / (name + ".whole");
    gpusim::trace::ParameterChoice choice;
    choice.use_test_set = true;
    gpusim::container::write(gpusim::frontend::load_trace_text(entry.path(), choice), whole);
    std::ofstream(into / (name + ".messages"), std::ios::binary)
        << gpusim::fuzz::join_messages(gpusim::fuzz::messages_of(whole));
  }
  return 0;
}
