// SPDX-License-Identifier: MIT
#include "sim/commands/occupancy/batch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "sim/base/nearest.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/occupancy/csv_reader.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/value.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"

namespace gpusim::commands {
namespace {

using occupancy::LaunchShape;
using occupancy::Residency;

/// The GPU that stands for a compute capability.
struct Gpu {
  std::string_view cc;
  std::string_view name;
};
constexpr std::array<Gpu, 8> kGpus{{{"7.0", "v100"},
                                    {"7.5", "t4"},
                                    {"8.0", "a100"},
                                    {"8.6", "rtx3090"},
                                    {"8.9", "rtx4090"},
                                    {"9.0", "h100"},
                                    {"10.0", "b200"},
                                    {"12.0", "rtx5090"}}};

/// Columns that a file must have.
enum Input : std::size_t { kCc, kRegisters, kThreads, kStatic, kDynamic, kCarveout, kBarriers, kOptIn, kInputs };
constexpr std::array<std::string_view, kInputs> kInputNames{"cc",
                                                            "regs_per_thread",
                                                            "threads_per_cta",
                                                            "static_smem_bytes",
                                                            "dynamic_smem_bytes",
                                                            "carveout_pct",
                                                            "barriers_per_cta",
                                                            "optin"};

std::string count_or_inf(std::uint32_t count) {
  return count == std::numeric_limits<std::uint32_t>::max() ? "inf" : std::to_string(count);
}

template <stats::Limiter kLimiter>
std::string limit_cell(const Residency& answer) {
  return count_or_inf(answer.occupancy.limit[static_cast<std::size_t>(kLimiter)]);
}

std::string binding_limits(const Residency& answer) {
  std::string text;
  for (const stats::Limiter limiter : answer.occupancy.limiters) {
    text += (text.empty() ? "" : "|") + std::string(stats::kLimiterNames[static_cast<std::size_t>(limiter)]);
  }
  return text;
}

/// A column we answer. The first ones are appended to a file that lacks them, the others only replaced where they are.
struct Output {
  std::string_view name;
  std::string (*text)(const Residency& answer);  ///< text for a launch that is valid input
};
constexpr std::string_view kStatus = "status";
constexpr std::size_t kAppended = 3;
constexpr std::array<Output, 12> kOutputs{{
    {kStatus, [](const Residency&) { return std::string("ok"); }},
    {"active_ctas_per_sm", [](const Residency& answer) { return std::to_string(answer.occupancy.ctas_per_sm); }},
    {"binding_limits", binding_limits},
    {"block_limit_warps", limit_cell<stats::Limiter::kWarps>},
    {"block_limit_registers", limit_cell<stats::Limiter::kRegisters>},
    {"block_limit_shared_mem", limit_cell<stats::Limiter::kSharedMem>},
    {"block_limit_sm", limit_cell<stats::Limiter::kBlocks>},
    {"block_limit_barriers", limit_cell<stats::Limiter::kBarriers>},
    {"allocated_regs_per_cta", [](const Residency& answer) { return std::to_string(answer.registers_per_cta); }},
    {"allocated_smem_per_cta", [](const Residency& answer) { return std::to_string(answer.shared_bytes_per_cta); }},
    {"active_warps_per_sm",
     [](const Residency& answer) {
       return std::to_string(answer.occupancy.ctas_per_sm * answer.occupancy.warps_per_cta);
     }},
    {"theoretical_occupancy_pct",
     [](const Residency& answer) { return fmt::format("{:.4f}", answer.occupancy.theoretical_pct()); }},
}};

std::string output_text(const Output& output, const std::optional<Residency>& answer) {
  if (answer) {
    return output.text(*answer);
  }
  return output.name == kStatus ? "error_1" : "";
}

class Batch {
 public:
  explicit Batch(const std::string& file) : file_(file) {}

  std::optional<std::string> run() {
    bool interrupted_here = false;
    read_csv(file_, [&](const CsvRow& row) {
      is_header_ ? take_header(row) : take_row(row);
      is_header_ = false;
      interrupted_here = cli::interrupted();
      return !interrupted_here && !is_hopeless_;
    });
    if (is_header_) {
      complain({}, "has no header", "the columns' names, separated by commas");
    }
    problems_.throw_if_any();
    return interrupted_here ? std::nullopt : std::optional(std::move(out_));
  }

 private:
  void complain(const Place& place, const std::string& message, const std::string& hint) {
    problems_.add({{file_, place.line, place.column}, message, hint});
  }

  void take_header(const CsvRow& row) {
    std::vector<std::string_view> names;
    for (const CsvCell& cell : row.cells) {
      if (!cell.text.empty() && std::ranges::find(names, cell.text) != names.end()) {
        complain(cell.place, "column " + arch::in_quotes(cell.text) + " is there twice", "");
      }
      names.push_back(cell.text);
    }
    for (std::size_t input = 0; input < kInputs; ++input) {
      const auto at = std::ranges::find(names, kInputNames[input]);
      columns_[input] = static_cast<std::size_t>(at - names.begin());
      if (at == names.end()) {
        complain({row.line, 0}, "column '" + std::string(kInputNames[input]) + "' is missing",
                 nearest_column(kInputNames[input], names));
      }
    }
    place_outputs(names);
    is_hopeless_ = !problems_.empty();
    width_ = names.size();
    write(row, [](const Output& output) { return std::string(output.name); });
  }

