// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/compare/command.h"
#include "sim/output/compare/comparison.h"

namespace gpusim::commands {
namespace {

constexpr const char* kCompareExamples = R"(gpusim compare before.json after.json
gpusim compare --arch h100 -t transpose-naive -t transpose-shared -t transpose-padded
gpusim compare --arch h100 --trace saxpy:n=65536 --trace saxpy:n=131072
gpusim compare --arch h100 --arch h100:dram.bandwidth=4.8TB/s --trace stream_read
gpusim compare base.json --arch h100 --trace mine.trace --fail-if 'time_us > 1.02x'

The first result is the base: saved ones come first, then every trace on every architecture. A condition of --fail-if
is METRIC < | <= | > | >= NUMBER, or a factor of the base's value such as 1.02x; docs/metrics.md has the metrics. Exit
code 5 when one holds.)";

/// What simulates makes no sense beside saved results alone.
void refuse_what_does_not_go_together(const CLI::App& app, const CompareOptions& options) {
  if (options.arch.empty() != options.trace.empty()) {
    throw UsageError(options.arch.empty() ? "--trace needs --arch, the GPU to simulate it on"
                                          : "--arch needs --trace, the kernels to simulate on it");
  }
  const std::string given = cli::first_given(app, {"--set", "--param", "--test-params", "--cache", "--threads"});
  if (options.trace.empty() && !given.empty()) {
    throw UsageError(given + " is for what is simulated: it needs --arch and --trace");
  }
  const std::size_t runs = options.results.size() + options.arch.size() * options.trace.size();
  if (runs < 2) {
    throw UsageError(
        "'gpusim compare' needs two results: files that --json wrote, or --arch and --trace, one of them "
        "twice");
  }
  if (runs > compare::kMostRuns) {
    throw UsageError("'gpusim compare' compares at most " + std::to_string(compare::kMostRuns) + " results, not " +
                     std::to_string(runs));
  }
}

}  // namespace

void add_compare_command(cli::CommandSet& commands) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App& command = commands.add(commands.root(), "compare", "Compare results: what changed, and why",
                                   [options](const CLI::App& app) {
                                     refuse_what_does_not_go_together(app, *options);
                                     return cli::run_with(compare_command, *options);
                                   });
  cli::start_group(command, "What to compare");
  cli::add_repeated(command, "RESULT", options->results, "RESULT...", "Results that --json wrote");
  cli::add_repeated(command, "-a,--arch", options->arch, "GPU[:KEY=VALUE,...]",
                    "A GPU to simulate on, with changed values (repeatable)");
  cli::add_repeated(command, "-t,--trace", options->trace, "TRACE[:PARAM=VALUE,...]",
                    "Kernels to simulate, with their parameters (repeatable)");
  cli::add_set(command, options->set);
  cli::add_repeated(command, "-p,--param", options->param, "NAME=VALUE",
                    "Change a parameter of every trace (repeatable)");
  cli::add_flag(command, "--test-params", options->test_params, "Use the traces' small sets of parameters");
  cli::start_group(command, "How to simulate");
  cli::add_cache(command, options->cache);
  cli::add_text(command, "-j,--threads", options->threads, "N", "Host threads (default: all cores)");
  cli::start_group(command, "Output");
  cli::add_repeated(command, "--fail-if", options->fail_if, "CONDITION",
                    "Exit with code 5 when this holds, such as 'time_us > 1.02x' (repeatable)");
  cli::add_choice(command, "-f,--format", options->format, {"text", "json"}, "Output format (default: text)");
  cli::add_flag(command, "-d,--details", options->details, "Show every kernel and line in the text");
  cli::add_text(command, "--json", options->json, "FILE", "Also write the comparison as JSON");
  cli::add_text(command, "--html", options->html, "FILE", "Also write the comparison as one interactive page");
  cli::set_examples(command, kCompareExamples);
}

}  // namespace gpusim::commands
