// SPDX-License-Identifier: MIT
// Accel-Sim's traces: a list of kernels up to the first header line, then kernel-1.traceg; either may be missing. What
// is accepted is simulated, imported, exported and read again.
#include <string>

#include "sim/input/accelsim/accelsim.h"
#include "sim/input/accelsim/export.h"
#include "sim/input/container/reader.h"
#include "sim/input/container/writer.h"

#include "tests/fuzz/target.h"
#include "tests/support/same_kernel.h"

using namespace gpusim;

namespace {

std::size_t begin_of_header(std::string_view text) {
  if (text.starts_with('-')) {
    return 0;
  }
  const std::size_t line = text.find("\n-");
  return line == std::string_view::npos ? text.size() : line + 1;
}

std::filesystem::path write_input(std::string_view text) {
  const std::size_t header = begin_of_header(text);
  const std::filesystem::path kernel = fuzz::write("kernel-1.traceg", text.substr(header));
  return header == 0 ? kernel : fuzz::write("kernelslist.g", text.substr(0, header));
}

/// The lanes that were active are not written, and begin and end of what is active is found anew.
void require_same(const trace::Trace& a, const trace::Trace& b, bool sees_active) {
  fuzz::require(a.kernels.size() == b.kernels.size() && a.copies == b.copies, "as many kernels and copies");
  for (std::size_t i = 0; i < a.kernels.size(); ++i) {
    const std::string code = testing::difference(a.kernels[i], b.kernels[i]);
    fuzz::require(code.empty(), code);
    const std::string behaviour = testing::behaviour_difference(a.kernels[i], b.kernels[i], sees_active);
    fuzz::require(behaviour.empty(), behaviour);
  }
}

/// What an export cannot leave open.
trace::Launches as_exported(const trace::Launches& kernels) {
  trace::Launches out;
  for (trace::Kernel kernel : kernels) {
    kernel.binary_version = kernel.binary_version == 0 ? 80 : kernel.binary_version;
    out.push_back(std::move(kernel));
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path file = write_input(fuzz::text_of(data, size));
  trace::Trace trace;
  if (!fuzz::is_accepted([&] { trace = frontend::accelsim::load_accelsim(file); })) {
    return 0;
  }
  fuzz::is_accepted([&] { fuzz::simulate_a_little(trace); });
  const std::filesystem::path stored = fuzz::folder() / "stored.trace";
  container::write(trace, stored);
  require_same(trace, container::load(stored), true);
  const std::filesystem::path raw = fuzz::folder() / "raw";
  std::filesystem::remove_all(raw);
  if (fuzz::is_accepted([&] { frontend::accelsim::export_accelsim(trace, raw); })) {
    trace.kernels = as_exported(trace.kernels);
    require_same(trace, frontend::accelsim::load_accelsim(raw / "kernelslist.g"), false);
  }
  return 0;
}
