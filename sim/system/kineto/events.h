// SPDX-License-Identifier: MIT
// What matters of a trace that PyTorch's profiler (Kineto) wrote: calls of CUDA, and the work that they issued.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/system/kineto/operators.h"

namespace gpusim::kineto {

/// Texts that many events have, each kept once. They stay where they are when the object is moved.
class Names {
 public:
  Names() = default;
  Names(Names&&) = default;
  Names& operator=(Names&&) = default;
  /// A text as long as this object or the one it is moved to.
  std::string_view keep(std::string_view name) {
    const auto known = kept_.find(name);
    return known != kept_.end() ? *known : *kept_.emplace(name).first;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> kept_;
};

enum class WorkKind : std::uint8_t { kKernel, kCopy, kFill };

/// What a collective of NCCL is, beside its kernel.
struct CollectiveWork {
  std::string name;  ///< "allreduce"
  std::uint64_t message_bytes = 0;
  std::uint64_t ranks = 0;
  std::vector<std::uint64_t> group;  ///< ranks of the process group, where they are listed
};

/// Work on a GPU. Times are nanoseconds, names are those of the events.
struct Work {
  WorkKind kind = WorkKind::kKernel;
  std::string_view name;
  double begin = 0;
  double ns = 0;
  double alone_ns = 0;  ///< without other work beside it, in traces that we wrote; 0: not known
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::uint64_t bytes = 0;         ///< bytes of a copy or a fill
  std::uint64_t ctas = 0;          ///< CTAs of a kernel; 0: not known
  std::uint64_t threads = 0;       ///< threads of a CTA
  std::uint64_t registers = 0;     ///< registers of a thread
  std::uint64_t shared_bytes = 0;  ///< shared memory of a CTA
  std::uint64_t ctas_per_sm = 0;   ///< in traces that we wrote; 0: not known
  std::int64_t from_device = -1;   ///< source of a copy between GPUs; negative: not known
  std::int64_t to_device = -1;     ///< ditto
  std::uint32_t op = 0;            ///< operator of a kernel, as Operators has it, and one more; 0: not known
  std::unique_ptr<const CollectiveWork> collective{};  ///< null of other work
};

/// A call of the CUDA runtime or driver.
struct Call {
  std::string_view name;
  double begin = 0;
  double ns = 0;
  std::int64_t correlation = 0;  ///< the number that its work has, too
};

/// What a call waited for, or made a stream wait for.
enum class SyncKind : std::uint8_t { kDevice, kStream, kEvent, kStreamWait };
struct Sync {
  SyncKind kind = SyncKind::kDevice;
  std::int64_t stream = 0;        ///< that was waited for, or that waits
  std::int64_t recorded_on = -1;  ///< stream on which the event was recorded; negative: not known
  std::int64_t record = 0;        ///< correlation of the call that recorded the event; 0: not known
};

/// A part that a thread named.
struct NamedRange {
  std::string_view name;
  double begin = 0;
  double ns = 0;
};

/// Operators that launched something, each kind of inputs once.
class Operators {
 public:
  /// `key` tells its name and inputs from others; `read` makes them where the key is new. Returns its number.
  std::uint32_t keep(std::string key, const std::function<Operator()>& read) {
    const auto [known, is_new] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(list_.size()));
    if (is_new) {
      list_.push_back(read());
    }
    return known->second;
  }
  [[nodiscard]] const std::vector<Operator>& list() const { return list_; }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<Operator> list_;
};

struct Events {
  Names names;                                               ///< that all that follows has
  Operators operators;                                       ///< with shapes, where the trace has them
  std::map<std::int64_t, std::vector<Call>> calls;           ///< by thread, in order of time
  std::unordered_map<std::int64_t, std::vector<Work>> work;  ///< by correlation, in order of time; a graph's is many
  std::map<std::int64_t, Sync> syncs;                        ///< by correlation
  std::map<std::int64_t, std::vector<NamedRange>> ranges;    ///< by thread, an outer one before what it holds
  std::uint64_t orphans = 0;                                 ///< work whose call is not in the trace
  std::uint64_t negative = 0;                                ///< calls, ranges and work with a negative duration
  std::string first_negative;                                ///< the name of one of them
  std::int64_t rank = 0;                                     ///< that the trace is of, where several take part
  std::uint64_t world = 0;                                   ///< ranks of the whole job; 0: not known
  std::string gpu;                                           ///< GPU as its driver names it; empty: not known
  bool has_shapes = false;  ///< whether any operator has shapes, also one that is not known
};

/// Puts everything in order of time.
void finish(Events& events);

/// Reads a file, packed by gzip or not. Throws InputError for what is not such a trace, is cut off, or is too large.
[[nodiscard]] Events read_events(const std::filesystem::path& file);

/// The same for a text; `name` stands for the file in messages.
[[nodiscard]] Events parse_events(std::string_view text, const std::string& name);

}  // namespace gpusim::kineto
