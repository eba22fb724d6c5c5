// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/collective/command.h"
#include "sim/commands/system/find_system.h"

namespace gpusim::commands {
namespace {

constexpr const char* kCollectiveExamples = R"(gpusim collective all-reduce --system dgx-a100 --bytes 1KiB..8GiB
gpusim collective all-to-all --system dgx-h100 --bytes 64MiB --launch process-per-gpu
gpusim collective all-reduce --system hgx-h200 --gpus 4 --algorithm ring
gpusim collective all-reduce --system hgx-h200 --library custom --bytes 1KiB..8MiB
gpusim collective all-reduce --system dgx-a100 --set link_types.nvlink3.bandwidth=50GB/s
gpusim collective all-reduce --system dgx-a100 --measured nccl-tests.txt)";

}  // namespace

void add_collective_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<CollectiveOptions>();
  CLI::App& command = commands.add(
      commands.root(), "collective", "Calculate how long NCCL's collectives take on a system, as nccl-tests prints it",
      [options](const CLI::App& app) {
        cli::require(app, options->system, "--system SYSTEM, for example --system dgx-a100");
        cli::require(app, options->of, "a collective, for example all-reduce");
        if (!options->measured.empty() && !options->bytes.empty()) {
          throw UsageError("--bytes does not go with --measured, which has the sizes");
        }
        if (!options->protocol.empty() && options->library != "nccl") {
          throw UsageError("--protocol is NCCL's, and does not go with --library " + options->library);
        }
        if (options->launch == "pytorch" && options->library != "nccl") {
          throw UsageError("--launch pytorch was measured with NCCL, and does not go with --library " +
                           options->library);
        }
        return cli::run_with(collective_command, *options);
      });
  cli::add_text(command, "COLLECTIVE", options->of, "NAME",
                "all-reduce, all-gather, reduce-scatter, broadcast, reduce, all-to-all or send-receive");
  cli::start_group(command, "System");
  cli::add_text(command, "--system", options->system, "SYSTEM", "A system's name such as dgx-a100, or a system file");
  cli::add_repeated(command, "-s,--set", options->set, "KEY=VALUE", cli::kSetSystem);
  cli::add_text(command, "--gpus", options->gpus, "N", "The first N GPUs of the system (default: all)");
  cli::add_choice(command, "--launch", options->launch, {"one-process", "process-per-gpu", "pytorch"},
                  "Program that calls NCCL: one process for all GPUs (the default), one for each (the default with "
                  "--library custom), or PyTorch");
  cli::start_group(command, "Collective");
  cli::add_text(command, "--bytes", options->bytes, "SIZES", "A size, or 1KiB..8GiB for powers of two (the default)");
  cli::add_choice(command, "--library", options->library, {"nccl", "custom"},
                  "NCCL (the default), or a custom all-reduce as vLLM's where that runs: below 8 MiB, over NVLink");
  cli::add_choice(command, "--algorithm", options->algorithm, {"ring", "tree", "nvls", "pairs", "one-shot", "two-shot"},
                  "Algorithm in place of the library's choice; the last two are those of a custom all-reduce");
  cli::add_choice(command, "--protocol", options->protocol, {"ll", "ll128", "simple"},
                  "Protocol in place of NCCL's choice");
  cli::start_group(command, "Comparison and output");
  cli::add_text(command, "--measured", options->measured, "FILE",
                "What nccl-tests printed: its sizes, and its times beside the calculated ones");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json", "csv"}, "Output format (default: text)");
  cli::set_examples(command, kCollectiveExamples);
}

}  // namespace gpusim::commands
