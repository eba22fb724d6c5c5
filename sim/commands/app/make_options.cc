// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/commands/app/make.h"
#include "sim/commands/cli/command_set.h"

namespace gpusim::commands {
namespace {

constexpr const char* kMakeAppExamples =
    R"(gpusim app make transformer-train --model gpt2 --batch 8 --sequence 1024 -o step.yaml
gpusim app make transformer-train --model llama-3-8b --gpus 8 --parallel fsdp -o step.yaml
gpusim app make resnet50-train --batch 128 --precision fp16 -o step.yaml
gpusim app make resnet50-infer --batch 8 --precision fp16 --layout channels-first -o step.yaml
gpusim app make elementwise-chain --operations 64 --mode graph -o chain.yaml)";

void add_model_options(CLI::App& command, app::KindOptions& options) {
  cli::start_group(command, "Models");
  cli::add_text(command, "--model", options.model, "MODEL",
                "A model's name such as llama-3-8b, or a model file (resnet50-train and -infer: resnet-50)");
  cli::add_text(command, "--batch", options.batch, "N", "Sequences, or images, on each GPU (default: 1)");
  cli::add_text(command, "--sequence", options.sequence, "N",
                "Tokens of a sequence; in decode those in the cache (default: 1024)");
  cli::add_choice(
      command, "--precision", options.precision, {"fp32", "tf32", "bf16", "bf16-pure", "fp16", "fp8"},
      "bf16 and fp16 are mixed precision in training, and of resnet50-infer (default: bf16); of transformer-train: "
      "bf16-pure, weights and states in BF16 as well; of transformers: fp8");
  cli::add_choice(
      command, "--layout", options.layout, {"channels-last", "channels-first"},
      "How images lie in memory: the channels of a pixel together (the default), or the pixels of a channel, as "
      "PyTorch has them without channels_last");
  cli::add_choice(command, "--recompute", options.recompute, {"none", "selective", "full"},
                  "Do layers' forward passes again in the backward pass, or what is cheap of them (default: none)");
  cli::add_choice(
      command, "--attention", options.attention, {"flash", "flash1", "flash2", "scores"},
      "In training: the GPU's newest FlashAttention (the default), its first version as Triton compiles it, its second "
      "one, or product by product, which keeps the scores");
  cli::add_choice(command, "--qkv", options.qkv, {"fused", "separate"},
                  "Queries, keys and values by one product, as inference frameworks have them, or by three (default: "
                  "that of the model)");
  cli::add_choice(command, "--libraries", options.libraries, {"2023", "2025"},
                  "In training: the year of the libraries whose kernels multiply matrices (default: 2025); 2023 is "
                  "cuBLAS of CUDA 12.0 to 12.2, which is slower on Hopper");
  cli::add_choice(command, "--loss", options.loss, {"operations", "fused"},
                  "In training: the framework's operations in FP32 (the default), or one kernel that keeps the logits");
  cli::add_text(command, "--predictions", options.predictions, "N",
                "In training of a model with a head of masked words: tokens of each sequence that the head predicts "
                "(default: all)");
  cli::add_text(command, "--train-metrics", options.train_metrics, "N",
                "In training: cross entropies of the logits that are taken for a log after each micro-batch (default: "
                "0; Composer takes 2)");
  cli::add_choice(command, "--optimizer", options.optimizer, {"adamw-fused", "adamw"},
                  "In training: AdamW in one kernel (the default), or operation by operation");
  cli::add_text(command, "--pad-vocabulary", options.pad_vocabulary, "N",
                "Round the vocabulary up to a multiple of N (default: 1)");
  cli::add_choice(command, "--dropout", options.dropout, {"model", "none"},
                  "In training: that of the model, or none (default: model)");
  cli::add_text(command, "--gpus", options.gpus, "N", "GPUs of the system (default: 1)");
  cli::add_choice(command, "--parallel", options.parallel, {"data", "zero1", "zero2", "fsdp", "zero3", "tensor"},
                  "Data parallel (the default), with shared optimizer states, also gradients, also weights (fsdp, or "
                  "zero3); tensor: "
                  "--tensor with all GPUs");
  cli::add_choice(command, "--prefetch", options.prefetch, {"backward", "none"},
                  "With fsdp: gather the next layer's weights during the backward pass of one (the default), or none");
  cli::add_text(command, "--tensor", options.tensor, "N", "GPUs that share each layer, of those of --gpus");
  cli::add_text(command, "--pipeline", options.pipeline, "N", "Stages of a pipeline, of those of --gpus (1F1B)");
  cli::add_text(command, "--microbatches", options.micro_batches, "N",
                "Batches before each optimizer step, whose gradients are added up (default: 1)");
}

}  // namespace

void add_make_app_command(cli::CommandSet& commands, CLI::App& app) {
  const auto options = std::make_shared<MakeAppOptions>();
  CLI::App& command =
      commands.add(app, "make", "Write the application of a training step, of inference, or of a small demonstration",
                   [options](const CLI::App& given) {
                     cli::require(given, options->what.kind, "what to make, for example transformer-train");
                     return cli::run_with(make_app_command, *options);
                   });
  cli::add_text(command, "KIND", options->what.kind, "NAME",
                "transformer-train, transformer-prefill, transformer-decode, resnet50-train, resnet50-infer, "
                "elementwise-chain, overlap-demo or dataloader; each refuses options of others");
  add_model_options(command, options->what);
  cli::add_flag(command, "--sequence-parallel", options->sequence_parallel,
                "GPUs of --tensor also share norms and residual sums, by tokens");
  cli::add_choice(command, "--all-reduce", options->what.all_reduce, {"nccl", "custom"},
                  "What adds up results among the GPUs of --tensor: NCCL (the default), or a kernel as vLLM's");
  cli::add_flag(command, "--clip-gradients", options->clip_gradients,
                "In training: scale gradients by the norm of all before the optimizer");
  cli::start_group(command, "How it is launched");
  cli::add_choice(command, "--mode", options->what.mode, {"eager", "compiled", "graph", "compiled-graph"},
                  "Operator by operator, fused by a compiler, as one CUDA graph, or both (default: eager)");
  cli::add_text(command, "--operator-time", options->what.operator_time, "TIME",
                "CPU time of the framework for each kernel, besides the launch (default: 9 us)");
  cli::start_group(command, "Demonstrations");
  cli::add_text(command, "--operations", options->what.operations, "N",
                "Kernels of a chain, or products (default: 64)");
  cli::add_text(command, "--elements", options->what.elements, "N", "Elements of a chain's arrays (default: 65536)");
  cli::add_text(command, "--size", options->what.size, "N", "Rows and columns of the products (default: 512)");
  cli::add_text(command, "--streams", options->what.streams, "N", "Streams of the products (default: 2)");
  cli::add_text(command, "--workers", options->what.workers, "N", "Threads that make batches (default: 2)");
  cli::add_choice(command, "--pinned", options->what.pinned, {"yes", "no"},
                  "Batches in pinned memory, whose copies go beside the CPU's work (default: no)");
  cli::start_group(command, "System and output");
  cli::add_text(command, "--system", options->what.system, "SYSTEM", "The system whose GPUs decide which kernels run");
  cli::add_text(command, "-o,--output", options->output, "FILE", "Write to a file (default: print)");
  cli::set_examples(command, kMakeAppExamples);
}

}  // namespace gpusim::commands
