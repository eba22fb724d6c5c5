// SPDX-License-Identifier: MIT
// Every experiment of the program, by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::silicon {

class Session;

/// What an experiment's kernels need of the GPU. Sm80: LDGSTS, mma.sync of bf16. Sm90: clusters, TMA, mbarrier
/// transaction counts. Sm90a: wgmma, whose machine code runs on compute capability 9.0 alone.
enum class Feature { Sm80, Sm90, Sm90a };

struct ComputeCapability {
  int major = 0;
  int minor = 0;
};

struct Experiment {
  std::string name;    ///< "micro/alu/fp32": suite, subject, detail
  int priority = 50;   ///< 0 to 100; README.md says what stands where
  double seconds = 1;  ///< estimate on the fastest GPU, without starting the process
  std::vector<Feature> needs;
  void (*run)(Session& session) = nullptr;
};

[[nodiscard]] std::string_view to_text(Feature feature);

/// The first feature that a GPU lacks for an experiment.
[[nodiscard]] std::optional<Feature> missing_feature(const Experiment& experiment, ComputeCapability gpu);

/// {"name": ..., "priority": ..., "seconds": ..., "needs": [...], "supported": ...}
[[nodiscard]] std::string to_json(const Experiment& experiment, std::optional<ComputeCapability> gpu);

class Registry {
 public:
  /// Throws std::invalid_argument on a name that is taken or malformed (lower case letters, digits, '_', '-', '/').
  void add(Experiment experiment);
  /// Most valuable first, then by name: independent of the order in which files were linked.
  [[nodiscard]] std::vector<Experiment> sorted() const;
  /// Null when there is none of that name.
  [[nodiscard]] const Experiment* find(std::string_view name) const;

 private:
  std::vector<Experiment> experiments_;
};

/// The program's own registry, filled before main().
[[nodiscard]] Registry& registry();

/// `static const Registered kFp32{{.name = "micro/alu/fp32", ..., .run = measure_fp32}};` in the experiment's file.
struct Registered {
  explicit Registered(Experiment experiment) { registry().add(std::move(experiment)); }
};

}  // namespace gpusim::silicon
