// SPDX-License-Identifier: MIT
#include "sim/commands/compare/runs.h"

#include <algorithm>
#include <deque>
#include <future>
#include <utility>

#include "sim/base/cache_state.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/saved_result.h"
#include "sim/commands/cli/simulate_shown.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/model/arch/loader.h"

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

arch::Arch load_one_arch(const std::string& text, const CompareOptions& options) {
  const NamedWithValues named = parse_named(text);
  const std::vector<arch::Override> overrides = arch::parse_overrides(with_own_values(options.set, named.values));
  const std::filesystem::path path = cli::find_file(named.name, cli::architecture_files());
  refuse_to_replace(options.json, path);
  refuse_to_replace(options.html, path);
  arch::Arch arch = arch::load_arch(path, overrides, cli::search_folders(cli::architecture_files()));
  arch.path = text;
  return arch;
}

trace::Trace load_one_trace(const std::string& text, const CompareOptions& options) {
  const NamedWithValues named = parse_named(text);
  const cli::FoundTrace found = cli::find_trace(named.name);
  refuse_to_replace(options.json, found.file);
  refuse_to_replace(options.html, found.file);
  trace::Trace trace =
      cli::load_trace(found, cli::parse_parameters(with_own_values(options.param, named.values), options.test_params));
  trace.path = named.name;
  return trace;
}

/// Does what may fail for each text; the user hears of all that are wrong.
class Loader {
 public:
  template <class Load>
  void each(const std::vector<std::string>& texts, Load load) {
    for (const std::string& text : texts) {
      try {
        load(text);
      } catch (const InputError& error) {
        problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
      }
    }
  }
  void finish() {
    if (!problems_.empty()) {
      throw InputError(std::move(problems_));
    }
  }

 private:
  std::vector<Problem> problems_;
};

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

std::vector<ComparedResult> results_to_compare(const CompareOptions& options, bool show_progress) {
  std::vector<ComparedResult> out;
  PreparedRuns runs;
  Loader loader;
  std::deque<std::future<stats::Result>> reading;
  for (const std::string& file : options.results) {
    refuse_to_replace(options.json, file);
    refuse_to_replace(options.html, file);
    reading.push_back(std::async(std::launch::async, cli::load_result, file));
  }
  loader.each(options.results, [&](const std::string& file) {
    std::future<stats::Result> next = std::move(reading.front());
    reading.pop_front();
    out.push_back({file, next.get()});
  });
  loader.each(options.arch,
              [&](const std::string& text) { runs.archs.emplace_back(text, load_one_arch(text, options)); });
  loader.each(options.trace,
              [&](const std::string& text) { runs.traces.emplace_back(text, load_one_trace(text, options)); });
  loader.finish();
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
