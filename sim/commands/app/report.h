// SPDX-License-Identifier: MIT
// What `gpusim app` found: a run, and what is derived from it. The texts are functions of it.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/app/times/times.h"
#include "sim/output/text/layout.h"
#include "sim/system/application/application.h"
#include "sim/system/run/breakdown.h"
#include "sim/system/run/timeline.h"

namespace gpusim::app {

inline constexpr double kNsPerUs = 1e3;
inline constexpr double kNsPerMs = 1e6;
/// Tables of other tools are as wide as they are.
inline constexpr layout::Look kUnwrapped{false, false, 4096};

/// How values lie.
struct Spread {
  double total = 0;
  double median = 0;
  double least = 0;
  double most = 0;
  double deviation = 0;  ///< standard deviation
};

/// Times of activities of one name, in nanoseconds, over the rounds that count.
struct Row : Spread {
  std::string name;
  std::size_t count = 0;
  Spread bytes;                       ///< bytes of copies and fills
  std::uint32_t kernel = run::kNone;  ///< one of those of the name; of scaled ones that which takes most
  std::size_t other_scales = 0;       ///< other ways in which recorded kernels of the name were scaled
  double alone = 0;                   ///< time alone on the GPU, of kernels the mean
  [[nodiscard]] double average() const { return total / static_cast<double>(count); }
};

/// What critical-path parts of one name add up to, in nanoseconds a step.
struct PathRow {
  std::string name;
  double ns = 0;
};

/// How the times of a row's kernels were found, where there is more to say than a word.
[[nodiscard]] std::string note_of(const Row& row, const run::KernelCost& cost);

struct Report {
  application::Application application;
  std::string system;
  Times times;
  run::Timeline timeline;
  run::Breakdown causes{};    ///< causes of the first thread's GPU, nanoseconds a step
  std::vector<PathRow> path;  ///< longest first
  std::vector<Row> kernels;   ///< longest in all first, as in all rows
  std::vector<Row> collectives;
  std::vector<Row> copies;  ///< and fills
  std::vector<Row> calls;   ///< calls of CUDA
  std::vector<Row> work;    ///< work of the CPU
  std::vector<Row> ranges;
};

[[nodiscard]] Report make_report(application::Application application, std::string system, Times times,
                                 run::Timeline timeline);

/// What tables call an activity.
[[nodiscard]] std::string name_of(const run::Timeline& timeline, const run::Activity& activity);

/// Whether it is a call of CUDA, and not of a caching allocator or a queue.
[[nodiscard]] bool is_of_cuda(const run::Timeline& timeline, const run::Activity& activity);

/// One sentence on what bounds the step, and what would help.
[[nodiscard]] std::string verdict(const Report& report);

[[nodiscard]] std::string to_text(const Report& report, const layout::Look& look);
/// Schema gpusim.app/1 (docs/applications.md).
[[nodiscard]] std::string to_json(const Report& report);
/// The tables of `nsys stats`, with its columns.
[[nodiscard]] std::string to_nsys(const Report& report);
/// The table of PyTorch's profiler, sorted by CUDA time.
[[nodiscard]] std::string to_pytorch(const Report& report);
/// A trace as PyTorch's profiler writes it (Kineto), for Perfetto and chrome://tracing.
[[nodiscard]] std::string to_chrome(const Report& report);
/// What the interactive page shows: JSON, an object of the report, of words, and of what happened over time in columns.
[[nodiscard]] std::string page_data(const Report& report);
/// The interactive page.
[[nodiscard]] std::string to_page(const Report& report);

/// Chakra execution traces of one round, one for each GPU: the bytes of .et files.
[[nodiscard]] std::vector<std::string> to_chakra(const Report& report);

}  // namespace gpusim::app
