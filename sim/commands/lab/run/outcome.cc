// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/outcome.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/run/bench.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace gpusim::lab {
namespace {

using Json = nlohmann::json;

/// How many problems of a file a message shows.
constexpr std::size_t kProblemsShown = 5;
constexpr std::uint64_t kManyCtas = 1'000'000;

// Keys of what a process says, a JSON text a line.
constexpr const char* kCtas = "ctas";
constexpr const char* kPhase = "phase";
constexpr const char* kInput = "input";
constexpr const char* kCannotFinish = "cannot_finish";

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string first_problems(const InputError& error) {
  std::string out;
  const std::vector<std::string> texts = told(error.problems());
  const std::size_t shown = std::min(texts.size(), kProblemsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    out += (i == 0 ? "" : "\n") + texts[i];
  }
  if (const std::size_t more = texts.size() - shown; more != 0) {
    out += "\nand " + counted(more, "problem") + " more: repair the first, the others may follow from it";
  }
  return out;
}

}  // namespace

void say_outcome(const Say& say, const std::function<Json()>& work) {
  try {
    say(line_of(work()));
  } catch (const InputError& error) {
    say(line_of({{kInput, first_problems(error)}}));
  } catch (const CannotFinishError& error) {
    say(line_of({{kCannotFinish, std::string(error.what())}}));
  }
}

void say_ctas(const Say& say, const trace::Trace& trace) {
  std::uint64_t ctas = 0;
  for (const trace::Kernel& kernel : trace.kernels) {
    ctas += kernel.ctas();
  }
  say(line_of({{kCtas, ctas}}));
}

void say_phase(const Say& say, Phase phase) {
  say(line_of({{kPhase, static_cast<int>(phase)}}));
}

Json heard(const std::string& said) {
  Json all = Json::object();
  for (std::string_view rest = said; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const Json line = Json::parse(rest.substr(0, end), nullptr, false);
    if (line.is_object()) {
      all.update(line);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return all;
}

bool is_refused(const Json& said) {
  return said.contains(kInput);
}

bool is_in_phase(const Json& said, Phase phase) {
  return said.value(kPhase, static_cast<int>(Phase::kOfStudent)) == static_cast<int>(phase);
}

std::string reason(const LimitedEnd& end, const Json& said, const std::string& file, double wall_seconds) {
  if (is_refused(said)) {
    return said[kInput].get<std::string>();
  }
  if (said.contains(kCannotFinish)) {
    return file + " cannot finish: " + said[kCannotFinish].get<std::string>();
  }
  const std::uint64_t ctas = said.value(kCtas, std::uint64_t{0});
  const std::string launch =
      ctas > kManyCtas
          ? fmt::format(" It launches {} CTAs: does the grid follow from the parameters?", with_thousands(ctas))
          : " Does every loop end?";
  switch (end.kind) {
    case LimitedEnd::Kind::kDone: return "";
    case LimitedEnd::Kind::kOutOfTime:
      return fmt::format("{} did not end within the {} s of processor time that all runs of a check have together.{}",
                         file, Bench::kSeconds, launch);
    case LimitedEnd::Kind::kOutOfWallTime:
      return fmt::format(
          "{} did not end within the {:.3g} s that a check has for all that it runs and compiles, and had the "
          "processor for {:.1f} s of them.{} If so, try again when this machine has less to do.",
          file, wall_seconds, end.cpu_seconds, launch);
    case LimitedEnd::Kind::kOutOfMemory:
      return fmt::format("{} takes more than {} MB of memory.{}", file, Bench::kBytes / 1'000'000, launch);
    case LimitedEnd::Kind::kCrashed:
      return file + " caused an internal error of gpusim. Please report it with the file.";
  }
  return "";
}

}  // namespace gpusim::lab
