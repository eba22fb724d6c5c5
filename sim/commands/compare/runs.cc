// SPDX-License-Identifier: MIT
#include "sim/commands/compare/runs.h"

#include <algorithm>
#include <deque>
#include <future>
#include <utility>

#include "sim/base/cache_state.h"
#include "sim/base/output_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/saved_result.h"
#include "sim/commands/cli/simulate_shown.h"
#include "sim/commands/cli/simulation_inputs.h"
#include "sim/commands/compare/command.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"

namespace gpusim::commands {
namespace {

std::string_view key_of(std::string_view value) {
  return value.substr(0, value.find('='));
}

/// All that is to be simulated, read before anything is.
struct PreparedRuns {
  std::vector<std::pair<std::string, arch::Arch>> archs;
  std::vector<std::pair<std::string, trace::Trace>> traces;
};

arch::Arch read_one_arch(const std::string& text, const CompareOptions& options) {
  const NamedWithValues named = parse_named(text);
  arch::Arch arch = cli::read_arch(named.name, with_own_values(options.set, named.values), outputs_of(options));
  arch.path = text;
  return arch;
}

trace::Trace read_one_trace(const std::string& text, const CompareOptions& options) {
  const NamedWithValues named = parse_named(text);
  trace::Trace trace = cli::read_trace(named.name, with_own_values(options.param, named.values), options.test_params,
                                       outputs_of(options));
  trace.path = named.name;
  cli::log_warnings(trace);
  return trace;
}

}  // namespace

NamedWithValues parse_named(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t colon = text.substr(0, equals).rfind(':');
  if (equals == std::string_view::npos || colon == std::string_view::npos) {
    return {std::string(text), {}};
  }
  NamedWithValues out{std::string(text.substr(0, colon)), {}};
  for (std::string_view rest = text.substr(colon + 1); !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    out.values.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

std::vector<std::string> with_own_values(const std::vector<std::string>& shared, const std::vector<std::string>& own) {
  std::vector<std::string> out;
  std::ranges::copy_if(shared, std::back_inserter(out), [&own](const std::string& value) {
    return std::ranges::none_of(own, [&](const std::string& each) { return key_of(each) == key_of(value); });
  });
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

std::array<cli::OutputPath, 2> outputs_of(const CompareOptions& options) {
  return {{{"--json", options.json}, {"--html", options.html}}};
}

std::vector<ComparedResult> results_to_compare(const CompareOptions& options, bool show_progress) {
  std::vector<ComparedResult> out;
  PreparedRuns runs;
  std::deque<std::future<stats::Result>> reading;
  for (const std::string& file : options.results) {
    cli::refuse_to_replace(outputs_of(options), file);
    reading.push_back(std::async(std::launch::async, cli::load_result, file));
  }
  cli::Attempts attempts;
  for (const std::string& file : options.results) {
    std::future<stats::Result> next = std::move(reading.front());
    reading.pop_front();
    attempts.attempt([&] { out.push_back({file, next.get()}); });
  }
  for (const std::string& text : options.arch) {
    attempts.attempt([&] { runs.archs.emplace_back(text, read_one_arch(text, options)); });
  }
  for (const std::string& text : options.trace) {
    attempts.attempt([&] { runs.traces.emplace_back(text, read_one_trace(text, options)); });
  }
  attempts.throw_if_any();
  gpu::SimulateOptions how;
  how.cache = cache_state_of(options.cache);
  how.threads = cli::host_threads(options.threads);
  how.record_series = !options.html.empty();
  for (const auto& [arch_text, arch] : runs.archs) {
    for (const auto& [trace_text, trace] : runs.traces) {
      out.push_back({trace_text + " on " + arch_text, cli::simulate_shown(arch, trace, how, show_progress)});
      cli::throw_if_interrupted();
    }
  }
  return out;
}

}  // namespace gpusim::commands
