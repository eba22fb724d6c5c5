// SPDX-License-Identifier: MIT
#include "sim/input/accelsim/accelsim.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "sim/base/address_space.h"
#include "sim/base/text.h"
#include "sim/input/accelsim/kernel_trace.h"
#include "sim/input/accelsim/line_source.h"
#include "sim/input/accelsim/tokens.h"
#include "sim/input/accelsim/warnings.h"
#include "sim/model/trace/behaviour.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::size_t kMostKernels = 65536;
constexpr std::string_view kCopy = "MemcpyHtoD,";

/// A line of a list that names a kernel's trace.
struct ListedKernel {
  std::filesystem::path path;
  SourceLocation where;
};

class ListReader {
 public:
  ListReader(LineSource& source, std::filesystem::path folder, trace::Trace& trace, Warnings& warnings)
      : source_(source), folder_(std::move(folder)), trace_(trace), warnings_(warnings) {}

  std::vector<ListedKernel> read() {
    std::string_view line;
    while (source_.next(line) && problems_.problems().size() < ProblemList::kMostKept) {
      read_line(trimmed(line));
    }
    if (problems_.empty() && kernels_.empty()) {
      problems_.add({{source_.name(), 0, 0},
                     "names no kernel",
                     "expected a kernel's trace, or a list with lines such as 'kernel-1.traceg'"});
    }
    problems_.throw_if_any();
    return std::move(kernels_);
  }

 private:
  void read_line(std::string_view line) {
    if (line.empty()) {
      return;
    }
    if (names_kernel(line)) {
      add_kernel(line);
    } else if (line.starts_with(kCopy)) {
      add_copy(line);
    } else {
      warnings_.add(source_.name() + ":" + std::to_string(source_.line_number()) + ": '" +
                    std::string(line.substr(0, 40)) + "' is ignored");
    }
  }

  /// Accel-Sim writes names alone; lists made by hand or by a script may have paths.
  static bool names_kernel(std::string_view line) {
    const std::string_view name = line.substr(line.rfind('/') + 1);  // npos + 1 is the beginning
    if (line.starts_with('#') || line.starts_with("//")) {
      return false;
    }
    return name.starts_with("kernel") || name.ends_with(".tracez") || name.ends_with(".traceg") ||
           name.ends_with(".traceg.xz");
  }

  void add_kernel(std::string_view name) {
    if (kernels_.size() == kMostKernels) {
      problem(1, "the list names more than 65536 kernels", "");
    } else {
      kernels_.push_back({(folder_ / name).lexically_normal(), source_.where()});
    }
  }

  /// "MemcpyHtoD,0x00007f2000000000,4194304"
  void add_copy(std::string_view line) {
    const std::string_view rest = line.substr(kCopy.size());
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto to = to_address(rest.substr(0, comma));
    const auto bytes = to_number<std::uint64_t>(comma < rest.size() ? rest.substr(comma + 1) : std::string_view{}, 10);
    if (to && bytes && fits_global(*to, *bytes)) {
      trace_.copies.push_back({*to, *bytes, kernels_.size()});
    } else if (to && bytes) {
      problem(static_cast<std::uint32_t>(kCopy.size() + 1),
              "a copy of " + counted(*bytes, "byte") + " to " + address_text(*to), kGlobalEndHint);
    } else {
      problem(static_cast<std::uint32_t>(kCopy.size() + 1), "'" + std::string(rest.substr(0, 60)) + "' makes no sense",
              "expected MemcpyHtoD,0xADDRESS,BYTES");
    }
  }

  void problem(std::uint32_t column, std::string message, std::string hint) {
    SourceLocation where = source_.where();
    where.column = column;
    problems_.add({std::move(where), std::move(message), std::move(hint)});
  }

  LineSource& source_;
  std::filesystem::path folder_;
  trace::Trace& trace_;
  ProblemList problems_;
  std::vector<ListedKernel> kernels_;
  Warnings& warnings_;
};

/// Whether the content is a kernel's trace: its first words are header lines.
bool is_kernel_trace(const std::filesystem::path& path) {
  LineSource source(path);
  std::string_view line;
  while (source.next(line)) {
    if (!trimmed(line).empty()) {
      return line.starts_with('-') || line.starts_with('#');
    }
  }
  throw InputError(Problem{{path.string(), 0, 0}, "holds nothing but empty lines", "expected an Accel-Sim trace"});
}

