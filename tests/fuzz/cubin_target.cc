// SPDX-License-Identifier: MIT
// Compiled kernels: an input is a cubin, a fatbin or a program with fatbins; what is accepted is decoded, encoded again
// and listed. One that begins like JSON is what Triton writes beside a cubin.
#include <string>

#include "sim/code/cubin/images.h"
#include "sim/code/cubin/listing.h"
#include "sim/code/cubin/select.h"
#include "sim/code/cubin/usage.h"
#include "sim/code/sass/decode.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

void look_at(const cubin::Module& module, const cubin::Function& function) {
  const auto generation = module.generation();
  for (const sass::Code& code : generation ? function.code : std::vector<sass::Code>()) {
    fuzz::require(sass::encode(sass::decode(code, *generation)) == code, "what was decoded encodes as it was");
  }
  (void)cubin::local_accesses(module, function);
  (void)cubin::parameters_text(function);
  (void)cubin::launch_text(function, nullptr);
  fuzz::is_accepted([&] { (void)cubin::listing_of(module, function, cubin::ShowControl::kYes); });
}

void look_at(const cubin::Image& image) {
  const cubin::Module module = cubin::read_image(image);
  (void)cubin::listing_head(module);
  for (const cubin::Function& function : module.functions) {
    look_at(module, function);
  }
  cubin::Search search("saxpi");
  (void)search.in(module);
  search.require_found(image.name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  fuzz::is_accepted([&] {
    if (input.starts_with('{')) {
      (void)cubin::read_triton(std::string(input), "x.json");
    } else {
      (void)cubin::for_each_image_in(input, "x.cubin", 0, [](const cubin::Image& image) { look_at(image); });
    }
  });
  return 0;
}
