// SPDX-License-Identifier: MIT
// With which tile, and in how many parts of its depth, a product in FP32 is done since Ampere.
#include "sim/system/generate/fp32_products.h"

#include <algorithm>
#include <string>
#include <variant>

#include <catch2/catch.hpp>

#include "sim/system/generate/step_builder.h"

namespace fp32_products_test {

using namespace gpusim;
using namespace gpusim::generate;
using application::Parameters;

namespace {

constexpr std::uint64_t kHopperWorkspace = 32ULL << 20;
const Target kH200{132, "9.0", kHopperWorkspace};

/// "m n k splits tile_m tile_n" of a product in FP32.
std::string fp32_plan(const Target& target, std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const KernelForm form = product(target, Precision::kFp32, m, n, k);
  const auto& how = std::get<application::Simulated>(form.how);
  REQUIRE(how.trace == "sgemm-multistage");
  std::string text;
  for (const char* name : {"m", "n", "k", "splits", "tile_m", "tile_n"}) {
    text += (text.empty() ? "" : " ") + std::ranges::find(how.params, name, &Parameters::value_type::first)->second;
  }
  return text;
}

}  // namespace

TEST_CASE("a product in FP32 whose tiles fill the SMs has the largest tile and its whole depth, whatever its stride") {
  CHECK(fp32_plan(kH200, 4096, 1024, 1024) == "4096 1024 1024 1 256 128");
  CHECK(fp32_plan(kH200, 8192, 50257, 768) == "8192 50304 768 1 256 128");
  CHECK_FALSE(product(kH200, Precision::kFp32, 4096, 1024, 1024).then);
  const KernelForm larger = product(kH200, Precision::kFp32, 8192, 200'000, 768);
  CHECK(std::holds_alternative<application::Roofline>(larger.how));
}

TEST_CASE("the depth of a product in FP32 with few tiles is split as on an H200, and the parts are summed up behind") {
  CHECK(fp32_plan(kH200, 1024, 1024, 4096) == "1024 1024 4096 4 256 128");  // BERT-large's gradients of weights
  CHECK(fp32_plan(kH200, 768, 768, 8192) == "768 768 8232 7 256 128");      // GPT-2's
  const KernelForm form = product(kH200, Precision::kFp32, 1024, 1024, 4096);
  REQUIRE(form.then);
  CHECK(form.then->trace == "split-k-reduce");
  CHECK(form.then->params == Parameters{{"m", "1024"}, {"n", "1024"}, {"splits", "4"}});
  CHECK(form.flops == 2.0 * 1024 * 1024 * 4096);
}

TEST_CASE("parts of a product in FP32 that the workspace does not hold have no sum behind") {
  const Target a100{108, "8.0", 8ULL << 20};
  CHECK(product(kH200, Precision::kFp32, 768, 768, 8192).then);
  CHECK(fp32_plan(a100, 768, 768, 8192) == "768 768 8208 6 256 128");
  CHECK_FALSE(product(a100, Precision::kFp32, 768, 768, 8192).then);
}

TEST_CASE("before Ampere the depth of a product in FP32 has as many parts as in cuBLAS's grids on V100 and T4") {
  // (12, 16, 5) of volta_sgemm_128x128_tn for both, in NeuSight's measurements of 2,048 x 1,536 x 30,522.
  for (const Target& target : {Target{80, "7.0"}, Target{40, "7.5"}}) {
    const auto how = std::get<application::Simulated>(product(target, Precision::kFp32, 2048, 1536, 30522).how);
    CHECK(how.trace == "sgemm-tiled");
    CHECK(how.params == Parameters{{"m", "10240"}, {"n", "1536"}, {"k", "6112"}});
  }
}

TEST_CASE("a small product in FP32 has small tiles") {
  CHECK(fp32_plan(kH200, 128, 1000, 2048) == "128 1024 2048 4 64 64");
}

TEST_CASE("a step launches the sum of a product's parts behind the product, without an operator of its own") {
  application::Application application;
  StepBuilder builder(application, 1000);
  builder.launch("gradient", product(kH200, Precision::kFp32, 768, 768, 8192));
  builder.launch("product", product(kH200, Precision::kFp32, 4096, 1024, 1024));
  REQUIRE(application.kernels.size() == 3);
  CHECK(application.kernels[0].name == "gradient");
  CHECK(application.kernels[1].name == "gradient sum of parts");
  CHECK(application.kernels[1].flops == 0);
  CHECK(application.kernels[2].name == "product");
  CHECK(builder.take().size() == 5);  // two operators, three launches
}

}  // namespace fp32_products_test
