// SPDX-License-Identifier: MIT
#include "sim/system/application/call_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/units.h"
#include "sim/model/arch/value.h"
#include "sim/system/application/check.h"

namespace gpusim::application {

using arch::in_quotes;
using arch::YamlItem;
using arch::YamlNode;

namespace {

constexpr std::uint64_t kLongest = 1000 * kGiga;  // nanoseconds
constexpr std::uint64_t kMostBytes = kKi * kTi;
constexpr std::uint64_t kMostTimes = 1'000'000;
constexpr std::uint64_t kMostRanks = 4096;

/// A kind of call, and the member that reads it.
struct CallRow {
  CallForm form;
  void (*read)(CallReader& reader, Fields& fields, Call& call);
};

template <auto member>
void read_as(CallReader& reader, Fields& fields, Call& call) {
  call.is = (reader.*member)(fields);
}

constexpr std::array kCallRows{
    CallRow{{"work", "time", "work: {time: 8 us, name: aten::add}", "the thread works that long"},
            &read_as<&CallReader::read_work>},
    CallRow{{"launch", "kernel", "launch: {kernel: NAME, stream: NAME}", "launches a kernel"},
            &read_as<&CallReader::read_launch>},
    CallRow{{"copy", "", "copy: {from: host, to: gpu, bytes: 64 MiB, memory: pinned, stream: NAME, wait: no}",
             "copies; `from` and `to` are host, gpu, or another GPU; with `wait: yes` as cudaMemcpy"},
            &read_as<&CallReader::read_copy>},
    CallRow{{"fill", "bytes", "fill: {bytes: 4 KiB, stream: NAME}", "cudaMemsetAsync"},
            &read_as<&CallReader::read_fill>},
    CallRow{{"record", "event", "record: {event: NAME, stream: NAME}",
             "the event happens when all work of the stream before it has ended"},
            &read_as<&CallReader::read_record>},
    CallRow{{"wait", "event", "wait: {event: NAME, stream: NAME}",
             "what the stream gets later begins when the event has happened"},
            &read_as<&CallReader::read_wait>},
    CallRow{{"synchronize", "what", "synchronize: device, {stream: NAME} or {event: NAME}",
             "the thread waits for all work of its GPU, of a stream, or for an event"},
            &read_as<&CallReader::read_synchronize>},
    CallRow{
        {"collective", "",
         "collective: {of: all-reduce, bytes: 64 MiB, stream: NAME, ranks: 2, stride: 4, first: 0, library: nccl}",
         "takes part in a collective of all threads that have one, or of groups of `ranks`, `stride` apart, from the "
         "`first` thread on; the k-th of each thread of a group, on a stream, belong together; `library: custom` is an "
         "all-reduce of an inference framework's own"},
        &read_as<&CallReader::read_collective>},
    CallRow{{"graph", "name", "graph: {name: NAME, stream: NAME}", "launches a CUDA graph"},
            &read_as<&CallReader::read_graph>},
    CallRow{{"put", "queue", "put: QUEUE", "hands something on; waits while the queue is full"},
            &read_as<&CallReader::read_put>},
    CallRow{{"take", "queue", "take: QUEUE", "takes something; waits while the queue is empty"},
            &read_as<&CallReader::read_take>},
    CallRow{{"allocate", "", "allocate: {buffer: NAME, bytes: 64 MiB, category: weights, stream: NAME, more: yes}",
             "a tensor, whose bytes PyTorch's caching allocator gives; the GPU may not have them. Streams have caches "
             "of their own. With `more: yes` the buffer may hold others, and `free` gives the last one back"},
            &read_as<&CallReader::read_allocate>},
    CallRow{{"free", "buffer", "free: BUFFER", "gives the tensor back to the allocator's cache"},
            &read_as<&CallReader::read_free>},
    CallRow{{"empty_cache", "of", "empty_cache: device", "gives unused segments of the cache back to the driver"},
            &read_as<&CallReader::read_empty_cache>},
    CallRow{{"repeat", "", "repeat: {times: 12, calls: [...]}", "does the calls so many times"},
            &read_as<&CallReader::read_repeat>},
    CallRow{{"range", "", "range: {name: forward, calls: [...]}", "names a part, as NVTX ranges do"},
            &read_as<&CallReader::read_range>}};

}  // namespace

std::vector<CallForm> call_forms() {
  std::vector<CallForm> forms;
  std::ranges::transform(kCallRows, std::back_inserter(forms), &CallRow::form);
  return forms;
}

void Names::add(arch::YamlReader& yaml, const YamlItem& item) {
  if (!index_.emplace(item.name, static_cast<Index>(index_.size())).second) {
    yaml.add(item.key, "the " + sort_ + " " + in_quotes(item.name) + " is named twice");
  }
}

Index Names::find(arch::YamlReader& yaml, const YamlNode& at, const std::string& name) const {
  if (const auto found = index_.find(name); found != index_.end()) {
    return found->second;
  }
  std::vector<std::string_view> known;
  std::ranges::transform(index_, std::back_inserter(known), [](const auto& n) { return std::string_view(n.first); });
  yaml.add(at, "unknown " + sort_ + " " + in_quotes(name),
           known.empty() ? "the file has no '" + sort_ + "s:'" : suggestion(name, known));
  return 0;
}

Index CallReader::named(Fields& fields, std::string_view key, const Names& names, std::string_view meaning) {
  const YamlItem* const item = fields.need(key, meaning);
  const std::optional<std::string> name = item == nullptr ? std::nullopt : fields.text(key);
  return name ? names.find(yaml_, item->value, *name) : 0;
}

Index CallReader::stream_of(Fields& fields) {
  const YamlItem* const item = fields.find("stream");
  return item == nullptr ? 0 : named(fields, "stream", names_.streams, "");
}

std::uint64_t CallReader::bytes_of(Fields& fields) {
  const YamlItem* const item = fields.need("bytes", "write for example bytes: 64 MiB");
  return item == nullptr ? 0 : fields.number_of(*item, {arch::Unit::kBytes, 1, kMostBytes}).value_or(0);
}

Index CallReader::Indexed::operator[](const std::string& name) {
  const auto [known, is_new] = index.try_emplace(name, static_cast<Index>(names.size()));
  if (is_new) {
    names.push_back(name);
  }
  return known->second;
}

/// A name that must be there.
std::string CallReader::name_in(Fields& fields, std::string_view key, std::string_view meaning) {
  return fields.need(key, meaning) == nullptr ? "" : fields.text(key).value_or("");
}

Index CallReader::awaited(Fields& fields) {
  const YamlItem* const item = fields.need("event", "write for example event: copied");
  const std::optional<std::string> name = item == nullptr ? std::nullopt : fields.text("event");
  if (!name) {
    return 0;
  }
  awaited_.push_back({*name, item->value});
  return events_[*name];
}

Calls CallReader::body_of(Fields& fields) {
  const YamlItem* const item = fields.need("calls", "write calls: [...]");
  return item == nullptr ? Calls{} : read(item->value);
}

void CallReader::check(const std::vector<Named>& used, const std::set<std::string, std::less<>>& known,
                       const std::string& what, const std::string& form) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  for (const Named& use : used) {
    if (!known.contains(use.name)) {
      yaml_.add(use.at, "nothing " + what + " " + in_quotes(use.name),
                names.empty() ? "write a call such as " + form + use.name : suggestion(use.name, names));
    }
  }
}

