// SPDX-License-Identifier: MIT
// Listings of SASS: what is accepted becomes a program, whose holes are filled in with something before it runs.
#include <string>
#include <utility>

#include "sim/input/kind/listing.h"
#include "sim/input/listing/listing.h"
#include "sim/input/sass/diagnostics.h"
#include "sim/input/sass/program_text.h"
#include "sim/input/text/load.h"
#include "sim/input/text/source_text.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

/// Begins of holes, and the same filled in.
constexpr std::pair<std::string_view, std::string_view> kFillings[] = {
    {"[?]", "[lane]"}, {" when ?", " when lane < 20"}, {"buffer ", ""}, {"param ", ""}};

std::string fill_line(std::string line) {
  for (const auto& [hole, filling] : kFillings) {
    const std::size_t at = line.find(hole);
    if (!filling.empty() && at != std::string::npos) {
      line.replace(at, hole.size(), filling);
    }
  }
  const std::size_t value = line.find(" = ?");
  if (value != std::string::npos && line.find("buffer ") != std::string::npos) {
    line.replace(value, 4, " f32[4096]");
  } else if (value != std::string::npos) {
    line.replace(value, 4, " = 2");
  }
  return line;
}

std::string fill(const std::string& program) {
  std::string text;
  for (std::size_t at = 0; at < program.size();) {
    const std::size_t end = std::min(program.find('\n', at), program.size());
    text += fill_line(program.substr(at, end - at)) + '\n';
    at = end + 1;
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = fuzz::write("x.sass", fuzz::text_of(data, size));
  std::string program;
  const bool good = fuzz::is_accepted([&] {
    const std::string listing = frontend::read_text(file);
    (void)frontend::sass::is_listing(listing);
    const auto functions = frontend::sass::read_listing(listing, file.string());
    program = frontend::sass::program_of(functions, file.string());
    (void)frontend::sass::diagnostics_of(functions, file.string());
  });
  if (good) {
    fuzz::require(fuzz::is_accepted([&] { (void)frontend::describe_trace_text(fill(program), "x.trace"); }),
                  "a program that was made of a listing is one that can be read");
    fuzz::is_accepted([&] { fuzz::simulate_a_little(frontend::load_trace_text(fill(program), "x.trace", {})); });
  }
  return 0;
}
