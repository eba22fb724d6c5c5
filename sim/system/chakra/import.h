// SPDX-License-Identifier: MIT
// Chakra execution traces as an application: one trace per rank.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/system/application/application.h"
#include "sim/system/chakra/trace.h"

namespace gpusim::chakra {

struct Imported {
  application::Application application;
  std::uint64_t kernels = 0;      ///< launches
  std::uint64_t collectives = 0;  ///< that are timed anew
  std::uint64_t receives = 0;     ///< left out: the copy of the sender brings the data
};

/// Whether the name is that of such a trace: it ends in .et or .et.gz.
[[nodiscard]] bool is_trace(const std::filesystem::path& file);

/// The traces of all ranks, where the file is one of NAME.0.et, NAME.1.et, ...; else the file alone.
[[nodiscard]] std::vector<std::filesystem::path> files_of_ranks(const std::filesystem::path& file);

/// One thread and one GPU per rank. Nodes go in an order that their dependences allow: work of the CPU as recorded,
/// kernels with their recorded times or, without one, by the roofline; a dependence between streams becomes an event.
/// `ranks` is how many do what the only trace does; 0: one. Throws InputError for what cannot be read, for dependences
/// in a circle (which are named), and for collectives that nobody else takes part in.
[[nodiscard]] Imported import_ranks(const std::vector<std::filesystem::path>& files, std::uint64_t ranks);

/// The same for traces that were read; `name` stands for them in messages.
[[nodiscard]] Imported import_traces(const std::vector<std::vector<Node>>& traces, std::uint64_t ranks,
                                     const std::string& name);

}  // namespace gpusim::chakra
