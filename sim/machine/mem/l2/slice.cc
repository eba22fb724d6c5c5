// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/slice.h"

#include <cassert>
#include <utility>

#include "sim/machine/mem/l2/sectors.h"
#include "sim/model/arch/arch.h"

namespace gpusim::mem::l2 {

using msg::Kind;
using msg::L2Access;
using msg::Message;

Slice::Slice(const Shared& shared, std::uint16_t local)
    : map_(shared.map),
      calendar_(shared.calendar),
      local_(local),
      global_(shared.ports.wiring().index * shared.map.slices_per_partition() + local),
      is_ideal_(shared.arch.l2.model == arch::L2Model::kIdeal),
      coalescer_(shared.arch.l2.joined_reads),
      input_(shared.arch.l2, shared.arch.noc, local, shared.ports, shared.calendar),
      stalled_(shared.calendar, local),
      lines_({shared.arch.l2, shared.map, shared.window, shared.dram}, local, global_,
             shared.arch.dram.ecc != arch::DramEcc::kNone),
      misses_({shared.arch.l2, shared.map, shared.dram}, local),
      mirror_(shared.arch.l2, global_, shared.map.mirror_slice(global_), shared.ports),
      atomic_unit_(shared.arch.l2),
      output_(shared.arch.l2, shared.arch.noc, global_, shared.ports) {}

void Slice::restart() {
  coalescer_.restart();
  input_.restart();
  output_.restart();
  stalled_.restart();
  lines_.restart();
  misses_.restart();
  mirror_.restart();
  atomic_unit_.restart();
  counters_ = {};
}

// ---- Requests -----------------------------------------------------------------------------------------------------

void Slice::prefetch_tags(std::uint64_t slice_line, bool is_copy) const {
  if (!is_ideal_) {
    lines_.prefetch(line_in_tags(slice_line, is_copy));
  }
}

/// Whether an SM's read gets its answer with that of another one; it gives its place back at once then.
bool Slice::joins(const Message& read, Cycle now) {
  using How = RequestCoalescer::Joined::How;
  const RequestCoalescer::Joined joined = coalescer_.join(read, output_.router_of(read), now);
  if (joined.how == How::kFirst) {
    return false;
  }
  count_joined(read);
  output_.return_credit(read, now);
  if (joined.how == How::kLeavesAt) {
    output_.repeat(read, joined.is_copy, joined.leaves);
  }
  return true;
}

[[gnu::noinline]] Need Slice::process_ideal(const Message& message, Cycle now) {
  const bool is_atomic = message.kind() == Kind::kAtomic || message.kind() == Kind::kReduction;
  if (is_atomic && !is_met(Need::kAtomicEntry)) {
    return Need::kAtomicEntry;
  }
  if (message.kind() != Kind::kWrite) {
    count_lookup(message, 0);
  }
  if (is_atomic) {
    atomic_unit_.take_entry();
    start_atomic(message, now);
  } else {
    respond(message, now);
  }
  return Need::kNothing;
}

inline Need Slice::read(const Access& access, Cycle now) {
  const std::uint8_t missing = lines_.missing(access.line, access.message.sectors);
  if (missing != 0) {
    return await(access, missing, now);
  }
  lines_.age(access.message, access.line);
  if (access.message.kind() == Kind::kFarRead) {
    lines_.set_copy(access.line, true);
  }
  count_lookup(access.message, 0);
  respond(access.message, now);
  return Need::kNothing;
}

inline Need Slice::process_at_tags(const Access& access, Cycle now) {
  switch (access.message.kind()) {
    case Kind::kRead:
    case Kind::kFarRead: return read(access, now);
    case Kind::kWrite: return access.is_home ? write(access, now) : forward(access, Kind::kFarWrite, now);
    case Kind::kFarWrite: return write(access, now);
    case Kind::kAtomic: return access.is_home ? atomic(access, now) : forward(access, Kind::kFarAtomic, now);
    case Kind::kReduction: return access.is_home ? atomic(access, now) : forward(access, Kind::kFarReduction, now);
    case Kind::kFarAtomic:
    case Kind::kFarReduction: return atomic(access, now);
    case Kind::kFarInvalidate: lines_.invalidate(access.line, cache::kAllSectors); return Need::kNothing;
    default: assert(false && "not a request"); return Need::kNothing;
  }
}

/// Returns what the request must wait for, having changed nothing, or that it waits no more.
inline Need Slice::process(const Request& request, Cycle now) {
  const Message& message = request.message;
  const bool is_copy = message.as<L2Access>().is_copy != 0;
  const Need need = is_ideal_ ? process_ideal(message, now)
                              : process_at_tags({message, !is_copy, line_in_tags(request.slice_line, is_copy)}, now);
  if (need == Need::kNothing && !is_from_mirror(message)) {
    count_taken(message);
    output_.return_credit(message, now);
  }
  return need;
}

void Slice::look_up(std::uint32_t slot, Cycle now) {
  const Request& request = input_.passed(slot);
  const bool must_queue = stalled_.has_before(request.message);
  const Need need = must_queue ? Need::kNothing : process(request, now);
  if (must_queue || need != Need::kNothing) {
    stalled_.push(request, need, now);
  }
  input_.drop_passed(slot);
}

/// One stalled request of each origin moves a cycle, as long as what they need is there.
void Slice::wake(Cycle now) {
  if (stalled_.wake(now, [this](Need need) { return is_met(need); })) {
    resume(now);
  }
}

[[gnu::noinline]] void Slice::resume(Cycle now) {
  stalled_.resume(
      now, [this](Need need) { return is_met(need); },
      [this, now](const Request& request) { return process(request, now); });
  wake(now);
}

Need Slice::write(const Access& access, Cycle now) {
  if (!lines_.takes_write(access.line)) {
    return Need::kWritePlace;
  }
  const auto& asked = access.message.as<L2Access>();
  store(access.message, access.line, {asked.full, asked.parts}, now);
  lines_.age(access.message, access.line);
  respond(access.message, now);
  return Need::kNothing;
}

/// Writes a home line. A copy that the write does not pass on its way here is out of date then.
void Slice::store(const Message& message, cache::LineNumber line, LineStore::Coverage covered, Cycle now) {
  const bool has_copy = lines_.write(message, line, covered, now);
  if (!has_copy || is_from_mirror(message)) {
    return;
  }
  lines_.set_copy(line, false);
  mirror_.invalidate(message.as<L2Access>().address, now);
}

[[gnu::noinline]] Need Slice::atomic(const Access& access, Cycle now) {
  if (!is_met(Need::kAtomicEntry)) {
    return Need::kAtomicEntry;
  }
  const std::uint8_t missing = lines_.missing(access.line, access.message.sectors);
  const Need need = missing != 0 ? await(access, missing, now) : Need::kNothing;
  if (need == Need::kNothing) {
    atomic_unit_.take_entry();
    if (missing == 0) {
      count_lookup(access.message, 0);
      start_atomic(access.message, now);
    }
  }
  return need;
}

/// Sends a write or an atomic on to the line's home. A copy of the line keeps what is written, but not what an atomic
/// will make of it.
Need Slice::forward(const Access& access, Kind kind, Cycle now) {
  if (!is_met(Need::kFarWrite)) {
    return Need::kFarWrite;
  }
  if (kind == Kind::kFarWrite) {
    const std::uint8_t sectors = access.message.sectors;
    const std::uint32_t written = msg::sector_count(without(sectors, lines_.missing(access.line, sectors)));
    output_.use_data_port(written * kSectorBytes, now);
    lines_.keep_by_window(access.message.as<L2Access>().address, access.line);
  } else {
    lines_.invalidate(access.line, access.message.sectors);
  }
  mirror_.write(access.message, kind, now);
  return Need::kNothing;
}

bool Slice::is_met(Need need) const {
  switch (need) {
    case Need::kHomeMshr: return misses_.has_mshr(true);
    case Need::kCopyMshr: return misses_.has_mshr(false);
    case Need::kWritePlace: return lines_.has_write_place();
    case Need::kFarWrite: return mirror_.takes_writes();
    case Need::kAtomicEntry: return atomic_unit_.has_room();
    default: return true;
  }
}

/// Lets the request wait for its missing sectors.
[[gnu::noinline, gnu::flatten]] Need Slice::await(const Access& access, std::uint8_t missing, Cycle now) {
  const Need need = misses_.await(access, missing, lines_, mirror_, now);
  if (need == Need::kNothing) {
    count_lookup(access.message, missing);
  }
  return need;
}

// ---- Answers ------------------------------------------------------------------------------------------------------

void Slice::accept_answer(const Message& message, Cycle now) {
  const FarOperation operation = mirror_.take_answer(message);
  if (operation.is_read) {
    arrive(false, {operation.line, operation.entry, local_, message.sectors}, now);
    return;
  }
  output_.respond(operation.message, 0, now);
  wake(now);
}

void Slice::fill(const Fetch& fetch, Cycle now) {
  arrive(true, fetch, now);
}

[[gnu::noinline, gnu::flatten]] void Slice::arrive(bool is_home, const Fetch& fetch, Cycle now) {
  lines_.fill(fetch.line, fetch.sectors, now);
  misses_.complete(is_home, fetch, [this, line = fetch.line, now](const Message& message) {
    if (message.kind() == Kind::kRead || message.kind() == Kind::kFarRead) {
      lines_.age(message, line);
      if (message.kind() == Kind::kFarRead) {
        lines_.set_copy(line, true);
      }
      respond(message, now);
    } else {
      start_atomic(message, now);
    }
  });
  wake(now);
}

[[gnu::noinline]] void Slice::start_atomic(const Message& message, Cycle now) {
  const AtomicUnit::Started started = atomic_unit_.start(message, now);
  calendar_.push(started.done, {Work::kAtomic, local_, started.slot});
}

[[gnu::noinline]] void Slice::finish_atomic(std::uint32_t slot, Cycle now) {
  const Message message = atomic_unit_.finish(slot, now);
  if (!is_ideal_) {
    const cache::LineNumber line = map_.slice_line(message.as<L2Access>().address);
    store(message, line, {message.sectors, {}}, now);
    lines_.keep_by_window(message.as<L2Access>().address, line);
  }
  respond(message, now);
  wake(now);
}

// ---- Outside time -------------------------------------------------------------------------------------------------

FunctionalResult Slice::access_functionally(const FunctionalRequest& request) {
  return is_ideal_ ? FunctionalResult{} : lines_.access_functionally(request);
}

void Slice::invalidate_copy(Address address) {
  lines_.invalidate(line_in_tags(map_.slice_line(address), true), cache::kAllSectors);
}

// ---- Results ----------------------------------------------------------------------------------------------------

/// A request of an SM has been taken.
void Slice::count_taken(const Message& message) {
  ++counters_.requests;
  if (message.kind() == Kind::kWrite) {
    counters_.write_sectors += msg::sector_count(message.sectors);
  } else if (message.kind() != Kind::kRead) {
    counters_.atomic_sectors += msg::sector_count(message.sectors);
  }
}

/// A read of an SM has been taken that another one's lookup answers.
void Slice::count_joined(const Message& read) {
  ++counters_.requests;
  ++counters_.joined_requests;
  counters_.joined_sectors += msg::sector_count(read.sectors);
}

/// A message that reads its line has been looked up. Writes look nothing up, and sectors of atomics are counted where
/// they come in.
void Slice::count_lookup(const Message& message, std::uint8_t missing) {
  const std::uint32_t sectors = msg::sector_count(message.sectors);
  const std::uint32_t misses = msg::sector_count(missing);
  switch (message.kind()) {
    case Kind::kRead:
      counters_.read_sectors += sectors;
      counters_.read_hits += sectors - misses;
      counters_.read_misses += misses;
      break;
    case Kind::kFarRead:
      counters_.far_sectors += sectors;
      counters_.far_hits += sectors - misses;
      counters_.far_misses += misses;
      break;
    default: counters_.atomic_hits += sectors - misses; counters_.atomic_misses += misses;
  }
}

stats::L2Counters Slice::counters() const {
  stats::L2Counters result = counters_;
  stats::add(result, lines_.counters());
  stats::add(result, misses_.counters());
  result.atomic_cycles = atomic_unit_.busy_cycles();
  mirror_.add_to(result);
  output_.add_to(result);
  return result;
}

void Slice::add_to(stats::NocCounters& counters, Cycle end) const {
  input_.add_to(counters, end);
  output_.add_to(counters, end);
  stalled_.add_to(counters, end);
}

std::string Slice::leftovers() const {
  const std::pair<const char*, std::size_t> kinds[] = {
      {"queued requests", input_.size()}, {"stalled requests", stalled_.size()},
      {"MSHRs", misses_.size()},          {"requests to the other half", mirror_.unanswered()},
      {"atomics", atomic_unit_.held()},   {"joined reads", coalescer_.waiting()},
  };
  std::string text;
  for (const auto& [name, count] : kinds) {
    if (count != 0) {
      text += "slice " + std::to_string(global_) + ": " + std::to_string(count) + " " + name + " left\n";
    }
  }
  return text;
}

}  // namespace gpusim::mem::l2
