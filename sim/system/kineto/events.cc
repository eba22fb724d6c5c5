// SPDX-License-Identifier: MIT
#include "sim/system/kineto/events.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <simdjson.h>

#include "sim/base/gzip.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/system/application/check.h"
#include "sim/system/kineto/splitter.h"

namespace gpusim::kineto {
namespace {

using Object = simdjson::dom::object;

constexpr double kNsPerUs = 1000;
/// Longest text of a trace.
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

/// By the names of PyTorch and of NCCL, in any capitals; 0: unknown.
std::uint64_t element_bytes(std::string_view name) {
  std::string type(name);
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (type.starts_with("float8")) {
    return 1;
  }
  static constexpr std::array<std::pair<std::string_view, std::uint64_t>, 26> kTypes{
      {{"float", 4},        {"half", 2},          {"bfloat16", 2}, {"double", 8}, {"int", 4},    {"long", 8},
       {"char", 1},         {"byte", 1},          {"bool", 1},     {"short", 2},  {"int8", 1},   {"uint8", 1},
       {"int16", 2},        {"uint16", 2},        {"int32", 4},    {"uint32", 4}, {"int64", 8},  {"uint64", 8},
       {"float16", 2},      {"float32", 4},       {"float64", 8},  {"qint8", 1},  {"quint8", 1}, {"complexhalf", 4},
       {"complexfloat", 8}, {"complexdouble", 16}}};
  const auto found =
      std::ranges::find(kTypes, std::string_view(type), &std::pair<std::string_view, std::uint64_t>::first);
  return found == kTypes.end() ? 0 : found->second;
}

/// "Process Group Ranks", a list or the text of one: [0, 1]. Nothing where the profiler cut it off ("...").
std::vector<std::uint64_t> ranks_of(const Object& args) {
  simdjson::dom::element value;
  if (args["Process Group Ranks"].get(value) != simdjson::SUCCESS) {
    return {};
  }
  constexpr std::size_t kMostRanks = 4096;
  std::vector<std::uint64_t> ranks;
  simdjson::dom::array list;
  if (value.get(list) == simdjson::SUCCESS) {
    for (const simdjson::dom::element item : list) {
      std::uint64_t rank = 0;
      if (item.get(rank) != simdjson::SUCCESS || ranks.size() == kMostRanks) {
        return {};
      }
      ranks.push_back(rank);
    }
    return ranks;
  }
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS || text.find("...") != std::string_view::npos) {
    return {};
  }
  for (std::size_t at = text.find_first_of("0123456789"); at != std::string_view::npos && ranks.size() < kMostRanks;
       at = text.find_first_of("0123456789", at)) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    ranks.push_back(parse_unsigned(text.substr(at, end - at)).value_or(kMostRanks));
    at = end;
  }
  return ranks;
}

/// The elements of a list, as many as an operator may have; nothing where there is no list.
std::vector<simdjson::dom::element> elements_of(const Object& object, std::string_view key) {
  constexpr std::size_t kMostInputs = 32;
  std::vector<simdjson::dom::element> elements;
  simdjson::dom::array list;
  if (object[key].get(list) == simdjson::SUCCESS) {
    for (const simdjson::dom::element item : list) {
      if (elements.size() < kMostInputs) {
        elements.push_back(item);
      }
    }
  }
  return elements;
}

/// The sizes of a tensor; none of what is not a list of sizes, as of a list of tensors.
std::vector<std::uint64_t> dims_of(const simdjson::dom::element& of) {
  constexpr std::size_t kMostDims = 16;
  std::vector<std::uint64_t> dims;
  simdjson::dom::array list;
  if (of.get(list) != simdjson::SUCCESS) {
    return {};
  }
  for (const simdjson::dom::element item : list) {
    std::uint64_t size = 0;
    if (item.get(size) != simdjson::SUCCESS || dims.size() == kMostDims) {
      return {};
    }
    dims.push_back(size);
  }
  return dims;
}

std::string text_of(const simdjson::dom::element& of) {
  std::string_view text;
  return of.get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

constexpr const char* kDims = "Input Dims";
constexpr const char* kTypes = "Input type";
constexpr const char* kValues = "Concrete Inputs";

/// What record_shapes=True notes of an operator.
Operator operator_of(std::string_view name, const Object& args) {
  Operator made{std::string(name), {}};
  for (const simdjson::dom::element& dims : elements_of(args, kDims)) {
    made.inputs.push_back({dims_of(dims), {}, {}});
  }
  const std::vector<simdjson::dom::element> types = elements_of(args, kTypes);
  const std::vector<simdjson::dom::element> values = elements_of(args, kValues);
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    made.inputs[i].type = i < types.size() ? text_of(types[i]) : "";
    made.inputs[i].value = i < values.size() ? text_of(values[i]) : "";
  }
  return made;
}

