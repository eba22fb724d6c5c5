// SPDX-License-Identifier: MIT
#include "sim/commands/app/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/simulation_inputs.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/system/find_model.h"
#include "sim/commands/system/find_system.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"
#include "sim/system/application/check.h"
#include "sim/system/config/changes.h"
#include "sim/system/config/system.h"
#include "sim/system/generate/demos.h"
#include "sim/system/generate/kernels.h"
#include "sim/system/generate/resnet.h"
#include "sim/system/generate/transformer.h"
#include "sim/system/memory/offer.h"

namespace gpusim::app {
namespace {

using application::Application;
using generate::Parallel;
using generate::Precision;

constexpr std::uint64_t kMost = 1'000'000'000;

/// The value of a word that one of these kinds knows; `allowed` are those of all that the kind takes.
template <class E>
E word_of(const char* option, const std::string& text, E otherwise, std::initializer_list<E> allowed = {}) {
  if (text.empty()) {
    return otherwise;
  }
  const std::optional<E> value = arch::find_value<E>(text);
  if (value && (allowed.size() == 0 || std::ranges::find(allowed, *value) != allowed.end())) {
    return *value;
  }
  std::string known;
  for (const auto& word : arch::kWords<E>) {
    const bool is_known = allowed.size() == 0 || std::ranges::find(allowed, word.value) != allowed.end();
    known += is_known ? (known.empty() ? "" : ", ") + std::string(word.word) : "";
  }
  throw UsageError(std::string(option) + " " + text + " is not for this kind (allowed: " + known + ")");
}

/// Nanoseconds of --operator-time, or `otherwise` without it.
double operator_ns(const KindOptions& options, double otherwise) {
  if (options.operator_time.empty()) {
    return otherwise;
  }
  const arch::Key key{"--operator-time", arch::Unit::kNanoseconds, 0, kMost, "", arch::PeakField{0}, {}};
  const arch::ParsedValue parsed = arch::parse_value(key, options.operator_time);
  if (!parsed.error.empty()) {
    throw UsageError("--operator-time: " + parsed.error + (parsed.hint.empty() ? "" : " (" + parsed.hint + ")"));
  }
  return static_cast<double>(parsed.value.number.numerator);
}

generate::Target target_of(const system::System& system) {
  const auto& gpu = std::get<system::Gpu>(system.nodes[system::nodes_of<system::Gpu>(system).front()].is);
  return generate::target_on(cli::read_named_arch(gpu.arch, system.gpu_set));
}

std::uint32_t gpus_of(const KindOptions& options, const system::System& system) {
  return static_cast<std::uint32_t>(
      cli::count_or("--gpus", options.gpus, 1, 1, system::nodes_of<system::Gpu>(system).size()));
}

generate::ImageRequest image_request_of(const KindOptions& options, const system::System& system) {
  const models::Model model = cli::find_model(options.model.empty() ? "resnet-50" : options.model);
  const auto* const network = std::get_if<models::ResNet>(&model.is);
  if (network == nullptr) {
    throw UsageError("'" + options.model + "' is not a residual network");
  }
  generate::ImageRequest request;
  request.model = *network;
  request.model_name = model.name;
  request.target = target_of(system);
  request.batch = cli::count_or("--batch", options.batch, 1, 1, 4096);
  request.gpus = gpus_of(options, system);
  request.precision = word_of("--precision", options.precision, Precision::kBf16);
  request.layout = word_of("--layout", options.layout, generate::Layout::kChannelsLast);
  request.mode = word_of("--mode", options.mode, generate::Mode::kEager);
  request.operator_ns = operator_ns(options, request.operator_ns);
  return request;
}

Application make_resnet_training(const KindOptions& options, const system::System& system) {
  return generate::resnet_train(image_request_of(options, system));
}

Application make_resnet_inference(const KindOptions& options, const system::System& system) {
  return generate::resnet_infer(image_request_of(options, system));
}

bool has_fp8(const generate::Target& target) {
  return target.compute_capability >= "8.9" || target.compute_capability.size() > 3;
}

/// How a request's GPUs share its work.
void read_parallel(const KindOptions& options, const system::System& system, generate::Request& request) {
  const std::uint64_t there = system::nodes_of<system::Gpu>(system).size();
  const auto count = [&](const char* option, const std::string& text, std::uint32_t otherwise) {
    return static_cast<std::uint32_t>(cli::count_or(option, text, otherwise, 1, there));
  };
  request.tensor = count("--tensor", options.tensor, 1);
  request.pipeline = count("--pipeline", options.pipeline, 1);
  request.gpus = count("--gpus", options.gpus, request.tensor * request.pipeline);
  request.micro_batches = cli::count_or("--microbatches", options.micro_batches, 1, 1, 4096);
  request.sequence_parallel = options.sequence_parallel == "yes";
  request.all_reduce = word_of("--all-reduce", options.all_reduce, collective::Library::kNccl);
  if (options.parallel == "tensor") {
    if (!options.tensor.empty()) {
      throw UsageError("--parallel tensor is short for --tensor with all GPUs, and does not go with --tensor");
    }
    request.tensor = request.gpus / request.pipeline;
  } else {
    request.parallel = word_of("--parallel", options.parallel, Parallel::kData);
  }
}

/// Throws UsageError with the reason where the parts do not go together.
void check_parallel(const generate::Request& request, bool trains) {
  const std::uint32_t inside = request.tensor * request.pipeline;
  const std::string word(arch::word_of(request.parallel));
  if (request.gpus % inside != 0) {
    throw UsageError("--gpus " + std::to_string(request.gpus) + " is not a multiple of the " + std::to_string(inside) +
                     " GPUs of --tensor and --pipeline");
  }
  if (request.model.heads % request.tensor != 0 || request.model.ffn % request.tensor != 0) {
    throw UsageError("--tensor: " + std::to_string(request.model.heads) + " heads, or an MLP of " +
                     std::to_string(request.model.ffn) + " features, do not divide by " +
                     std::to_string(request.tensor) + " GPUs");
  }
  if (request.pipeline > request.model.layers) {
    throw UsageError("--pipeline " + std::to_string(request.pipeline) + " is more than the " +
                     std::to_string(request.model.layers) + " layers of the model");
  }
  if (request.sequence_parallel && request.tensor == 1) {
    throw UsageError("--sequence-parallel needs --tensor: GPUs that share layers share tokens between them");
  }
  if (request.all_reduce != collective::Library::kNccl && (request.tensor == 1 || request.sequence_parallel)) {
    throw UsageError(request.tensor == 1
                         ? "--all-reduce needs --tensor: GPUs that share layers add up what each has of their results"
                         : "--all-reduce does not go with --sequence-parallel, which scatters and gathers instead");
  }
  if (request.parallel != Parallel::kData && request.data() == 1) {
    throw UsageError("--parallel " + word + " needs data-parallel GPUs: --gpus above --tensor times --pipeline");
  }
  if (request.pipeline > 1 && (request.parallel == Parallel::kZero2 || request.parallel == Parallel::kFsdp)) {
    throw UsageError("--parallel " + word + " does not go with --pipeline: a stage keeps its gradients" +
                     (request.parallel == Parallel::kFsdp ? " and weights" : "") +
                     " over the micro-batches (zero1 goes with it)");
  }
  if (!trains && (request.parallel == Parallel::kZero1 || request.parallel == Parallel::kZero2)) {
    throw UsageError("--parallel " + word +
                     " shares states of an optimizer, which inference has not (allowed: data, "
                     "fsdp, tensor)");
  }
}

generate::Request request_of(const KindOptions& options, const system::System& system, bool trains) {
  if (options.model.empty()) {
    throw UsageError("say which model, for example --model llama-3-8b");
  }
  const models::Model model = cli::find_model(options.model);
  const auto* const transformer = std::get_if<models::Transformer>(&model.is);
  if (transformer == nullptr) {
    throw UsageError("'" + options.model + "' is not a transformer");
  }
  constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 22;
  generate::Request request;
  request.model = *transformer;
  request.model_name = model.name;
  request.model.qkv = word_of("--qkv", options.qkv, transformer->qkv);
  request.target = target_of(system);
  request.batch = cli::count_or("--batch", options.batch, 1, 1, 65'536);
  request.sequence = cli::count_or("--sequence", options.sequence,
                                   std::min<std::uint64_t>(1024, transformer->positions), 1, kMostTokens);
  // A table of positions is as long as what is asked for.
  request.model.positions = std::max(request.model.positions, request.sequence);
  const std::uint64_t multiple = cli::count_or("--pad-vocabulary", options.pad_vocabulary, 1, 1, 65'536);
  request.model.vocabulary = (request.model.vocabulary + multiple - 1) / multiple * multiple;
  request.fp8 = options.precision == "fp8";
  if (request.fp8 && !has_fp8(request.target)) {
    throw UsageError("--precision fp8 needs tensor cores with FP8: Ada, Hopper or later");
  }
  request.pure = trains && options.precision == "bf16-pure";
  request.precision = word_of("--precision", request.fp8 || request.pure ? "bf16" : options.precision, Precision::kBf16,
                              {Precision::kFp32, Precision::kTf32, Precision::kBf16, Precision::kFp16});
  request.fp16 = request.precision == Precision::kFp16;
  request.precision = request.fp16 ? Precision::kBf16 : request.precision;
  request.mode = word_of("--mode", options.mode, generate::Mode::kEager);
  request.recompute = word_of("--recompute", options.recompute, generate::Recompute::kNone);
  request.attention = word_of("--attention", options.attention, generate::Attention::kFlash);
  request.target.libraries = word_of("--libraries", options.libraries, generate::Libraries::k2025);
  request.loss = word_of("--loss", options.loss, memory::LossKernel::kOperations);
  request.optimizer = word_of("--optimizer", options.optimizer, memory::Optimizer::kAdamFused,
                              {memory::Optimizer::kAdam, memory::Optimizer::kAdamFused});
  request.clips_gradients = options.clip_gradients == "yes";
  request.train_metrics = cli::count_or("--train-metrics", options.train_metrics, 0, 0, 16);
  request.predictions = cli::count_or("--predictions", options.predictions, 0, 1, request.sequence);
  if (request.predictions > 0 && transformer->head != models::Head::kMasked) {
    throw UsageError("--predictions is of models with a head of masked words, which " + model.name + " lacks");
  }
  request.prefetch = word_of("--prefetch", options.prefetch, generate::Prefetch::kBackward);
  request.dropout = options.dropout != "none";
  request.operator_ns = operator_ns(options, request.operator_ns);
  read_parallel(options, system, request);
  check_parallel(request, trains);
  if (request.train_metrics > 0 && request.tensor > 1) {
    throw UsageError("--train-metrics does not go with --tensor, whose GPUs each have a part of the logits");
  }
  if (!options.prefetch.empty() && request.parallel != Parallel::kFsdp) {
    throw UsageError("--prefetch is of --parallel fsdp, which gathers weights");
  }
  return request;
}

/// Options that `gpusim fit` has as well.
struct FitField {
  std::string KindOptions::*member;
  std::string_view option;
};
constexpr FitField kOfFitting[] = {{&KindOptions::gpus, "--gpus"},           {&KindOptions::precision, "--precision"},
                                   {&KindOptions::recompute, "--recompute"}, {&KindOptions::parallel, "--shard"},
                                   {&KindOptions::tensor, "--tensor"},       {&KindOptions::pipeline, "--pipeline"},
                                   {&KindOptions::optimizer, "--optimizer"}};

/// Arguments with which `gpusim fit` asks about the same step, as near as it can.
std::string fit_arguments(const KindOptions& options, const generate::Request& request) {
  std::string text = "--model " + options.model + " --train --batch " + std::to_string(request.batch) + " --sequence " +
                     std::to_string(request.sequence);
  for (const FitField& field : kOfFitting) {
    const std::string& value = options.*field.member;
    // Its words: data parallel is ddp, and FP16 takes as much memory as BF16.
    const std::string word = value == "data" ? "ddp" : value == "fp16" ? "bf16" : value;
    text += value.empty() ? "" : " " + std::string(field.option) + " " + word;
  }
  return text + (options.sequence_parallel == "yes" ? " --sequence-parallel" : "");
}

Application make_training(const KindOptions& options, const system::System& system) {
  const generate::Request request = request_of(options, system, true);
  Application application = generate::transformer_train(request);
  application.fit = fit_arguments(options, request);
  return application;
}

Application make_prefill(const KindOptions& options, const system::System& system) {
  return generate::transformer_prefill(request_of(options, system, false));
}

Application make_decode(const KindOptions& options, const system::System& system) {
  return generate::transformer_decode(request_of(options, system, false));
}

Application make_chain(const KindOptions& options, const system::System&) {
  generate::Chain chain;
  chain.operations = cli::count_or("--operations", options.operations, 64, 1, 100'000);
  chain.elements = cli::count_or("--elements", options.elements, chain.elements, 1, kMost);
  chain.mode = word_of("--mode", options.mode, generate::Mode::kEager);
  chain.operator_ns = operator_ns(options, chain.operator_ns);
  return generate::elementwise_chain(chain);
}

Application make_overlap(const KindOptions& options, const system::System& system) {
  generate::Overlap overlap;
  overlap.size = cli::count_or("--size", options.size, overlap.size, 1, 131'072);
  overlap.products = cli::count_or("--operations", options.operations, 64, 1, 100'000);
  overlap.streams = cli::count_or("--streams", options.streams, overlap.streams, 1, 64);
  overlap.operator_ns = operator_ns(options, overlap.operator_ns);
  return generate::overlap_demo(target_of(system), overlap);
}

Application make_loader(const KindOptions& options, const system::System&) {
  generate::Loader loader;
  if (!options.workers.empty()) {
    loader.workers = cli::parse_count("--workers", options.workers, 0, 256);
  }
  loader.pinned = options.pinned == "yes";
  return generate::dataloader(loader);
}

using Name = std::string_view;
constexpr Name kOfTraining[] = {"model",          "batch",         "sequence",   "gpus",           "precision",
                                "mode",           "recompute",     "parallel",   "tensor",         "sequence-parallel",
                                "pipeline",       "microbatches",  "dropout",    "attention",      "loss",
                                "pad-vocabulary", "operator-time", "optimizer",  "clip-gradients", "prefetch",
                                "train-metrics",  "predictions",   "all-reduce", "libraries",      "qkv"};
constexpr Name kOfInference[] = {"model",    "batch",  "sequence",       "gpus",          "precision",  "mode",
                                 "parallel", "tensor", "pad-vocabulary", "operator-time", "all-reduce", "qkv"};
constexpr Name kOfImageTraining[] = {"model", "batch", "gpus", "precision", "layout", "mode", "operator-time"};
constexpr Name kOfImageInference[] = {"model", "batch", "precision", "layout", "mode", "operator-time"};
constexpr Name kOfChain[] = {"operations", "elements", "mode", "operator-time"};
constexpr Name kOfOverlap[] = {"operations", "size", "streams", "operator-time"};
constexpr Name kOfLoader[] = {"workers", "pinned"};

struct Kind {
  std::string_view name;
  Application (*make)(const KindOptions& options, const system::System& system);
  std::span<const Name> options;  ///< beside the system
  [[nodiscard]] bool takes(std::string_view option) const {
    return option == "application" || option == "system" || std::ranges::find(options, option) != options.end();
  }
};
constexpr std::array<Kind, 8> kKinds{{{"transformer-train", make_training, kOfTraining},
                                      {"transformer-prefill", make_prefill, kOfInference},
                                      {"transformer-decode", make_decode, kOfInference},
                                      {"resnet50-train", make_resnet_training, kOfImageTraining},
                                      {"resnet50-infer", make_resnet_inference, kOfImageInference},
                                      {"elementwise-chain", make_chain, kOfChain},
                                      {"overlap-demo", make_overlap, kOfOverlap},
                                      {"dataloader", make_loader, kOfLoader}}};

constexpr KindField kFields[] = {{"application", &KindOptions::kind},
                                 {"system", &KindOptions::system},
                                 {"model", &KindOptions::model},
                                 {"batch", &KindOptions::batch},
                                 {"sequence", &KindOptions::sequence},
                                 {"gpus", &KindOptions::gpus},
                                 {"precision", &KindOptions::precision},
                                 {"layout", &KindOptions::layout},
                                 {"mode", &KindOptions::mode},
                                 {"recompute", &KindOptions::recompute},
                                 {"parallel", &KindOptions::parallel},
                                 {"tensor", &KindOptions::tensor},
                                 {"sequence-parallel", &KindOptions::sequence_parallel},
                                 {"all-reduce", &KindOptions::all_reduce},
                                 {"pipeline", &KindOptions::pipeline},
                                 {"microbatches", &KindOptions::micro_batches},
                                 {"operator-time", &KindOptions::operator_time},
                                 {"operations", &KindOptions::operations},
                                 {"elements", &KindOptions::elements},
                                 {"size", &KindOptions::size},
                                 {"streams", &KindOptions::streams},
                                 {"workers", &KindOptions::workers},
                                 {"pinned", &KindOptions::pinned},
                                 {"attention", &KindOptions::attention},
                                 {"qkv", &KindOptions::qkv},
                                 {"libraries", &KindOptions::libraries},
                                 {"loss", &KindOptions::loss},
                                 {"pad-vocabulary", &KindOptions::pad_vocabulary},
                                 {"dropout", &KindOptions::dropout},
                                 {"optimizer", &KindOptions::optimizer},
                                 {"clip-gradients", &KindOptions::clip_gradients},
                                 {"train-metrics", &KindOptions::train_metrics},
                                 {"predictions", &KindOptions::predictions},
                                 {"prefetch", &KindOptions::prefetch}};

/// Refuses the first option that is given and is not the kind's.
void refuse_others(const Kind& kind, const KindOptions& options) {
  for (const KindField& field : kFields) {
    if ((options.*field.member).empty() || kind.takes(field.name)) {
      continue;
    }
    std::string takers;
    for (const Kind& other : kKinds) {
      takers += other.takes(field.name) ? (takers.empty() ? "" : ", ") + std::string(other.name) : "";
    }
    throw UsageError("--" + std::string(field.name) + " does not go with " + std::string(kind.name) +
                     " (kinds that take it: " + takers + ")");
  }
}

}  // namespace

std::span<const KindField> kind_fields() {
  return kFields;
}

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names(kKinds.size());
  std::ranges::transform(kKinds, names.begin(), &Kind::name);
  return names;
}

std::vector<std::string> notes_of(const KindOptions& options) {
  const auto kind = std::ranges::find(kKinds, options.kind, &Kind::name);
  if (kind == kKinds.end() || !kind->takes("precision")) {
    return {};
  }
  const generate::Target target = target_of(cli::find_system(options.system));
  std::vector<std::string> notes;
  if (options.attention.starts_with(arch::word_of(generate::Attention::kFlash)) &&
      !generate::has_flash_attention(target)) {
    notes.push_back("attention is product by product, not by --attention " + options.attention +
                    ": FlashAttention's kernels need Ampere or later");
  }
  if ((options.attention == "flash1" || options.attention == "flash2") &&
      (options.precision == "fp32" || options.precision == "tf32")) {
    notes.push_back("--attention " + options.attention + " has kernels of 16 bits alone, which stand for those of 32");
  }
  const bool is_wide = options.precision == "fp32";
  if (options.libraries == arch::word_of(generate::Libraries::k2023) &&
      (is_wide || !generate::differs_by_year(target))) {
    notes.emplace_back(is_wide ? "--libraries 2023 changes nothing here: products in FP32 are the same"
                               : "--libraries 2023 changes nothing here: products of that year differ on Hopper alone");
  }
  const bool wants_bf16 = options.precision.empty() || options.precision.starts_with("bf16");
  if (wants_bf16 && !generate::has_bf16(target)) {
    notes.emplace_back("products take what those of FP16 do (--precision fp16): tensor cores have BF16 since Ampere");
  }
  return notes;
}

Application make_application(const KindOptions& options) {
  return make_application(options, system::Changes());
}

Application make_application(const KindOptions& options, const system::Changes& changes) {
  const auto kind = std::ranges::find(kKinds, options.kind, &Kind::name);
  if (kind == kKinds.end()) {
    throw UsageError("unknown application '" + options.kind + "' (" + suggestion(options.kind, kind_names()) + ")");
  }
  refuse_others(*kind, options);
  Application application = kind->make(options, cli::find_system(options.system, changes));
  application.system = options.system;
  application::check(application);
  return application;
}

}  // namespace gpusim::app
