// SPDX-License-Identifier: MIT
// The handlers of the lanes are compiled for processors with and without AVX2. Both have to give the same bits.
#include <catch2/catch.hpp>

#include "sim/exec/core/lowering.h"
#include "sim/exec/lanes/families.h"

#include "tests/exec/run/kernel_run.h"

namespace gpusim::exec::variants_test {
namespace {

/// Puts the handlers for every processor into an image.
void use_baseline(Image& image) {
  for (const std::span<const LowerRow> family : baseline::families()) {
    for (const LowerRow& row : family) {
      for (std::uint32_t pc = 0; pc < image.instructions.size(); ++pc) {
        if (image.instructions[pc].op == row.op) {
          Lowering lowering(image, image.instructions[pc], pc);
          row.lower(lowering);
          MicroOp op = lowering.op();
          op.guard = image.code[pc].guard;
          op.uniform = image.code[pc].uniform;
          image.code[pc] = op;
        }
      }
    }
  }
}

struct Case {
  std::string kernel;
  std::size_t results;  ///< words that 32 threads write
};

TEST_CASE("the handlers for every processor give the same bits as those for this one") {
  const auto shown = GENERATE(Case{"integers", 512}, Case{"singles", 384}, Case{"functions", 256}, Case{"doubles", 512},
                              Case{"bfloats", 64});
  const std::string cubin = GENERATE("numbers_sm80.cubin", "numbers_sm90.cubin");
  KernelRun kernel(cubin);
  const Address in = kernel.buffer("in", floats(128, 21));
  const Address out = kernel.buffer("out", std::vector<std::uint32_t>(shown.results));
  const Address other = kernel.buffer("other", std::vector<std::uint32_t>(shown.results));
  kernel.run(shown.kernel, {1}, {32}, in, out);
  Image image = kernel.image(shown.kernel, {1}, {32}, in, other);
  use_baseline(image);
  DirectPort port(kernel.memory());
  run_grid(image, port);
  CAPTURE(cubin, shown.kernel);
  CHECK(kernel.content<std::uint32_t>(out, shown.results) == kernel.content<std::uint32_t>(other, shown.results));
}

}  // namespace
}  // namespace gpusim::exec::variants_test
