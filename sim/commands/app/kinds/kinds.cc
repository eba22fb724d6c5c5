// SPDX-License-Identifier: MIT
#include "sim/commands/app/kinds/kinds.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/simulation_inputs.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/system/find_model.h"
#include "sim/commands/system/find_system.h"
#include "sim/model/arch/value.h"
#include "sim/system/application/check.h"
#include "sim/system/generate/demos.h"
#include "sim/system/generate/transformer.h"

namespace gpusim::app {
namespace {

using application::Application;

constexpr std::uint64_t kMost = 1'000'000'000;

std::uint64_t count_of(const char* option, const std::string& text, std::uint64_t most = kMost) {
  return cli::parse_count(option, text, 1, most);
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
  return {cli::read_arch(gpu.arch, system.gpu_set, {}).sm.count, gpu.compute_capability};
}

generate::Request request_of(const KindOptions& options, const system::System& system) {
  if (options.model.empty()) {
    throw UsageError("say which model, for example --model llama-3-8b");
  }
  const models::Model model = cli::find_model(options.model);
  const auto* const transformer = std::get_if<models::Transformer>(&model.is);
  if (transformer == nullptr) {
    throw UsageError("'" + options.model + "' is not a transformer");
  }
  generate::Request request;
  request.model = *transformer;
  request.model_name = model.name;
  request.target = target_of(system);
  request.batch = count_of("--batch", options.batch, 65'536);
  request.sequence = count_of("--sequence", options.sequence, transformer->positions);
  request.gpus =
      static_cast<std::uint32_t>(count_of("--gpus", options.gpus, system::nodes_of<system::Gpu>(system).size()));
  request.precision = arch::value_of<generate::Precision>(options.precision);
  request.mode = arch::value_of<generate::Mode>(options.mode);
  request.recompute = arch::value_of<generate::Recompute>(options.recompute);
  request.parallel = arch::value_of<generate::Parallel>(options.parallel);
  request.dropout = options.dropout != "none";
  request.operator_ns = operator_ns(options, request.operator_ns);
  const bool is_split = request.parallel == generate::Parallel::kTensor;
  if (is_split && (request.model.heads % request.gpus != 0 || request.model.ffn % request.gpus != 0)) {
    throw UsageError("--parallel tensor: " + std::to_string(request.model.heads) + " heads, or an MLP of " +
                     std::to_string(request.model.ffn) + " features, do not divide by " + std::to_string(request.gpus) +
                     " GPUs");
  }
  if (request.mode == generate::Mode::kGraph && request.gpus > 1) {
    throw UsageError("--mode graph goes with one GPU: a graph cannot hold collectives here");
  }
  return request;
}

Application make_training(const KindOptions& options, const system::System& system) {
  return generate::transformer_train(request_of(options, system));
}

Application make_prefill(const KindOptions& options, const system::System& system) {
  return generate::transformer_prefill(request_of(options, system));
}

Application make_decode(const KindOptions& options, const system::System& system) {
  return generate::transformer_decode(request_of(options, system));
}

Application make_chain(const KindOptions& options, const system::System&) {
  generate::Chain chain;
  chain.operations = count_of("--operations", options.operations, 100'000);
  chain.elements = count_of("--elements", options.elements);
  chain.mode = arch::value_of<generate::Mode>(options.mode);
  chain.operator_ns = operator_ns(options, chain.operator_ns);
  return generate::elementwise_chain(chain);
}

Application make_overlap(const KindOptions& options, const system::System& system) {
  generate::Overlap overlap;
  overlap.size = count_of("--size", options.size, 131'072);
  overlap.products = count_of("--operations", options.operations, 100'000);
  overlap.streams = count_of("--streams", options.streams, 64);
  overlap.operator_ns = operator_ns(options, overlap.operator_ns);
  return generate::overlap_demo(target_of(system), overlap);
}

Application make_loader(const KindOptions& options, const system::System&) {
  generate::Loader loader;
  loader.workers = cli::parse_count("--workers", options.workers, 0, 256);
  return generate::dataloader(loader);
}

struct Kind {
  std::string_view name;
  Application (*make)(const KindOptions& options, const system::System& system);
};
constexpr std::array<Kind, 6> kKinds{{{"transformer-train", make_training},
                                      {"transformer-prefill", make_prefill},
                                      {"transformer-decode", make_decode},
                                      {"elementwise-chain", make_chain},
                                      {"overlap-demo", make_overlap},
                                      {"dataloader", make_loader}}};

constexpr KindField kFields[] = {{"application", &KindOptions::kind},
                                 {"system", &KindOptions::system},
                                 {"model", &KindOptions::model},
                                 {"batch", &KindOptions::batch},
                                 {"sequence", &KindOptions::sequence},
                                 {"gpus", &KindOptions::gpus},
                                 {"precision", &KindOptions::precision},
                                 {"mode", &KindOptions::mode},
                                 {"recompute", &KindOptions::recompute},
                                 {"parallel", &KindOptions::parallel},
                                 {"operator-time", &KindOptions::operator_time},
                                 {"operations", &KindOptions::operations},
                                 {"elements", &KindOptions::elements},
                                 {"size", &KindOptions::size},
                                 {"streams", &KindOptions::streams},
                                 {"workers", &KindOptions::workers},
                                 {"dropout", &KindOptions::dropout}};

}  // namespace

std::span<const KindField> kind_fields() {
  return kFields;
}

Application make_application(const KindOptions& options, const system::Changes& changes) {
  const auto kind = std::ranges::find(kKinds, options.kind, &Kind::name);
  if (kind == kKinds.end()) {
    std::array<std::string_view, kKinds.size()> known{};
    std::ranges::transform(kKinds, known.begin(), &Kind::name);
    throw UsageError("unknown application '" + options.kind + "' (" + suggestion(options.kind, known) + ")");
  }
  Application application = kind->make(options, cli::find_system(options.system, changes));
  application.system = options.system;
  application::check(application);
  return application;
}

}  // namespace gpusim::app
