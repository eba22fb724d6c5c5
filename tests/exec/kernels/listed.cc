// SPDX-License-Identifier: MIT
#include "tests/exec/kernels/listed.h"

#include "sim/code/cubin/bytes.h"
#include "sim/code/cubin/listed.h"
#include "sim/code/cubin/listing.h"
#include "sim/code/launch/layout.h"

namespace gpusim::exec {
namespace {

/// An argument as a user writes it; a number of 8 bytes has to say so where the code reads its halves.
std::string text_of(const Argument& argument) {
  if (const auto* value = std::get_if<Bytes>(&argument)) {
    const std::size_t bytes = value->size();
    return bytes == 1   ? "i8:0"
           : bytes == 2 ? "i16:0"
           : bytes == 4 ? "0"
           : bytes == 8 ? "i64:0"
                        : "bytes:" + std::string(2 * bytes, '0');
  }
  return std::holds_alternative<std::size_t>(argument) ? "f32[1]" : "map(1, 1):f32[1, 1]";
}

void lay_out(cubin::Function& function, const Problem& problem) {
  if (!function.unknown_parameters) {
    return;
  }
  launch::LaunchText text;
  for (std::size_t i = 0; i < problem.arguments().size(); ++i) {
    text.arguments.push_back({std::to_string(i), text_of(problem.arguments()[i]), {}});
  }
  const launch::LaidOut laid = launch::laid_out(
      launch::signature_of(function, "k.sass", nullptr), text, [](const std::string&) { return false; }, true);
  function.parameters.clear();
  for (const launch::Parameter& parameter : laid.signature.parameters) {
    function.parameters.push_back(
        {static_cast<std::uint32_t>(function.parameters.size()), parameter.offset, parameter.size});
  }
}

}  // namespace

std::string listing_text(const cubin::Module& module) {
  std::string text = cubin::listing_head(module, cubin::ShowHex::kYes);
  for (const cubin::Function& function : module.functions) {
    text += cubin::listing_of(module, function, cubin::ShowControl::kNo, cubin::ShowHex::kYes).text;
  }
  return text;
}

cubin::Module relisted(const cubin::Module& module, const std::string& kernel, const Problem& problem) {
  cubin::Module listed = cubin::read_listed(listing_text(module), "k.sass", 1);
  for (std::size_t i = 0; i < listed.functions.size(); ++i) {
    cubin::Function& function = listed.functions[i];
    function.cluster = module.functions.at(i).cluster;  // an option of the launch
    if (function.name == kernel) {
      lay_out(function, problem);
    }
  }
  return listed;
}

}  // namespace gpusim::exec
