// SPDX-License-Identifier: MIT
#include "sim/system/application/writer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_reader.h"
#include "sim/system/application/each_call.h"

namespace gpusim::application {
namespace {

constexpr std::size_t kIndent = 2;

std::string bytes_text(double bytes) {
  return arch::format_number(arch::Unit::kBytes, static_cast<std::uint64_t>(std::llround(bytes)));
}

std::string time_text(double ns) {
  return arch::format_number(arch::Unit::kNanoseconds, static_cast<std::uint64_t>(std::llround(ns)));
}

std::string whole(double number) {
  return std::to_string(std::llround(number));
}

/// A name as a scalar: quoted, since it may hold what YAML reads otherwise.
std::string name_text(std::string_view name) {
  return arch::double_quoted(name);
}

/// What a file names, as a scalar: quoted where it is not one word of letters, digits and some signs.
std::string word_text(const std::string& word) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-";
  const bool is_plain = !word.empty() && word.front() != '-' && word.find_first_not_of(kPlain) == std::string::npos;
  return is_plain ? word : name_text(word);
}

/// "rank0..7" of the first and the last of names that only differ in the number at their end.
std::string range_text(const std::string& first, const std::string& last) {
  return first == last ? first : first + ".." + last.substr(last.find_last_not_of("0123456789") + 1);
}

class Writer {
 public:
  explicit Writer(const Application& of) : of_(of) {
    std::ranges::transform(of.kernels, std::back_inserter(kernel_names_),
                           [](const Kernel& kernel) { return name_text(kernel.name); });
  }

  std::string write() {
    line(0, "name: " + name_text(of_.name));
    line(0, "description: " + name_text(of_.description));
    if (!of_.system.empty()) {
      line(0, "system: " + word_text(of_.system));
    }
    if (!of_.fit.empty()) {
      line(0, "fit: " + name_text(of_.fit));
    }
    line(0, "warm_up: " + std::to_string(of_.warm_up));
    line(0, "repeats: " + std::to_string(of_.repeats));
    write_kernels();
    write_streams();
    for (const Queue& queue : of_.queues) {
      line(0, &queue == &of_.queues.front() ? "\nqueues:" : "");
      line(1, queue.name + ": {depth: " + std::to_string(queue.depth) + "}");
    }
    for (const Graph& graph : of_.graphs) {
      line(0, &graph == &of_.graphs.front() ? "\ngraphs:" : "");
      line(1, graph.name + ":");
      if (graph.gap_ns) {
        line(2, "gap: " + time_text(*graph.gap_ns));
        line(2, "calls:");
      }
      write_calls(graph.calls, graph.gap_ns ? 3 : 2);
    }
    write_threads();
    return std::move(text_);
  }

  // One call, as what stands behind its name.
  std::string operator()(const Work& work) const {
    return "work: {time: " + time_text(work.ns) + (work.name.empty() ? "" : ", name: " + name_text(work.name)) + "}";
  }
  std::string operator()(const Launch& launch) const {
    const std::string& name = kernel_names_[launch.kernel];
    return launch.stream == 0 ? "launch: " + name : "launch: {kernel: " + name + on(launch.stream) + "}";
  }
  std::string operator()(const Copy& copy) const {
    const auto end = [&copy](Way other, Way peer) {
      return copy.way == other ? std::string("host") : copy.way == peer ? copy.peer : std::string("gpu");
    };
    return "copy: {from: " + end(Way::kToDevice, Way::kFromPeer) + ", to: " + end(Way::kToHost, Way::kToPeer) +
           ", bytes: " + bytes_text(static_cast<double>(copy.bytes)) +
           ", memory: " + std::string(arch::word_of(copy.memory)) + on(copy.stream) +
           (copy.wait ? ", wait: yes}" : "}");
  }
  std::string operator()(const Fill& fill) const {
    return "fill: {bytes: " + bytes_text(static_cast<double>(fill.bytes)) + on(fill.stream) + "}";
  }
  std::string operator()(const Record& record) const {
    return "record: {event: " + of_.events[record.event] + on(record.stream) + "}";
  }
  std::string operator()(const WaitForEvent& wait) const {
    return "wait: {event: " + of_.events[wait.event] + on(wait.stream) + "}";
  }
  std::string operator()(const Synchronize& call) const {
    return call.of == SyncOf::kDevice   ? "synchronize: device"
           : call.of == SyncOf::kStream ? "synchronize: {stream: " + of_.streams[call.which].name + "}"
                                        : "synchronize: {event: " + of_.events[call.which] + "}";
  }
  std::string operator()(const RunCollective& run) const {
    return "collective: {of: " + std::string(arch::word_of(run.of)) +
           ", bytes: " + bytes_text(static_cast<double>(run.bytes)) + on(run.stream) +
           (run.ranks > 0 ? ", ranks: " + std::to_string(run.ranks) : "") +
           (run.stride > 1 ? ", stride: " + std::to_string(run.stride) : "") +
           (run.first > 0 ? ", first: " + std::to_string(run.first) : "") +
           (run.library != collective::Library::kNccl ? ", library: " + std::string(arch::word_of(run.library)) : "") +
           "}";
  }
  std::string operator()(const LaunchGraph& launch) const {
    return "graph: {name: " + of_.graphs[launch.graph].name + on(launch.stream) + "}";
  }
  std::string operator()(const Put& put) const { return "put: " + of_.queues[put.queue].name; }
  std::string operator()(const Take& take) const { return "take: " + of_.queues[take.queue].name; }
  std::string operator()(const Allocate& allocate) const {
    return "allocate: {buffer: " + name_text(of_.buffers[allocate.buffer]) +
           ", bytes: " + bytes_text(static_cast<double>(allocate.bytes)) +
           ", category: " + name_text(of_.categories[allocate.category]) + on(allocate.stream) +
           (allocate.more ? ", more: yes}" : "}");
  }
  std::string operator()(const Free& free) const { return "free: " + name_text(of_.buffers[free.buffer]); }
  std::string operator()(const EmptyCache&) const { return "empty_cache: device"; }
  std::string operator()(const Repeat& repeat) const { return "repeat: {times: " + std::to_string(repeat.times); }
  std::string operator()(const Range& range) const { return "range: {name: " + name_text(range.name); }

