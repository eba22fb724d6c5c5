// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "sim/base/address_space.h"
#include "sim/input/sass/program_text.h"
#include "sim/input/text/load.h"
#include "sim/model/trace/kernel.h"

#include "tests/input/listing/listings.h"

namespace addresses_test {

using namespace gpusim;

TEST_CASE("buffers of a listing as large as one may be lie below the end of a GPU's addresses") {
  std::string text = frontend::sass::program_from_listing(test::kCuobjdump, "k.sass");
  const auto fill = [&text](const std::string& hole, const std::string& with) {
    for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + with.size())) {
      text.replace(at, hole.size(), with);
    }
  };
  fill("[?]", "[tid]");
  fill("when ?", "when tid >= 128");
  fill("buffer arg_160 = ?", "buffer arg_160 f32[4398046511104]");
  fill("buffer arg_168 = ?", "buffer arg_168 f32[4398046511104]");
  trace::ParameterChoice choice;
  choice.overrides = {{"trips_L1", 8}, {"ctas_sums", 1}, {"threads_sums", 128}};
  const trace::Trace trace = frontend::load_trace_text(text, "k.trace", choice);
  REQUIRE(trace.kernels[0].buffers.size() == 2);
  for (const trace::Buffer& buffer : trace.kernels[0].buffers) {
    CHECK(fits_global(buffer.base, buffer.bytes));
  }
}

}  // namespace addresses_test
