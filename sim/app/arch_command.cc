// SPDX-License-Identifier: MIT
// gpusim arch list | show | check.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/app/commands.h"
#include "sim/app/console.h"
#include "sim/app/find_file.h"
#include "sim/app/program.h"
#include "sim/arch/loader.h"
#include "sim/arch/peaks.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"

namespace gpusim::app {
namespace {

std::string list_line(const std::filesystem::path& file) {
  const std::string name = file.stem().string();
  try {
    const arch::Arch arch = arch::load_arch(file, {}, search_folders(architecture_files()));
    return fmt::format("{:<16}  {:<28}  {:>3} SMs at {:>4.0f} MHz  {:>9} of {:<6}  compute capability {}\n", name,
                       arch.name, arch.sm.count, static_cast<double>(arch.clocks.sm) * 1e-6,
                       with_si_prefix(arch.dram.peak_bytes_per_second(), "B/s"), arch.dram.type,
                       arch.compute_capability);
  } catch (const InputError&) {
    return fmt::format("{:<16}  does not load; see: gpusim arch check {}\n", name, file.string());
  }
}

/// A peak as computed, beside the vendor's figure.
std::string peak_line(const arch::Peak& peak) {
  const char* const unit = peak.name == "dram" ? "B/s" : "FLOP/s";
  std::string line = fmt::format("#   {:<16} {:>14}", peak.name, with_si_prefix(peak.value, unit));
  if (peak.vendor > 0) {
    line += fmt::format("  vendor {:>14}  {:+.2f} %", with_si_prefix(peak.vendor, unit),
                        100.0 * (peak.value - peak.vendor) / peak.vendor);
  }
  return line + fmt::format("  (at clocks.{})\n", peak.clock);
}

std::string peaks_text(const arch::Arch& arch) {
  std::string out = "# Peaks, from the structure above at the clock each names:\n";
  for (const arch::Peak& peak : arch::computed_peaks(arch)) {
    out += peak_line(peak);
  }
  return out;
}

std::string check_text(const std::filesystem::path& file, const arch::Arch& arch) {
  const auto guessed = std::count_if(arch.guesses.begin(), arch.guesses.end(),
                                     [](const arch::Guess& g) { return g.kind == arch::SourceKind::kGuess; });
  return fmt::format("{}: {}: no problems; {} values rest on a guess, {} are inferred\n", file.string(), arch.name,
                     guessed, static_cast<std::ptrdiff_t>(arch.guesses.size()) - guessed);
}

}  // namespace

int arch_command(const ArchOptions& options) {
  if (options.action == ArchAction::kList) {
    for (const std::filesystem::path& file : known_files(architecture_files())) {
      print(list_line(file));
    }
    return Exit::kDone;
  }
  std::vector<arch::Override> overrides;
  for (const std::string& text : options.set) {
    overrides.push_back(arch::parse_override(text));
  }
  const std::filesystem::path file = find_file(options.name, architecture_files());
  const std::vector<std::filesystem::path> folders = search_folders(architecture_files());
  const arch::Arch arch = arch::load_arch(file, overrides, folders);
  print(options.action == ArchAction::kShow ? arch::dump_arch(file, overrides, folders) + "\n" + peaks_text(arch)
                                            : check_text(file, arch));
  return Exit::kDone;
}

}  // namespace gpusim::app
