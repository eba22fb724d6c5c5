// SPDX-License-Identifier: MIT
#include "sim/frontend/accelsim/accelsim.h"

#include <algorithm>
#include <map>
#include <optional>

#include "sim/frontend/accelsim/kernel_trace.h"
#include "sim/frontend/accelsim/line_source.h"
#include "sim/frontend/accelsim/tokens.h"

namespace gpusim::frontend::accelsim {
namespace {

constexpr std::size_t kMostKernels = 65536;
constexpr std::size_t kMostWarnings = 20;
constexpr std::string_view kCopy = "MemcpyHtoD,";

/// A line of a list that names a kernel's trace.
struct ListedKernel {
  std::filesystem::path path;
  SourceLocation where;
};

class ListReader {
 public:
  ListReader(LineSource& source, std::filesystem::path folder, trace::Trace& trace)
      : source_(source), folder_(std::move(folder)), trace_(trace) {}

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
    if (line.starts_with("kernel")) {
      add_kernel(line);
    } else if (line.starts_with(kCopy)) {
      check_copy(line);
    } else if (ignored_++ < kMostWarnings) {
      trace_.warnings.push_back(source_.name() + ":" + std::to_string(source_.line_number()) + ": '" +
                                std::string(line.substr(0, 40)) + "' is ignored");
    }
  }

  void add_kernel(std::string_view name) {
    if (is_paged_form(name)) {
      problem(1, "'" + std::string(name) + "' is a .tracez file, which this version does not read",
              "expected .traceg or .traceg.xz");
    } else if (kernels_.size() == kMostKernels) {
      problem(1, "the list names more than 65536 kernels", "");
    } else {
      kernels_.push_back({folder_ / name, source_.where()});
    }
  }

  /// "MemcpyHtoD,0x00007f2000000000,4194304": no time is charged for it, but it must make sense.
  void check_copy(std::string_view line) {
    const std::string_view rest = line.substr(kCopy.size());
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view bytes = comma < rest.size() ? rest.substr(comma + 1) : std::string_view{};
    if (!to_address(rest.substr(0, comma)) || !to_number<std::uint64_t>(bytes, 10)) {
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
  std::size_t ignored_ = 0;
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

void load_listed(const std::vector<ListedKernel>& listed, trace::Trace& trace) {
  ProblemList problems;
  std::map<std::filesystem::path, std::size_t> loaded;  // a list may name one file many times
  for (const ListedKernel& kernel : listed) {
    if (const auto known = loaded.find(kernel.path); known != loaded.end()) {
      trace.kernels.push_back(trace::Kernel(trace.kernels[known->second]));
      continue;
    }
    std::error_code error;
    if (!std::filesystem::exists(kernel.path, error)) {
      problems.add({kernel.where, "'" + kernel.path.string() + "' does not exist", "paths are relative to the list"});
      continue;
    }
    try {
      trace::Kernel read = load_kernel(kernel.path, trace.warnings);
      loaded.emplace(kernel.path, trace.kernels.size());
      trace.kernels.push_back(std::move(read));
    } catch (const InputError& wrong) {
      for (const Problem& problem : wrong.problems()) {
        problems.add(problem);
      }
    }
  }
  problems.throw_if_any();
}

}  // namespace

trace::Trace load_accelsim(const std::filesystem::path& path) {
  trace::Trace trace;
  trace.path = path.string();
  trace.origin = "accel-sim";
  if (is_kernel_trace(path)) {
    trace.kernels.push_back(load_kernel(path, trace.warnings));
  } else {
    LineSource source(path);
    load_listed(ListReader(source, path.parent_path(), trace).read(), trace);
  }
  trace.title = trace.kernels.size() == 1 ? trace.kernels[0].name : std::to_string(trace.kernels.size()) + " kernels";
  return trace;
}

}  // namespace gpusim::frontend::accelsim
