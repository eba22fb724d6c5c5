// SPDX-License-Identifier: MIT
// gpusim fit: whether a model fits a GPU in training or use, and what would make it fit.
#include "sim/commands/fit/command.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/exit_codes.h"
#include "sim/commands/cli/find_arch.h"
#include "sim/commands/cli/pager.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/fit/report.h"
#include "sim/commands/system/find_model.h"
#include "sim/model/arch/arch.h"
#include "sim/system/models/operations.h"

namespace gpusim::commands {
namespace {

using memory::InferPlan;
using memory::TrainPlan;
using models::Transformer;

constexpr std::uint64_t kUsualTokens = 2048;
constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 22;
/// All sequences together: the square of a sequence, for each of 4,096 heads, is then a number of bytes.
constexpr std::uint64_t kMostTokensOfBatch = std::uint64_t{1} << 27;
constexpr std::uint64_t kMostBatch = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostGpus = 65536;
constexpr std::uint64_t kMostRank = 4096;

Transformer transformer_of(const models::Model& model) {
  if (const auto* const of = std::get_if<Transformer>(&model.is)) {
    return *of;
  }
  throw InputError({{model.path, 0, 0}, "is a residual network, and fit knows transformers only", ""});
}

/// A longer sequence than the model has positions for: learned ones become as many.
void stretch(Transformer& model, std::uint64_t tokens, std::vector<std::string>& notes) {
  if (tokens > model.positions) {
    notes.push_back(
        fmt::format("The model is made for {} tokens; {} are asked for.", with_thousands(model.positions),
                    with_thousands(tokens)) +
        (model.position_kind == models::Positions::kLearned ? " Its table of positions is taken as long." : ""));
    model.positions = tokens;
  }
}

void check_tokens(std::uint64_t batch, std::uint64_t tokens) {
  if (batch * tokens > kMostTokensOfBatch) {
    throw UsageError(fmt::format("{} sequences of {} tokens are too many (allowed: {} tokens together)", batch, tokens,
                                 with_thousands(kMostTokensOfBatch)));
  }
}

/// What must divide what.
void check_shares(const Transformer& model, std::uint64_t tensor, std::uint64_t pipeline) {
  if (model.heads % tensor != 0) {
    throw UsageError(fmt::format("{} GPUs do not share {} heads evenly", tensor, model.heads));
  }
  if (pipeline > model.layers) {
    throw UsageError(fmt::format("--pipeline {} is more than the {} layers of the model", pipeline, model.layers));
  }
}

TrainPlan train_plan(const FitOptions& options, const Transformer& model) {
  TrainPlan plan;
  plan.batch = cli::count_or("--batch", options.batch, 1, 1, kMostBatch);
  plan.sequence =
      cli::count_or("--sequence", options.sequence, std::min(kUsualTokens, model.positions), 1, kMostTokens);
  check_tokens(plan.batch, plan.sequence);
  plan.precision = arch::value_of<memory::Precision>(options.precision);
  plan.recompute = arch::value_of<memory::Recompute>(options.recompute);
  plan.optimizer = arch::value_of<memory::Optimizer>(options.optimizer);
  plan.attention = arch::value_of<memory::AttentionKernel>(options.attention);
  plan.loss = arch::value_of<memory::LossKernel>(options.loss);
  plan.tuning = arch::value_of<memory::Tuning>(options.tuning);
  plan.rank = cli::count_or("--rank", options.rank, plan.rank, 1, kMostRank);
  plan.dropout = !options.no_dropout;
  plan.shard = options.shard.empty() ? memory::Shard::kDdp : arch::value_of<memory::Shard>(options.shard);
  plan.tensor = cli::count_or("--tensor", options.tensor, 1, 1, kMostGpus);
  plan.pipeline = cli::count_or("--pipeline", options.pipeline, 1, 1, kMostGpus);
  plan.sequence_parallel = options.sequence_parallel;
  const std::uint64_t inside = plan.tensor * plan.pipeline;
  const std::uint64_t gpus = cli::count_or("--gpus", options.gpus, inside, 1, kMostGpus);
  if (gpus % inside != 0) {
    throw UsageError(
        fmt::format("--gpus {} is not a multiple of the {} GPUs of --tensor and --pipeline", gpus, inside));
  }
  plan.data = gpus / inside;
  check_shares(model, plan.tensor, plan.pipeline);
  if (plan.shard != memory::Shard::kDdp && plan.data == 1) {
    throw UsageError("--shard " + options.shard + " needs data-parallel GPUs: --gpus above --tensor times --pipeline");
  }
  if (plan.sequence_parallel && plan.tensor == 1) {
    throw UsageError("--sequence-parallel needs --tensor");
  }
  return plan;
}

InferPlan infer_plan(const FitOptions& options, const Transformer& model) {
  InferPlan plan;
  plan.batch = cli::count_or("--batch", options.batch, 1, 1, kMostBatch);
  plan.context = cli::count_or("--context", options.context, std::min(kUsualTokens, model.positions), 1, kMostTokens);
  check_tokens(plan.batch, plan.context);
  plan.prompt = cli::count_or("--prompt", options.prompt, plan.context, 1, kMostTokens);
  if (plan.prompt > plan.context) {
    throw UsageError(fmt::format("--prompt {} is longer than the {} tokens of --context", plan.prompt, plan.context));
  }
  plan.weights = arch::value_of<memory::WeightFormat>(options.weights);
  plan.cache_bits = options.cache == "fp32" ? 32 : options.cache == "bf16" ? 16 : 8;
  plan.tensor = cli::count_or("--gpus", options.gpus, 1, 1, kMostGpus);
  check_shares(model, plan.tensor, 1);
  return plan;
}

std::string what_of(const TrainPlan& plan, const FitOptions& options) {
  std::string text = fmt::format("training, {} of {} tokens, {}", counted(plan.batch, "sequence"),
                                 with_thousands(plan.sequence), options.precision);
  text += plan.tuning == memory::Tuning::kFull ? ", " + options.optimizer : ", " + options.tuning;
  if (plan.recompute != memory::Recompute::kNone) {
    text += ", recompute " + options.recompute;
  }
  if (plan.gpus() > 1) {
    text += fmt::format(", {} GPUs ({} data{}, {} tensor, {} pipeline)", plan.gpus(), plan.data,
                        options.shard.empty() ? "" : " " + options.shard, plan.tensor, plan.pipeline);
  }
  return text;
}

std::string what_of(const InferPlan& plan, const FitOptions& options) {
  return fmt::format("use, {} of {} tokens, weights in {}, cache in {}{}", counted(plan.batch, "sequence"),
                     with_thousands(plan.context), options.weights, options.cache,
                     plan.tensor > 1 ? fmt::format(", {} GPUs", plan.tensor) : "");
}

fit::Report train_report(const FitOptions& options, Transformer model, const arch::Arch& arch) {
  fit::Report report;
  TrainPlan plan = train_plan(options, model);
  plan.workspace_bytes = memory::workspace_of(arch);
  stretch(model, plan.sequence, report.notes);
  report.offer = memory::offer_of(arch, plan.gpus());
  report.what = what_of(plan, options);
  const fit::Training training{model, plan, report.offer};
  report.trial = fit::try_training(training);
  if (!report.trial.stage.empty()) {
    report.notes.push_back("The pipeline's " + report.trial.stage + " is shown, which holds most.");
  }
  if (!report.trial.fits()) {
    report.changes = fit::changes_of(training);
  }
  return report;
}

fit::Report infer_report(const FitOptions& options, Transformer model, const arch::Arch& arch) {
  fit::Report report;
  InferPlan plan = infer_plan(options, model);
  plan.workspace_bytes = memory::workspace_of(arch);
  stretch(model, plan.context, report.notes);
  report.offer = memory::offer_of(arch, plan.tensor);
  report.what = what_of(plan, options);
  const fit::Inference inference{model, plan, report.offer};
  report.trial = fit::try_inference(inference);
  report.room = fit::room_of(inference);
  report.context = plan.context;
  if (!report.trial.fits()) {
    report.changes = fit::changes_of(inference);
  }
  return report;
}

}  // namespace

int fit_command(const FitOptions& options, const cli::Common& common) {
  const models::Model model = cli::find_model(options.model);
  const Transformer transformer = transformer_of(model);
  const arch::Arch arch = cli::load_arch(options.gpu, options.set);
  fit::Report report =
      options.train ? train_report(options, transformer, arch) : infer_report(options, transformer, arch);
  if (report.trial.whole.out_of_memory) {
    throw UsageError("one GPU would need more than 1,024 TiB");
  }
  report.model = model.name;
  report.parameters = models::parameter_count(transformer);
  report.gpu = arch.name;
  if (arch.dram.driver_bytes == 0) {
    report.notes.emplace_back(
        "What the driver keeps of this GPU's memory is not known (dram.driver_bytes): taken as none.");
  }
  cli::print_answer(options.format == "json" ? fit::to_json(report) : fit::to_text(report, cli::look_of(common)),
                    options.format, common);
  return report.trial.fits() ? cli::Exit::kDone : cli::Exit::kCannotFinish;
}

}  // namespace gpusim::commands
