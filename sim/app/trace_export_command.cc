// SPDX-License-Identifier: MIT
// gpusim trace export: any trace as Accel-Sim's tracer would have written it.
#include <fmt/format.h>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/interrupt.h"
#include "sim/app/library.h"
#include "sim/app/program.h"
#include "sim/app/progress.h"
#include "sim/app/values.h"
#include "sim/base/text.h"
#include "sim/input/accelsim/export.h"

namespace gpusim::app {

int trace_export_command(const TraceExportOptions& options, const Common& common) {
  const trace::ParameterChoice parameters = parse_parameters(options.param, options.test_params);
  trace::Trace trace = load_trace(find_trace(options.name), parameters);
  keep_kernels(trace, options.kernel);
  frontend::accelsim::ExportChoice choice;
  if (!options.ctas.empty()) {
    const gpu::CtaRange range = parse_ctas(options.ctas);
    choice.first_cta = range.first;
    choice.ctas = range.last - range.first + 1;
  }
  choice.for_accelsim = !options.reader.empty();
  // From here on an interrupt may not leave a temporary file behind.
  catch_interrupt();
  ProgressLine line(can_show_progress() && !common.quiet);
  std::uint64_t written = 0;
  frontend::accelsim::export_accelsim(trace, options.output, choice, [&](std::uint64_t ctas, std::uint64_t of) {
    throw_if_interrupted();
    written = ctas;
    line.update([&](double /*seconds*/) { return fmt::format("exporting: CTA {} of {}", ctas, of); });
  });
  line.erase();
  print(fmt::format("{}/kernelslist.g: {} kernel{}, {} CTAs\n", options.output, trace.kernels.size(),
                    trace.kernels.size() == 1 ? "" : "s", with_thousands(written)));
  return Exit::kDone;
}

}  // namespace gpusim::app
