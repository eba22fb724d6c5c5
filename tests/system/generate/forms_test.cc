// SPDX-License-Identifier: MIT
// Which kernel of the library stands for an operation, on which GPU.
#include "sim/system/generate/forms.h"

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

namespace generate_forms_test {

using namespace gpusim;
using namespace gpusim::generate;
using application::ElementType;
using application::FlashKernel;
using application::Operation;
using application::OperationKind;

namespace {

const Target kV100{80, "7.0", 0};
const Target kA100{108, "8.0", 0};
const Target kRtx4090{128, "8.9", 0};
const Target kH100{132, "9.0", 0};
const Target kB200{148, "10.0", 0};

/// The kernel of the library; "roofline" where that is it, "none" for nothing.
std::string kernel_of(const Target& target, const Operation& operation) {
  const auto form = form_of(target, operation);
  const auto* const simulated = form ? std::get_if<application::Simulated>(&form->how) : nullptr;
  return !form ? "none" : simulated == nullptr ? "roofline" : simulated->trace;
}

/// A parameter of the library's kernel; empty where it has none of the name.
std::string parameter(const Target& target, const Operation& operation, const std::string& name) {
  const auto form = form_of(target, operation);
  const auto& params = std::get<application::Simulated>(form.value().how).params;
  const auto found = std::ranges::find(params, name, &application::Parameters::value_type::first);
  return found == params.end() ? "" : found->second;
}

Operation product(std::uint64_t m, std::uint64_t n, std::uint64_t k, std::uint64_t batch = 1) {
  Operation made;
  made.of = OperationKind::kProduct;
  made.m = m;
  made.n = n;
  made.k = k;
  made.batch = batch;
  return made;
}

Operation attention(OperationKind of, FlashKernel flash) {
  Operation made;
  made.of = of;
  made.flash = flash;
  made.batch = 2;
  made.heads = made.kv_heads = 16;
  made.queries = made.keys = 2048;
  made.head_size = 128;
  return made;
}

Operation matrix(OperationKind of, std::uint64_t rows, std::uint64_t columns) {
  Operation made;
  made.of = of;
  made.rows = rows;
  made.columns = columns;
  made.table = made.elements = made.bytes = rows * columns;
  return made;
}

}  // namespace

TEST_CASE("a product has the kernel of each generation") {
  const Operation large = product(4096, 4096, 4096);
  CHECK(kernel_of(kV100, large) == "gemm-hmma-volta");
  CHECK(kernel_of(kA100, large) == "gemm-bf16");
  CHECK(kernel_of(kRtx4090, large) == "gemm-mma");
  CHECK(kernel_of(kH100, large) == "gemm-wgmma");
  CHECK(kernel_of(kB200, large) == "roofline");
  CHECK(kernel_of(kA100, product(512, 512, 64, 96)) == "gemm-mma");
  CHECK(form_of(kA100, large)->flops == 2.0 * 4096 * 4096 * 4096);
}

TEST_CASE("the largest sizes that an application may have are counted without overflow") {
  constexpr double kMost = 4294967296;
  const Operation product_of_all = product(1ULL << 32, 1ULL << 32, 1ULL << 32);
  const auto form = form_of(kB200, product_of_all);
  CHECK(form->flops == 2 * kMost * kMost * kMost);
  CHECK(std::get<application::Roofline>(form->how).bytes == 3 * 2 * kMost * kMost);
  CHECK(std::get<application::Roofline>(form->how).reach > 0.7);
  Operation wide = attention(OperationKind::kAttention, FlashKernel::kSecond);
  wide.batch = wide.heads = wide.queries = wide.keys = 1ULL << 32;
  wide.head_size = 128;
  wide.causal = false;
  CHECK(form_of(kA100, wide)->flops == 4 * 128 * kMost * kMost * kMost * kMost);
}

TEST_CASE("a matrix times a vector is one whichever of both comes first") {
  CHECK(kernel_of(kA100, product(1, 4096, 1024)) == "gemv");
  CHECK(kernel_of(kA100, product(4096, 1, 1024)) == "gemv");
  CHECK(parameter(kA100, product(4096, 1, 1024), "m") == "4096");
}

TEST_CASE("attention is the newest of each GPU, or the second everywhere, and none before Ampere") {
  const Operation newest = attention(OperationKind::kAttention, FlashKernel::kNewest);
  CHECK(kernel_of(kV100, newest) == "none");
  CHECK(kernel_of(kA100, newest) == "flash-attention-2");
  CHECK(kernel_of(kH100, newest) == "flash-attention-3");
  CHECK(kernel_of(kH100, attention(OperationKind::kAttention, FlashKernel::kSecond)) == "flash-attention-2");
  Operation backward = attention(OperationKind::kAttentionBackward, FlashKernel::kSecond);
  CHECK(kernel_of(kA100, backward) == "flash-attention-2-backward");
  backward.keys = 4096;
  CHECK(kernel_of(kA100, backward) == "none");
  Operation longer = attention(OperationKind::kAttention, FlashKernel::kSecond);
  longer.keys = 4096;
  CHECK(parameter(kA100, longer, "kv") == "4096");
}

TEST_CASE("softmax has a warp, a CTA, or several reads a row, by its length") {
  CHECK(parameter(kA100, matrix(OperationKind::kSoftmax, 4096, 1000), "threads") == "32");
  CHECK(parameter(kA100, matrix(OperationKind::kSoftmax, 4096, 1000), "columns") == "1024");
  CHECK(parameter(kA100, matrix(OperationKind::kSoftmax, 4096, 4096), "threads") == "1024");
  CHECK(kernel_of(kA100, matrix(OperationKind::kSoftmax, 4096, 50257)) == "copy");
}

TEST_CASE("every kind has a kernel on an A100, and none but products in FP8") {
  for (const application::OperationForm& kind : application::operation_forms()) {
    INFO(std::string(kind.meaning));
    Operation operation = product(256, 256, 256);
    operation.of = kind.of;
    for (const application::OperationSize& size : kind.sizes) {
      if (!size.name.empty()) {
        operation.*size.at = 2048;
      }
    }
    CHECK(kernel_of(kA100, operation) != "none");
    operation.type = ElementType::kFp8;
    operation.batch = 1;
    CHECK((kernel_of(kA100, operation) == "none") == (kind.of != OperationKind::kProduct));
  }
}

}  // namespace generate_forms_test
