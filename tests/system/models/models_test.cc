// SPDX-License-Identifier: MIT
// Model files: shipped ones, parameters counted against published counts, operations, and what is refused where.
#include <cmath>
#include <filesystem>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/model/arch/sheet.h"
#include "sim/system/models/keys.h"
#include "sim/system/models/loader.h"
#include "sim/system/models/operations.h"

#include "tests/support/golden.h"

namespace system_models_test {

using namespace gpusim;
using namespace gpusim::models;
using Catch::Contains;

namespace {

const std::filesystem::path kModels = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / "models";

Model shipped(const std::string& name) {
  return load_model(kModels / (name + ".yaml"));
}

Transformer transformer(const std::string& name) {
  return std::get<Transformer>(shipped(name).is);
}

const char* const kSmall = R"(name: Small
transformer:
  layers: 2
  hidden: 64
  heads: 4
  ffn: 256
  vocabulary: 1000
  positions: 128
  norm: layer
  position_kind: learned
  activation: gelu
  mlp: plain
  embeddings: tied
  biases: all
  qkv: fused
)";

std::string with(const std::string& part, const std::string& instead) {
  std::string text = kSmall;
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), instead);
}

std::string problems_of(const std::string& text) {
  try {
    (void)parse_model(text, "m.yaml");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

const Operation& find(const std::vector<Operation>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Operation::name);
  REQUIRE(found != all.end());
  return *found;
}

}  // namespace