/// The number that an operator has in common with what it launches; older profilers write it small. 0: none.
std::int64_t external_of(const Object& args) {
  const std::int64_t number = whole_of(args, "External id");
  return number != 0 ? number : whole_of(args, "external id");
}

std::optional<WorkKind> kind_of(std::string_view category) {
  return category == "kernel"       ? std::optional(WorkKind::kKernel)
         : category == "gpu_memcpy" ? std::optional(WorkKind::kCopy)
         : category == "gpu_memset" ? std::optional(WorkKind::kFill)
                                    : std::nullopt;
}

/// Takes events one at a time: each is a small document of its own, so that memory is that of what is kept.
class Reader {
 public:
  explicit Reader(const std::string& name)
      : where_{name, 0, 0},
        splitter_({{"traceEvents", true, [this](std::string& text) { read_event(parsed(text)); }},
                   {"distributedInfo", false, [this](std::string& text) { read_job(parsed(text)); }},
                   {"deviceProperties", true, [this](std::string& text) { read_gpu(parsed(text)); }}}) {}

  void feed(std::string_view piece) { splitter_.feed(piece); }

  /// After all pieces of the text.
  Events take() {
    if (!splitter_.has_begun()) {
      throw InputError({where_, "is not a trace: it does not begin as JSON does",
                        "app import takes what export_chrome_trace() of torch.profiler wrote, .sqlite of nsys export, "
                        "and Chakra traces, whose names end in .et or .et.gz"});
    }
    if (!splitter_.is_whole()) {
      refuse_broken("its end is missing, or a bracket before it");
    }
    if (!splitter_.has_list()) {
      throw InputError(
          {where_, "has no list 'traceEvents'", "a trace of torch.profiler: prof.export_chrome_trace(FILE)"});
    }
    if (events_.calls.empty() || events_.work.empty()) {
      throw InputError({where_, "has no calls of CUDA, or no work of a GPU",
                        "profile with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]"});
    }
    set_operators();
    finish(events_);
    for (const auto& [correlation, work] : events_.work) {
      events_.orphans += correlations_.contains(correlation) ? 0 : work.size();
    }
    return std::move(events_);
  }

 private:
  [[noreturn]] void refuse_broken(const std::string& why) const {
    throw InputError(
        {where_, "is not whole JSON: " + why, "a trace whose end is cut off was written while the program ended"});
  }

