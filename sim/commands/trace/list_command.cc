// SPDX-License-Identifier: MIT
// gpusim trace import FILE --list: the kernels of compiled code, and what each asks for.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

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

/// One row per kernel. Columns that say nothing of any kernel are left out.
class KernelTable {
 public:
  explicit KernelTable(std::string place) : place_(std::move(place)) {}

  void add(const cubin::Image& image, const cubin::Module& module, const cubin::Function& function) {
    const bool of_it = image.triton && image.triton->kernel == function.name;
    const cubin::TritonLaunch* const triton = of_it ? &*image.triton : nullptr;
    rows_.push_back({printable(cubin::short_name(function.name)), "sm_" + std::to_string(module.sm),
                     with_thousands(function.code.size()), std::to_string(function.registers),
                     with_thousands(function.shared_bytes), with_thousands(of_it ? triton->shared_bytes : 0),
                     local_text(module, function), cubin::launch_text(function, triton),
                     cubin::parameters_text(function),
                     image.triton ? printable(cubin::place_in(place_, image.name)) : ""});
  }

  [[nodiscard]] std::string to_text(const layout::Look& look) const {
    std::string alignment;
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> shown(rows_.size());
    for (std::size_t column = 0; column < kColumns.size(); ++column) {
      if (std::ranges::all_of(rows_, [&](const Row& row) { return row[column].empty() || row[column] == "0"; })) {
        continue;
      }
      alignment += kColumns[column].alignment;
      header.emplace_back(kColumns[column].header);
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        shown[row].push_back(rows_[row][column]);
      }
    }
    layout::Table table(alignment, header);
    for (std::vector<std::string>& cells : shown) {
      table.add(std::move(cells));
    }
    return table.to_text(look);
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }

 private:
  struct Column {
    char alignment;
    std::string_view header;
  };
  static constexpr std::array kColumns{Column{'l', "kernel"},    Column{'l', "for"},    Column{'r', "code"},
                                       Column{'r', "registers"}, Column{'r', "shared"}, Column{'r', "dynamic"},
                                       Column{'l', "local"},     Column{'l', "launch"}, Column{'L', "parameters"},
                                       Column{'l', "folder"}};
  using Row = std::array<std::string, kColumns.size()>;

  std::string place_;
  std::vector<Row> rows_;
};

}  // namespace

int list_kernels_command(const TraceImportOptions& options, const cli::Common& /*common*/) {
  cli::require_compiled(options.name);
  KernelTable table(options.name);
  const cubin::Found found = cubin::for_each_image(options.name, 0, [&](const cubin::Image& image) {
    const cubin::Module module = cubin::read_image(image);
    for (const cubin::Function& function : module.functions) {
      if (function.is_kernel) {
        table.add(image, module, function);
      }
    }
  });
  layout::Look look;
  look.width = cli::output_width();
  cli::print_plain(table.to_text(look));
  cli::print_plain(fmt::format("\n{}: {} in {}{}\n", printable(options.name), counted(table.size(), "kernel"),
                               counted(found.images, cli::is_listing(options.name) ? "listing" : "cubin"),
                               found.ptx.empty() ? "" : ", and " + counted(found.ptx.size(), "PTX text")));
  return cli::Exit::kDone;
}

}  // namespace gpusim::commands
