// SPDX-License-Identifier: MIT
// Listings of SASS: what is accepted becomes a program, whose holes are filled in with something before it runs. What
// has encodings becomes modules, too, whose code is decoded and listed, and whose parameters are laid out.
#include <string>
#include <utility>

#include "sim/code/cubin/images.h"
#include "sim/code/cubin/listing.h"
#include "sim/code/cubin/usage.h"
#include "sim/code/launch/plan.h"
#include "sim/code/launch/request.h"
#include "sim/code/launch/signature.h"
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

void look_at_launch(const cubin::Function& function) {
  launch::Request request;
  launch::LaunchText text;
  text.grid = launch::Text{"2", {}};
  text.block = launch::Text{"32", {}};
  text.shared = launch::Text{"64", {}};
  text.arguments = {{"x", "f32[4]:ones", {}}, {"y", "f32[4]", {}}, {"n", "4", {}}, {"3", "bytes:00010203", {}}};
  request.launches.push_back(text);
  fuzz::is_accepted([&] {
    const launch::Plan plan = launch::make_plan(
        request, [&](const std::string&) { return launch::signature_of(function, "x.sass", nullptr); });
    const launch::Launch& one = plan.launches.at(0);
    const std::vector<Address> addresses(plan.buffers.size(), Address{1} << 40);
    fuzz::require(launch::parameters_of(one, addresses).size() <= function.parameter_bytes,
                  "parameters fit the kernel's constant bank");
  });
}

void look_at_code(const std::string& listing) {
  static_cast<void>(cubin::for_each_image_in(listing, "x.sass", 0, [](const cubin::Image& image) {
    const cubin::Module module = cubin::read_image(image);
    (void)cubin::listing_head(module, cubin::ShowHex::kYes);
    for (const cubin::Function& function : module.functions) {
      (void)cubin::local_accesses(module, function);
      fuzz::is_accepted(
          [&] { (void)cubin::listing_of(module, function, cubin::ShowControl::kYes, cubin::ShowHex::kYes); });
      look_at_launch(function);
    }
  }));
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
  fuzz::is_accepted([&] { look_at_code(frontend::read_text(file)); });
  if (good) {
    fuzz::require(fuzz::is_accepted([&] { (void)frontend::describe_trace_text(fill(program), "x.trace"); }),
                  "a program that was made of a listing is one that can be read");
    fuzz::is_accepted([&] { fuzz::simulate_a_little(frontend::load_trace_text(fill(program), "x.trace", {})); });
  }
  return 0;
}
