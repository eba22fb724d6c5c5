// SPDX-License-Identifier: MIT
// The architectures and traces of a study, each read once and shared by the points that use it.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "sim/commands/sweep/run/key.h"
#include "sim/commands/sweep/study/study.h"
#include "sim/model/trace/trace.h"

namespace gpusim {
class ProblemList;
}  // namespace gpusim
namespace gpusim::arch {
struct Resolved;
class Sheet;
}  // namespace gpusim::arch

namespace gpusim::sweep {

struct Point;

/// How names become files and files become traces: the program's business.
struct Sources {
  std::function<std::filesystem::path(const std::string& name)> find_arch;
  std::vector<std::filesystem::path> arch_folders;  ///< for `extends:`
  /// Leaves only the kernels that the study asks for, and the name as the trace's path.
  std::function<trace::Trace(const std::string& name, const trace::ParameterChoice& choice)> load_trace;
};

/// A trace with one set of parameters.
struct LoadedTrace {
  trace::Trace trace;
  std::string digest;
  double work = 0;  ///< warp instructions, estimated from the first CTA of each kernel
  /// All parameters, also those that nobody changed.
  [[nodiscard]] Parameters parameters() const;
};

/// Warp instructions that are walked to order the points of a sweep and to guess the time left.
inline constexpr std::uint64_t kShortWalk = 200'000;

/// Warp instructions of a trace, from a walk of the first CTA of each kernel: too few where that takes more than
/// `most_walked` of them.
[[nodiscard]] double estimate_work(const trace::Trace& trace, std::uint64_t most_walked = kShortWalk);

class Inputs {
 public:
  /// Reads every architecture and every trace of the study once. Throws InputError with all problems.
  Inputs(const Study& study, Sources sources);
  ~Inputs();
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  [[nodiscard]] std::span<const arch::Resolved> bases() const;
  [[nodiscard]] std::span<const Parameters> base_parameters() const { return base_parameters_; }

  /// An architecture of the study with a point's overrides. May be called by several threads. Throws InputError.
  [[nodiscard]] arch::Resolved resolve(const Point& point) const;

  /// A trace of the study with a point's parameters. May be called by several threads; one loads, the others wait.
  /// Throws InputError.
  [[nodiscard]] std::shared_ptr<const LoadedTrace> load(const Point& point);

  [[nodiscard]] const Study& study() const { return study_; }

 private:
  using TraceId = std::pair<std::size_t, Choices>;
  [[nodiscard]] std::shared_ptr<const LoadedTrace> load(const TraceId& id);
  void read_archs(ProblemList& problems);
  void read_traces(ProblemList& problems);

  Study study_;
  Sources sources_;
  std::vector<arch::Sheet> sheets_;  ///< by architecture, before any override
  std::vector<arch::Resolved> bases_;
  std::vector<Parameters> base_parameters_;

  std::mutex loading_;
  TraceDigester digest_;
  std::map<TraceId, std::weak_ptr<const LoadedTrace>> loaded_;
  std::deque<std::shared_ptr<const LoadedTrace>> recent_;  ///< kept although no point may be using them
};

}  // namespace gpusim::sweep
