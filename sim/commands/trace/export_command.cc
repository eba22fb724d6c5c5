// SPDX-License-Identifier: MIT
// gpusim trace export: any trace as Accel-Sim's tracer would have written it.
#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/library.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/cli/trace_values.h"
#include "sim/commands/trace/command.h"
#include "sim/input/accelsim/export.h"
#include "sim/machine/gpu/simulate_options.h"

namespace gpusim::commands {

int trace_export_command(const TraceExportOptions& options, const cli::Common& common) {
  const trace::ParameterChoice parameters = cli::parse_parameters(options.param, options.test_params);
  trace::Trace trace = cli::load_trace(cli::find_trace(options.name), parameters);
  cli::keep_kernels(trace, options.kernel);
  frontend::accelsim::ExportChoice choice;
  if (!options.ctas.empty()) {
    const gpu::CtaRange range = cli::parse_ctas(options.ctas);
    choice.first_cta = range.first;
    choice.ctas = range.last - range.first + 1;
  }
  choice.for_accelsim = !options.reader.empty();
  // From here on an interrupt may not leave a temporary file behind.
  cli::catch_interrupt();
  cli::ProgressLine line(cli::can_show_progress() && !common.quiet);
  std::uint64_t written = 0;
  frontend::accelsim::export_accelsim(trace, options.output, choice, [&](std::uint64_t ctas, std::uint64_t of) {
    cli::throw_if_interrupted();
    written = ctas;
    line.update([&](double /*seconds*/) { return fmt::format("exporting: CTA {} of {}", ctas, of); });
  });
  line.erase();
  cli::print(fmt::format("{}/kernelslist.g: {} kernel{}, {} CTAs\n", options.output, trace.kernels.size(),
                         trace.kernels.size() == 1 ? "" : "s", with_thousands(written)));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
