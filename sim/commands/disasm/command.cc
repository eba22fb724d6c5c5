// SPDX-License-Identifier: MIT
#include "sim/commands/disasm/command.h"

#include <vector>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/code/cubin/images.h"
#include "sim/code/cubin/listing.h"
#include "sim/code/cubin/select.h"
#include "sim/commands/cli/console.h"
#include "sim/commands/cli/load_trace.h"

namespace gpusim::commands {
namespace {

/// 90 for "sm_90", "sm_90a" and "90"; 0 for all.
unsigned sm_of_word(const std::string& text) {
  if (text.empty()) {
    return 0;
  }
  std::string_view digits = text;
  digits.remove_prefix(digits.starts_with("sm_") ? 3 : 0);
  digits.remove_suffix(digits.ends_with('a') ? 1 : 0);
  const auto number = parse_unsigned(digits);
  if (!number || *number < 10 || *number > 999) {
    throw UsageError("--arch '" + text + "' is not an SM (expected sm_90, or 90)");
  }
  return static_cast<unsigned>(*number);
}

}  // namespace

int disasm_command(const DisasmOptions& options, const cli::Common& /*common*/) {
  const unsigned sm = sm_of_word(options.arch);
  cli::require_compiled(options.file);
  const auto control = options.control ? cubin::ShowControl::kYes : cubin::ShowControl::kNo;
  const auto hex = options.hex ? cubin::ShowHex::kYes : cubin::ShowHex::kNo;
  cubin::Search search(options.kernel);
  std::size_t unknown = 0;
  bool first = true;
  static_cast<void>(cubin::for_each_image(options.file, sm, [&](const cubin::Image& image) {
    const cubin::Module module = cubin::read_image(image);
    const std::vector<const cubin::Function*> functions = search.in(module);
    if (!functions.empty()) {
      cli::print_plain((first ? "" : "\n") + cubin::listing_head(module, hex));
      first = false;
    }
    for (const cubin::Function* function : functions) {
      const cubin::Listing listing = cubin::listing_of(module, *function, control, hex);
      cli::print_plain(listing.text);
      unknown += listing.unknown;
    }
  }));
  search.require_found(options.file);
  if (unknown != 0) {
    cli::log_warning(counted(unknown, "instruction") +
                     " of an encoding that is not known: they stand there as UNKNOWN with their bits");
  }
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
