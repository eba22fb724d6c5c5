// SPDX-License-Identifier: MIT
// Streams of reference.csv, run through this model with the reference's timings, mapping and queues. Another
// simulator's figures, not silicon: agreement says that both follow the same rules.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/arch/arch.h"

namespace gpusim::test {

/// A line of reference.csv. What the stream does not measure is absent.
struct ReferenceRow {
  std::string part;     ///< "HBM3 2pc"
  char setup = 'B';     ///< letter of the reference's configuration
  std::string pattern;  ///< "seq_read", ...
  std::string param;    ///< bytes of a stride, reads to writes, offered share of the peak, state of the row
  std::optional<double> fraction;
  std::optional<double> latency_ns;
};

[[nodiscard]] std::vector<ReferenceRow> reference_rows();

/// A channel of the reference: one or two pseudo-channels that share the queues.
struct ReferencePart {
  char setup = 'B';         ///< whose mapping it has
  arch::DramConfig config;  ///< the configuration of a pseudo-channel
  std::uint32_t pseudo_channels = 1;
  std::uint32_t stack_ids = 1;
  std::uint32_t ticks_per_clock = 1;  ///< arrivals are tried at each
  std::uint32_t read_entries = 0;     ///< entries of all pseudo-channels together
  std::uint32_t write_entries = 0;
};

[[nodiscard]] ReferencePart reference_part(const ReferenceRow& row);

struct StreamResult {
  double fraction = 0;    ///< share of the peak bandwidth
  double latency_ns = 0;  ///< mean of the reads, from acceptance to the end of the data
};

/// Runs the stream of a row whose pattern is not idle_latency.
[[nodiscard]] StreamResult run_stream(const ReferenceRow& row);
/// Clocks of a read with nothing in its way, the row being `state`: hit, closed or conflict.
[[nodiscard]] std::uint64_t idle_clocks(const ReferencePart& part, const std::string& state);

}  // namespace gpusim::test
