// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/fit/command.h"
#include "sim/system/memory/plan.h"

namespace gpusim::commands {
namespace {

constexpr const char* kFitExamples = R"(gpusim fit --model llama-3-8b --gpu rtx4090 --train
gpusim fit --model llama-2-7b --gpu rtx4090 --train --tuning qlora --recompute full
gpusim fit --model llama-3-70b --gpu h100 --train --gpus 64 --shard fsdp --sequence 8192
gpusim fit --model llama-3-8b --gpu rtx4090 --infer --batch 8 --context 4096)";

template <class E>
std::vector<std::string> words_of() {
  const auto words = arch::all_words<E>();
  return {words.begin(), words.end()};
}

void check_kind(const CLI::App& app, const FitOptions& options) {
  if (options.train == options.infer) {
    throw UsageError(options.train ? "--train does not go with --infer" : "'gpusim fit' needs --train or --infer");
  }
  const std::string wrong =
      options.train ? cli::first_given(app, {"--prompt", "--context", "--weights", "--cache"})
                    : cli::first_given(app, {"--sequence", "--precision", "--recompute", "--optimizer", "--attention",
                                             "--loss", "--tuning", "--rank", "--shard", "--tensor", "--pipeline",
                                             "--sequence-parallel", "--no-dropout"});
  if (!wrong.empty()) {
    throw UsageError(wrong + " does not go with " + (options.train ? "--train" : "--infer"));
  }
}

void add_training(CLI::App& command, FitOptions& options) {
  cli::start_group(command, "Training");
  cli::add_text(command, "--sequence", options.sequence, "N",
                "Tokens of a sequence (default: the longest, at most 2048)");
  cli::add_choice(command, "--precision", options.precision, words_of<memory::Precision>(),
                  "bf16 is autocast (the default); bf16-master keeps FP32 weights in the optimizer, as Megatron does");
  cli::add_choice(command, "--recompute", options.recompute, words_of<memory::Recompute>(),
                  "Activations that are calculated again: none (the default), selective, or full: all of each layer");
  cli::add_choice(command, "--optimizer", options.optimizer, words_of<memory::Optimizer>(),
                  "Optimizer (default: adamw-fused)");
  cli::add_choice(command, "--attention", options.attention, words_of<memory::AttentionKernel>(),
                  "FlashAttention (the default), or kernels that keep the scores");
  cli::add_choice(command, "--loss", options.loss, words_of<memory::LossKernel>(),
                  "Operations in FP32 (the default), or one kernel that keeps the logits alone");
  cli::add_choice(command, "--tuning", options.tuning, words_of<memory::Tuning>(),
                  "Train all weights (the default), or adapters beside weights in BF16 or 4 bits");
  cli::add_text(command, "--rank", options.rank, "N", "Rank of the adapters (default: 16)");
  cli::add_flag(command, "--no-dropout", options.no_dropout, "Train without dropout, where the model has it");
  cli::start_group(command, "Several GPUs");
  cli::add_choice(command, "--shard", options.shard, words_of<memory::Shard>(),
                  "What data-parallel GPUs share: nothing (ddp, the default), states, gradients, weights");
  cli::add_text(command, "--tensor", options.tensor, "N", "GPUs that share each layer, of those of --gpus");
  cli::add_text(command, "--pipeline", options.pipeline, "N", "Stages of a pipeline, of those of --gpus");
  cli::add_flag(command, "--sequence-parallel", options.sequence_parallel,
                "GPUs that share a layer also share norms and residual sums");
}

void add_inference(CLI::App& command, FitOptions& options) {
  cli::start_group(command, "Inference");
  cli::add_text(command, "--context", options.context, "N",
                "Tokens of a sequence in the cache (default: the longest, at most 2048)");
  cli::add_text(command, "--prompt", options.prompt, "N", "Tokens of a prompt, at once (default: all of the context)");
  cli::add_choice(command, "--weights", options.weights, words_of<memory::WeightFormat>(),
                  "Format of the weights (default: bf16)");
  cli::add_choice(command, "--cache", options.cache, {"fp32", "bf16", "fp8"},
                  "Format of keys and values in the cache (default: bf16)");
}

}  // namespace

void add_fit_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<FitOptions>();
  CLI::App& command =
      commands.add(commands.root(), "fit",
                   "Say whether a model fits a GPU in training or use, what takes the memory, and what would fit",
                   [options](const CLI::App& app) {
                     cli::require(app, options->model, "--model MODEL, for example --model llama-3-8b");
                     cli::require(app, options->gpu, "--gpu GPU, for example --gpu rtx4090");
                     check_kind(app, *options);
                     return cli::run_with(fit_command, *options);
                   });
  cli::add_text(command, "-m,--model", options->model, "MODEL", "A model's name such as llama-3-8b, or a model file");
  cli::add_text(command, "--gpu,--arch", options->gpu, "GPU", "A GPU's name such as rtx4090, or an architecture file");
  cli::add_set(command, options->set);
  cli::add_flag(command, "--train", options->train, "The model is trained");
  cli::add_flag(command, "--infer", options->infer, "The model is used");
  cli::add_text(command, "-b,--batch", options->batch, "N", "Sequences of a GPU at once (default: 1)");
  cli::add_text(command, "--gpus", options->gpus, "N", "GPUs (default: 1)");
  add_training(command, *options);
  add_inference(command, *options);
  cli::start_group(command, "Output");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Output format (default: text)");
  cli::set_examples(command, kFitExamples);
}

}  // namespace gpusim::commands
