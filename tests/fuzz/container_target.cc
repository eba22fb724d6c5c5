// SPDX-License-Identifier: MIT
// Containers: an input is a file as it is when it begins like one, else the messages of one, which get sizes and
// checksums that fit, so that what they say is looked at.
#include <string>

#include "sim/input/container/file.h"
#include "sim/input/container/reader.h"

#include "tests/fuzz/container_parts.h"
#include "tests/fuzz/target.h"

using namespace gpusim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(fuzz::text_of(data, size));
  const bool whole = input.starts_with(container::kMagic);
  fuzz::is_accepted([&] {
    const std::filesystem::path file =
        fuzz::write("x.trace", whole ? input : fuzz::assemble(fuzz::split_messages(input)));
    fuzz::simulate_a_little(container::load(file));
  });
  return 0;
}
