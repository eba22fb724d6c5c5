// SPDX-License-Identifier: MIT
// What `gpusim system list|show` say, as text for people and JSON for programs. Pure functions of systems.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/source_kind.h"
#include "sim/commands/cli/listed_files.h"
#include "sim/output/text/layout.h"
#include "sim/system/config/system.h"
#include "sim/system/route/fabric.h"

namespace gpusim::system_tables {

/// A file of the list: its system, or why it has none.
using Listing = cli::ListedFile<system::System>;

[[nodiscard]] std::string list_text(std::span<const Listing> systems, const layout::Look& look);
/// Schema gpusim.system-list/1: sizes in bytes, bandwidths in bytes a second.
[[nodiscard]] std::string list_json(std::span<const Listing> systems);

/// `details` adds the kind and the source of every value.
[[nodiscard]] std::string show_text(const system::Fabric& fabric, bool details, const layout::Look& look);
/// Schema gpusim.system/1.
[[nodiscard]] std::string show_json(const system::Fabric& fabric);

/// Values of a kind.
[[nodiscard]] std::size_t count_kind(const system::System& system, SourceKind kind);

}  // namespace gpusim::system_tables
