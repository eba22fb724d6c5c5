// SPDX-License-Identifier: MIT
#include "sim/commands/lab/run/compiler.h"

#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/lab/course/draw.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/run/limited.h"
#include "sim/commands/lab/run/outcome.h"
#include "sim/commands/lab/run/source_rules.h"

namespace gpusim::lab {
namespace {

namespace fs = std::filesystem;

/// Beside what was compiled.
constexpr const char* kLaunchFile = "launch.yaml";
/// For an architecture that does not say which code it runs.
constexpr const char* kAnyTarget = "sm_90a";
constexpr std::uint64_t kBytesOfFiles = 64'000'000;
/// On a machine with much else to do a compilation waits.
constexpr double kWallSeconds = 60;

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

/// How a compilation ended that said nothing.
std::string end_text(const LimitedEnd& end, const std::string& file) {
  switch (end.kind) {
    case LimitedEnd::Kind::kDone: return "";
    case LimitedEnd::Kind::kOutOfTime:
      return fmt::format("{} did not compile within {} s of processor time.", file, Compiler::kSeconds);
    case LimitedEnd::Kind::kOutOfWallTime:
      return fmt::format("{} did not compile within {} s: this machine is busy. Try again when it has less to do.",
                         file, kWallSeconds);
    default: return fmt::format("{} does not compile: the compiler ended without a message.", file);
  }
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

void Compiler::make(Compiled& compiled, const fs::path& copy, const std::string& target) const {
  const auto work = [&](const Say& say) {
    say_outcome(say, [&] {
      ::setenv("TMPDIR", compiled.folder.c_str(), 1);
      const std::string code = compile::compile({copy, target, {}}, places_, [](const std::string&) {});
      OutputFile(compiled.cubin).commit(code);
      return nlohmann::json::object();
    });
  };
  const LimitedEnd end = run_limited({kSeconds, kBytes, kWallSeconds, kBytesOfFiles}, work);
  const nlohmann::json said = heard(end.said);
  const std::string file = copy.filename().string();
  compiled.problem =
      is_refused(said) ? with_places(own_words(reason(end, said, file, kWallSeconds)), file) : end_text(end, file);
  compiled.is_of_source = end.kind != LimitedEnd::Kind::kOutOfWallTime;
}

Compiler::Compiled Compiler::made(const fs::path& source, const std::string& text, const std::string& target) {
  const std::string file = source.filename().string();
  Compiled compiled;
  if (!compile::can_compile(places_)) {
    compiled.is_of_source = false;
    compiled.problem =
        file +
        " is CUDA, and has to be compiled: this machine has no nvcc. 'pip install nvidia-cuda-nvcc' brings it, and "
        "needs no GPU. Without it, move " +
        file + " away: then the trace is checked in its place.";
    return compiled;
  }
  try {
    require_own_text(text, file);
  } catch (const InputError& error) {
    compiled.problem = error.what();
    return compiled;
  }
  folder_ = folder_ ? std::move(folder_) : std::make_unique<TemporaryFolder>();
  compiled.folder = folder_->path() / std::to_string(known_.size());
  fs::create_directory(compiled.folder);
  const fs::path copy = compiled.folder / file;
  OutputFile(copy).commit(text);
  compiled.cubin = fs::path(copy).replace_extension(".cubin");
  make(compiled, copy, target);
  return compiled;
}

const Compiler::Compiled& Compiler::compiled(const fs::path& source, const std::string& target) {
  const std::string text = text_of(source);
  const std::string key = source.filename().string() + '\0' + target + '\0' + text;
  const auto known = known_.find(key);
  return known != known_.end() ? known->second : known_.emplace(key, made(source, text, target)).first->second;
}

Compiler::Problem Compiler::compile(Job& job) {
  if (job.launch_text.empty()) {
    return {};
  }
  const std::optional<std::string> target = compile::target_of(arch_of(job).arch.compute_capability);
  const fs::path folder = fs::path(job.trace).parent_path();
  const Compiled& made = compiled(job.trace, target.value_or(kAnyTarget));
  if (!made.problem.empty()) {
    return {(made.is_of_source ? (folder / "").string() : "") + made.problem, made.is_of_source};
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
