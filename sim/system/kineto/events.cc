// SPDX-License-Identifier: MIT
#include "sim/system/kineto/events.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <simdjson.h>

#include "sim/base/gzip.h"
#include "sim/base/problem.h"
#include "sim/base/units.h"

namespace gpusim::kineto {
namespace {

using Object = simdjson::dom::object;

constexpr double kNsPerUs = 1000;
/// Longest text of a trace: some three times as much memory is needed.
constexpr std::uint64_t kMostBytes = kGi;

std::string text_of(const Object& object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

std::optional<double> number_of(const Object& object, std::string_view key) {
  double number = 0;
  return object[key].get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
}

std::int64_t whole_of(const Object& object, std::string_view key) {
  const double number = number_of(object, key).value_or(0);
  constexpr double kMost = 9e15;
  return number > -kMost && number < kMost ? static_cast<std::int64_t>(number) : 0;
}

std::uint64_t count_of(const Object& object, std::string_view key) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, whole_of(object, key)));
}

/// The product of a list such as "grid".
std::uint64_t volume_of(const Object& object, std::string_view key) {
  simdjson::dom::array list;
  if (object[key].get(list) != simdjson::SUCCESS) {
    return 0;
  }
  double volume = 1;
  for (const simdjson::dom::element item : list) {
    double extent = 0;
    volume *= item.get(extent) == simdjson::SUCCESS ? extent : 1;
  }
  constexpr double kMost = 1e12;
  return static_cast<std::uint64_t>(std::clamp(volume, 0.0, kMost));
}

std::uint64_t element_bytes(std::string_view type) {
  static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 9> kTypes{{{"Float", 4},
                                                                                     {"Half", 2},
                                                                                     {"BFloat16", 2},
                                                                                     {"Double", 8},
                                                                                     {"Int", 4},
                                                                                     {"Long", 8},
                                                                                     {"Char", 1},
                                                                                     {"Byte", 1},
                                                                                     {"Bool", 1}}};
  const auto found = std::ranges::find(kTypes, type, &std::pair<std::string_view, std::uint64_t>::first);
  return found == kTypes.end() ? 0 : found->second;
}

std::optional<WorkKind> kind_of(std::string_view category) {
  return category == "kernel"       ? std::optional(WorkKind::kKernel)
         : category == "gpu_memcpy" ? std::optional(WorkKind::kCopy)
         : category == "gpu_memset" ? std::optional(WorkKind::kFill)
                                    : std::nullopt;
}

class Reader {
 public:
  Events read(const simdjson::dom::array& list) {
    for (const simdjson::dom::element item : list) {
      Object event;
      if (item.get(event) == simdjson::SUCCESS) {
        read_event(event);
      }
    }
    for (auto& [thread, calls] : events_.calls) {
      std::ranges::stable_sort(calls, {}, &Call::begin);
    }
    for (auto& [correlation, work] : events_.work) {
      std::ranges::stable_sort(work, {}, &Work::begin);
      events_.orphans += correlations_.contains(correlation) ? 0 : work.size();
    }
    return std::move(events_);
  }

 private:
  void read_event(const Object& event) {
    std::string_view category;
    if (event["cat"].get(category) != simdjson::SUCCESS) {
      return;
    }
    const std::optional<double> begin = number_of(event, "ts");
    const std::optional<double> duration = number_of(event, "dur");
    if (!begin || !duration) {
      return;
    }
    Object args;
    const bool has_args = event["args"].get(args) == simdjson::SUCCESS;
    if (const std::optional<WorkKind> kind = kind_of(category); kind && has_args) {
      read_work(event, args, *kind, *begin * kNsPerUs, std::max(0.0, *duration) * kNsPerUs);
    } else if (category == "cuda_runtime" || category == "cuda_driver") {
      const std::int64_t correlation = has_args ? whole_of(args, "correlation") : 0;
      correlations_.emplace(correlation, true);
      events_.calls[whole_of(event, "tid")].push_back(
          {text_of(event, "name"), *begin * kNsPerUs, std::max(0.0, *duration) * kNsPerUs, correlation});
    }
  }

  void read_work(const Object& event, const Object& args, WorkKind kind, double begin, double ns) {
    Work work;
    work.kind = kind;
    work.name = text_of(event, "name");
    work.begin = begin;
    work.ns = ns;
    work.device = whole_of(args, "device");
    work.stream = whole_of(args, "stream");
    work.bytes = count_of(args, "bytes");
    work.ctas = volume_of(args, "grid");
    work.threads = volume_of(args, "block");
    work.registers = count_of(args, "registers per thread");
    work.shared_bytes = count_of(args, "shared memory");
    work.collective = text_of(args, "Collective name");
    work.message_bytes = std::max(count_of(args, "In msg nelems"), count_of(args, "Out msg nelems")) *
                         element_bytes(text_of(args, "dtype"));
    work.ranks = count_of(args, "Group size");
    events_.work[whole_of(args, "correlation")].push_back(std::move(work));
  }

  Events events_;
  std::map<std::int64_t, bool> correlations_;  ///< those of calls
};

}  // namespace

Events parse_events(std::string text, const std::string& name) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  const SourceLocation where{name, 0, 0};
  if (const auto error = parser.parse(text).get(root)) {
    throw InputError({where, std::string("is not whole JSON: ") + simdjson::error_message(error),
                      "a trace whose end is cut off was written while the program ended"});
  }
  text = {};  // the parser has what it needs
  simdjson::dom::array list;
  if (root["traceEvents"].get(list) != simdjson::SUCCESS) {
    throw InputError({where, "has no list 'traceEvents'", "a trace of torch.profiler: prof.export_chrome_trace(FILE)"});
  }
  Events events = Reader().read(list);
  if (events.calls.empty() || events.work.empty()) {
    throw InputError({where, "has no calls of CUDA, or no work of a GPU",
                      "profile with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]"});
  }
  return events;
}

Events read_events(const std::filesystem::path& file) {
  return parse_events(read_gzip(file, kMostBytes), file.string());
}

}  // namespace gpusim::kineto
