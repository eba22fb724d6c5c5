// SPDX-License-Identifier: MIT
// The key of a point changes when anything that reaches the result changes, and only then.
#include <algorithm>
#include <fstream>

#include <catch2/catch.hpp>

#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/schema.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"

#include "tests/commands/sweep/run/support.h"

namespace gpusim::sweep {
namespace {

/// Makes a value another one, whether it is allowed or not.
struct Change {
  arch::Arch& arch;

  void operator()(std::uint32_t& (*member)(arch::Arch&)) const { member(arch) += 1; }
  void operator()(std::uint64_t& (*member)(arch::Arch&)) const { member(arch) += 1; }
  void operator()(std::string& (*member)(arch::Arch&)) const { member(arch) += "x"; }
  void operator()(std::vector<std::uint64_t>& (*member)(arch::Arch&)) const { member(arch).push_back(1); }
  void operator()(Ratio& (*member)(arch::Arch&)) const { member(arch).numerator += 1; }
  void operator()(const arch::TimingField& field) const {
    isa::Timing& timing = arch.sm.timing[field.timing_class];
    switch (field.part) {
      case arch::TimingField::Part::kLatency: timing.latency += 1; break;
      case arch::TimingField::Part::kInterval: timing.interval.numerator += 1; break;
      case arch::TimingField::Part::kUnsupported: timing.supported = !timing.supported; break;
    }
  }
  void operator()(const arch::ChoiceField& field) const { field.set(arch, field.word(0) == field.name(arch) ? 1 : 0); }
  void operator()(const arch::PeakField& /*field*/) const { arch.peaks.clear(); }
};

trace::Trace load(const std::string& name, const trace::ParameterChoice& choice) {
  return shipped().load_trace(name, choice);
}

std::string digest_of(const trace::Trace& trace) {
  return TraceDigester()(trace);
}

std::vector<std::string> keys_of(const Study& study, const gpu::SimulateOptions& how = {}) {
  Inputs inputs(study, shipped());
  std::vector<std::string> keys;
  for (const Candidate& point : points_of(inputs, how)) {
    keys.push_back(point.row.key);
  }
  return keys;
}

std::string saxpy_json(const arch::Arch& arch) {
  return report::to_json(gpu::simulate(arch, load("saxpy", {{}, true}), {}));
}

}  // namespace

TEST_CASE("every value that a simulation may read is in the key of its architecture") {
  const arch::Arch arch = arch::load_arch(config("h100"), {});
  const std::string before = arch_digest(arch);
  for (const arch::Key& key : arch::schema()) {
    arch::Arch changed = arch;
    std::visit(Change{changed}, key.field);
    INFO(key.path);
    CHECK((arch_digest(changed) == before) != arch::is_simulated(key.path));
  }
}

TEST_CASE("what is left out of the key leaves the result as it is, byte for byte") {
  const arch::Arch arch = arch::load_arch(config("h100"), {});
  arch::Arch changed = arch;
  for (const arch::Key& key : arch::schema()) {
    if (!arch::is_simulated(key.path)) {
      std::visit(Change{changed}, key.field);
    }
  }
  CHECK(saxpy_json(changed) == saxpy_json(arch));
}

TEST_CASE("guesses and names are in the key, since results repeat them") {
  const arch::Arch arch = arch::load_arch(config("h100"), {});
  arch::Arch changed = arch;
  changed.guesses.erase(changed.guesses.begin());
  CHECK(arch_digest(changed) != arch_digest(arch));
  changed = arch;
  changed.path = "h100.yaml";
  CHECK(arch_digest(changed) != arch_digest(arch));
}

TEST_CASE("a guess at what no simulation reads is not in the key, nor in the result") {
  arch::Arch arch = arch::load_arch(config("h100"), {});
  const std::string before = arch_digest(arch);
  arch.guesses.push_back({"interconnect.pcie_bytes_per_second", "64 GB/s", SourceKind::kGuess, "who knows"});
  CHECK(arch_digest(arch) == before);
  const stats::Result result = gpu::simulate(arch, load("saxpy", {{}, true}), {});
  CHECK(std::ranges::all_of(result.guesses, [](const auto& guess) { return arch::is_simulated(guess.key); }));
}

TEST_CASE("one machine written in two ways has one key") {
  CHECK(keys_of(study_with({"sm.count=160", "dram.bandwidth=2x"})) ==
        keys_of(study_with({"dram.bandwidth=6704.64 GB/s", "sm.count=160"})));
  CHECK(keys_of(study_with({"sm.count=1x"})) == keys_of(study_with({"dram.bandwidth=1x"})));
  CHECK(keys_of(study_with({"l2.bytes=100 MiB"})) == keys_of(study_with({"l2.bytes=102400 KiB"})));
  CHECK(keys_of(study_with({"sm.count=160"})) != keys_of(study_with({"sm.count=161"})));
}

TEST_CASE("a trace's parameters count by their values, however they came about") {
  const std::string small = digest_of(load("saxpy", {{}, true}));
  const trace::Trace loaded = load("saxpy", {{}, true});
  std::vector<std::pair<std::string, std::int64_t>> same;
  for (const trace::Parameter& parameter : loaded.parameters) {
    same.emplace_back(parameter.name, parameter.value);
  }
  CHECK(digest_of(load("saxpy", {same, false})) == small);
  CHECK(digest_of(load("saxpy", {})) != small);
}

TEST_CASE("a trace's content, its kernels, and its name are in the key") {
  const Folder folder;
  const auto file = folder.file("copy.trace");
  std::filesystem::copy_file(std::filesystem::path(GPUSIM_SOURCE_DIR) / "traces/saxpy.trace", file);
  const auto digest = [&file] {
    trace::Trace trace = frontend::load_trace_text(file, {{}, true});
    trace.path = "saxpy";
    return digest_of(trace);
  };
  const std::string before = digest();
  CHECK(before == digest_of(load("saxpy", {{}, true})));  // wherever the file lies
  std::ofstream(file, std::ios::app) << "# another line\n";
  CHECK(digest() != before);
  trace::Trace fewer = load("saxpy", {{}, true});
  fewer.kernels = {};
  CHECK(digest_of(fewer) != before);
  trace::Trace renamed = load("saxpy", {{}, true});
  renamed.path = "saxpy.trace";
  CHECK(digest_of(renamed) != before);
}

TEST_CASE("the content of a matrix's file is in the key") {
  const Folder folder;
  const auto matrix = folder.file("g.txt");
  trace::ParameterChoice choice;
  choice.words.emplace_back("A", matrix.string());
  std::ofstream(matrix) << "0 1\n1 0\n";
  const std::string before = digest_of(load("library/spmv-csr-file", choice));
  CHECK(digest_of(load("library/spmv-csr-file", choice)) == before);
  CHECK(digest_of(load("library/spmv-csr-file", {{}, true})) != before);
  std::ofstream(matrix) << "0 1\n1 1\n";
  CHECK(digest_of(load("library/spmv-csr-file", choice)) != before);
}

TEST_CASE("a sweep varies the file of a matrix") {
  const Folder folder;
  const auto matrix = folder.file("g.txt");
  std::ofstream(matrix) << "0 1\n1 0\n";
  Study study = study_with({"param.A=random," + matrix.string()});
  study.traces = {"library/spmv-csr-file"};
  const std::vector<std::string> keys = keys_of(study);
  REQUIRE(keys.size() == 2);
  CHECK(keys[0] != keys[1]);
  study = study_with({"param.wide=no,yes"});
  study.traces = {"library/spmv-csr-file"};
  study.param = {"A=" + matrix.string()};
  CHECK(keys_of(study)[1] == keys[1]);
}

TEST_CASE("cache state, CTAs and the limit of cycles are in the key; threads and callbacks are not") {
  const Study study = study_with({"sm.count=132"});
  const std::vector<std::string> before = keys_of(study);
  gpu::SimulateOptions how;
  how.threads = 7;
  how.on_progress = [](const gpu::Progress&) { return true; };
  CHECK(keys_of(study, how) == before);
  how = {};
  how.cache = CacheState::kCold;
  CHECK(keys_of(study, how) != before);
  how = {};
  how.ctas = gpu::CtaRange{0, 3};
  const std::vector<std::string> some = keys_of(study, how);
  CHECK(some != before);
  how.ctas = gpu::CtaRange{0, 4};
  CHECK(keys_of(study, how) != some);
  how = {};
  how.max_cycles = 1'000'000;
  CHECK(keys_of(study, how) != before);
}

}  // namespace gpusim::sweep
