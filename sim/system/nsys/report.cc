// SPDX-License-Identifier: MIT
#include "sim/system/nsys/report.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/base/problem.h"
#include "sim/system/nsys/tables.h"

namespace gpusim::nsys {

using kineto::Events;
using kineto::Work;
using kineto::WorkKind;

namespace {

using namespace std::string_view_literals;

constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kFills = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* kSyncs = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
constexpr const char* kEvents = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
constexpr const char* kRanges = "NVTX_EVENTS";
constexpr const char* kGpus = "TARGET_INFO_GPU";
constexpr const char* kStrings = "StringIds";
/// An application does at most two million calls.
constexpr std::uint64_t kMostRows = 4'000'000;
constexpr std::int64_t kPushPop = 59;  ///< eventType of ranges that nvtxRangePush and nvtxRangePop make
/// The low bits of globalTid are the thread, those above them the process, as in globalPid.
constexpr std::int64_t kThreadMask = 0xff'ffff;

/// CUpti_ActivityMemcpyKind.
constexpr std::string_view copy_name(std::int64_t kind) {
  switch (kind) {
    case 1: return "HtoD";
    case 2: return "DtoH";
    case 10: return "PtoP";
    default: return "DtoD";
  }
}

/// CUpti_ActivityMemoryKind.
constexpr std::string_view memory_name(std::int64_t kind) {
  switch (kind) {
    case 1: return "Pageable";
    case 2: return "Pinned";
    default: return "Device";
  }
}

/// CUpti_ActivitySynchronizationType.
constexpr kineto::SyncKind sync_kind(std::int64_t type) {
  switch (type) {
    case 1: return kineto::SyncKind::kEvent;
    case 2: return kineto::SyncKind::kStreamWait;
    case 3: return kineto::SyncKind::kStream;
    default: return kineto::SyncKind::kDevice;
  }
}

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
std::string_view plain_name(std::string_view name) {
  const std::size_t version = name.rfind("_v");
  const bool is_version = version != std::string_view::npos && version + 2 < name.size() &&
                          name.find_first_not_of("0123456789", version + 2) == std::string_view::npos;
  return is_version ? name.substr(0, version) : name;
}

class ReportReader {
 public:
  explicit ReportReader(const std::filesystem::path& file) : tables_(file) {}

  Events read() {
    read_strings();
    read_calls();
    constexpr std::array kWork{kKernels, kCopies, kFills, kGraphs};
    if (std::ranges::none_of(kWork, [this](const char* table) { return tables_.has(table); })) {
      tables_.refuse("has no work of a GPU: none of the tables " + std::string(kKernels) + ", " + kCopies + ", " +
                         kFills + " and " + kGraphs,
                     "profile with nsys profile --trace=cuda,nvtx");
    }
    if (tables_.has(kKernels)) {
      read_kernels();
    }
    if (tables_.has(kCopies)) {
      read_copies();
    }
    if (tables_.has(kFills)) {
      read_fills();
    }
    if (tables_.has(kGraphs)) {
      read_graphs();
    }
    if (tables_.has(kEvents)) {
      read_records();
    }
    if (tables_.has(kSyncs)) {
      read_syncs();
    }
    if (tables_.has(kRanges)) {
      read_ranges();
    }
    if (tables_.has(kGpus)) {
      read_gpu();
    }
    kineto::finish(events_);
    return std::move(events_);
  }

 private:
  /// A time and its end, in nanoseconds, from the first two columns.
  std::pair<double, double> times(const TableRow& row, const char* table) const {
    const std::int64_t begin = row.number(0);
    const std::int64_t end = row.number(1);
    constexpr std::int64_t kMost = std::int64_t{1} << 53U;
    if (begin < 0 || end < begin || end > kMost) {
      tables_.refuse("the table '" + std::string(table) + "' has a row from " + std::to_string(begin) + " to " +
                         std::to_string(end) + " ns",
                     "times are not negative, and do not run backwards");
    }
    return {static_cast<double>(begin), static_cast<double>(end - begin)};
  }

  /// The process of a row; without the column that of the calls, of which there is then one.
  std::int64_t process(const TableRow& row, int column) const {
    return row.is_null(column) ? process_ : row.number(column);
  }

  /// Correlations, of 32 bits, count anew in each process.
  std::int64_t correlation(std::int64_t global, std::int64_t number) {
    const auto next = static_cast<std::int64_t>(processes_.size()) + 1;
    const std::int64_t process = processes_.try_emplace(global & ~kThreadMask, next).first->second;
    constexpr std::int64_t kNumberMask = 0xffff'ffff;
    return process << 32U | (number & kNumberMask);
  }

  std::string_view string_of(std::int64_t id) const {
    const auto found = strings_.find(id);
    return found == strings_.end() ? std::string_view() : found->second;
  }