void CallReader::check_names() {
  check(awaited_, recorded_, "records the event", "record: ");
  check(freed_, allocated_, "allocates the buffer", "allocate: ");
}

Work CallReader::read_work(Fields& fields) {
  Work work;
  if (const YamlItem* const time = fields.need("time", "write for example time: 8 us")) {
    work.ns = static_cast<double>(fields.number_of(*time, {arch::Unit::kNanoseconds, 0, kLongest}).value_or(0));
  }
  work.name = fields.text("name").value_or("");
  return work;
}

Launch CallReader::read_launch(Fields& fields) {
  return {named(fields, "kernel", names_.kernels, "write the name of a kernel"), stream_of(fields)};
}

/// Each end is the host, the thread's own GPU, or another one.
Copy CallReader::read_copy(Fields& fields) {
  Copy copy;
  const std::string from = fields.text("from").value_or("gpu");
  const std::string to = fields.text("to").value_or("gpu");
  if (from == "host" && to == "host") {
    yaml_.add(fields.node(), "CUDA does not copy from host to host", "write it as work");
  }
  const bool is_own = from == "gpu" && to == "gpu";
  if (from != "host" && to != "host" && from != "gpu" && to != "gpu") {
    yaml_.add(fields.node(), "a copy between two other GPUs", "one of 'from' and 'to' is gpu, the thread's own");
  }
  copy.way = from == "host"  ? Way::kToDevice
             : to == "host"  ? Way::kToHost
             : is_own        ? Way::kOnDevice
             : from == "gpu" ? Way::kToPeer
                             : Way::kFromPeer;
  copy.peer = copy.way == Way::kToPeer ? to : copy.way == Way::kFromPeer ? from : "";
  copy.bytes = bytes_of(fields);
  if (const auto memory = fields.word("memory", arch::all_words<HostMemory>())) {
    copy.memory = arch::kWords<HostMemory>[*memory].value;
  }
  copy.stream = stream_of(fields);
  copy.wait = fields.flag("wait", false);
  return copy;
}

Fill CallReader::read_fill(Fields& fields) {
  const std::uint64_t bytes = bytes_of(fields);
  return {bytes, stream_of(fields)};
}

Record CallReader::read_record(Fields& fields) {
  const std::string name = name_in(fields, "event", "write for example event: copied");
  recorded_.insert(name);
  return {events_[name], stream_of(fields)};
}

Allocate CallReader::read_allocate(Fields& fields) {
  const std::string name = name_in(fields, "buffer", "write for example buffer: weights");
  allocated_.insert(name);
  const std::uint64_t bytes = bytes_of(fields);
  const Index category = categories_[fields.text("category").value_or("other")];
  const bool more = fields.flag("more", false);
  return {buffers_[name], bytes, category, more, stream_of(fields)};
}