  /// An object of the text, valid until the next one.
  Object parsed(std::string& text) {
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);  // else the parser makes a copy
    Object object;
    if (const auto error = parser_.parse(text.data(), text.size(), false).get(object)) {
      refuse_broken(simdjson::error_message(error));
    }
    return object;
  }

  void read_job(const Object& distributed) {
    events_.rank = whole_of(distributed, "rank");
    events_.world = count_of(distributed, "world_size");
  }

  /// GPUs of a server are alike: the first stands for all.
  void read_gpu(const Object& properties) {
    if (events_.gpu.empty()) {
      events_.gpu = text_of(properties, "name");
    }
  }

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
    const auto ns = [&] { return time_of(event, *duration); };
    Object args;
    const bool has_args = event["args"].get(args) == simdjson::SUCCESS;
    if (const std::optional<WorkKind> kind = kind_of(category); kind && has_args) {
      read_work(event, args, *kind, *begin * kNsPerUs, ns());
    } else if (category == "user_annotation") {  // record_function(), and the profiler's steps
      events_.ranges[whole_of(event, "tid")].push_back({name_of(event), *begin * kNsPerUs, ns()});
    } else if (category == "cuda_sync" && has_args) {
      read_sync(args);
    } else if (category == "cpu_op" && has_args) {
      read_operator(event, args);
    } else if (category == "cuda_runtime" || category == "cuda_driver") {
      const std::int64_t correlation = has_args ? whole_of(args, "correlation") : 0;
      correlations_.insert(correlation);
      if (has_args) {
        note_external(args, correlation);
      }
      events_.calls[whole_of(event, "tid")].push_back({name_of(event), *begin * kNsPerUs, ns(), correlation});
    }
  }

  /// What an event that counts lasts: a negative duration is none.
  double time_of(const Object& event, double duration) {
    if (duration < 0 && events_.negative++ == 0) {
      events_.first_negative = name_of(event);
    }
    return std::max(0.0, duration) * kNsPerUs;
  }

  std::string_view name_of(const Object& event) {
    std::string_view name;
    return event["name"].get(name) == simdjson::SUCCESS ? events_.names.keep(name) : std::string_view();
  }

  /// An operator of which we know what its kernels do.
  void read_operator(const Object& event, const Object& args) {
    std::string_view name;
    const std::int64_t external = external_of(args);
    simdjson::dom::array dims;
    if (args[kDims].get(dims) != simdjson::SUCCESS || dims.size() == 0) {
      return;
    }
    events_.has_shapes = true;
    if (external == 0 || event["name"].get(name) != simdjson::SUCCESS || !is_known_operator(name)) {
      return;
    }
    std::string key(name);
    for (const char* const part : {kDims, kTypes, kValues}) {
      simdjson::dom::element value;
      key += args[part].get(value) == simdjson::SUCCESS ? simdjson::minify(value) : "-";
    }
    operators_[external] = events_.operators.keep(std::move(key), [&] { return operator_of(name, args); });
  }

  /// Each kernel has the number of its operator, or its call has.
  void set_operators() {
    for (const auto& [correlation, external] : externals_) {
      const auto work = events_.work.find(correlation);
      const auto op = operators_.find(external);
      if (work != events_.work.end() && op != operators_.end()) {
        for (Work& one : work->second) {
          one.op = op->second + 1;
        }
      }
    }
  }

  void read_sync(const Object& args) {
    const std::string kind = text_of(args, "cuda_sync_kind");
    Sync sync;
    sync.kind = kind == "Stream Sync"         ? SyncKind::kStream
                : kind == "Event Sync"        ? SyncKind::kEvent
                : kind == "Stream Wait Event" ? SyncKind::kStreamWait
                                              : SyncKind::kDevice;
    sync.stream = whole_of(args, "stream");
    sync.recorded_on = number_of(args, "wait_on_stream") ? whole_of(args, "wait_on_stream") : -1;
    sync.record = whole_of(args, "wait_on_cuda_event_record_corr_id");
    events_.syncs[whole_of(args, "correlation")] = sync;
  }

  void note_external(const Object& args, std::int64_t correlation) {
    if (const std::int64_t external = external_of(args); external != 0 && correlation != 0) {
      externals_[correlation] = external;
    }
  }

  void read_work(const Object& event, const Object& args, WorkKind kind, double begin, double ns) {
    Work work;
    work.kind = kind;
    work.name = name_of(event);
    work.begin = begin;
    work.ns = ns;
    work.device = whole_of(args, number_of(args, "inDevice") ? "inDevice" : "device");  // that of a copy between GPUs
    work.stream = whole_of(args, "stream");
    work.bytes = count_of(args, "bytes");
    work.ctas = volume_of(args, "grid");
    work.threads = volume_of(args, "block");
    work.registers = count_of(args, "registers per thread");
    work.shared_bytes = count_of(args, "shared memory");
    work.ctas_per_sm = count_of(args, "gpusim CTAs per SM");
    work.alone_ns = number_of(args, "gpusim alone us").value_or(0) * kNsPerUs;
    if (std::string collective = text_of(args, "Collective name"); !collective.empty()) {
      const std::uint64_t elements = std::max(count_of(args, "In msg nelems"), count_of(args, "Out msg nelems"));
      work.collective = std::make_unique<CollectiveWork>(
          CollectiveWork{std::move(collective), elements * element_bytes(text_of(args, "dtype")),
                         count_of(args, "Group size"), ranks_of(args)});
    }
    if (const std::optional<double> from = number_of(args, "fromDevice"), to = number_of(args, "toDevice");
        from && to) {
      work.from_device = whole_of(args, "fromDevice");
      work.to_device = whole_of(args, "toDevice");
    }
    if (++works_ > application::kMostCalls) {
      throw InputError({where_, "has more than 2 million kernels, copies and fills, which no application may do",
                        "profile a few steps"});
    }
    const std::int64_t correlation = whole_of(args, "correlation");
    if (kind == WorkKind::kKernel) {
      note_external(args, correlation);
    }
    events_.work[correlation].push_back(std::move(work));
  }

  SourceLocation where_;
  simdjson::dom::parser parser_;
  Splitter splitter_;
  Events events_;
  double works_ = 0;
  std::unordered_set<std::int64_t> correlations_;              ///< those of calls
  std::unordered_map<std::int64_t, std::int64_t> externals_;   ///< numbers of operators, by correlation
  std::unordered_map<std::int64_t, std::uint32_t> operators_;  ///< by such a number
};

}  // namespace

void finish(Events& events) {
  for (auto& [thread, calls] : events.calls) {
    std::ranges::stable_sort(calls, {}, &Call::begin);
  }
  for (auto& [correlation, work] : events.work) {
    std::ranges::stable_sort(work, {}, &Work::begin);
  }
  for (auto& [thread, ranges] : events.ranges) {
    std::ranges::stable_sort(ranges, [](const NamedRange& a, const NamedRange& b) {
      return a.begin < b.begin || (a.begin == b.begin && a.ns > b.ns);
    });
  }
}

Events parse_events(std::string_view text, const std::string& name) {
  Reader reader(name);
  reader.feed(text);
  return reader.take();
}

Events read_events(const std::filesystem::path& file) {
  Reader reader(file.string());
  read_gzip(file, kMostBytes, [&reader](std::string_view piece) { reader.feed(piece); });
  return reader.take();
}

}  // namespace gpusim::kineto
