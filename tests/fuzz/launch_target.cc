// SPDX-License-Identifier: MIT
// Launches: an input is a launch file, planned for a kernel with a parameter of every kind, whose small buffers are
// filled; or a .npy file, whose header is read. One that begins with "//" is a source, in which names are looked for.
#include <string>

#include "sim/code/array/fill.h"
#include "sim/code/array/npy.h"
#include "sim/code/launch/c_types.h"
#include "sim/code/launch/launch_file.h"
#include "sim/code/launch/plan.h"
#include "sim/code/launch/signature.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

launch::Signature signature_of(const std::string& kernel) {
  launch::Signature out;
  out.kernel = "k";
  out.file = "k.cubin";
  out.parameter_bytes = 40;
  out.parameters = {{0, 4, "", {}}, {4, 4, "", {}}, {8, 8, "", {}}, {16, 8, "", {}}, {24, 12, "", {}}};
  if (kernel == "named") {
    const auto names =
        launch::parameters_of_source("__global__ void k(int n, float a, const float* x, void* y, Work work) {}", "k");
    fuzz::require(launch::take_names(out, names.value(), "k.cu"), "the names fit the sizes");
  }
  return out;
}

void look_at_plan(std::string_view input) {
  constexpr std::uint64_t kMostFilled = 4096;
  const launch::Plan plan = launch::make_plan(launch::parse_launch_file(input, "x.yaml"), signature_of);
  const std::vector<Address> addresses(plan.buffers.size(), Address{1} << 40);
  for (const launch::Launch& one : plan.launches) {
    fuzz::require(launch::parameters_of(one, addresses).size() == 40, "parameters have the size that the kernel has");
  }
  for (const launch::Buffer& buffer : plan.buffers) {
    if (buffer.bytes() <= kMostFilled && buffer.fill.kind != array::Fill::Kind::kFile) {
      std::string bytes(buffer.bytes(), '\0');
      array::fill_elements(buffer.fill, buffer.element, buffer.count, buffer.seed, buffer.where, bytes.data());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  fuzz::is_accepted([&] {
    if (input.starts_with('\x93')) {
      (void)array::read_npy_header(input, input.size(), "x.npy");
    } else if (input.starts_with("//")) {
      (void)launch::parameters_of_source(input, "k");
      (void)launch::parameters_of_ttir(input);
      (void)launch::parameters_of_demangled(input);
    } else {
      look_at_plan(input);
    }
  });
  return 0;
}