TEST_CASE("parameters are what the makers' files hold, to the last one") {
  // Elements of the tensors that are published for these models.
  const std::pair<const char*, std::uint64_t> published[] = {
      {"gpt2", 124'439'808},           {"gpt2-medium", 354'823'168},    {"gpt2-large", 774'030'080},
      {"gpt2-xl", 1'557'611'200},      {"llama-2-7b", 6'738'415'616},   {"llama-2-13b", 13'015'864'320},
      {"llama-2-70b", 68'976'648'192}, {"llama-3-8b", 8'030'261'248},   {"llama-3-70b", 70'553'706'496},
      {"llama-3.2-1b", 1'235'814'400}, {"llama-3.2-3b", 3'212'749'824}, {"llama-3.1-405b", 405'853'388'800},
      {"bert-base", 109'514'298},      {"bert-large", 335'174'458},     {"resnet-50", 25'557'032}};
  for (const auto& [name, count] : published) {
    INFO(name);
    CHECK(parameter_count(shipped(name)) == count);
  }
}

TEST_CASE("MPT has the parameters of its benchmarks, at every length of the table of positions") {
  const auto billions = [](const char* name, std::uint64_t positions) {
    Transformer of = transformer(name);
    of.positions = positions;
    return std::round(static_cast<double>(parameter_count(of)) / 1e6) / 1e3;
  };
  CHECK(billions("mpt-70b", 2048) == 64.862);
  CHECK(billions("mpt-30b", 2048) == 29.975);
  CHECK(billions("mpt-13b", 2048) == 12.854);
  CHECK(billions("mpt-7b", 2048) == 6.659);
  CHECK(billions("mpt-7b", 65536) == 6.919);
  CHECK(billions("mpt-3b", 512) == 2.648);
  CHECK(billions("mpt-1b", 8192) == 1.329);
}

TEST_CASE("a model of the GPT family has the parameters of the field's formula") {
  const Transformer of = transformer("gpt3-175b");
  const double l = 96;
  const double h = 12288;
  const double formula = 12 * l * h * h * (1 + 13 / (12 * h) + (50257 + 2048) / (12 * l * h));
  CHECK(static_cast<double>(parameter_count(of)) == Approx(formula).epsilon(1e-6));
}

TEST_CASE("every shipped model loads, and each of its values has a kind and a source") {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(kModels)) {
    INFO(file.path());
    const Model model = load_model(file.path());
    for (const system::GivenValue& value : model.values) {
      INFO(value.key);
      CHECK_FALSE(value.sources.empty());
      CHECK(value.sources.front() != arch::kUserSource);
    }
    ++count;
  }
  CHECK(count >= 30);
}

TEST_CASE("operations of a layer follow each other with their shapes") {
  const ForwardPass pass = forward_pass(transformer("llama-3-8b"));
  CHECK(pass.layers == 32);
  CHECK(find(pass.layer, "attention.key").out == 1024);
  CHECK(find(pass.layer, "attention.rotary").in == 5120);
  CHECK(find(pass.layer, "attention.core").in == 6144);
  CHECK(find(pass.layer, "mlp.scale").in == 28672);
  CHECK(find(pass.layer, "mlp.down").in == 14336);
  CHECK_FALSE(find(pass.layer, "mlp.down").bias);
  CHECK(find(pass.after, "head.vocabulary").owns_weights);
  CHECK_FALSE(find(forward_pass(transformer("gpt2")).after, "head.vocabulary").owns_weights);
  CHECK(pass.layer.front().name == "attention.norm");
  CHECK(forward_pass(transformer("bert-large")).layer.back().name == "mlp.norm");
  CHECK(find(forward_pass(transformer("gpt2")).layer, "attention.qkv").out == 3 * 768);
}

TEST_CASE("FLOPs of a forward pass are those of the field's formula for GPT") {
  const Transformer of = transformer("gpt3-175b");
  const double l = 96;
  const double h = 12288;
  const double s = 2048;
  const double formula = 24 * s * l * h * h * (1 + s / (6 * h) + 50257 / (12 * l * h));
  CHECK(forward_flops(of, 2048) == Approx(formula).epsilon(1e-9));
}

TEST_CASE("ResNet-50 has 53 convolutions and 4.09 G multiply-adds an image") {
  double adds = 0;
  std::size_t convolutions = 0;
  for (const ImageOperation& of : forward_pass(std::get<ResNet>(shipped("resnet-50").is))) {
    if (of.op == ImageOp::kConvolution || of.op == ImageOp::kLinear) {
      convolutions += of.op == ImageOp::kConvolution ? 1 : 0;
      adds += static_cast<double>(of.in * of.out * of.kernel * of.kernel * of.out_side * of.out_side);
    }
  }
  CHECK(convolutions == 53);
  CHECK(adds == Approx(4.089e9).epsilon(0.001));
}

TEST_CASE("keys that are left out stand for the usual") {
  const Transformer of = std::get<Transformer>(parse_model(kSmall, "m.yaml").is);
  CHECK(of.kv_heads == 4);
  CHECK(of.head_size == 16);
  CHECK(of.norm_place == NormPlace::kPre);
  CHECK(of.attention == Attention::kCausal);
}

TEST_CASE("what is wrong with a model is told with line, column and the nearest word") {
  CHECK(problems_of(with("hidden: 64", "hiden: 64")) ==
        "m.yaml:4:3: unknown key 'transformer.hiden' (did you mean 'hidden'?)\n"
        "m.yaml:2:1: 'transformer' lacks 'hidden' (features of a token between layers)");
  CHECK_THAT(problems_of(with("heads: 4", "heads: 5")), Contains("m.yaml:2:1: 'hidden' is not a multiple of 'heads'"));
  CHECK_THAT(problems_of(with("heads: 4", "heads: 4\n  kv_heads: 3")), Contains("not a multiple of 'kv_heads'"));
  CHECK_THAT(problems_of(with("norm: layer", "norm: batch")), Contains("m.yaml:9:9: 'transformer.norm': 'batch'"));
  CHECK_THAT(problems_of(with("layers: 2", "layers: 0")), Contains("'0' is out of range (allowed: 1 to 4096)"));
  CHECK_THAT(problems_of(with("name: Small\n", "")), Contains("the model has no name"));
  CHECK_THAT(problems_of("name: x\n"), Contains("a model has one of 'transformer' and 'resnet'"));
  CHECK_THAT(problems_of(std::string(kSmall) + "layer: 3\n"), Contains("m.yaml:16:1: unknown key 'layer'"));
  CHECK_THAT(problems_of(std::string(kSmall) + "published_parameters: 200000\n"),
             Contains("m.yaml:16:1: the shapes give ") && Contains("'published_parameters' is 200,000"));
  CHECK_THAT(problems_of("- 1\n"), Contains("is not a model"));
}

TEST_CASE("the documentation of the keys of models is up to date") {
  CHECK(ends_with_generated(
      "docs/models.md", "<!-- generated from the keys: GPUSIM_REGENERATE=1 test_system_models -->\n", keys_markdown()));
}

}  // namespace system_models_test