 private:
  void line(std::size_t depth, const std::string& text) {
    if (!text.empty()) {
      text_.append(depth * kIndent, ' ');
      text_ += text;
      text_ += '\n';
    }
  }

  [[nodiscard]] std::string on(Index stream) const {
    return stream == 0 ? "" : ", stream: " + of_.streams[stream].name;
  }

  void write_kernels() {
    for (const Kernel& kernel : of_.kernels) {
      line(0, &kernel == &of_.kernels.front() ? "\nkernels:" : "");
      line(1, kernel_names_[static_cast<std::size_t>(&kernel - of_.kernels.data())] + ": {" + how_text(kernel) +
                  label_text(kernel) + "}");
    }
  }

  /// The first kernel of a label has it, the others name the first.
  std::string label_text(const Kernel& kernel) {
    if (kernel.label.empty()) {
      return "";
    }
    const auto [first, is_new] = labels_.try_emplace(kernel.label, kernel.name);
    return is_new ? ", label: " + name_text(kernel.label) : ", like: " + name_text(first->second);
  }

  static std::string how_text(const Kernel& kernel) {
    std::string text;
    if (const auto* const simulated = std::get_if<Simulated>(&kernel.how)) {
      text = "trace: " + word_text(simulated->trace);
      std::string params;
      for (const auto& [name, value] : simulated->params) {
        params += (params.empty() ? "" : ", ") + word_text(name) + ": " + word_text(value);
      }
      text += params.empty() ? "" : ", params: {" + params + "}";
      text += simulated->is_cold ? ", cache: cold" : "";
    } else if (const auto* const roofline = std::get_if<Roofline>(&kernel.how)) {
      text = "bytes: " + bytes_text(roofline->bytes) + ", peak: " + word_text(roofline->peak) +
             (roofline->reach < 1 ? ", reach: " + whole(100 * roofline->reach) + " %" : "") +
             (roofline->sm_cycles > 0 ? ", sm_cycles: " + whole(roofline->sm_cycles) + " cycles" : "") +
             (roofline->besides_ns > 0 ? ", besides: " + time_text(roofline->besides_ns) : "");
    } else {
      const auto& recorded = std::get<Recorded>(kernel.how);
      text = "time: " + time_text(recorded.ns) + (recorded.of.empty() ? "" : ", of: " + word_text(recorded.of)) +
             (recorded.does ? ", does: " + text_of(*recorded.does) : "");
    }
    text += kernel.flops > 0 ? ", flops: " + whole(kernel.flops) : "";
    text += kernel.ctas > 0 ? ", ctas: " + std::to_string(kernel.ctas) : "";
    return text + (kernel.ctas_per_sm > 1 ? ", ctas_per_sm: " + std::to_string(kernel.ctas_per_sm) : "");
  }

  void write_streams() {
    for (std::size_t i = 1; i < of_.streams.size(); ++i) {
      line(0, i == 1 ? "\nstreams:" : "");
      line(1, of_.streams[i].name + ": {waits_for_default: " + (of_.streams[i].waits_for_default ? "yes" : "no") + "}");
    }
  }

  void write_body(const std::string& head, const Calls& body, std::size_t depth) {
    line(depth, "- " + head.substr(0, head.find(':')) + ":");
    line(depth + 2, head.substr(head.find('{') + 1));
    line(depth + 2, "calls:");
    write_calls(body, depth + 3);
  }

  void write_calls(const Calls& calls, std::size_t depth) {
    if (calls.empty()) {
      line(depth, "[]");
    }
    for (const Call& call : calls) {
      const std::string head = std::visit(*this, call.is);
      if (const Calls* const body = body_of(call)) {
        write_body(head, *body, depth);
      } else {
        line(depth, "- " + head);
      }
    }
  }

  /// Threads with one body, on GPUs in a row, are one entry.
  void write_threads() {
    line(0, "\nthreads:");
    for (std::size_t i = 0; i < of_.threads.size();) {
      std::size_t last = i;
      while (last + 1 < of_.threads.size() && of_.threads[last + 1].body == of_.threads[i].body) {
        ++last;
      }
      const Thread& thread = of_.threads[i];
      const Thread& end = of_.threads[last];
      line(1, range_text(thread.name, end.name) + ":");
      if (!thread.gpu.empty()) {
        line(2, "gpu: " + range_text(thread.gpu, end.gpu));
      }
      line(thread.background ? 2 : 0, thread.background ? "background: yes" : "");
      if (thread.setup) {
        line(2, "setup:");
        write_calls(of_.bodies[*thread.setup], 3);
      }
      line(2, "calls:");
      write_calls(of_.bodies[thread.body], 3);
      i = last + 1;
    }
  }

  const Application& of_;
  std::vector<std::string> kernel_names_;                ///< as scalars
  std::map<std::string_view, std::string_view> labels_;  ///< the first kernel of each
  std::string text_;
};

}  // namespace

std::string to_yaml(const Application& application) {
  return Writer(application).write();
}

}  // namespace gpusim::application
