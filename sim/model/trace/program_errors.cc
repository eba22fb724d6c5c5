// SPDX-License-Identifier: MIT
// What a walk says when the trace describes something that cannot happen.
#include <algorithm>

#include "sim/base/address_space.h"
#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/model/trace/program_sources.h"
#include "sim/model/trace/table.h"

namespace gpusim::trace {
std::string ProgramSources::warp_place() const {
  return "in CTA (" + std::to_string(cta_.x) + "," + std::to_string(cta_.y) + "," + std::to_string(cta_.z) +
         "), warp " + std::to_string(warp_);
}

std::string ProgramSources::place(std::uint32_t lane) const {
  std::string text = "in kernel '" + program_->kernel + "', CTA (" + std::to_string(cta_.x) + "," +
                     std::to_string(cta_.y) + "," + std::to_string(cta_.z) + "), warp " + std::to_string(warp_) +
                     ", lane " + std::to_string(lane);
  std::vector<std::string> counters;
  for (std::uint32_t index = program_->ops[at_].loop; index != kNone; index = program_->loops[index].parent) {
    const Loop& loop = program_->loops[index];
    Fault fault;
    const std::int64_t begin = run_scalar(context(), loop.begin, lane, fault);
    const auto iteration = static_cast<std::uint64_t>(variables()[iteration_variable(loop.level)]);
    const std::uint64_t value = static_cast<std::uint64_t>(begin) + iteration * static_cast<std::uint64_t>(loop.step);
    counters.push_back(loop.name + "=" + std::to_string(static_cast<std::int64_t>(value)));
  }
  for (auto counter = counters.rbegin(); counter != counters.rend(); ++counter) {
    text += ", " + *counter;
  }
  return text;
}

void ProgramSources::fail(const Fault& fault, std::uint32_t lane) const {
  std::string message = "division by zero";
  std::string hint;
  if (fault.kind == Fault::Kind::kTableIndex) {
    message = "index " + std::to_string(fault.index) + " is outside table '" + program_->table_names[fault.table] + "'";
    hint = "it has " + std::to_string(program_->tables[fault.table]->size()) + " entries";
  }
  const Place at = program_->places[at_];
  throw InputError(Problem{{program_->file, at.line, at.column}, message + " " + place(lane), hint});
}

void ProgramSources::fail_endless(std::uint32_t from) const {
  const Place at = program_->places[from];
  throw CannotFinishError(to_text(
      {{program_->file, at.line, at.column},
       "after " + with_thousands(most_walked_) + " instructions a warp has not left this loop " + place(any_lane()),
       "an endless loop? otherwise raise --max-warp-instructions"}));
}

void ProgramSources::fail_rank(const RankSource& source, std::int64_t rank) const {
  throw InputError(Problem{{program_->file, source.place.line, source.place.column},
                           "rank " + std::to_string(rank) + " is outside the cluster " + place(any_lane()),
                           "its CTAs have the ranks 0 to " + std::to_string(program_->ctas_per_cluster - 1)});
}

void ProgramSources::fail_access(const AccessSource& source, std::uint32_t lane, std::int64_t address) const {
  const Buffer& buffer = program_->buffers[source.buffer];
  const auto offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(address) - buffer.base);
  const bool misaligned = (static_cast<std::uint64_t>(address) & (source.bytes - 1)) != 0;
  const bool inside = offset >= 0 && static_cast<std::uint64_t>(offset) < buffer.bytes &&
                      source.bytes <= buffer.bytes - static_cast<std::uint64_t>(offset);
  std::string message = "address " + address_text(static_cast<Address>(address)) + " (byte " + std::to_string(offset) +
                        " of '" + buffer.name + "') ";
  std::string hint = "'" + buffer.name + "' has " + std::to_string(buffer.bytes) + " bytes, the access " +
                     std::to_string(source.bytes);
  if (inside && misaligned) {
    message += "is not a multiple of the " + std::to_string(source.bytes) + " bytes of the access";
    hint.clear();
  } else {
    message += "is outside the buffer";
  }
  const Place at = program_->access_places[static_cast<std::size_t>(&source - program_->accesses.data())];
  throw InputError(Problem{{program_->file, at.line, at.column}, message + " " + place(lane), hint});
}

}  // namespace gpusim::trace
