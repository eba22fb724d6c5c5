// SPDX-License-Identifier: MIT
#include <memory>

#include "sim/base/problem.h"
#include "sim/commands/cli/command_set.h"
#include "sim/commands/sweep/command.h"

namespace gpusim::commands {
namespace {

void declare_study(CLI::App& app, SweepOptions& sweep) {
  cli::start_group(app, "What to simulate");
  cli::add_text(app, "study", sweep.file, "[STUDY.yaml]",
                "Study file, in place of the options from --arch to --max-cycles");
  cli::add_repeated(app, "-a,--arch", sweep.arch, "GPU|all",
                    "GPU: a name, an architecture file, or all of them (repeatable)");
  cli::add_repeated(app, "-t,--trace", sweep.trace, "TRACE",
                    "Kernels: a name such as flashattn, or a trace file (repeatable)");
  cli::add_repeated(app, "--system", sweep.system, "SYSTEM",
                    "For steps of applications, in place of GPU and kernels: a system's name or file (repeatable)");
  cli::add_repeated(app, "--app", sweep.app, "APPLICATION",
                    "Applications on these systems: a file, or make:KIND for a generated one (repeatable)");
  cli::add_repeated(
      app, "-v,--vary", sweep.vary, "KEY=VALUES",
      "Values of a key, or of param.NAME, such as 66,99,132 or 1x..2x:5 or 25MiB..100MiB:3log or 8..64+8 (repeatable)");
  cli::add_flag(app, "--zip", sweep.zip, "Pair the axes element by element, in place of all combinations");
  cli::add_flag(app, "--one-at-a-time", sweep.one_at_a_time, "Vary one key at a time, from the base");
  cli::add_text(app, "--random", sweep.random, "N", "Only N combinations, drawn at random");
  cli::add_text(app, "--seed", sweep.seed, "S", "Random seed of --random (default: 1)");
  cli::add_repeated(app, "-w,--where", sweep.where, "CONDITION",
                    "Only points for which this holds, such as 'sm.count * 4 <= l2.slices' (repeatable)");
  cli::add_set(app, sweep.set);
  cli::add_repeated(app, "-p,--param", sweep.param, "NAME=VALUE", "Change a parameter of the traces (repeatable)");
  cli::add_flag(app, "--test-params", sweep.test_params, "Use the traces' small sets of parameters");
  cli::add_text(app, "--kernel", sweep.kernel, "REGEX", "Only kernels whose name matches this regular expression");
  cli::add_text(app, "--ctas", sweep.ctas, "FIRST..LAST", "Only these CTAs of each kernel");
  cli::add_cache(app, sweep.cache);
  cli::add_text(app, "--max-cycles", sweep.max_cycles, "N", "Give a point up when a kernel takes more cycles");
}

void declare_running(CLI::App& app, SweepOptions& sweep) {
  cli::start_group(app, "How to run");
  cli::add_text(app, "--db", sweep.db, "FILE",
                "Database of the results (default: gpusim-sweep.db); points that it has are not run again");
  cli::add_text(app, "--kernel-times", sweep.kernel_times, "FILE",
                "Database of kernel times for studies of steps, or none (default: that of gpusim app)");
  cli::add_text(app, "-j,--jobs", sweep.jobs, "N",
                "Points to simulate at once (default: all cores, as far as memory allows)");
  cli::add_text(app, "--shard", sweep.shard, "I/N",
                "Only every N-th point from the I-th on; 'gpusim sweep merge' joins the databases");
  cli::add_flag(app, "--retry", sweep.retry, "Run points again that failed before");
  cli::add_flag(app, "-n,--dry-run", sweep.dry_run, "Print the points; run none");
  cli::add_flag(app, "-y,--yes", sweep.yes, "Do not ask before a long sweep");
  cli::start_group(app, "Output");
  cli::add_text(app, "--cost", sweep.cost, "FORMULA",
                "Cost of a point, for the answer that 'gpusim sweep show' prints");
  cli::add_text(app, "--price", sweep.prices, "NAME=USD,...",
                "Price of an hour on each architecture; without --cost it is the cost");
  cli::add_choice(app, "-f,--format", sweep.format, {"text", "json", "csv"},
                  "Format of the points on standard output (default: text)");
}

void declare_submitting(CLI::App& app, SubmitOptions& submit) {
  cli::start_group(app, "Run on a cluster");
  cli::add_choice(app, "--submit", submit.system, {"slurm"},
                  "Submit the sweep as jobs; each has --jobs cores (default: 1)");
  cli::add_text(app, "--shards", submit.shards, "N", "Number of tasks (default: tasks of about 15 minutes)");
  cli::add_text(app, "--partition", submit.partition, "P", "Partition (default: the one of the cluster)");
  cli::add_text(app, "--account", submit.account, "A", "Account to charge (default: yours)");
  cli::add_text(app, "--time", submit.time, "T",
                "Time limit of a task, as sbatch takes it (default: from a pilot run)");
  cli::add_text(app, "--mem", submit.memory, "M", "Memory of a task, as sbatch takes it (default: from a pilot run)");
  cli::add_text(app, "--folder", submit.folder, "DIR",
                "Folder for scripts, logs and shards (default: the name of the database with .d)");
}

void check_submitting(const CLI::App& command) {
  const bool submits = !cli::first_given(command, {"--submit"}).empty();
  const std::string alone =
      cli::first_given(command, {"--shards", "--partition", "--account", "--time", "--mem", "--folder"});
  if (!submits && !alone.empty()) {
    throw UsageError(alone + " is of --submit, which is not given");
  }
  const std::string beside = cli::first_given(command, {"--shard", "--format"});
  if (submits && !beside.empty()) {
    throw UsageError(beside + " does not go with --submit, which makes shards and prints no points");
  }
}

constexpr const char* kSweepExamples =
    R"(gpusim sweep --arch h100 --trace flashattn --vary sm.count=66,132 --vary dram.bandwidth=1x..2x:5
gpusim sweep -a h100 -t gemv -v l2.bytes=25MiB,50MiB -v clocks.sm=1GHz..2GHz:5 --one-at-a-time
gpusim sweep -a h100 -t flashattn -v param.seq=1024..8192:4log -w 'param.seq * 2 B <= 8 KiB'
gpusim sweep --arch all --trace gemm_bf16
gpusim sweep study.yaml --shard 2/8 --db shard-2.db
gpusim sweep -a h100 -t flashattn -v sm.count=66..160 --submit slurm
gpusim sweep --system dgx-a100 --system dgx-h100 --app step.yaml -v calls.launch=0.5x,1x,2x
gpusim sweep --system dgx-h100 --app make:transformer-train -s make.model=gpt2 -v make.batch=1,4,8
gpusim sweep show

The same command again runs only what is missing. Exit codes: 0 all points have a result or are skipped, 1 wrong usage,
2 bad input, or no point that can be run, 3 at least one point failed, 130 interrupted (143 by
SIGTERM, 129 by SIGHUP).)";

constexpr const char* kMergeExamples = R"(gpusim sweep merge shard-*.db
gpusim sweep merge --db all.db mine.db yours.db

Exit codes: 0 all points of the merged studies are there, 1 wrong usage, 2 bad input, or points are missing.)";

