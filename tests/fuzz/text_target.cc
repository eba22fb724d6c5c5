// SPDX-License-Identifier: MIT
// The .trace language: plain or in zstd, with its default parameters and with its test set.
#include "sim/input/text/load.h"
#include "sim/input/text/source_text.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = fuzz::write("x.trace", fuzz::text_of(data, size));
  fuzz::is_accepted([&] { (void)frontend::describe_trace_text(frontend::read_text(file), file.string()); });
  const auto runs = [&](bool use_test_set) {
    trace::ParameterChoice choice;
    choice.use_test_set = use_test_set;
    return fuzz::is_accepted([&] { fuzz::simulate_a_little(frontend::load_trace_text(file, choice)); });
  };
  if (runs(true)) {
    runs(false);
  }
  return 0;
}
