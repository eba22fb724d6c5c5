// SPDX-License-Identifier: MIT
// Every kernel of the library does the work of its algorithm, at several shapes.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "sim/base/text.h"
#include "sim/input/text/load.h"
#include "sim/input/text/source_text.h"
#include "sim/model/trace/summary.h"

#include "tests/traces/library_work.h"
#include "tests/traces/tally.h"

namespace gpusim::testing {
namespace {

const std::filesystem::path kFolder = GPUSIM_SOURCE_DIR "/traces/library";

std::vector<LibraryCase> all_cases() {
  std::vector<LibraryCase> all;
  for (const auto& some : {memory_and_reduction_cases(), dense_cases(), network_cases(), attention_cases(),
                           elementwise_cases(), irregular_cases(), stencil_cases()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

std::set<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

/// "n=64 type=f16" on top of the test set.
trace::ParameterChoice choice_of(const std::string& shape) {
  trace::ParameterChoice choice;
  choice.use_test_set = true;
  std::istringstream words(shape);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (const std::optional<std::int64_t> number = parse_signed(value)) {
      choice.overrides.emplace_back(name, *number);
    } else {
      choice.words.emplace_back(name, value);
    }
  }
  return choice;
}

trace::Trace load(const std::string& file, const std::string& shape) {
  return frontend::load_trace_text(kFolder / (file + ".trace"), choice_of(shape));
}

Values values_of(const trace::Trace& trace) {
  Values values;
  for (const trace::Parameter& parameter : trace.parameters) {
    values[parameter.name] = static_cast<std::uint64_t>(parameter.value);
  }
  return values;
}

Work walked(const trace::Trace& trace) {
  Work work;
  for (const trace::Kernel& kernel : trace.kernels) {
    const trace::KernelSummary summary = trace::summarize(kernel);
    const trace::RequestedBytes& bytes = summary.of(isa::MemSpace::kGlobal);
    work.flops += std::accumulate(summary.flops.begin(), summary.flops.end(), std::uint64_t{0});
    work.read += bytes.read;
    work.written += bytes.written;
    work.atomic += bytes.atomic;
  }
  return work;
}

/// The memory that all kernels of the trace touch, by buffer.
std::map<std::string, trace::Touched> touched_by(const trace::Trace& trace) {
  trace::Footprint footprint;
  for (const trace::Kernel& kernel : trace.kernels) {
    static_cast<void>(trace::summarize(kernel, {}, &footprint));
  }
  std::map<std::string, trace::Touched> touched;
  for (const trace::Kernel& kernel : trace.kernels) {
    for (const trace::Touched& row : footprint.by_buffer(kernel)) {
      if (!row.buffer.empty()) {
        touched[row.buffer] = row;
      }
    }
  }
  return touched;
}

frontend::Description described(const std::filesystem::path& file) {
  return frontend::describe_trace_text(frontend::read_text(file), file.string());
}

std::string told(const Work& work) {
  return std::to_string(work.flops) + " FLOPs, " + std::to_string(work.read) + " read, " +
         std::to_string(work.written) + " written, " + std::to_string(work.atomic) + " by atomics";
}

/// A thread's, where USETMAXREG gives it more than it was launched with those.
std::uint32_t registers_of(const trace::Kernel& kernel) {
  std::uint32_t most = kernel.registers_per_thread;
  for (const isa::Instr& instr : kernel.code) {
    most = std::max<std::uint32_t>(most, instr.set_registers);
  }
  return most;
}

/// Registers of 8 or 16 bytes begin at a multiple of their width, as the hardware wants them.
bool is_aligned(const isa::Instr& instr) {
  const auto good = [](const isa::Operand& operand) {
    return operand.file != isa::RegFile::kGeneral || !operand.is_real() || operand.index % operand.width == 0;
  };
  return !instr.is_memory() ||
         (std::ranges::all_of(instr.destinations, good) && std::ranges::all_of(instr.sources, good));
}

}  // namespace

TEST_CASE("every kernel of the library does as many FLOPs and asks for as many bytes as its algorithm") {
  for (const LibraryCase& one : all_cases()) {
    CHECK(one.shapes.size() >= 2);
    for (const std::string& shape : one.shapes) {
      INFO(one.file << " " << shape);
      const trace::Trace trace = load(one.file, shape);
      CHECK(told(walked(trace)) == told(one.work(values_of(trace))));
    }
  }
}

TEST_CASE("kernels with a textbook formula do its FLOPs, and few in vain") {
  for (const LibraryCase& one : all_cases()) {
    for (const std::string& shape : one.algorithm == nullptr ? std::vector<std::string>() : one.shapes) {
      INFO(one.file << " " << shape);
      const trace::Trace trace = load(one.file, shape);
      const Algorithm algorithm = one.algorithm(values_of(trace));
      const std::uint64_t flops = walked(trace).flops;
      CHECK(flops >= algorithm.flops);
      CHECK(100 * flops <= (100 + algorithm.percent) * algorithm.flops);
    }
  }
}

TEST_CASE("every kernel of the library touches all of its operands, each of which is as large as the algorithm's") {
  for (const LibraryCase& one : all_cases()) {
    const std::set<std::string> in_part = words_of(one.in_part);
    for (const std::string& shape : one.shapes) {
      INFO(one.file << " " << shape);
      for (const auto& [buffer, touched] : touched_by(load(one.file, shape))) {
        INFO(buffer);
        CHECK((in_part.contains(buffer) || touched.bytes == touched.of_bytes));
      }
    }
  }
}

TEST_CASE("every kernel of the library walks within its buffers and uses no more registers than it says") {
  constexpr std::size_t kMostCode = 12'000;
  for (const LibraryCase& one : all_cases()) {
    for (const std::string& shape : one.shapes) {
      INFO(one.file << " " << shape);
      const trace::Trace trace = load(one.file, shape);
      CHECK(trace.warnings.empty());
      CHECK(trace::check(trace, {4096, 20'000'000}).problems.empty());
      for (const trace::Kernel& kernel : trace.kernels) {
        INFO(kernel.name);
        CHECK(registers_used(kernel) <= registers_of(kernel));
        CHECK(kernel.code.size() <= kMostCode);
        for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
          INFO(kernel.texts[pc].text);
          CHECK(is_aligned(kernel.code[pc]));
        }
      }
    }
  }
}

TEST_CASE("every file of the library is in the table of this test, and walks at its defaults") {
  std::set<std::string> known;
  for (const LibraryCase& one : all_cases()) {
    known.insert(one.file);
  }
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) {
    INFO(file.path());
    CHECK(known.contains(file.path().stem().string()));
    CHECK(trace::check(frontend::load_trace_text(file.path(), {}), {3, 1'000'000}).problems.empty());
  }
}

TEST_CASE("every name in the library loads with its presets and a family of the documentation") {
  const std::set<std::string> families{"memory",    "reductions and scans", "dense", "deep learning",
                                       "irregular", "stencils and images"};
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) {
    INFO(file.path());
    trace::ParameterChoice choice;
    for (const frontend::LibraryName& name : described(file.path()).library) {
      INFO(name.name);
      CHECK(names.insert(name.name).second);
      CHECK(families.contains(name.family));
      choice.overrides = name.presets;
      CHECK(frontend::load_trace_text(file.path(), choice).warnings.empty());
    }
  }
}

}  // namespace gpusim::testing
