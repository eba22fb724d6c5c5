// SPDX-License-Identifier: MIT
// Applications that are generated: that their files read as they were made, and that they do the work of the model.
#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string>

#include <catch2/catch.hpp>

#include "sim/base/problem.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/system/application/check.h"
#include "sim/system/application/loader.h"
#include "sim/system/application/writer.h"
#include "sim/system/generate/demos.h"
#include "sim/system/generate/image_kernels.h"
#include "sim/system/generate/kernels.h"
#include "sim/system/generate/resnet.h"
#include "sim/system/generate/transformer.h"
#include "sim/system/models/loader.h"
#include "sim/system/models/operations.h"

namespace generate_test {

using namespace gpusim;
using namespace gpusim::generate;
using application::Application;
using application::Call;
using application::Calls;

namespace {

Request request_for(const std::string& model) {
  Request request;
  const auto file = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / "models" / (model + ".yaml");
  const models::Model loaded = models::load_model(file);
  request.model = std::get<models::Transformer>(loaded.is);
  request.model_name = loaded.name;
  request.batch = 4;
  request.sequence = 1024;
  return request;
}

ImageRequest images(std::uint64_t batch, Precision precision = Precision::kFp16) {
  ImageRequest request;
  const models::Model loaded =
      models::load_model(std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs" / "models" / "resnet-50.yaml");
  request.model = std::get<models::ResNet>(loaded.is);
  request.model_name = loaded.name;
  request.batch = batch;
  request.precision = precision;
  return request;
}

arch::Arch shipped_arch(const std::string& name) {
  const std::filesystem::path configs = std::filesystem::path(GPUSIM_SOURCE_DIR) / "configs";
  return arch::load_arch(configs / (name + ".yaml"), {}, std::span(&configs, 1));
}

/// What a thread does, in all.
struct Work {
  double flops = 0;
  double launches = 0;
  double collective_bytes = 0;
};

void add(const Application& application, const Calls& calls, double times, Work& work) {
  for (const Call& call : calls) {
    if (const auto* const repeat = std::get_if<application::Repeat>(&call.is)) {
      add(application, repeat->body, times * static_cast<double>(repeat->times), work);
    } else if (const auto* const range = std::get_if<application::Range>(&call.is)) {
      add(application, range->body, times, work);
    } else if (const auto* const graph = std::get_if<application::LaunchGraph>(&call.is)) {
      add(application, application.graphs[graph->graph].calls, times, work);
    } else if (const auto* const launch = std::get_if<application::Launch>(&call.is)) {
      work.flops += times * application.kernels[launch->kernel].flops;
      work.launches += times;
    } else if (const auto* const run = std::get_if<application::RunCollective>(&call.is)) {
      work.collective_bytes += times * static_cast<double>(run->bytes);
    }
  }
}

Work work_of(const Application& application) {
  Work work;
  add(application, application.bodies[application.threads.front().body], 1, work);
  return work;
}

/// Calls of a thread in their order, repeats written out.
template <class Visit>
void visit_all(const Calls& calls, const Visit& visit) {
  for (const Call& call : calls) {
    if (const auto* const repeat = std::get_if<application::Repeat>(&call.is)) {
      for (std::uint64_t i = 0; i < repeat->times; ++i) {
        visit_all(repeat->body, visit);
      }
    } else if (const auto* const range = std::get_if<application::Range>(&call.is)) {
      visit_all(range->body, visit);
    } else {
      visit(call);
    }
  }
}

/// G of an all-gather, S of a reduce-scatter, R of an all-reduce, with a blank where their bytes change.
std::string collectives_of(const Application& application) {
  std::string text;
  std::uint64_t bytes = 0;
  visit_all(application.bodies[application.threads.front().body], [&](const Call& call) {
    if (const auto* const run = std::get_if<application::RunCollective>(&call.is)) {
      text += !text.empty() && run->bytes != bytes ? " " : "";
      bytes = run->bytes;
      text += run->of == collective::Collective::kAllGather       ? "G"
              : run->of == collective::Collective::kReduceScatter ? "S"
                                                                  : "R";
    }
  });
  return text;
}

/// Bytes that copies whose names begin so move for the first thread.
double copied_bytes(const Application& application, const std::string& prefix) {
  double sum = 0;
  visit_all(application.bodies[application.threads.front().body], [&](const Call& call) {
    const auto* const launch = std::get_if<application::Launch>(&call.is);
    if (launch == nullptr || !application.kernels[launch->kernel].name.starts_with(prefix)) {
      return;
    }
    const application::Kernel& kernel = application.kernels[launch->kernel];
    if (const auto* const roofline = std::get_if<application::Roofline>(&kernel.how)) {
      sum += roofline->bytes;
      return;
    }
    const auto& how = std::get<application::Simulated>(kernel.how);
    constexpr double kBytesOfElement = 8;
    sum += kBytesOfElement *
           std::stod(std::ranges::find(how.params, "n", &std::pair<std::string, std::string>::first)->second);
  });
  return sum;
}

/// The masks that kernels of attention are asked for.
std::set<std::string> masks_of(const Application& application) {
  std::set<std::string> masks;
  for (const application::Kernel& kernel : application.kernels) {
    if (const auto* const how = std::get_if<application::Simulated>(&kernel.how)) {
      const auto causal = std::ranges::find(how->params, "causal", &std::pair<std::string, std::string>::first);
      if (causal != how->params.end()) {
        masks.insert(causal->second);
      }
    }
  }
  return masks;
}

std::vector<Application> all() {
  std::vector<Application> out{elementwise_chain({}),
                               elementwise_chain({.mode = Mode::kGraph}),
                               elementwise_chain({.mode = Mode::kCompiled}),
                               elementwise_chain({.mode = Mode::kCompiledGraph}),
                               overlap_demo({}, {}),
                               dataloader({}),
                               dataloader({.workers = 0})};
  for (const char* const model : {"gpt2", "bert-large", "llama-3-8b"}) {
    Request request = request_for(model);
    request.sequence = 512;
    out.push_back(transformer_train(request));
    out.push_back(transformer_prefill(request));
    out.push_back(transformer_decode(request));
    request.fp8 = true;
    out.push_back(transformer_train(request));
    request.fp8 = false;
    request.mode = Mode::kGraph;
    out.push_back(transformer_train(request));
    request.mode = Mode::kCompiled;
    request.gpus = 8;
    out.push_back(transformer_train(request));
    request.parallel = Parallel::kFsdp;
    request.recompute = Recompute::kFull;
    out.push_back(transformer_train(request));
    request.parallel = Parallel::kZero1;
    request.tensor = request.pipeline = 2;
    request.sequence_parallel = true;
    request.micro_batches = 4;
    out.push_back(transformer_train(request));
  }
  for (const Precision precision : {Precision::kFp32, Precision::kTf32, Precision::kFp16, Precision::kBf16}) {
    ImageRequest request = images(32, precision);
    out.push_back(resnet_train(request));
    out.push_back(resnet_infer(request));
    request.layout = Layout::kChannelsFirst;
    out.push_back(resnet_infer(request));
    request.mode = Mode::kGraph;
    out.push_back(resnet_train(request));
    request.mode = Mode::kCompiled;
    out.push_back(resnet_infer(request));
    request.gpus = 8;
    out.push_back(resnet_train(request));
  }
  return out;
}

}  // namespace

TEST_CASE("a generated application is written as a file that reads as the same application") {
  for (const Application& application : all()) {
    CAPTURE(application.name, application.description);
    const std::string text = application::to_yaml(application);
    Application read;
    REQUIRE_NOTHROW(read = application::parse_application(text, "made.yaml"));
    CHECK(application::to_yaml(read) == text);
    const Work made = work_of(application);
    const Work again = work_of(read);
    CHECK(again.launches == made.launches);
    CHECK(again.flops == made.flops);
    CHECK(again.collective_bytes == made.collective_bytes);
    CHECK(read.threads.size() == application.threads.size());
  }
}

TEST_CASE("a training step does the FLOPs of three forward passes, and of four with recomputation") {
  for (const char* const model : {"gpt2", "llama-3-8b"}) {
    CAPTURE(model);
    Request request = request_for(model);
    // The model's FLOPs count all pairs of tokens; causal attention does half of them, and half as many again backward.
    const double attention = 4.0 * 1024 * 1024 * static_cast<double>(request.model.query_features());
    const double saved = attention / 2 * static_cast<double>(request.model.layers);
    const double pass = 4 * (models::forward_flops(request.model, 1024) - saved);
    const double extra = 4 * (saved / 2);  // flash attention calculates the scores again
    CHECK(work_of(transformer_train(request)).flops == Approx(3 * pass + extra).epsilon(0.01));
    request.recompute = Recompute::kFull;
    const double head = 2.0 * 4 * 1024 * static_cast<double>(request.model.hidden * request.model.vocabulary);
    CHECK(work_of(transformer_train(request)).flops == Approx(4 * pass + extra - head).epsilon(0.01));
  }
}

TEST_CASE(
    "attention that keeps its scores does the FLOPs of all pairs of tokens, in kernels that read and write them") {
  for (const char* const model : {"gpt2", "llama-3-8b"}) {
    CAPTURE(model);
    Request request = request_for(model);
    const Work flash = work_of(transformer_train(request));
    request.attention = Attention::kScores;
    const Application made = transformer_train(request);
    CHECK(work_of(made).flops == Approx(3 * 4 * models::forward_flops(request.model, 1024)).epsilon(0.01));
    CHECK(work_of(made).launches > flash.launches + 7.0 * static_cast<double>(request.model.layers));
    const auto softmax = std::ranges::find(made.kernels, "attention.core softmax", &application::Kernel::name);
    REQUIRE(softmax != made.kernels.end());
    // A copy of as many bytes moves 8 for each of its elements, and a score is read and written as BF16.
    const std::uint64_t copied = 4 * request.model.heads * 1024 * 1024 * 4 / 8;
    CHECK(application::to_yaml(made).find("\"attention.core softmax\": {trace: copy, params: {n: " +
                                          std::to_string(copied)) != std::string::npos);
  }
}

TEST_CASE("a compiler makes one kernel of the scores' softmax and what is around it") {
  Request request = request_for("gpt2");
  request.attention = Attention::kScores;
  const auto around = [&request] {
    const Application made = transformer_train(request);
    return std::ranges::count_if(made.kernels, [](const application::Kernel& kernel) {
      return kernel.name.starts_with("attention.core") && !kernel.name.ends_with("gradient") &&
             !kernel.name.ends_with("scores") && !kernel.name.ends_with("values") && !kernel.name.ends_with("join");
    });
  };
  CHECK(around() == 7);  // scale, mask, softmax and dropout; dropout, softmax and scale backward
  request.mode = Mode::kCompiled;
  CHECK(around() == 2);
}

TEST_CASE("products of heads are one kernel of the library from Ampere on, and by the roofline in FP32") {
  const auto form = [](const std::string& capability, Precision precision) {
    Target target;
    target.compute_capability = capability;
    return batched_product(target, precision, 96, 1024, 1024, 64);
  };
  const KernelForm simulated = form("9.0", Precision::kBf16);
  REQUIRE(std::holds_alternative<application::Simulated>(simulated.how));
  const auto& how = std::get<application::Simulated>(simulated.how);
  CHECK(how.trace == "gemm-wgmma");
  CHECK(std::ranges::count(how.params, std::pair<std::string, std::string>("batch", "96")) == 1);
  CHECK(std::get<application::Simulated>(form("8.0", Precision::kBf16).how).trace == "gemm-mma");
  CHECK(simulated.flops == 96 * 2.0 * 1024 * 1024 * 64);
  const KernelForm single = form("9.0", Precision::kFp32);
  REQUIRE(std::holds_alternative<application::Roofline>(single.how));
  CHECK(std::get<application::Roofline>(single.how).flops == simulated.flops);
  CHECK(std::get<application::Roofline>(single.how).peak == "fp32");
  CHECK(std::get<application::Roofline>(form("7.0", Precision::kBf16).how).peak == "fp16_tensor");
}

TEST_CASE("data parallel ranks sum all gradients once, and sharded ones gather weights twice and scatter once") {
  Request request = request_for("gpt2");
  request.gpus = 8;
  const auto parameters = static_cast<double>(models::parameter_count(request.model));
  CHECK(work_of(transformer_train(request)).collective_bytes == Approx(4 * parameters).epsilon(0.001));
  request.parallel = Parallel::kFsdp;
  const auto layers = static_cast<double>(request.model.layers * models::layer_parameters(request.model));
  const double wanted = 2 * (2 * layers + (parameters - layers)) + 2 * parameters;
  CHECK(work_of(transformer_train(request)).collective_bytes == Approx(wanted).epsilon(0.001));
}

TEST_CASE("FSDP gathers the next layer's weights before it scatters the gradients of one, unless it is not to") {
  Request request = request_for("gpt2");
  request.gpus = 8;
  request.parallel = Parallel::kFsdp;
  request.model.layers = 4;
  // G: weights are gathered, S: gradients are scattered; those outside of layers first and last.
  CHECK(collectives_of(transformer_train(request)) == "G GGGGGGSGSGSS S");
  request.prefetch = Prefetch::kNone;
  CHECK(collectives_of(transformer_train(request)) == "G GGGGGSGSGSGS S");
  request.recompute = Recompute::kFull;
  request.prefetch = Prefetch::kBackward;
  request.micro_batches = 2;
  CHECK(collectives_of(transformer_train(request)) == "G GGGGGGSGSGSS SG GGGGGGSGSGSS S");
}

TEST_CASE("FSDP casts parts of weights, joins and divides gradients, and keeps its part of them in FP32") {
  Request request = request_for("gpt2");
  request.gpus = 8;
  const auto parameters = static_cast<double>(models::parameter_count(request.model));
  const auto layers = static_cast<double>(request.model.layers * models::layer_parameters(request.model));
  CHECK(copied_bytes(transformer_train(request), "FSDP") == 0);
  request.parallel = Parallel::kFsdp;
  const Application one = transformer_train(request);
  CHECK(copied_bytes(one, "FSDP cast of weights") == Approx((2 * layers + parameters - layers) * 6 / 8).epsilon(0.001));
  CHECK(copied_bytes(one, "FSDP join of gradients") == Approx(4 * parameters).epsilon(0.001));
  CHECK(copied_bytes(one, "FSDP divide") == Approx((4 + 4.0 / 8) * parameters).epsilon(0.001));
  CHECK(copied_bytes(one, "FSDP cast of gradients") == Approx(6 * parameters / 8).epsilon(0.001));
  CHECK(copied_bytes(one, "FSDP add gradients") == 0);
  request.micro_batches = 3;
  CHECK(copied_bytes(transformer_train(request), "FSDP add gradients") ==
        Approx(2 * 12 * parameters / 8).epsilon(0.001));
  request.micro_batches = 1;
  request.precision = Precision::kFp32;
  const Application wide = transformer_train(request);
  CHECK(copied_bytes(wide, "FSDP cast") == 0);
  CHECK(copied_bytes(wide, "FSDP join of gradients") == Approx(8 * parameters).epsilon(0.001));
}

TEST_CASE("AdamW operation by operation moves three times the bytes of one kernel, each GPU for its share") {
  Request request = request_for("gpt2");
  const auto parameters = static_cast<double>(models::parameter_count(request.model));
  CHECK(copied_bytes(transformer_train(request), "AdamW") == Approx(28 * parameters).epsilon(0.001));
  request.optimizer = memory::Optimizer::kAdam;
  CHECK(copied_bytes(transformer_train(request), "AdamW") == Approx(80 * parameters).epsilon(0.001));
  request.gpus = 8;
  request.parallel = Parallel::kFsdp;
  CHECK(copied_bytes(transformer_train(request), "AdamW") == Approx(80 * parameters / 8).epsilon(0.001));
}

TEST_CASE("gradients are clipped by their norm, which GPUs with a part of them each sum") {
  Request request = request_for("gpt2");
  const auto parameters = static_cast<double>(models::parameter_count(request.model));
  CHECK(copied_bytes(transformer_train(request), "gradient") == 0);
  request.clips_gradients = true;
  const Application one = transformer_train(request);
  CHECK(copied_bytes(one, "gradient norm") == Approx(4 * parameters).epsilon(0.001));
  CHECK(copied_bytes(one, "gradient clip") == Approx(8 * parameters).epsilon(0.001));
  CHECK(collectives_of(one).empty());
  request.gpus = 8;
  request.parallel = Parallel::kFsdp;
  CHECK(collectives_of(transformer_train(request)).ends_with("S R"));
  CHECK(copied_bytes(transformer_train(request), "gradient clip") == Approx(parameters).epsilon(0.001));
}

TEST_CASE("attention has the model's mask in training and in a prefill, forward and backward") {
  for (const auto& [model, mask] :
       {std::pair{"gpt2", "yes"}, {"llama-3-8b", "yes"}, {"mpt-7b", "yes"}, {"bert-large", "no"}}) {
    Request request = request_for(model);
    INFO(model);
    CHECK(masks_of(transformer_prefill(request)) == std::set<std::string>{mask});
    CHECK(masks_of(transformer_train(request)) == std::set<std::string>{mask});
    request.attention = Attention::kFlash2;
    CHECK(masks_of(transformer_train(request)) == std::set<std::string>{mask});
    request.attention = Attention::kScores;
    const Application scores = transformer_train(request);
    const auto is_mask = [](const application::Kernel& kernel) { return kernel.name == "attention.core mask"; };
    CHECK(std::ranges::any_of(scores.kernels, is_mask) == (std::string(mask) == "yes"));
  }
}

TEST_CASE("FlashAttention's versions may be asked for on Hopper, where PyTorch has a newer kernel") {
  Request request = request_for("gpt2");
  const auto has = [](const Application& made, const std::string& trace) {
    return std::ranges::any_of(made.kernels, [&](const application::Kernel& kernel) {
      const auto* const how = std::get_if<application::Simulated>(&kernel.how);
      return how != nullptr && how->trace == trace;
    });
  };
  CHECK(has(transformer_train(request), "flash-attention-3"));
  request.attention = Attention::kFlash2;
  CHECK(has(transformer_train(request), "flash-attention-2"));
  CHECK(has(transformer_train(request), "flash-attention-2-backward"));
  CHECK_FALSE(has(transformer_train(request), "flash-attention-3"));
  request.attention = Attention::kFlash1;
  CHECK(has(transformer_train(request), "flash-attention-1"));
  CHECK(has(transformer_train(request), "flash-attention-1-backward"));
  for (const application::Kernel& kernel : transformer_train(request).kernels) {
    const auto* const how = std::get_if<application::Simulated>(&kernel.how);
    if (how != nullptr && how->trace.starts_with("flash-attention-1")) {  // llm-foundry gives it a bias
      CHECK(std::ranges::find(how->params, std::pair<std::string, std::string>("bias", "yes")) != how->params.end());
    }
  }
  CHECK_FALSE(has(transformer_train(request), "flash-attention-2-backward"));
}

TEST_CASE("libraries of 2023 multiply on Hopper in tiles of 128 x 128 at most, with no clusters") {
  const auto largest_tile = [](const Target& target, std::uint64_t m, std::uint64_t n) {
    const KernelForm form = product(target, Precision::kBf16, m, n, 1536);
    const application::Parameters params = std::get<application::Simulated>(form.how).params;
    const auto value = [&](const std::string& name) {
      return std::ranges::find(params, name, &std::pair<std::string, std::string>::first)->second;
    };
    return value("tile_m") + " x " + value("tile_n") + ", cluster " + value("cluster");
  };
  Target target = request_for("gpt2").target;
  CHECK(largest_tile(target, 49152, 6144) == "128 x 256, cluster 2");
  target.libraries = Libraries::k2023;
  CHECK(largest_tile(target, 49152, 6144) == "128 x 128, cluster 1");
  CHECK(largest_tile(target, 512, 512) == "64 x 64, cluster 1");
  CHECK(differs_by_year(target));
}

TEST_CASE("products are the same with the libraries of either year before Hopper") {
  Target target{108, "8.0"};
  const KernelForm today = product(target, Precision::kBf16, 49152, 6144, 1536);
  target.libraries = Libraries::k2023;
  const KernelForm then = product(target, Precision::kBf16, 49152, 6144, 1536);
  CHECK(std::get<application::Simulated>(then.how).params == std::get<application::Simulated>(today.how).params);
  CHECK_FALSE(differs_by_year(target));
}

TEST_CASE("query heads share keys and values in fused attention, and of widths that a kernel has no head is folded") {
  const Target hopper = request_for("gpt2").target;
  const auto params_of = [](const KernelForm& form) { return std::get<application::Simulated>(form.how).params; };
  const auto has = [](const application::Parameters& params, const std::string& name, const std::string& value) {
    return std::ranges::find(params, std::pair(name, value)) != params.end();
  };
  AttentionShape shape{1, 32, 8, 128, 4096, true};
  CHECK(has(params_of(attention(hopper, shape)), "group", "4"));
  CHECK(has(params_of(attention(hopper, shape, Flash::kSecond)), "group", "4"));
  CHECK_FALSE(has(params_of(attention(hopper, shape, Flash::kFirst)), "group", "4"));
  CHECK_FALSE(has(params_of(attention_backward(hopper, shape)), "group", "4"));
  shape.head_size = 96;
  CHECK(has(params_of(attention(hopper, shape)), "d", "96"));
  CHECK(has(params_of(attention_backward(hopper, shape)), "d", "128"));
  CHECK(has(params_of(attention_backward(hopper, shape)), "heads", "24"));
}

TEST_CASE("attention is product by product before Ampere, and its gradient by the roofline where its CTAs do not fit") {
  Request request = request_for("gpt2");
  const auto kernels_on = [&](const std::string& compute_capability) {
    request.target.compute_capability = compute_capability;
    return transformer_train(request).kernels;
  };
  const auto find = [](const std::vector<application::Kernel>& kernels, const std::string& name) {
    return std::ranges::find(kernels, name, &application::Kernel::name);
  };
  for (const char* const before : {"7.0", "7.5"}) {
    const std::vector<application::Kernel> kernels = kernels_on(before);
    CHECK(find(kernels, "attention.core") == kernels.end());
    CHECK(find(kernels, "attention.core scores") != kernels.end());
    CHECK(find(kernels, "attention.core backward") == kernels.end());
  }
  for (const char* const small : {"8.6", "8.9", "12.0"}) {
    const std::vector<application::Kernel> kernels = kernels_on(small);
    CHECK(std::holds_alternative<application::Simulated>(find(kernels, "attention.core")->how));
    CHECK(std::holds_alternative<application::Roofline>(find(kernels, "attention.core backward")->how));
  }
  const std::vector<application::Kernel> ampere = kernels_on("8.0");
  CHECK(std::holds_alternative<application::Simulated>(find(ampere, "attention.core backward")->how));
}

TEST_CASE("under FSDP a model works in BF16, where autocast has norms and sums in FP32") {
  Request request = request_for("gpt2");
  request.gpus = 8;
  const auto has = [](const Application& made, const std::string& trace, const std::string& type) {
    return std::ranges::any_of(made.kernels, [&](const application::Kernel& kernel) {
      const auto* const how = std::get_if<application::Simulated>(&kernel.how);
      const auto is_type = [&](const auto& param) { return param.first == "type" && param.second == type; };
      return how != nullptr && how->trace == trace && (type.empty() || std::ranges::any_of(how->params, is_type));
    });
  };
  const Application autocast = transformer_train(request);
  CHECK(has(autocast, "layer-norm-welford", "f32"));
  CHECK(has(autocast, "add-mixed", ""));
  request.parallel = Parallel::kFsdp;
  const Application fsdp = transformer_train(request);
  CHECK(has(fsdp, "layer-norm-welford", "bf16"));
  CHECK_FALSE(has(fsdp, "layer-norm-welford", "f32"));
  CHECK_FALSE(has(fsdp, "add-mixed", ""));
}

TEST_CASE("a fused loss reads the logits once forward, and reads and writes them backward") {
  Request request = request_for("gpt2");
  const auto kernel = [](const Application& made, const std::string& name) {
    return std::ranges::find(made.kernels, name, &application::Kernel::name);
  };
  const Application operations = transformer_train(request);
  CHECK(kernel(operations, "loss cross entropy") == operations.kernels.end());
  request.loss = memory::LossKernel::kFused;
  const Application fused = transformer_train(request);
  CHECK(kernel(fused, "loss cast") == fused.kernels.end());
  CHECK(kernel(fused, "loss log-softmax") == fused.kernels.end());
  const auto elements = [&](const std::string& name) {  // elements of a copy, 8 bytes each
    const auto found = kernel(fused, name);
    REQUIRE(found != fused.kernels.end());
    const auto& params = std::get<application::Simulated>(found->how).params;
    return std::stod(std::ranges::find(params, "n", &std::pair<std::string, std::string>::first)->second);
  };
  const double logits = 4.0 * 1024 * 50257;
  CHECK(elements("loss cross entropy") == Approx(logits * 2 / 8));
  CHECK(elements("loss backward") == Approx(logits * 4 / 8));
}

TEST_CASE("a large product on an A100 has the tiles that cuBLAS takes there, and GPUs with less shared memory do not") {
  const auto trace_on = [](const std::string& compute_capability) {
    Target target;
    target.sms = 108;
    target.compute_capability = compute_capability;
    const KernelForm form = product(target, Precision::kBf16, 16384, 6000, 1496);
    return std::get<application::Simulated>(form.how);
  };
  CHECK(trace_on("8.0").trace == "gemm-bf16");
  CHECK(trace_on("8.0").params == application::Parameters{{"m", "16384"}, {"n", "6144"}, {"k", "1536"}});
  CHECK(trace_on("8.6").trace == "gemm-mma");
}

TEST_CASE("metrics of training take cross entropies of the logits in FP32 after each micro-batch") {
  Request request = request_for("gpt2");
  request.loss = memory::LossKernel::kFused;
  request.micro_batches = 2;
  const auto launches = [&](const std::string& name) {
    const Application made = transformer_train(request);
    int count = 0;
    visit_all(made.bodies[made.threads.front().body], [&](const Call& call) {
      const auto* const launch = std::get_if<application::Launch>(&call.is);
      count += launch != nullptr && made.kernels[launch->kernel].name == name ? 1 : 0;
    });
    return count;
  };
  CHECK(launches("metric log-softmax") == 0);
  request.train_metrics = 2;
  CHECK(launches("metric cast") == 4);  // two metrics of two micro-batches
  CHECK(launches("metric log-softmax") == 4);
  request.precision = Precision::kFp32;
  CHECK(launches("metric cast") == 0);
  CHECK(launches("metric log-softmax") == 4);
}

TEST_CASE("ZeRO scatters gradients and gathers updated weights, and steps its share of the optimizer") {
  Request request = request_for("gpt2");
  request.gpus = 8;
  const auto parameters = static_cast<double>(models::parameter_count(request.model));
  request.parallel = Parallel::kZero1;
  CHECK(work_of(transformer_train(request)).collective_bytes == Approx((4 + 4) * parameters).epsilon(0.001));
  request.micro_batches = 3;  // gradients are scattered once they are complete
  CHECK(work_of(transformer_train(request)).collective_bytes == Approx((4 + 4) * parameters).epsilon(0.001));
  request.parallel = Parallel::kZero2;  // in the type of the products, after each micro-batch
  CHECK(work_of(transformer_train(request)).collective_bytes == Approx((3 * 2 + 4) * parameters).epsilon(0.001));
}

TEST_CASE("sequence parallel ranks scatter and gather what others sum, and gather inputs once more backward") {
  Request request = request_for("llama-3-8b");
  request.gpus = request.tensor = 4;
  const Work summed = work_of(transformer_train(request));
  request.sequence_parallel = true;
  const Work shared = work_of(transformer_train(request));
  CHECK(shared.flops == Approx(summed.flops));
  // Forward two collectives for one all-reduce, backward three; each of as many bytes.
  CHECK(shared.collective_bytes == Approx(summed.collective_bytes / 2 * (2 + 3)));
}

TEST_CASE("FP8 has products of its own in layers, with casts before them, and leaves the head in BF16") {
  Request request = request_for("llama-3-8b");
  const Work bf16 = work_of(transformer_train(request));
  request.fp8 = true;
  const Application made = transformer_train(request);
  CHECK(work_of(made).flops == Approx(bf16.flops));
  const auto kernel = [&](const std::string& name) {
    return *std::ranges::find(made.kernels, name, &application::Kernel::name);
  };
  REQUIRE(std::holds_alternative<application::Simulated>(kernel("mlp.up").how));
  CHECK(std::get<application::Simulated>(kernel("mlp.up").how).trace == "gemm-fp8");
  CHECK(std::holds_alternative<application::Simulated>(kernel("mlp.up to FP8").how));
  CHECK(std::holds_alternative<application::Simulated>(kernel("head.vocabulary").how));
}

TEST_CASE("products are kernels of the GPU's own tensor cores, and by the roofline where the library has none") {
  Target target = request_for("gpt2").target;
  const auto kernel_on = [&](const std::string& compute_capability, bool is_fp8) -> std::string {
    target.compute_capability = compute_capability;
    const KernelForm form =
        is_fp8 ? fp8_product(target, 1024, 1000, 520) : product(target, Precision::kBf16, 1024, 1000, 520);
    const auto* const simulated = std::get_if<application::Simulated>(&form.how);
    return simulated != nullptr ? simulated->trace : std::get<application::Roofline>(form.how).peak;
  };
  CHECK(kernel_on("6.0", false) == "fp16_tensor");
  CHECK(kernel_on("7.0", false) == "gemm-hmma-volta");
  CHECK(kernel_on("7.5", false) == "gemm-turing");
  CHECK(kernel_on("8.0", false) == "gemm-mma");  // 128 x 128: a larger tile would leave most SMs without one
  CHECK(kernel_on("8.6", false) == "gemm-mma");
  CHECK(kernel_on("9.0", false) == "gemm-wgmma");
  CHECK(kernel_on("8.0", true) == "fp8_tensor");
  CHECK(kernel_on("8.9", true) == "gemm-mma-fp8");
  CHECK(kernel_on("9.0", true) == "gemm-fp8");
  CHECK(kernel_on("10.0", true) == "fp8_tensor");
  CHECK(kernel_on("12.0", true) == "gemm-mma-fp8");
}

TEST_CASE("micro-batches do their work one after the other, and sum gradients once") {
  Request request = request_for("gpt2");
  request.gpus = 8;
  const Work one = work_of(transformer_train(request));
  request.micro_batches = 5;
  const Work five = work_of(transformer_train(request));
  CHECK(five.flops == Approx(5 * one.flops));
  CHECK(five.collective_bytes == Approx(one.collective_bytes));
}

TEST_CASE("stages of a pipeline do the model's work together, and send each micro-batch on and back") {
  Request request = request_for("gpt2-medium");
  request.micro_batches = 6;
  const double whole = work_of(transformer_train(request)).flops;
  request.gpus = 8;
  request.pipeline = 4;
  request.tensor = 2;
  const Application made = transformer_train(request);
  REQUIRE(made.threads.size() == 8);
  double flops = 0;
  for (const application::Thread& thread : made.threads) {
    Work work;
    add(made, made.bodies[thread.body], 1, work);
    flops += work.flops;
  }
  CHECK(flops == Approx(whole).epsilon(0.001));
  CHECK(made.threads[0].body == made.threads[1].body);
  CHECK(made.threads[1].body != made.threads[2].body);
}

TEST_CASE("tensor parallel ranks share the products, and sum activations twice a layer and pass") {
  Request request = request_for("llama-3-8b");
  const double whole = work_of(transformer_train(request)).flops;
  request.gpus = 4;
  request.tensor = 4;
  const Work part = work_of(transformer_train(request));
  CHECK(part.flops == Approx(whole / 4).epsilon(0.001));
  CHECK(part.collective_bytes == Approx(4.0 * 32 * 2 * 4 * 1024 * 4096));
  CHECK(work_of(transformer_prefill(request)).collective_bytes == Approx(2.0 * 32 * 2 * 4 * 1024 * 4096));
}

TEST_CASE("weights that outweigh what they are multiplied with are not in L2, nor is a cache that nobody copied") {
  const auto is_cold = [](const Application& application, const std::string& name) {
    const auto kernel = std::ranges::find(application.kernels, name, &application::Kernel::name);
    REQUIRE(kernel != application.kernels.end());
    return std::get<application::Simulated>(kernel->how).is_cold;
  };
  Request request = request_for("llama-3-8b");
  const Application eager = transformer_decode(request);
  CHECK((is_cold(eager, "mlp.gate") && is_cold(eager, "attention.cache")));
  CHECK_FALSE(is_cold(eager, "attention.core"));
  request.mode = Mode::kCompiled;
  CHECK(is_cold(transformer_decode(request), "attention.core"));
  request = request_for("gpt2");
  request.batch = 8;
  CHECK_FALSE(is_cold(transformer_train(request), "mlp.up"));
}

TEST_CASE("the depth of a product in FP32 is split into parts that the library's kernel takes") {
  constexpr std::uint64_t kDeepest = 131072;
  for (const std::uint64_t depth : {kDeepest - 1000, kDeepest - 8, kDeepest}) {
    const KernelForm form = product(target_on(shipped_arch("h200")), Precision::kFp32, 768, 768, depth);
    const auto& params = std::get<application::Simulated>(form.how).params;
    const auto k = std::ranges::find(params, "k", &std::pair<std::string, std::string>::first);
    REQUIRE(k != params.end());
    CHECK(std::stoull(k->second) <= kDeepest);
    CHECK(std::stoull(k->second) >= depth);
  }
}

TEST_CASE("a product whose rows are not whole 16 bytes is slow, unless a compiler pads it") {
  const Target target;
  CHECK(std::holds_alternative<application::Simulated>(product(target, Precision::kBf16, 8192, 50304, 768).how));
  const KernelForm slow = product(target, Precision::kBf16, 8192, 50257, 768);
  REQUIRE(std::holds_alternative<application::Roofline>(slow.how));
  CHECK(std::get<application::Roofline>(slow.how).reach < 0.5);
  Request request = request_for("gpt2");
  const auto has_slow = [&request] {
    const Application made = transformer_train(request);
    return std::ranges::any_of(made.kernels, [](const application::Kernel& kernel) {
      const auto* const how = std::get_if<application::Roofline>(&kernel.how);
      return how != nullptr && kernel.name.starts_with("head.vocabulary") && how->reach < 0.5;
    });
  };
  CHECK(has_slow());
  request.mode = Mode::kCompiled;
  CHECK_FALSE(has_slow());
}

TEST_CASE("eager GPT-2 launches as many kernels as PyTorch did on an H100, within a seventh") {
  // tests/validation/silicon/h100/applications.jsonl.xz: 1,004 kernels a step, batch 8, without dropout.
  Request request = request_for("gpt2");
  request.batch = 8;
  request.dropout = false;
  CHECK(work_of(transformer_train(request)).launches == Approx(1004).epsilon(1.0 / 7));
}

TEST_CASE("eager Llama launches as many kernels as PyTorch did on an H100, within a fifteenth") {
  // Ditto: 637 of a prefill, 693 of a decode step, Llama-3.2 1B.
  Request request = request_for("llama-3.2-1b");
  request.batch = 1;
  request.sequence = 512;
  CHECK(work_of(transformer_prefill(request)).launches == Approx(637).epsilon(1.0 / 15));
  CHECK(work_of(transformer_decode(request)).launches == Approx(693).epsilon(1.0 / 15));
  request.mode = Mode::kGraph;  // on an H200
  CHECK(work_of(transformer_prefill(request)).launches == Approx(731).epsilon(1.0 / 15));
}

TEST_CASE("a compiled step of GPT-2 launches as many kernels as PyTorch's did on an H100, within a twentieth") {
  // Ditto: 622 kernels a step, batch 8, without dropout.
  Request request = request_for("gpt2");
  request.batch = 8;
  request.dropout = false;
  request.mode = Mode::kCompiled;
  CHECK(work_of(transformer_train(request)).launches == Approx(622).epsilon(0.05));
}

TEST_CASE("a compiler leaves fewer kernels, and a graph the same") {
  Request request = request_for("gpt2");
  const auto launches_of = [&request](Mode mode) {
    request.mode = mode;
    return work_of(transformer_train(request)).launches;
  };
  const double eager = launches_of(Mode::kEager);
  const double compiled = launches_of(Mode::kCompiled);
  CHECK(launches_of(Mode::kGraph) == eager);
  CHECK(compiled < 0.75 * eager);
  CHECK(launches_of(Mode::kCompiledGraph) == compiled);
  CHECK(transformer_train(request).graphs.size() == 1);
}

TEST_CASE("a compiler makes one kernel of a residual sum and the norm behind it, whose threads share a row evenly") {
  Request request = request_for("llama-3-8b");
  request.mode = Mode::kCompiledGraph;
  const Application decode = transformer_decode(request);
  const auto kernel = [&decode](const std::string& name) {
    return std::ranges::find(decode.kernels, name, &application::Kernel::name);
  };
  CHECK(kernel("attention.sum") == decode.kernels.end());
  REQUIRE(kernel("mlp.norm") != decode.kernels.end());
  const auto& norm = std::get<application::Simulated>(kernel("mlp.norm")->how);
  CHECK(norm.trace == "layer-norm");
  using Parameter = std::pair<std::string, std::string>;
  for (const Parameter& wanted : {Parameter("residual", "yes"), Parameter("centre", "no"), Parameter("rows", "4"),
                                  Parameter("columns", "4096"), Parameter("threads", "256")}) {
    CHECK(std::ranges::count(norm.params, wanted) == 1);
  }
  const auto columns_of = [](std::uint64_t columns, Precision precision) {
    const KernelForm form = added_norm(1, columns, true, precision);
    const auto& params = std::get<application::Simulated>(form.how).params;
    return std::ranges::find(params, "columns", &Parameter::first)->second;
  };
  CHECK(columns_of(12288, Precision::kBf16) == "12288");
  CHECK(columns_of(5120, Precision::kBf16) == "5120");
  CHECK(columns_of(768, Precision::kFp32) == "768");
  CHECK(columns_of(100, Precision::kBf16) == "512");
  const auto trace_of = [](std::uint64_t columns) {
    return std::get<application::Simulated>(added_norm(1, columns, true, Precision::kBf16).how).trace;
  };
  CHECK(trace_of(24576) == "layer-norm");
  CHECK(trace_of(25600) == "layer-norm-welford");  // its registers do not hold such a row
  CHECK(trace_of(32768) == "layer-norm-welford");
}

TEST_CASE("the cache of a decode step that is a graph does not grow: a token's keys and values go to their place") {
  Request request = request_for("llama-3-8b");
  const auto cache_of = [&request](Mode mode) {
    request.mode = mode;
    const Application decode = transformer_decode(request);
    const auto kernel = std::ranges::find(decode.kernels, "attention.cache", &application::Kernel::name);
    return kernel == decode.kernels.end() ? "" : std::get<application::Simulated>(kernel->how).trace;
  };
  CHECK(cache_of(Mode::kEager) == "concatenate");
  CHECK(cache_of(Mode::kGraph) == "copy");
  CHECK(cache_of(Mode::kCompiledGraph).empty());
}

TEST_CASE("AdamW's kernel reaches less of DRAM's peak where some SMs have one more of its 320 CTAs") {
  const auto reach_on = [](const char* name) {
    return std::get<application::Roofline>(fused_adam(target_on(shipped_arch(name)), 1e9).how).reach;
  };
  CHECK(reach_on("h200") == Approx(0.727).epsilon(0.01));  // 56 CTAs are left for 132 SMs
  CHECK(reach_on("h100") > reach_on("h200"));              // which matters less, the slower DRAM is
  CHECK(reach_on("a100") == Approx(0.85));                 // 104 are left for 108 SMs
  CHECK(reach_on("v100") == Approx(0.85));                 // none for 80
}

TEST_CASE("the loss that a compiler makes takes cycles of the SMs, and does none of the model's FLOPs") {
  Request request = request_for("gpt2");
  request.mode = Mode::kCompiled;
  const Application made = transformer_train(request);
  const auto loss = std::ranges::find(made.kernels, "loss log-softmax", &application::Kernel::name);
  REQUIRE(loss != made.kernels.end());
  CHECK(loss->flops == 0);
  const double elements = 4.0 * 1024 * 50257;
  CHECK(std::get<application::Roofline>(loss->how).bytes == 2 * elements);
  CHECK(std::get<application::Roofline>(loss->how).sm_cycles == 53 * elements / 128);
}

TEST_CASE("a compiled step attends by a mask, to all pairs of tokens and each head, and an eager one does not") {
  Request request = request_for("llama-3-8b");
  const auto repeats = [](const Application& made) {
    return std::ranges::count(made.kernels, "attention.core repeat", &application::Kernel::name);
  };
  const Application eager = transformer_train(request);
  CHECK(masks_of(eager) == std::set<std::string>{"yes"});
  CHECK(repeats(eager) == 0);
  request.mode = Mode::kCompiled;
  const Application compiled = transformer_train(request);
  CHECK(masks_of(compiled) == std::set<std::string>{"no"});
  CHECK(repeats(compiled) == 1);
}

TEST_CASE("the gradient of an embedding is a whole table, to which that of a head with its weights is added") {
  const auto bytes_of = [](const Request& request) {
    const Application made = transformer_train(request);
    const auto add = std::ranges::find(made.kernels, "embedding.tokens add gradient", &application::Kernel::name);
    if (add == made.kernels.end()) {
      return 0.0;
    }
    const auto& params = std::get<application::Simulated>(add->how).params;
    return 8 * std::stod(std::ranges::find(params, "n", &std::pair<std::string, std::string>::first)->second);
  };
  Request request = request_for("gpt2");
  CHECK(bytes_of(request) == Approx(12.0 * 50257 * 768).epsilon(0.001));
  request.mode = Mode::kCompiled;  // with the cast of the head's
  CHECK(bytes_of(request) == Approx(10.0 * 50257 * 768).epsilon(0.001));
  CHECK(bytes_of(request_for("llama-3-8b")) == 0);
  request.gpus = request.pipeline = 2;  // another GPU has the head
  CHECK(bytes_of(request) == 0);
  CHECK(copied_bytes(transformer_train(request_for("llama-3-8b")), "embedding.tokens backward zeros") ==
        Approx(4.0 * 128256 * 4096).epsilon(0.001));
}

TEST_CASE("a compiler pads what the head's products read where the vocabulary is not whole 16 bytes") {
  Request request = request_for("gpt2");
  const auto pads = [&request](const std::string& name) { return copied_bytes(transformer_train(request), name); };
  CHECK(pads("head.vocabulary pad") == 0);
  request.mode = Mode::kCompiled;
  CHECK(pads("head.vocabulary pad weight") == Approx(4.0 * 50257 * 768).epsilon(0.001));
  CHECK(pads("head.vocabulary pad gradient") == Approx(4.0 * 4096 * 50257).epsilon(0.001));
  request.model.vocabulary = 50304;
  CHECK(pads("head.vocabulary pad") == 0);
}

TEST_CASE("the call of a compiled function takes the CPU's time once a step, before what it launches") {
  for (const Mode mode : {Mode::kCompiled, Mode::kCompiledGraph}) {
    const Application chain = elementwise_chain({.mode = mode});
    const Calls& calls = chain.bodies[chain.threads.front().body];
    REQUIRE(calls.size() == 3);
    REQUIRE(std::holds_alternative<application::Work>(calls[0].is));
    CHECK(std::get<application::Work>(calls[0].is).ns == 57'000);
    CHECK(std::holds_alternative<application::LaunchGraph>(calls[1].is) == (mode == Mode::kCompiledGraph));
  }
  CHECK(std::ranges::none_of(elementwise_chain({.mode = Mode::kGraph}).bodies.front(),
                             [](const Call& call) { return std::holds_alternative<application::Work>(call.is); }));
}

TEST_CASE("FlashAttention that is asked for by its version needs no mask, compiled or not") {
  Request request = request_for("gpt2");
  request.mode = Mode::kCompiled;
  request.attention = Attention::kFlash2;
  CHECK(masks_of(transformer_train(request)) == std::set<std::string>{"yes"});
}

TEST_CASE("gradients of queries, keys and values of one product are joined, however few heads keys have") {
  Request request = request_for("llama-3-8b");
  request.batch = 1;
  request.model.qkv = models::Qkv::kFused;
  const Application made = transformer_train(request);
  const auto join = std::ranges::find(made.kernels, "attention.core join", &application::Kernel::name);
  REQUIRE(join != made.kernels.end());
  const auto& params = std::get<application::Simulated>(join->how).params;
  const std::uint64_t features = 4096 + 2 * 1024;
  const std::uint64_t elements = 2 * 2 * 1024 * features / 8;  // copied, of eight bytes read and written
  CHECK(std::ranges::count(params, std::pair<std::string, std::string>("n", std::to_string(elements))) == 1);
}

TEST_CASE("a graph of several GPUs has the collectives of the eager step, and each stage of a pipeline has its own") {
  for (const Parallel parallel : {Parallel::kData, Parallel::kFsdp}) {
    Request request = request_for("gpt2");
    request.gpus = 4;
    request.parallel = parallel;
    const double eager = work_of(transformer_train(request)).collective_bytes;
    request.mode = Mode::kGraph;
    const Application graph = transformer_train(request);
    CHECK(work_of(graph).collective_bytes == eager);
    CHECK_NOTHROW(application::check(graph));
  }
  Request request = request_for("gpt2");
  request.gpus = 4;
  request.pipeline = 2;
  request.mode = Mode::kGraph;
  const Application stages = transformer_train(request);
  REQUIRE(stages.graphs.size() == 2);
  CHECK(stages.graphs[0].name != stages.graphs[1].name);
}

TEST_CASE("inference in FP8 has products in FP8, casts inputs and no weights, and half the weights' memory") {
  const auto names_of = [](const Application& application, const char* what) {
    return std::ranges::count_if(application.kernels,
                                 [what](const auto& kernel) { return kernel.name.find(what) != std::string::npos; });
  };
  Request request = request_for("llama-3-8b");
  const double wide = work_of(transformer_prefill(request)).flops;
  request.fp8 = true;
  const Application prefill = transformer_prefill(request);
  CHECK(work_of(prefill).flops == Approx(wide));
  CHECK(names_of(prefill, " to FP8") > 0);
  CHECK(names_of(prefill, "weight to FP8") == 0);
  request.batch = 1;
  const Application decode = transformer_decode(request);
  const auto product = std::ranges::find(decode.kernels, "mlp.gate", &application::Kernel::name);
  REQUIRE(product != decode.kernels.end());
  CHECK(std::get<application::Simulated>(product->how).trace == "gemv");
}

TEST_CASE("selective recomputation does more than none and less than all of the forward pass again") {
  Request request = request_for("llama-3-8b");
  const auto work_with = [&request](Recompute recompute, Attention attention) {
    request.recompute = recompute;
    request.attention = attention;
    return work_of(transformer_train(request)).flops;
  };
  for (const Attention attention : {Attention::kFlash, Attention::kScores}) {
    CHECK(work_with(Recompute::kSelective, attention) > work_with(Recompute::kNone, attention));
    CHECK(work_with(Recompute::kSelective, attention) < work_with(Recompute::kFull, attention));
  }
}

TEST_CASE("eager ResNet-50 launches as many kernels as PyTorch did on an H100, within a thirtieth") {
  // tests/validation/silicon/h100/applications.jsonl.xz: 648 in FP16, 541 in TF32, 925 in FP32, where FFTs and
  // Winograd's transforms are several kernels each.
  CHECK(work_of(resnet_train(images(128))).launches == Approx(648).epsilon(1.0 / 30));
  CHECK(work_of(resnet_train(images(128, Precision::kTf32))).launches == Approx(541).epsilon(1.0 / 30));
  CHECK(work_of(resnet_train(images(128, Precision::kFp32))).launches < 925);
}

TEST_CASE("a step of ResNet-50 does three times the FLOPs of its forward pass, but for the images' gradient") {
  // 4.09 G multiply-adds an image (table 1 of arXiv 1512.03385, with the stride in the middle product); 118 M of the
  // stem.
  const double wanted = 128 * 2 * (3 * 4.089e9 - 118e6);
  CHECK(work_of(resnet_train(images(128))).flops == Approx(wanted).epsilon(0.002));
  CHECK(work_of(resnet_train(images(128, Precision::kFp32))).flops == Approx(wanted).epsilon(0.002));
}

TEST_CASE("data parallel ResNet-50 sums each gradient once, in buckets of 25 MiB behind a first small one") {
  ImageRequest request = images(32);
  request.gpus = 8;
  const Application made = resnet_train(request);
  CHECK(work_of(made).collective_bytes == Approx(4.0 * 25557032));
  std::vector<std::uint64_t> buckets;
  for (const Call& range : made.bodies[0]) {
    if (const auto* const part = std::get_if<application::Range>(&range.is)) {
      for (const Call& call : part->body) {
        if (const auto* const run = std::get_if<application::RunCollective>(&call.is)) {
          buckets.push_back(run->bytes);
        }
      }
    }
  }
  REQUIRE(buckets.size() == 5);
  CHECK(buckets[0] == 4 * (2048 * 1000 + 1000));
  CHECK(std::ranges::all_of(buckets.begin() + 1, buckets.end() - 1, [](auto b) { return b >= 25U << 20U; }));
}

TEST_CASE("a convolution is a kernel of the library where its kind runs, and else has a measured reach") {
  const Convolution three{64, 128, 128, 3, 1, 28, 28};
  const Convolution pixel{64, 128, 512, 1, 1, 28, 28};
  const Target hopper;
  const Target ampere{108, "8.0"};
  const auto trace_of = [](const KernelForm& form) {
    const auto* const how = std::get_if<application::Simulated>(&form.how);
    return how == nullptr ? std::string() : how->trace;
  };
  CHECK(trace_of(convolution(ampere, Precision::kBf16, three, Direction::kForward)) == "conv-implicit-gemm");
  CHECK(trace_of(convolution(ampere, Precision::kBf16, three, Direction::kInputGradient)) == "conv-implicit-gemm");
  CHECK(trace_of(convolution(hopper, Precision::kFp16, pixel, Direction::kForward)) == "gemm-wgmma");
  CHECK(trace_of(convolution(hopper, Precision::kFp32, pixel, Direction::kForward)).empty());
  const KernelForm form = convolution(hopper, Precision::kFp16, three, Direction::kForward);
  REQUIRE(std::holds_alternative<application::Roofline>(form.how));
  CHECK(std::get<application::Roofline>(form.how).reach < 0.8);
}

TEST_CASE("inference of ResNet-50 launches each operation of the forward pass once, and casts weights in FP16") {
  // 53 convolutions and batch norms, 49 ReLUs, 16 sums, two poolings, the classes.
  ImageRequest request = images(8, Precision::kFp32);
  request.layout = Layout::kChannelsFirst;
  constexpr double kOperations = 53 + 53 + 49 + 16 + 2 + 1;
  CHECK(work_of(resnet_infer(request)).launches == kOperations);
  CHECK(work_of(resnet_infer(request)).flops == Approx(8 * 2 * 4.089e9).epsilon(0.002));
  // A cast of each convolution's weights, of both of the classes', and of the images; three channels become four.
  CHECK(work_of(resnet_infer(images(8))).launches == kOperations + 53 + 2 + 1 + 2);
  CHECK(resnet_infer(request).threads.size() == 1);
}

TEST_CASE(
    "cuDNN converts images whose layout is not that of its kernels, forward once a convolution and backward more") {
  ImageRequest request = images(32, Precision::kTf32);
  const double last = work_of(resnet_train(request)).launches;
  request.layout = Layout::kChannelsFirst;
  // Forward the image (in place of the stem's padding); backward the gradient and what is made of it, but for the
  // stem's; for the weights the image and the gradient.
  CHECK(work_of(resnet_train(request)).launches == last + 52 + 2 * 52 + 2 * 53);
  request.precision = Precision::kFp32;
  const double first = work_of(resnet_train(request)).launches;
  request.layout = Layout::kChannelsLast;
  CHECK(work_of(resnet_train(request)).launches == first + 2 * 53 + 2 * 52);
}

TEST_CASE("a convolution in FP32 on Volta does fewer FLOPs where cuDNN has Winograd's form") {
  const Target volta{80, "7.0"};
  const Convolution three{64, 128, 128, 3, 1, 28, 28};
  const Convolution strided{64, 128, 128, 3, 2, 56, 28};
  const auto flops_of = [&](const Convolution& of, Direction direction) {
    return convolution(volta, Precision::kFp32, of, direction).flops;
  };
  const double direct = flops_of(strided, Direction::kForward);
  CHECK(flops_of(three, Direction::kForward) == Approx(direct / 2.25));
  CHECK(flops_of(three, Direction::kInputGradient) == Approx(direct / 2.25));
  CHECK(flops_of(three, Direction::kWeightGradient) == direct);
  CHECK(convolution(Target(), Precision::kFp32, three, Direction::kForward).flops == direct);
}

TEST_CASE("a card whose power leaves large products less of its clock than an H100's does is known by its energies") {
  const auto clock_of = [](const std::string& name) { return product_clock_of(shipped_arch(name)); };
  CHECK(clock_of("h100") == Approx(1).epsilon(0.005));
  CHECK(clock_of("v100") > 1);
  CHECK(target_on(shipped_arch("v100")).product_clock == 1);
  CHECK(target_on(shipped_arch("rtx4090")).product_clock == 1);  // nothing is known of its power
  CHECK(clock_of("t4") == Approx(0.8).epsilon(0.05));
  CHECK(clock_of("l4") < 0.9);
}

TEST_CASE("kernels of cuDNN reach less of a T4's peak than elsewhere, as its power leaves less of the clock") {
  const Convolution three{64, 128, 128, 3, 1, 28, 28};
  const auto reach_on = [&](const Target& target, Precision precision) {
    const KernelForm form = convolution(target, precision, three, Direction::kWeightGradient);
    return std::get<application::Roofline>(form.how).reach;
  };
  const Target t4 = target_on(shipped_arch("t4"));
  const Target v100{80, "7.0"};
  CHECK(reach_on(t4, Precision::kFp32) == Approx(reach_on(v100, Precision::kFp32) / 2));
  CHECK(reach_on(t4, Precision::kFp16) == Approx(reach_on(v100, Precision::kFp16) * t4.product_clock));
  CHECK(reach_on({108, "8.0"}, Precision::kTf32) == Approx(reach_on(Target(), Precision::kTf32) / 0.63));
}

TEST_CASE("a product in TF32 is one in BF16 of twice the depth with its own FLOPs, and one in FP32 before Ampere") {
  const auto params_of = [](const KernelForm& form) { return std::get<application::Simulated>(form.how); };
  for (const Target& target : {Target(), Target{108, "8.0"}, Target{128, "8.9"}}) {
    const KernelForm narrow = product(target, Precision::kTf32, 4096, 1024, 512);
    const KernelForm wide = product(target, Precision::kBf16, 4096, 1024, 1024);
    CHECK(params_of(narrow).trace == params_of(wide).trace);
    CHECK(params_of(narrow).params == params_of(wide).params);
    CHECK(narrow.flops == 2.0 * 4096 * 1024 * 512);
    CHECK(params_of(batched_product(target, Precision::kTf32, 16, 128, 128, 64)).params ==
          params_of(batched_product(target, Precision::kBf16, 16, 128, 128, 128)).params);
  }
  CHECK(params_of(product({80, "7.0"}, Precision::kTf32, 4096, 1024, 512)).trace == "sgemm-tiled");
  CHECK(params_of(product({80, "7.0"}, Precision::kFp32, 4096, 1024, 512)).trace == "sgemm-tiled");
  CHECK(params_of(product({108, "8.0"}, Precision::kFp32, 4096, 1024, 512)).trace == "sgemm-multistage");
}

TEST_CASE("attention of 32 bits is by the roofline, causal or not, and FlashAttention where that is asked for") {
  Request request = request_for("gpt2");
  for (const Precision precision : {Precision::kFp32, Precision::kTf32}) {
    request.precision = precision;
    request.attention = Attention::kFlash;
    const Application made = transformer_train(request);
    for (const char* name : {"attention.core", "attention.core backward"}) {
      const auto kernel = std::ranges::find(made.kernels, name, &application::Kernel::name);
      REQUIRE(kernel != made.kernels.end());
      CHECK(std::get<application::Roofline>(kernel->how).peak == "fp32");
    }
    request.attention = Attention::kFlash2;
    CHECK(application::to_yaml(transformer_train(request)).find("flash-attention-2") != std::string::npos);
  }
  const AttentionShape bert{32, 16, 16, 64, 128, false};
  const KernelForm forward = wide_attention(bert, false);
  CHECK(wide_attention(bert, true).flops == 2.5 * forward.flops);
  // 107 us and 195 us on an H200, of 66.9 TFLOP/s at its boost clock.
  const auto us = [](const KernelForm& form) {
    return form.flops / (66.9e12 * std::get<application::Roofline>(form.how).reach) * 1e6;
  };
  CHECK(us(forward) == Approx(107).epsilon(0.02));
  CHECK(us(wide_attention(bert, true)) == Approx(195).epsilon(0.02));
}

TEST_CASE(
    "a product in TF32 whose rows are not whole 16 bytes takes as long as one in BF16: twice the share of its peak") {
  const auto reach_of = [](Precision precision) {
    return std::get<application::Roofline>(product(Target(), precision, 8192, 50257, 768).how).reach;
  };
  CHECK(reach_of(Precision::kTf32) == Approx(2 * reach_of(Precision::kBf16)));
}

TEST_CASE("a product of B200 reaches less of the peak where its tiles do not fill the SMs") {
  const Target target{148, "10.0"};
  const auto reach_of = [&](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    return std::get<application::Roofline>(product(target, Precision::kBf16, m, n, k).how).reach;
  };
  CHECK(reach_of(128 * 148, 256 * 8, 4096) == Approx(0.776));
  CHECK(reach_of(128 * 149, 256 * 8, 4096) < 0.776);
  CHECK(reach_of(512, 2048, 512) == Approx(0.776 * 64 / 74).epsilon(0.01));
  CHECK(reach_of(512, 2048, 8192) >= reach_of(512, 2048, 512));
}

TEST_CASE("a masked head of some predictions has products of as many rows, and picks them once") {
  Request request = request_for("bert-large");
  request.sequence = 512;
  const double all = work_of(transformer_train(request)).flops;
  request.predictions = 77;
  const Application made = transformer_train(request);
  const double rows = 4.0 * (512 - 77);
  const double head = 1024.0 * 1024 + 1024.0 * 30522;
  CHECK(all - work_of(made).flops == Approx(6 * rows * head));
  CHECK(copied_bytes(made, "head.pick backward") == Approx(4.0 * 1024 * 4 * (512 + 3 * 77)).epsilon(0.001));
}

TEST_CASE("training in BF16 alone casts nothing, and its optimizer moves half of the bytes") {
  Request request = request_for("gpt2");
  const Application mixed_one = transformer_train(request);
  request.pure = true;
  const Application pure = transformer_train(request);
  CHECK(copied_bytes(mixed_one, "mlp.down cast weight") > 0);
  for (const application::Kernel& kernel : pure.kernels) {
    CHECK(kernel.name.find("cast weight") == std::string::npos);
  }
  CHECK(copied_bytes(pure, "AdamW") == Approx(copied_bytes(mixed_one, "AdamW") / 2).epsilon(1e-4));
  CHECK(work_of(pure).flops == work_of(mixed_one).flops);
}

TEST_CASE("a convolution in FP16 on Hopper takes as long besides its FLOPs with few images as with many") {
  const auto how_of = [](const Target& target, Precision precision, std::uint64_t batch, Direction direction) {
    const KernelForm form = convolution(target, precision, {batch, 256, 256, 3, 1, 14, 14}, direction);
    return std::get<application::Roofline>(form.how).besides_ns;
  };
  const Target hopper;
  const double forward = how_of(hopper, Precision::kFp16, 16, Direction::kForward);
  CHECK(forward > 4000);
  CHECK(how_of(hopper, Precision::kFp16, 256, Direction::kForward) == forward);
  CHECK(how_of(hopper, Precision::kFp16, 16, Direction::kInputGradient) == forward);
  CHECK(how_of(hopper, Precision::kFp16, 16, Direction::kWeightGradient) < forward);  // half of them are cuBLAS's
  CHECK(how_of(hopper, Precision::kTf32, 16, Direction::kForward) == 0);              // nobody measured those
  CHECK(how_of({80, "7.0"}, Precision::kFp16, 16, Direction::kForward) == 0);
}

TEST_CASE("batch norm of FP16 takes cycles of the SMs that a faster DRAM does not shorten, fewer where rows are many") {
  constexpr double kElements = 1 << 20;
  constexpr std::uint64_t kSome = 50'000;
  constexpr std::uint64_t kMany = 200'000;
  const auto cycles_of = [](const KernelForm& form) { return std::get<application::Roofline>(form.how).sm_cycles; };
  const auto forward = [&](std::uint64_t rows) { return cycles_of(batch_norm(Precision::kFp16, kElements, rows)); };
  const auto backward = [&](std::uint64_t rows) {
    return cycles_of(batch_norm_backward(Precision::kFp16, kElements, rows));
  };
  CHECK(forward(kSome) > forward(kMany));
  CHECK(backward(kSome) > backward(kMany));
  CHECK(backward(kSome) > forward(kSome));
  CHECK(cycles_of(batch_norm(Precision::kFp32, kElements, kSome)) == 0);  // DRAM is slower
}

TEST_CASE("the pooling of ResNet-50 takes the SMs as long for an image in FP16 as in TF32, for half of the bytes") {
  const auto how_of = [](Precision precision, const std::string& name) {
    const Application made = resnet_train(images(32, precision));
    const auto found = std::ranges::find(made.kernels, name, &application::Kernel::name);
    REQUIRE(found != made.kernels.end());
    return std::get<application::Roofline>(found->how);
  };
  for (const std::string name : {"stem.pool", "stem.pool backward"}) {
    CHECK(how_of(Precision::kFp16, name).sm_cycles > 0);
    CHECK(how_of(Precision::kFp16, name).sm_cycles == how_of(Precision::kTf32, name).sm_cycles);
    CHECK(how_of(Precision::kFp16, name).bytes < how_of(Precision::kTf32, name).bytes);
  }
}

TEST_CASE("ResNet-50 in FP16 pads its images for both of the stem's products, and in TF32 for the first alone") {
  const auto pads_of = [](Precision precision) {
    double count = 0;
    const Application made = resnet_train(images(32, precision));
    for (const Call& range : made.bodies[0]) {
      if (const auto* const part = std::get_if<application::Range>(&range.is)) {
        count += static_cast<double>(std::ranges::count_if(part->body, [&](const Call& call) {
          const auto* const launch = std::get_if<application::Launch>(&call.is);
          return launch != nullptr && made.kernels[launch->kernel].name == "stem.conv pad";
        }));
      }
    }
    return count;
  };
  CHECK(pads_of(Precision::kFp16) == 2);
  CHECK(pads_of(Precision::kTf32) == 1);
}

TEST_CASE("ResNet-50 reads the weights that it casts to FP16 from cold caches") {
  const Application made = resnet_train(images(32));
  const auto found = std::ranges::find(made.kernels, "weights cast", &application::Kernel::name);
  REQUIRE(found != made.kernels.end());
  CHECK(std::get<application::Simulated>(found->how).is_cold);
}

TEST_CASE("a convolution by the roofline reaches less where its tiles leave SMs without work") {
  const auto reach_on = [](const Target& target, std::uint64_t batch, Direction direction,
                           Precision precision = Precision::kFp16) {
    const KernelForm form = convolution(target, precision, {batch, 512, 512, 3, 1, 7, 7}, direction);
    return std::get<application::Roofline>(form.how).reach;
  };
  const auto reach_of = [&](std::uint64_t batch, Direction direction) {
    return reach_on({80, "7.0"}, batch, direction);
  };
  constexpr double kUsed = 56.0 / 80;  // 784 places of 512 channels are 7 x 8 tiles
  CHECK(reach_of(16, Direction::kForward) == Approx(0.65 * kUsed));
  CHECK(reach_of(4096, Direction::kForward) == Approx(0.65).epsilon(0.01));
  CHECK(reach_of(16, Direction::kWeightGradient) == reach_of(4096, Direction::kWeightGradient));
  // On a T4 the others get the power of those: of 40 SMs 32 work with a batch of 8, and 24 with one of 6.
  const Target t4 = target_on(shipped_arch("t4"));
  const auto reach_of_t4 = [&](std::uint64_t batch, Precision precision) {
    return reach_on(t4, batch, Direction::kForward, precision) / reach_on(t4, 4096, Direction::kForward, precision);
  };
  CHECK(reach_of_t4(6, Precision::kFp16) == Approx(24.0 / 40 / t4.product_clock).epsilon(0.01));
  CHECK(reach_of_t4(6, Precision::kFp32) == Approx(1).epsilon(0.01));  // half of them get all of it
  CHECK(reach_of_t4(2, Precision::kFp32) == Approx(8.0 / 40 / 0.5).epsilon(0.01));
  // An L4 has no such measurement in FP32, whose reach is that of a whole clock.
  const Target l4 = target_on(shipped_arch("l4"));
  CHECK(reach_on(l4, 8, Direction::kForward, Precision::kFp32) ==
        Approx(32.0 / l4.sms * reach_on(l4, 4096, Direction::kForward, Precision::kFp32)).epsilon(0.02));
}

}  // namespace generate_test
