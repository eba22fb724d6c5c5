// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/run/key.h"

#include <fstream>
#include <system_error>

#include "sim/base/problem.h"
#include "sim/commands/sweep/run/model_version.h"
#include "sim/commands/sweep/store/digest.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/schema.h"
#include "sim/model/trace/kernel.h"
#include "sim/model/trace/trace.h"

namespace gpusim::sweep {
namespace {

/// Adds the value of one key.
struct AddValue {
  Digest& digest;
  arch::Arch& arch;

  void operator()(std::uint32_t& (*member)(arch::Arch&)) const { digest.add(std::uint64_t{member(arch)}); }
  void operator()(std::uint64_t& (*member)(arch::Arch&)) const { digest.add(member(arch)); }
  void operator()(std::string& (*member)(arch::Arch&)) const { digest.add(member(arch)); }
  void operator()(std::vector<std::uint64_t>& (*member)(arch::Arch&)) const {
    digest.add(std::uint64_t{member(arch).size()});
    for (const std::uint64_t value : member(arch)) {
      digest.add(value);
    }
  }
  void operator()(Ratio& (*member)(arch::Arch&)) const {
    digest.add(member(arch).numerator).add(member(arch).denominator);
  }
  void operator()(const arch::ChoiceField& field) const { digest.add(field.name(arch)); }
  void operator()(const arch::TimingField& field) const {
    const isa::Timing& timing = arch.sm.timing[field.timing_class];
    digest.add(std::uint64_t{timing.supported}).add(std::uint64_t{timing.latency});
    digest.add(timing.interval.numerator).add(timing.interval.denominator);
  }
  void operator()(const arch::PeakField& /*field*/) const {}
};

}  // namespace

std::string arch_digest(const arch::Arch& arch) {
  arch::Arch copy = arch;  // the schema's accessors are made for writing
  Digest digest;
  digest.add(arch.path);
  for (const arch::Key& key : arch::schema()) {
    if (arch::is_simulated(key.path)) {
      digest.add(key.path);
      std::visit(AddValue{digest, copy}, key.field);
    }
  }
  for (const arch::Guess& guess : arch.guesses) {
    if (arch::is_simulated(guess.key)) {
      digest.add(guess.key).add(guess.value).add(static_cast<std::uint64_t>(guess.kind)).add(guess.source);
    }
  }
  return digest.hex();
}

namespace {

/// Changes whenever somebody writes to the file.
FileStamp stamp_of(const std::string& file) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  const std::filesystem::file_time_type written = std::filesystem::last_write_time(file, error);
  if (error) {
    throw InputError({{file, 0, 0}, "cannot be read again: " + error.message(), ""});
  }
  return {bytes, written};
}

std::string digest_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  Digest digest;
  std::string chunk(std::size_t{1} << 20U, '\0');
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0) {
    digest.add(std::string_view(chunk).substr(0, static_cast<std::size_t>(in.gcount())));
  }
  if (!in.eof()) {
    throw InputError({{file, 0, 0}, "cannot be read again", ""});
  }
  return digest.hex();
}

}  // namespace

const std::string& TraceDigester::file_digest(const std::string& file) {
  const FileStamp stamp = stamp_of(file);
  const auto [entry, is_new] = files_.try_emplace(file, KnownFile{stamp, ""});
  if (is_new) {
    entry->second.digest = digest_of_file(file);
  } else if (entry->second.stamp != stamp) {
    throw InputError({{file, 0, 0}, "was changed while the sweep ran", "start the sweep again; what it stored stays"});
  }
  return entry->second.digest;
}

std::string TraceDigester::operator()(const trace::Trace& trace) {
  Digest digest;
  digest.add(trace.path).add(trace_origin_text(trace.origin)).add(trace.title);
  for (const trace::Parameter& parameter : trace.parameters) {
    digest.add(parameter.name).add(static_cast<std::uint64_t>(parameter.value));
    if (!parameter.file.empty()) {
      digest.add(file_digest(parameter.file));
    }
  }
  for (const trace::Kernel& kernel : trace.kernels) {
    digest.add(file_digest(kernel.where.file)).add(std::uint64_t{kernel.where.line}).add(kernel.name);
  }
  for (const std::string& warning : trace.warnings) {
    digest.add(warning);
  }
  return digest.hex();
}

std::string point_key(const std::string& arch, const std::string& trace, const gpu::SimulateOptions& options) {
  Digest digest;
  digest.add(program_version()).add(arch).add(trace);
  digest.add(static_cast<std::uint64_t>(options.cache)).add(options.max_cycles);
  digest.add(std::uint64_t{options.ctas.has_value()});
  if (options.ctas) {
    digest.add(options.ctas->first).add(options.ctas->last);
  }
  return digest.hex();
}

}  // namespace gpusim::sweep
