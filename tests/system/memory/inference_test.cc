// SPDX-License-Identifier: MIT
// Inference: what weights and the cache of keys and values take, and when the most is allocated.
#include "sim/system/memory/inference.h"

#include <filesystem>

#include <catch2/catch.hpp>

#include "sim/base/units.h"
#include "sim/system/memory/replay.h"
#include "sim/system/models/loader.h"

namespace system_memory_inference_test {

using namespace gpusim;
using namespace gpusim::memory;
using Catch::Contains;

namespace {

models::Transformer shipped(const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs/models" / (name + ".yaml");
  return std::get<models::Transformer>(models::load_model(file).is);
}

}  // namespace

TEST_CASE("a token's keys and values take what the field's table has") {
  const InferPlan plan;
  CHECK(cache_bytes_per_token(shipped("llama-2-7b"), plan) == 512 * kKi);
  CHECK(cache_bytes_per_token(shipped("llama-3-8b"), plan) == 128 * kKi);
  CHECK(cache_bytes_per_token(shipped("llama-3-70b"), plan) == 320 * kKi);
  CHECK(cache_bytes_per_token(shipped("gpt3-175b"), plan) == 4608 * kKi);
  InferPlan eight;
  eight.cache_bits = 8;
  eight.tensor = 2;
  CHECK(cache_bytes_per_token(shipped("llama-3-8b"), eight) == 32 * kKi);
}

TEST_CASE("weights take the bytes of their format, embeddings and head two of them at least") {
  const models::Transformer model = shipped("llama-3-8b");
  InferPlan plan;
  const auto bytes = [&](WeightFormat format) {
    plan.weights = format;
    return weight_bytes(model, plan);
  };
  CHECK(bytes(WeightFormat::kFp32) == 4ULL * 8'030'261'248);
  CHECK(bytes(WeightFormat::kBf16) == 2ULL * 8'030'261'248);
  const std::uint64_t outside = 2ULL * 128256 * 4096;
  const std::uint64_t norms = 65ULL * 4096;
  CHECK(bytes(WeightFormat::kFp8) == 8'030'261'248 + outside + norms);
  CHECK(static_cast<double>(bytes(WeightFormat::kInt4)) ==
        Approx(2.0 * outside + 0.516 * (8'030'261'248.0 - outside)).epsilon(1e-3));
}

TEST_CASE("the cache is there after the prompt, and grows by a token") {
  const models::Transformer model = shipped("llama-3.2-1b");
  InferPlan plan;
  plan.batch = 4;
  plan.prompt = 256;
  plan.context = 256;
  const Replay out = replay(inference(model, plan), 64 * kGi);
  REQUIRE(out.milestones.size() == 3);
  const auto cache = [&](std::size_t at) {
    return out.milestones[at].shares[static_cast<std::size_t>(Category::kCache)];
  };
  CHECK(cache(0) == 0);
  CHECK(cache(1) == 4 * 256 * cache_bytes_per_token(model, plan));
  // The longer copies are in blocks with a rest of up to 1 MiB.
  CHECK(cache(2) >= 4 * 257 * cache_bytes_per_token(model, plan));
  CHECK(cache(2) <= 4 * 257 * cache_bytes_per_token(model, plan) + 32 * kMi);
  CHECK_THAT(out.peak.operation, Contains("mlp"));
}

}  // namespace system_memory_inference_test
