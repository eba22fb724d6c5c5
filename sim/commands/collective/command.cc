// SPDX-License-Identifier: MIT
// gpusim collective: the table of nccl-tests, calculated for a system; or a measured one beside it.
#include "sim/commands/collective/command.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/exit_codes.h"
#include "sim/commands/cli/input_file.h"
#include "sim/commands/cli/render.h"
#include "sim/commands/cli/values.h"
#include "sim/commands/collective/report.h"
#include "sim/commands/collective/sizes.h"
#include "sim/commands/system/find_system.h"
#include "sim/system/collective/nccl_tests.h"
#include "sim/system/config/changes.h"

namespace gpusim::commands {
namespace {

using collective::Collective;

Collective parse_collective(const std::string& word) {
  if (const std::optional<Collective> known = arch::find_value<Collective>(word)) {
    return *known;
  }
  throw UsageError("unknown collective " + cli::in_quotes(word) + " (" +
                   suggestion(word, arch::all_words<Collective>()) + ")");
}

/// The first GPUs, as many as are wanted; all where nothing is said.
std::vector<system::NodeId> chosen_gpus(const system::System& system, const std::string& wanted,
                                        const collective::Measured& measured) {
  std::vector<system::NodeId> gpus = system::nodes_of<system::Gpu>(system);
  if (gpus.size() < 2) {
    throw InputError({{system.path, 0, 0}, "has one GPU, and a collective needs two", ""});
  }
  const std::uint64_t count =
      !wanted.empty() ? cli::parse_count("--gpus", wanted, 2, gpus.size()) : measured.ranks.value_or(gpus.size());
  if (measured.ranks && *measured.ranks != count) {
    throw InputError({measured.ranks_at,
                      "was measured with " + std::to_string(*measured.ranks) + " ranks, and --gpus is " + wanted, ""});
  }
  if (count < 2 || count > gpus.size()) {
    throw InputError(
        {measured.ranks_at,
         "was measured with " + counted(count, "rank") + ", and " + system.name + " has " + counted(gpus.size(), "GPU"),
         "name the system with --system"});
  }
  gpus.resize(count);
  return gpus;
}

/// What is to be said where a buffer does not fit the memory of each GPU.
std::string size_note(const system::System& system, system::NodeId gpu,
                      const std::vector<collective::MeasuredRow>& rows) {
  const std::uint64_t memory = std::get<system::Gpu>(system.nodes[gpu].is).memory_bytes;
  const bool fits = std::ranges::all_of(rows, [memory](const auto& row) { return row.bytes <= memory; });
  return fits ? ""
              : " A GPU has " + with_binary_prefix(memory) +
                    " of memory: more than that is the time of as many bytes in large parts, one after another.";
}

collective::Measured read_measured(const CollectiveOptions& options, Collective of) {
  collective::Measured measured;
  if (options.measured.empty()) {
    const bool is_custom = options.library != "nccl" && !options.algorithm.empty();
    const std::string sizes = !options.bytes.empty() ? options.bytes : is_custom ? "1KiB..4MiB" : "1KiB..8GiB";
    for (const std::uint64_t bytes : parse_sizes("--bytes", sizes)) {
      measured.rows.push_back({bytes, 0, 0});
    }
    return measured;
  }
  std::ifstream in = cli::open_input(options.measured);
  measured = collective::read_nccl_tests(in, options.measured);
  if (measured.of && *measured.of != of) {
    throw InputError({measured.of_at,
                      "is a measurement of " + std::string(arch::word_of(*measured.of)) + ", not of " +
                          std::string(arch::word_of(of)),
                      ""});
  }
  return measured;
}

/// nccl-tests are mostly run as one process; inference has a process for each GPU.
collective::Launch launch_of(const std::string& word, collective::Library library) {
  using collective::Launch;
  const bool is_custom = library == collective::Library::kCustom;
  return arch::find_value<Launch>(word).value_or(is_custom ? Launch::kProcessPerGpu : Launch::kOneProcess);
}

bool says_rates(const system::CollectiveRates& said) {
  return !(said == system::CollectiveRates{});
}

}  // namespace

int collective_command(const CollectiveOptions& options, const cli::Common& common) {
  const Collective of = parse_collective(options.of);
  const collective::Measured measured = read_measured(options, of);
  const system::System system = cli::find_system(options.system, cli::system_changes(options.set));
  const std::vector<system::NodeId> gpus = chosen_gpus(system, options.gpus, measured);
  const system::Fabric fabric(system);
  const auto library = arch::value_of<collective::Library>(options.library);
  const collective::Launch launch = launch_of(options.launch, library);
  const collective::Model model(system, gpus, collective::reach_of(fabric, gpus), launch);
  collective::Report report{system.name,
                            of,
                            launch,
                            model.gpus(),
                            collective::line_rate(fabric, gpus),
                            says_rates(system.collectives),
                            {},
                            size_note(system, gpus.front(), measured.rows)};
  for (const collective::MeasuredRow& row : measured.rows) {
    const collective::Job job{of, row.bytes, arch::find_value<collective::Algorithm>(options.algorithm),
                              arch::find_value<collective::Protocol>(options.protocol), library};
    report.rows.push_back({model.estimate(job), row.microseconds});
  }
  cli::print(options.format == "json"  ? to_json(report)
             : options.format == "csv" ? to_csv(report)
                                       : to_text(report, cli::look_of(common)));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
