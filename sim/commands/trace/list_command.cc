// SPDX-License-Identifier: MIT
// gpusim trace import FILE --list: the kernels of compiled code, and what each asks for.
#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/code/cubin/images.h"
#include "sim/code/cubin/usage.h"
#include "sim/commands/cli/common.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/load_trace.h"
#include "sim/commands/trace/command.h"
#include "sim/output/text/layout.h"

namespace gpusim::commands {
namespace {

/// "16 B, 4 accesses": bytes of a thread, and the loads and stores in the code.
std::string local_text(const cubin::Module& module, const cubin::Function& function) {
  const std::size_t accesses = cubin::local_accesses(module, function);
  return accesses == 0 && function.local_bytes == 0
             ? "0"
             : fmt::format("{} B, {}", function.local_bytes,
                           fmt::format("{} access{}", accesses, accesses == 1 ? "" : "es"));
}

void add_row(const cubin::Module& module, const cubin::Function& function, const cubin::TritonLaunch* triton,
             layout::Table& table) {
  const bool of_it = triton != nullptr && triton->kernel == function.name;
  table.add({printable(cubin::short_name(function.name)), "sm_" + std::to_string(module.sm),
             with_thousands(function.code.size()), std::to_string(function.registers),
             with_thousands(function.shared_bytes), local_text(module, function),
             cubin::launch_text(function, of_it ? triton : nullptr), cubin::parameters_text(function)});
}

}  // namespace

int list_kernels_command(const TraceImportOptions& options, const cli::Common& /*common*/) {
  cli::require_compiled(options.name);
  layout::Table table("LlrrrllL", {"kernel", "for", "instructions", "registers", "shared", "local", "launch",
                                   "parameters (offset:bytes)"});
  std::size_t kernels = 0;
  const cubin::Found found = cubin::for_each_image(options.name, 0, [&](const cubin::Image& image) {
    const cubin::Module module = cubin::read_cubin(image.bytes, image.name);
    for (const cubin::Function& function : module.functions) {
      if (function.is_kernel) {
        ++kernels;
        add_row(module, function, image.triton ? &*image.triton : nullptr, table);
      }
    }
  });
  layout::Look look;
  look.width = cli::output_width();
  cli::print_plain(table.to_text(look));
  cli::print_plain(fmt::format("\n{}: {} in {}{}\n", printable(options.name), counted(kernels, "kernel"),
                               counted(found.images, "cubin"),
                               found.ptx.empty() ? "" : ", and " + counted(found.ptx.size(), "PTX text")));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