/// The first option given of those that a study's file has.
std::string option_beside_file(const CLI::App& command) {
  return cli::first_given(
      command, {"--arch", "--trace", "--system", "--app", "--vary", "--zip", "--one-at-a-time", "--random", "--seed",
                "--where", "--set", "--param", "--test-params", "--kernel", "--ctas", "--cache", "--max-cycles"});
}

/// Kernels on GPUs, or applications on systems.
void check_subject(const CLI::App& command, const SweepOptions& sweep) {
  const auto first = [](const std::vector<std::string>& names) { return names.empty() ? "" : names.front(); };
  if (sweep.app.empty() && sweep.system.empty()) {
    cli::require(command, first(sweep.arch), "--arch GPU|all, --system and --app, or a study's file");
    cli::require(command, first(sweep.trace), "--trace TRACE");
    return;
  }
  cli::require(command, first(sweep.system), "--system SYSTEM for its applications");
  cli::require(command, first(sweep.app), "--app APPLICATION for its systems");
  const std::string odd = cli::first_given(
      command, {"--arch", "--trace", "--param", "--test-params", "--kernel", "--ctas", "--cache", "--max-cycles"});
  if (!odd.empty()) {
    throw UsageError(odd + " is of kernels; it does not go with --app");
  }
}

CLI::App& add_sweep(cli::CommandSet& commands) {
  const auto sweep = std::make_shared<SweepOptions>();
  CLI::App& command = commands.add(
      commands.root(), "sweep", "Simulate many configurations; an interrupted sweep goes on where it stopped",
      [sweep](const CLI::App& app) {
        if (sweep->file.empty()) {
          check_subject(app, *sweep);
        } else if (const std::string option = option_beside_file(app); !option.empty()) {
          throw UsageError(option + ": the study '" + sweep->file + "' says what to sweep; leave one of the two out");
        }
        check_submitting(app);
        if (sweep->dry_run && sweep->format != "text") {
          throw UsageError("--format " + sweep->format + " does not go with --dry-run, which prints a table");
        }
        return cli::run_with(sweep_command, *sweep);
      });
  declare_study(command, *sweep);
  declare_running(command, *sweep);
  declare_submitting(command, sweep->submit);
  cli::set_examples(command, kSweepExamples);
  return command;
}

void add_merge(cli::CommandSet& commands, CLI::App& sweep) {
  const auto options = std::make_shared<SweepMergeOptions>();
  CLI::App& command =
      commands.add(sweep, "merge", "Join databases, such as those of shards", [options](const CLI::App& app) {
        cli::require(app, options->others.empty() ? "" : options->others.front(), "the databases to merge");
        return cli::run_with(sweep_merge_command, *options);
      });
  cli::add_repeated(command, "databases", options->others, "FILE...", "Databases to add");
  cli::add_text(command, "--db", options->db, "FILE",
                "Database to add to (default: gpusim-sweep.db); it is created when absent");
  cli::set_examples(command, kMergeExamples);
}

}  // namespace

void add_sweep_commands(cli::CommandSet& commands) {
  CLI::App& sweep = add_sweep(commands);
  add_merge(commands, sweep);
  add_sweep_show_command(commands, sweep);
}

}  // namespace gpusim::commands
