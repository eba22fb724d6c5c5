// SPDX-License-Identifier: MIT
// Model files: what is accepted has parameters that add up, operation by operation.
#include <string>
#include <variant>

#include "sim/system/models/loader.h"
#include "sim/system/models/operations.h"

#include "tests/fuzz/target.h"

using namespace gpusim;

namespace {

std::uint64_t sum_of(const std::vector<models::Operation>& operations) {
  std::uint64_t sum = 0;
  for (const models::Operation& operation : operations) {
    for (const models::Parameter& parameter : models::parameters_of(operation)) {
      sum += parameter.count();
    }
  }
  return sum;
}

void check(const models::Transformer& of) {
  const models::ForwardPass pass = models::forward_pass(of);
  fuzz::require(
      sum_of(pass.before) + of.layers * sum_of(pass.layer) + sum_of(pass.after) == models::parameter_count(of),
      "the operations have the parameters of the model");
  fuzz::require(of.heads % of.kv_heads == 0, "each head of keys serves as many queries");
  fuzz::require(models::forward_flops(of, of.positions) > 0, "a forward pass does something");
}

void check(const models::ResNet& of) {
  fuzz::require(models::parameter_count(of) > of.classes, "a network of convolutions has parameters");
  for (const models::ImageOperation& operation : models::forward_pass(of)) {
    fuzz::require(operation.out_side >= 1, "an image keeps a pixel");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  models::Model model;
  if (fuzz::is_accepted([&] { model = models::parse_model(std::string(fuzz::text_of(data, size)), "x.yaml"); })) {
    std::visit([](const auto& of) { check(of); }, model.is);
  }
  return 0;
}