  /// A column of the file that is probably meant.
  static std::string nearest_column(std::string_view missing, std::vector<std::string_view> names) {
    std::erase_if(names, [](std::string_view name) {
      return name.empty() || std::ranges::find(kInputNames, name) != kInputNames.end();
    });
    const std::string_view found = nearest(missing, names);
    return found.empty() ? "" : "is it " + arch::in_quotes(found) + "?";
  }

  /// Which output replaces which column, and which are appended.
  void place_outputs(const std::vector<std::string_view>& names) {
    replaced_.assign(names.size(), nullptr);
    for (std::size_t i = 0; i < kOutputs.size(); ++i) {
      const auto at = std::ranges::find(names, kOutputs[i].name);
      if (at != names.end()) {
        replaced_[static_cast<std::size_t>(at - names.begin())] = &kOutputs[i];
      } else if (i < kAppended) {
        appended_.push_back(&kOutputs[i]);
      }
    }
  }

  template <class Text>
  void write(const CsvRow& row, Text text) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      out_ += (i == 0 ? "" : ",") + csv_cell(replaced_[i] != nullptr ? text(*replaced_[i]) : row.cells[i].text);
    }
    for (const Output* output : appended_) {
      out_ += "," + text(*output);
    }
    out_ += "\n";
  }

  void take_row(const CsvRow& row) {
    if (row.cells.size() != width_) {
      complain({row.line, 0}, fmt::format("{} cells, where the header has {}", row.cells.size(), width_),
               "one per column, separated by commas");
      return;
    }
    const arch::SmConfig* const sm = machine(row.cells[columns_[kCc]]);
    const std::optional<LaunchShape> shape = launch(row);
    if (sm == nullptr || !problems_.empty()) {
      return;
    }
    const std::optional<Residency> answer = shape ? std::optional(occupancy::residency(*sm, *shape)) : std::nullopt;
    write(row, [&answer](const Output& output) { return output_text(output, answer); });
  }

  const arch::SmConfig* machine(const CsvCell& cell) {
    const auto gpu = std::ranges::find(kGpus, cell.text, &Gpu::cc);
    if (gpu == kGpus.end()) {
      std::string known;
      for (const Gpu& row : kGpus) {
        known += (known.empty() ? "" : ", ") + std::string(row.cc);
      }
      complain(cell.place, "unknown compute capability " + arch::in_quotes(cell.text), "known: " + known);
      return nullptr;
    }
    auto [at, is_new] = machines_.try_emplace(gpu->cc);
    if (is_new) {
      at->second = arch::load_arch(cli::find_file(std::string(gpu->name), cli::architecture_files()), {},
                                   cli::search_folders(cli::architecture_files()))
                       .sm;
    }
    return &at->second;
  }

  /// A whole number as far as the calculator's go; anything else is complained about.
  std::int64_t number(const CsvRow& row, Input input) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    const CsvCell& cell = row.cells[columns_[input]];
    const bool is_negative = cell.text.starts_with('-');
    const std::optional<std::uint64_t> value = parse_unsigned(std::string_view(cell.text).substr(is_negative ? 1 : 0));
    if (!value || *value > kMost) {
      complain(cell.place,
               std::string(kInputNames[input]) + ": " + arch::in_quotes(cell.text) +
                   (value ? " is out of range" : " is not a whole number"),
               "digits only, at most " + with_thousands(kMost));
      return 0;
    }
    return is_negative ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
  }

  bool opted_in(const CsvRow& row) {
    const CsvCell& cell = row.cells[columns_[kOptIn]];
    if (cell.text != "0" && cell.text != "1") {
      complain(cell.place, "optin: " + arch::in_quotes(cell.text) + " is neither 0 nor 1", "1: opted in");
    }
    return cell.text == "1";
  }

  /// Nothing when the numbers are not a launch: the calculator's invalid input.
  std::optional<LaunchShape> launch(const CsvRow& row) {
    const std::array<std::int64_t, 5> counts{number(row, kRegisters), number(row, kThreads), number(row, kStatic),
                                             number(row, kDynamic), number(row, kBarriers)};
    const std::int64_t carveout = number(row, kCarveout);
    const bool opt_in = opted_in(row);
    if (std::ranges::min(counts) < 0) {
      return std::nullopt;
    }
    LaunchShape shape;
    shape.registers_per_thread = static_cast<std::uint32_t>(counts[0]);
    shape.threads_per_cta = static_cast<std::uint32_t>(counts[1]);
    shape.static_shared_bytes = static_cast<std::uint64_t>(counts[2]);
    shape.dynamic_shared_bytes = static_cast<std::uint64_t>(counts[3]);
    shape.barriers = static_cast<std::uint32_t>(counts[4]);
    shape.carveout_percent = static_cast<int>(carveout);
    shape.opt_in = opt_in;
    return occupancy::is_valid(shape) ? std::optional(shape) : std::nullopt;
  }

  std::string file_;
  ProblemList problems_;
  bool is_header_ = true;
  bool is_hopeless_ = false;  ///< the header will not do
  std::size_t width_ = 0;
  std::array<std::size_t, kInputs> columns_{};
  std::vector<const Output*> replaced_;  ///< by column of the file; null: kept as it is
  std::vector<const Output*> appended_;
  std::map<std::string_view, arch::SmConfig> machines_;  ///< by compute capability
  std::string out_;
};

}  // namespace

std::optional<std::string> occupancy_batch(const std::string& file) {
  return Batch(file).run();
}

}  // namespace gpusim::commands
