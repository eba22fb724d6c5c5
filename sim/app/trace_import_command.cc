// SPDX-License-Identifier: MIT
// gpusim trace import: Accel-Sim's traces into a container, listings of SASS into the text form.
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/app/interrupt.h"
#include "sim/app/load_trace.h"
#include "sim/app/program.h"
#include "sim/app/progress.h"
#include "sim/base/output_file.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/container/reader.h"
#include "sim/container/writer.h"
#include "sim/frontend/accelsim/accelsim.h"
#include "sim/frontend/sass/import.h"
#include "sim/frontend/sass/listing.h"
#include "sim/frontend/text/source_text.h"

namespace gpusim::app {
namespace {

constexpr std::size_t kBytesLookedAt = 64U << 10U;

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

/// A cubin or a program with kernels in it.
bool is_elf(const std::filesystem::path& path) {
  constexpr std::string_view kMagic = "\177ELF";
  std::array<char, kMagic.size()> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) == kMagic;
}

void import_listing(const std::filesystem::path& input, const std::string& output) {
  if (is_elf(input)) {
    throw InputError({{input.string(), 0, 0},
                      "is compiled code, not a listing of it",
                      "disassemble it: cuobjdump -sass " + input.string() + " > kernel.sass"});
  }
  const std::string listing = frontend::read_text(input);
  if (!frontend::sass::is_listing(std::string_view(listing).substr(0, kBytesLookedAt))) {
    throw InputError({{input.string(), 0, 0},
                      "is neither a trace of Accel-Sim nor a listing of SASS",
                      "import reads kernelslist.g, .traceg and .traceg.xz, and what cuobjdump -sass or nvdisasm -hex "
                      "prints; other traces are simulated as they are"});
  }
  const frontend::sass::Import import = frontend::sass::import_listing(listing, input.string());
  OutputFile(output).commit(import.program);
  print(fmt::format("{}: a program with {} lines to be filled in; 'gpusim trace check {}' lists them\n", output,
                    import.holes.size(), output));
}

}  // namespace

int trace_import_command(const TraceImportOptions& options, const Common& common) {
  const std::filesystem::path input = find_file(options.name, trace_files());
  require_file(input);
  if (container::is_container(input)) {
    throw InputError({{input.string(), 0, 0}, "is imported already", "simulate it as it is: --trace " + options.name});
  }
  refuse_to_replace(options.output, input);
  // From here on an interrupt may not leave a temporary file behind.
  catch_interrupt();
  if (!is_accelsim(input)) {
    import_listing(input, options.output);
    return Exit::kDone;
  }
  ToContainer sink(options.output);
  ProgressLine line(can_show_progress() && !common.quiet);
  std::uint64_t read = 0;
  const trace::Trace trace = frontend::accelsim::read_accelsim(input, sink, [&](std::uint64_t bytes, std::uint64_t of) {
    throw_if_interrupted();
    read = of / 2;
    line.update([&](double seconds) { return progress_of_import(bytes, of, seconds); });
  });
  sink.finish(trace);
  line.erase();
  for (const std::string& warning : trace.warnings) {
    log_warning(warning);
  }
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(options.output))) {
    return Exit::kDone;  // a pipe or standard output, where nothing else may stand
  }
  const std::uint64_t written = std::filesystem::file_size(options.output);
  print(fmt::format("{}: {}, {} bytes from {} bytes, {} times smaller\n", options.output, printable(trace.title),
                    with_thousands(written), with_thousands(read), with_thousands(read / written)));
  return Exit::kDone;
}

}  // namespace gpusim::app
