// SPDX-License-Identifier: MIT
// gpusim trace import: Accel-Sim's traces into a container, listings of SASS into the text form.
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/commands/cli/output_paths.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/trace/command.h"
#include "sim/input/accelsim/accelsim.h"
#include "sim/input/container/writer.h"
#include "sim/input/kind/kind.h"
#include "sim/input/kind/listing.h"
#include "sim/input/sass/import.h"
#include "sim/input/text/source_text.h"
#include "sim/model/trace/kernel.h"

namespace gpusim::commands {
namespace {

/// Hands kernels on to a container.
class ToContainer final : public frontend::accelsim::KernelSink {
 public:
  explicit ToContainer(const std::string& path) : path_(path), writer_(path) {}

  trace::WarpSink& begin_kernel(const trace::Kernel& kernel) override {
    refuse_to_replace(path_, kernel.where.file);
    return writer_.begin_kernel(kernel);
  }
  void end_kernel() override { static_cast<void>(writer_.end_kernel()); }
  void launch_again(std::uint32_t number) override { writer_.launch_again(number); }
  void finish(const trace::Trace& trace) { writer_.finish(trace); }

 private:
  std::filesystem::path path_;
  container::Writer writer_;
};

std::string progress_of_import(std::uint64_t bytes, std::uint64_t of, double seconds) {
  const auto share = static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(of, 1));
  // Each file is read twice: what counts for the user is how fast the whole goes by.
  const double speed = seconds > 0 ? static_cast<double>(bytes) / 2 / seconds : 0;
  return fmt::format("importing: {:.0f} % of {}, {}", 100 * share, with_si_prefix(static_cast<double>(of) / 2, "B"),
                     with_si_prefix(speed, "B/s"));
}

void import_listing(const std::filesystem::path& input, const std::string& output) {
  cli::refuse_compiled(input);
  const bool is_listing = frontend::sass::is_listing_file(input);
  if (!is_listing) {
    cli::refuse_misnamed(input);
  }
  const std::string listing = frontend::read_text(input);
  if (!is_listing) {
    throw InputError(
        {{input.string(), 0, 0},
         "is neither a trace of Accel-Sim nor a listing of SASS",
         "import reads kernelslist.g, .traceg (also .xz) and .tracez, and what cuobjdump -sass or nvdisasm -hex "
         "prints; other traces are simulated as they are"});
  }
  const frontend::sass::Import import = frontend::sass::import_listing(listing, input.string());
  for (const Problem& diagnostic : import.diagnostics) {
    cli::log_warning(to_text(diagnostic));
  }
  OutputFile(output).commit(import.program);
  if (!cli::is_file(output)) {
    return;
  }
  cli::print(fmt::format("{}: a program with {} lines to be filled in; 'gpusim trace check {}' lists them\n", output,
                         import.holes.size(), output));
  if (!import.holes.empty() && import.has_encodings) {
    cli::print(
        fmt::format("With the launch nothing is left to be filled in: gpusim trace import {} --grid ... --block ... "
                    "--arg ... -o kernel.gtrace\n",
                    printable(input.string())));
  }
}

}  // namespace

int trace_import_command(const TraceImportOptions& options, const cli::Common& common) {
  const std::filesystem::path input = cli::find_file(options.name, cli::trace_files());
  cli::require_file(input);
  if (frontend::is_container(input)) {
    throw InputError({{input.string(), 0, 0}, "is imported already", "simulate it as it is: --trace " + options.name});
  }
  const std::string output = options.output == "-" ? "/dev/stdout" : options.output;
  refuse_to_replace(output, input);
  // From here on an interrupt may not leave a temporary file behind.
  cli::catch_interrupt();
  if (!frontend::is_accelsim(input)) {
    import_listing(input, output);
    return cli::Exit::kDone;
  }
  ToContainer sink(output);
  cli::ProgressLine line(cli::can_show_progress() && !common.quiet);
  std::uint64_t read = 0;
  const trace::Trace trace = frontend::accelsim::read_accelsim(input, sink, [&](std::uint64_t bytes, std::uint64_t of) {
    cli::throw_if_interrupted();
    read = of / 2;
    line.update([&](double seconds) { return progress_of_import(bytes, of, seconds); });
  });
  sink.finish(trace);
  line.erase();
  for (const std::string& warning : trace.warnings) {
    cli::log_warning(warning);
  }
  if (!cli::is_file(output)) {
    return cli::Exit::kDone;
  }
  const std::uint64_t written = std::filesystem::file_size(output);
  cli::print(fmt::format("{}: {}, {} bytes from {} bytes, {} times smaller\n", output, printable(trace.title),
                         with_thousands(written), with_thousands(read), with_thousands(read / written)));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