  void read_strings() {
    constexpr std::array kColumns{"id"sv, "value"sv};
    tables_.scan(kStrings, kColumns, kColumns.size(), kMostRows,
                 [this](const TableRow& row) { strings_[row.number(0)] = events_.names.keep(row.text(1)); });
  }

  void read_calls() {
    constexpr std::array kColumns{"start"sv, "end"sv, "globalTid"sv, "correlationId"sv, "nameId"sv};
    tables_.scan(kCalls, kColumns, kColumns.size(), kMostRows, [this](const TableRow& row) {
      const auto [begin, ns] = times(row, kCalls);
      const std::int64_t id = correlation(row.number(2), row.number(3));
      called_.emplace(id, begin);
      process_ = row.number(2);
      events_.calls[row.number(2)].push_back({plain_name(string_of(row.number(4))), begin, ns, id});
    });
  }

  void add(Work work, std::int64_t id) {
    events_.orphans += called_.contains(id) ? 0 : 1;
    events_.work[id].push_back(std::move(work));
  }

  void read_kernels() {
    constexpr std::array kColumns{"start"sv,
                                  "end"sv,
                                  "deviceId"sv,
                                  "streamId"sv,
                                  "correlationId"sv,
                                  "shortName"sv,
                                  "gridX"sv,
                                  "gridY"sv,
                                  "gridZ"sv,
                                  "blockX"sv,
                                  "blockY"sv,
                                  "blockZ"sv,
                                  "globalPid"sv,
                                  "registersPerThread"sv,
                                  "staticSharedMemory"sv,
                                  "dynamicSharedMemory"sv};
    constexpr std::size_t kRequired = 12;
    tables_.scan(kKernels, kColumns, kRequired, kMostRows, [this](const TableRow& row) {
      Work work;
      std::tie(work.begin, work.ns) = times(row, kKernels);
      work.kind = WorkKind::kKernel;
      work.name = string_of(row.number(5));
      work.device = row.number(2);
      work.stream = row.number(3);
      work.ctas = product(row, 6);
      work.threads = product(row, 9);
      work.registers = count(row, 13);
      work.shared_bytes = count(row, 14) + count(row, 15);
      add(std::move(work), correlation(process(row, 12), row.number(4)));
    });
  }

  void read_copies() {
    constexpr std::array kColumns{"start"sv,         "end"sv,     "deviceId"sv,    "streamId"sv,
                                  "correlationId"sv, "bytes"sv,   "copyKind"sv,    "globalPid"sv,
                                  "srcKind"sv,       "dstKind"sv, "srcDeviceId"sv, "dstDeviceId"sv};
    constexpr std::size_t kRequired = 7;
    tables_.scan(kCopies, kColumns, kRequired, kMostRows, [this](const TableRow& row) {
      Work work;
      std::tie(work.begin, work.ns) = times(row, kCopies);
      work.kind = WorkKind::kCopy;
      work.name = events_.names.keep("Memcpy " + std::string(copy_name(row.number(6))) + " (" +
                                     std::string(memory_name(row.number(8))) + " -> " +
                                     std::string(memory_name(row.number(9))) + ")");
      work.device = row.number(2);
      work.stream = row.number(3);
      work.bytes = count(row, 5);
      work.from_device = row.is_null(10) ? -1 : row.number(10);
      work.to_device = row.is_null(11) ? -1 : row.number(11);
      add(std::move(work), correlation(process(row, 7), row.number(4)));
    });
  }

  void read_fills() {
    constexpr std::array kColumns{"start"sv,         "end"sv,   "deviceId"sv, "streamId"sv,
                                  "correlationId"sv, "bytes"sv, "globalPid"sv};
    constexpr std::size_t kRequired = 5;
    tables_.scan(kFills, kColumns, kRequired, kMostRows, [this](const TableRow& row) {
      Work work;
      std::tie(work.begin, work.ns) = times(row, kFills);
      work.kind = WorkKind::kFill;
      work.name = "Memset";
      work.device = row.number(2);
      work.stream = row.number(3);
      work.bytes = count(row, 5);
      add(std::move(work), correlation(process(row, 6), row.number(4)));
    });
  }

  /// Graphs whose nodes were not traced one by one: each launch is a piece of work.
  void read_graphs() {
    constexpr std::array kColumns{"start"sv,         "end"sv,     "deviceId"sv, "streamId"sv,
                                  "correlationId"sv, "graphId"sv, "globalPid"sv};
    constexpr std::size_t kRequired = 5;
    tables_.scan(kGraphs, kColumns, kRequired, kMostRows, [this](const TableRow& row) {
      Work work;
      std::tie(work.begin, work.ns) = times(row, kGraphs);
      work.kind = WorkKind::kKernel;
      work.name = events_.names.keep("graph " + std::to_string(row.number(5)));
      work.device = row.number(2);
      work.stream = row.number(3);
      add(std::move(work), correlation(process(row, 6), row.number(4)));
    });
  }

