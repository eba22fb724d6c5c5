// SPDX-License-Identifier: MIT
// Writes traces of Accel-Sim's form, whatever the kernels' behaviour came from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace gpusim::trace {
struct Trace;
}  // namespace gpusim::trace

namespace gpusim::frontend::accelsim {

struct ExportChoice {
  std::uint64_t first_cta = 0;
  std::uint64_t ctas = ~std::uint64_t{0};  ///< at most; the file's grid is (ctas,1,1) when these are not all
  bool for_accelsim = false;  ///< only what Accel-Sim simulates: no Hopper opcodes, no named barriers, capability up to
                              ///< 86; of an LDGSTS the line of its global side alone
};

/// CTAs written so far, of how many. What it throws ends the export.
using OnExported = std::function<void(std::uint64_t ctas, std::uint64_t of)>;

/// Writes kernelslist.g and one file per kernel into `folder`, which is made and may not hold a recording; the list
/// comes last. What the format has no words for stands in header lines that other readers ignore (extra_lines.h).
/// Throws InputError: a kernel that Accel-Sim does not know where that was asked for, an address that would be taken
/// for another memory space, a folder or disk that does not take the files.
void export_accelsim(const trace::Trace& trace, const std::filesystem::path& folder, const ExportChoice& choice = {},
                     const OnExported& on_exported = {});

}  // namespace gpusim::frontend::accelsim