/// Reads the kernels of a trace, each file once, and hands them to a sink as long as nothing is wrong.
class KernelsReader {
 public:
  KernelsReader(trace::Trace& trace, KernelSink& sink, Warnings& warnings, const OnProgress& on_progress)
      : trace_(trace), sink_(sink), warnings_(warnings), on_progress_(on_progress) {}

  void read(const std::vector<ListedKernel>& listed) {
    measure(listed);
    for (const ListedKernel& kernel : listed) {
      try {
        read(kernel);
      } catch (const InputError& wrong) {
        for (const Problem& problem : wrong.problems()) {
          problems_.add(problem);
        }
      }
    }
    problems_.throw_if_any();
    trace_.title = listed.size() == 1 ? first_name_ : std::to_string(listed.size()) + " kernels";
  }

 private:
  void measure(const std::vector<ListedKernel>& listed) {
    std::set<std::filesystem::path> files;
    for (const ListedKernel& kernel : listed) {
      std::error_code error;
      const std::uintmax_t bytes = std::filesystem::file_size(kernel.path, error);
      total_ += !error && files.insert(kernel.path).second ? 2 * bytes : 0;
    }
  }

  void read(const ListedKernel& kernel) {
    if (const auto known = read_.find(kernel.path); known != read_.end()) {
      sink_.launch_again(known->second);
      return;
    }
    std::error_code error;
    if (!std::filesystem::exists(kernel.path, error)) {
      throw InputError(
          Problem{kernel.where, "'" + kernel.path.string() + "' does not exist", "paths are relative to the list"});
    }
    KernelReader reader(kernel.path, [this](std::uint64_t bytes) { count(bytes); });
    const trace::Kernel& found = reader.survey(warnings_);
    if (problems_.empty()) {
      reader.record(sink_.begin_kernel(found));
      sink_.end_kernel();
      first_name_ = read_.empty() ? found.name : first_name_;
      read_.emplace(kernel.path, static_cast<std::uint32_t>(read_.size()));
    }
  }

  void count(std::uint64_t bytes) {
    done_ += bytes;
    if (on_progress_) {
      on_progress_(std::min(done_, total_), total_);
    }
  }

  trace::Trace& trace_;
  KernelSink& sink_;
  Warnings& warnings_;
  const OnProgress& on_progress_;
  ProblemList problems_;
  std::map<std::filesystem::path, std::uint32_t> read_;  ///< a list may name one file many times
  std::string first_name_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
};

/// Keeps everything in memory.
class Keeper final : public KernelSink {
 public:
  explicit Keeper(trace::Launches& kernels) : kernels_(kernels) {}

  trace::WarpSink& begin_kernel(const trace::Kernel& kernel) override {
    kernel_ = kernel;
    builder_.emplace(kernel.code, kernel.grid, kernel.warps_per_cta());
    return *builder_;
  }
  void end_kernel() override {
    kernel_.behaviour = std::make_shared<const trace::Behaviour>(builder_->finish());
    numbers_.push_back(kernels_.size());
    kernels_.push_back(std::move(kernel_));
  }
  void launch_again(std::uint32_t number) override { kernels_.push_back(kernels_.shared(numbers_[number])); }

 private:
  trace::Launches& kernels_;
  std::vector<std::size_t> numbers_;
  trace::Kernel kernel_;
  std::optional<trace::RecordingBuilder> builder_;
};

}  // namespace

trace::Trace read_accelsim(const std::filesystem::path& path, KernelSink& sink, const OnProgress& on_progress) {
  trace::Trace trace;
  trace.path = path.string();
  trace.origin = TraceOrigin::kAccelSim;
  Warnings warnings;
  std::vector<ListedKernel> listed{{path, {path.string(), 0, 0}}};
  if (!is_kernel_trace(path)) {
    LineSource source(path);
    listed = ListReader(source, path.parent_path(), trace, warnings).read();
  }
  KernelsReader(trace, sink, warnings, on_progress).read(listed);
  trace.warnings = warnings.all();
  return trace;
}

trace::Trace load_accelsim(const std::filesystem::path& path, const OnProgress& on_progress) {
  trace::Launches kernels;
  Keeper keeper(kernels);
  trace::Trace trace = read_accelsim(path, keeper, on_progress);
  trace.kernels = std::move(kernels);
  return trace;
}

}  // namespace gpusim::frontend::accelsim