Free CallReader::read_free(Fields& fields) {
  const YamlItem* const item = fields.need("buffer", "write for example buffer: weights");
  const std::string name = item == nullptr ? "" : fields.text("buffer").value_or("");
  if (item != nullptr) {
    freed_.push_back({name, item->value});
  }
  return {buffers_[name]};
}

EmptyCache CallReader::read_empty_cache(Fields& fields) {
  static constexpr std::array<std::string_view, 1> kDevice{"device"};
  static_cast<void>(fields.word("of", kDevice));
  return {};
}

WaitForEvent CallReader::read_wait(Fields& fields) {
  const Index event = awaited(fields);
  return {event, stream_of(fields)};
}

Synchronize CallReader::read_synchronize(Fields& fields) {
  static constexpr std::array<std::string_view, 1> kDevice{"device"};
  if (fields.find("event") != nullptr) {
    return {SyncOf::kEvent, awaited(fields)};
  }
  if (fields.find("stream") != nullptr) {
    return {SyncOf::kStream, stream_of(fields)};
  }
  static_cast<void>(fields.word("what", kDevice));
  return {};
}

RunCollective CallReader::read_collective(Fields& fields) {
  RunCollective run;
  if (fields.need("of", "write for example of: all-reduce") != nullptr) {
    if (const auto word = fields.word("of", arch::all_words<collective::Collective>())) {
      run.of = arch::kWords<collective::Collective>[*word].value;
    }
  }
  run.bytes = bytes_of(fields);
  run.stream = stream_of(fields);
  if (const auto word = fields.word("library", arch::all_words<collective::Library>())) {
    run.library = arch::kWords<collective::Library>[*word].value;
  }
  run.ranks = static_cast<std::uint32_t>(fields.number("ranks", {arch::Unit::kCount, 2, kMostRanks}).value_or(0));
  run.stride = static_cast<std::uint32_t>(fields.number("stride", {arch::Unit::kCount, 1, kMostRanks}).value_or(1));
  run.first = static_cast<std::uint32_t>(fields.number("first", {arch::Unit::kCount, 0, kMostRanks}).value_or(0));
  for (const std::string_view key : {"stride", "first"}) {
    if (const YamlItem* const odd = fields.find(key); odd != nullptr && run.ranks == 0) {
      yaml_.add(odd->key, "'" + std::string(key) + "' is that of a group of 'ranks'",
                "write for example ranks: 2, stride: 4");
    }
  }
  return run;
}

LaunchGraph CallReader::read_graph(Fields& fields) {
  return {named(fields, "name", names_.graphs, "write the name of a graph"), stream_of(fields)};
}

Put CallReader::read_put(Fields& fields) {
  return {named(fields, "queue", names_.queues, "write the name of a queue")};
}

Take CallReader::read_take(Fields& fields) {
  return {named(fields, "queue", names_.queues, "write the name of a queue")};
}

Repeat CallReader::read_repeat(Fields& fields) {
  Repeat repeat;
  if (const YamlItem* const times = fields.need("times", "write for example times: 12")) {
    repeat.times = fields.number_of(*times, {arch::Unit::kCount, 1, kMostTimes}).value_or(1);
  }
  repeat.body = body_of(fields);
  return repeat;
}

Range CallReader::read_range(Fields& fields) {
  Range range;
  range.name = fields.text("name").value_or("");
  range.body = body_of(fields);
  return range;
}

void CallReader::read_call(const YamlNode& node, Calls& into) {
  if (++count_ > static_cast<std::uint64_t>(kMostCalls)) {  // aliases make a short file long
    throw InputError({yaml_.place(node), "the file has more than 2 million calls", "use repeat"});
  }
  const bool is_call = node.is_map() && node.values.size() == 2 && node.values.front()->is_scalar();
  const std::string name = is_call ? std::string(node.values.front()->text) : "";
  const auto row = std::ranges::find(kCallRows, name, [](const CallRow& r) { return r.form.name; });
  if (is_call && row != kCallRows.end()) {
    Fields fields(yaml_, *node.values.back(), name, row->form.main);
    Call call{{}, node.place};
    row->read(*this, fields, call);
    fields.refuse_others();
    into.push_back(std::move(call));
    return;
  }
  std::vector<std::string_view> known;
  std::ranges::transform(kCallRows, std::back_inserter(known), [](const CallRow& r) { return r.form.name; });
  if (is_call) {
    yaml_.add(node, "unknown call " + in_quotes(name), suggestion(name, known));
  } else {
    yaml_.add(node, "a call must be a map with one key", "write for example - launch: saxpy");
  }
}

Calls CallReader::read(const YamlNode& node) {
  Calls calls;
  if (!node.is_sequence()) {
    yaml_.add(node, "calls must be a list", "write for example [launch: saxpy, synchronize: device]");
    return calls;
  }
  for (const YamlNode* const call : node.values) {
    read_call(*call, calls);
  }
  return calls;
}

}  // namespace gpusim::application
