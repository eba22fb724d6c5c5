// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/compiler.h"

#include <csignal>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/run/job.h"
#include "sim/commands/lab/run/limited.h"
#include "sim/commands/lab/run/outcome.h"
#include "sim/commands/lab/run/source_rules.h"
#include "sim/commands/lab/run/wall_budget.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

/// Beside what was compiled.
constexpr const char* kLaunchFile = "launch.yaml";
/// For an architecture that does not say which code it runs.
constexpr const char* kAnyTarget = "sm_90a";

/// "kernel.cu(3): error" as "kernel.cu:3: error", which other messages have.
std::string with_places(const std::string& text, const std::string& file) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(file + "("); at != text.npos; at = text.find(file + "(", done)) {
    const std::size_t line = at + file.size() + 1;
    const std::size_t end = text.find_first_not_of("0123456789", line);
    const bool is_place = end != text.npos && end > line && text[end] == ')';
    out += text.substr(done, line - 1 - done) + (is_place ? ":" + text.substr(line, end - line) : "(");
    done = is_place ? end + 1 : line;
  }
  return out + text.substr(done);
}

constexpr const char* kSignal = "signal";

/// What became of a compiler that a limit ended, or that crashed.
std::string signal_text(const std::string& file, int signal) {
  switch (signal) {
    case SIGKILL:
    case SIGXCPU: return fmt::format("{} did not compile within {} s of processor time.", file, Compiler::kSeconds);
    case SIGABRT:
      return fmt::format("{} takes more than {} MB of memory to compile.", file, Compiler::kBytes / 1'000'000);
    case SIGXFSZ:
      return fmt::format("{} makes the compiler write more than {} MB.", file, Compiler::kBytesOfFiles / 1'000'000);
    default: return fmt::format("{} does not compile: the compiler crashed (signal {}).", file, signal);
  }
}

std::string no_time_text(const std::string& file) {
  return file +
         " did not compile in the time that a check has. Try again when this machine has less to do, "
         "or let the check wait longer (--wait 60).";
}

/// How a compilation ended that said nothing.
std::string end_text(const LimitedEnd& end, const std::string& file) {
  switch (end.kind) {
    case LimitedEnd::Kind::kDone: return "";
    case LimitedEnd::Kind::kOutOfTime: return signal_text(file, SIGXCPU);
    case LimitedEnd::Kind::kOutOfMemory: return signal_text(file, SIGABRT);
    case LimitedEnd::Kind::kOutOfWallTime: return no_time_text(file);
    case LimitedEnd::Kind::kCrashed: break;
  }
  return fmt::format("{} does not compile: the compiler ended without a message.", file);
}

}  // namespace

std::string Compiler::own_words(std::string text) const {
  for (const auto& [key, compiled] : known_) {
    const std::string code = compiled.cubin.string();
    for (std::size_t at = code.empty() ? text.npos : text.find(code); at != text.npos; at = text.find(code, at)) {
      text.replace(at, code.size(), key.substr(0, key.find('\0')));
    }
  }
  const std::string before = folder_ ? folder_->path().string() + "/" : "";
  for (std::size_t at = before.empty() ? text.npos : text.find(before); at != text.npos; at = text.find(before, at)) {
    const std::size_t end = text.find('/', at + before.size());  // each file has a folder of its own in there
    text.erase(at, end == text.npos ? before.size() : end + 1 - at);
  }
  return text;
}

void Compiler::make(Compiled& compiled, const Source& source, WallBudget& budget) const {
  if (budget.is_spent()) {
    compiled.problem = no_time_text(source.name);
    compiled.is_final = compiled.is_of_source = false;
    return;
  }
  const fs::path copy = compiled.folder / source.name;
  const auto work = [&](const Say& say) {
    say_outcome(say, [&] {
      ::setenv("TMPDIR", compiled.folder.c_str(), 1);
      try {
        const std::string code = compile::compile({copy, source.target, {}}, places_, [](const std::string&) {});
        OutputFile(compiled.cubin).commit(code);
      } catch (const compile::CompilerEnded& ended) {
        return nlohmann::json{{kSignal, ended.signal}};
      }
      return nlohmann::json::object();
    });
  };
  const LimitedEnd end = run_limited({kSeconds, kBytes, budget.left(), kBytesOfFiles}, work);
  budget.use(end.wall_seconds);
  const nlohmann::json said = heard(end.said);
  compiled.problem = is_refused(said)         ? with_places(own_words(reason(end, said, source.name, 0)), source.name)
                     : said.contains(kSignal) ? signal_text(source.name, said[kSignal].get<int>())
                                              : end_text(end, source.name);
  compiled.is_final = end.kind != LimitedEnd::Kind::kOutOfWallTime;
  compiled.is_of_source = compiled.is_final;
}

Compiler::Compiled Compiler::made(const Source& source, WallBudget& budget) {
  Compiled compiled;
  if (!compile::can_compile(places_)) {
    compiled.is_of_source = false;
    compiled.problem =
        source.name +
        " is CUDA, and has to be compiled: this machine has no nvcc. 'pip install nvidia-cuda-nvcc' brings it, and "
        "needs no GPU. Without it, move " +
        source.name + " away: then the trace is checked in its place.";
    return compiled;
  }
  try {
    require_own_text(source.text, source.name);
  } catch (const InputError& error) {
    compiled.problem = error.what();
    return compiled;
  }
  folder_ = folder_ ? std::move(folder_) : std::make_unique<TemporaryFolder>();
  compiled.folder = folder_->path() / std::to_string(folders_++);
  fs::create_directory(compiled.folder);
  const fs::path copy = compiled.folder / source.name;
  OutputFile(copy).commit(source.text);
  compiled.cubin = fs::path(copy).replace_extension(".cubin");
  make(compiled, source, budget);
  return compiled;
}

Compiler::Compiled Compiler::compiled(const Source& source, WallBudget& budget) {
  const std::string key = source.name + '\0' + source.target + '\0' + source.text;
  if (const auto known = known_.find(key); known != known_.end()) {
    return known->second;
  }
  const Compiled one = made(source, budget);
  if (one.is_final) {
    known_.emplace(key, one);
  }
  return one;
}

Compiler::Problem Compiler::compile(Job& job, WallBudget& budget) {
  if (job.launch_text.empty()) {
    return {};
  }
  const std::optional<std::string> target = compile::target_of(compute_capability_of(job));
  const fs::path file = job.trace;
  const Compiled made = compiled({file.filename().string(), text_of(file), target.value_or(kAnyTarget)}, budget);
  if (!made.problem.empty()) {
    return {(made.is_of_source ? (file.parent_path() / "").string() : "") + made.problem, made.is_of_source};
  }
  job.trace = made.cubin.string();
  // Equal sources are compiled once, and may be launched differently.
  const fs::path own = folder_->path() / ("launch-" + std::to_string(launches_++));
  fs::create_directory(own);
  job.launch = (own / kLaunchFile).string();
  OutputFile(job.launch).commit(job.launch_text);
  return {};
}

}  // namespace gpusim::lab