  /// Calls that record events.
  void read_records() {
    constexpr std::array kColumns{"correlationId"sv, "eventId"sv, "streamId"sv, "globalPid"sv};
    constexpr std::size_t kRequired = 3;
    tables_.scan(kEvents, kColumns, kRequired, kMostRows, [this](const TableRow& row) {
      const std::int64_t of_process = process(row, 3);
      const std::int64_t id = correlation(of_process, row.number(0));
      if (const auto call = called_.find(id); call != called_.end()) {
        records_[{of_process & ~kThreadMask, row.number(1)}][call->second] = {id, row.number(2)};
      }
    });
  }

  /// The last record of an event before a call; nothing where it is not known.
  void find_record(std::int64_t of_process, std::int64_t event, std::int64_t call, kineto::Sync& sync) const {
    const auto records = records_.find({of_process & ~kThreadMask, event});
    const auto called = called_.find(call);
    if (records == records_.end() || called == called_.end()) {
      return;
    }
    const auto after = records->second.lower_bound(called->second);
    if (after != records->second.begin()) {
      std::tie(sync.record, sync.recorded_on) = std::prev(after)->second;
    }
  }

  void read_syncs() {
    constexpr std::array kColumns{"correlationId"sv, "syncType"sv, "streamId"sv, "globalPid"sv, "eventId"sv};
    constexpr std::size_t kRequired = 3;
    tables_.scan(kSyncs, kColumns, kRequired, kMostRows, [this](const TableRow& row) {
      const std::int64_t id = correlation(process(row, 3), row.number(0));
      kineto::Sync sync{sync_kind(row.number(1)), row.number(2), -1, 0};
      if (sync.kind == kineto::SyncKind::kEvent || sync.kind == kineto::SyncKind::kStreamWait) {
        find_record(process(row, 3), row.number(4), id, sync);
      }
      events_.syncs[id] = sync;
    });
  }

  /// Ranges that a thread pushed and popped; those that nobody popped have no end.
  void read_ranges() {
    constexpr std::array kColumns{"start"sv, "end"sv, "globalTid"sv, "eventType"sv, "text"sv, "textId"sv};
    constexpr std::size_t kRequired = 4;
    tables_.scan(kRanges, kColumns, kRequired, kMostRows, [this](const TableRow& row) {
      if (row.number(3) != kPushPop || row.is_null(1)) {
        return;
      }
      const auto [begin, ns] = times(row, kRanges);
      const std::string_view name = row.is_null(4) ? string_of(row.number(5)) : events_.names.keep(row.text(4));
      events_.ranges[row.number(2)].push_back({name, begin, ns});
    });
  }

  /// GPUs of a server are alike: the first stands for all.
  void read_gpu() {
    constexpr std::array kColumns{"name"sv};
    tables_.scan(kGpus, kColumns, 0, kMostRows, [this](const TableRow& row) {
      if (events_.gpu.empty() && !row.is_null(0)) {
        events_.gpu = row.text(0);
      }
    });
  }

  static std::uint64_t count(const TableRow& row, int column) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.number(column)));
  }

  /// The product of three columns from one on.
  static std::uint64_t product(const TableRow& row, int column) {
    constexpr double kMost = 1e12;
    double volume = 1;
    for (int i = 0; i < 3; ++i) {
      volume *= static_cast<double>(count(row, column + i));
    }
    return static_cast<std::uint64_t>(std::clamp(volume, 0.0, kMost));
  }

  Tables tables_;
  Events events_;
  std::unordered_map<std::int64_t, std::string_view> strings_;
  std::map<std::int64_t, std::int64_t> processes_;   ///< numbers from 1 on
  std::int64_t process_ = 0;                         ///< process of the last call
  std::unordered_map<std::int64_t, double> called_;  ///< begins of calls by correlation
  /// By process and event: correlation and stream of the calls that record it, by their begin.
  std::map<std::pair<std::int64_t, std::int64_t>, std::map<double, std::pair<std::int64_t, std::int64_t>>> records_;
};

}  // namespace

bool is_database(const std::filesystem::path& file) {
  constexpr std::string_view kBegin = "SQLite format 3";
  std::ifstream in(file, std::ios::binary);
  std::string begin(kBegin.size(), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == kBegin;
}

Events read_report(const std::filesystem::path& file) {
  return ReportReader(file).read();
}

kineto::Imported import_report(const std::filesystem::path& file) {
  return kineto::import_events(read_report(file), file, "imported from a report of Nsight Systems");
}

}  // namespace gpusim::nsys
