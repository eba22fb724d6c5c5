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
    : shared_(shared),
      local_(local),
      global_(shared.ports.wiring().index * shared.map.slices_per_partition() + local),
      config_(shared.arch.l2),
      is_ideal_(config_.model == arch::L2Model::kIdeal),
      input_(shared.arch, local, shared.ports, shared.calendar),
      stalled_(shared.calendar, local),
      tags_(config_, global_),
      home_misses_(config_.mshrs),
      copy_misses_(config_.mshrs),
      mirror_(config_, global_, shared.map.mirror_slice(global_), shared.ports),
      atomic_unit_(config_),
      output_(shared.arch, global_, shared.ports) {}

void Slice::restart() {
  input_.restart();
  output_.restart();
  stalled_.restart();
  mirror_.restart();
  atomic_unit_.restart();
  counters_ = {};
}

// ---- Requests -----------------------------------------------------------------------------------------------------

void Slice::prefetch_tags(std::uint64_t slice_line, bool is_copy) const {
  if (!is_ideal_) {
    tags_.prefetch(line_in_tags(slice_line, is_copy));
  }
}

Need Slice::process_ideal(const Message& message, Cycle now) {
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
  const std::uint8_t missing = without(access.message.sectors, tags_.look_up(access.line, access.message.sectors));
  if (missing != 0) {
    return await(access, missing, now);
  }
  age(access.message, access.line);
  if (access.message.kind() == Kind::kFarRead) {
    tags_.set_copy(access.line, true);
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
    case Kind::kFarInvalidate: tags_.invalidate(access.line, cache::kAllSectors); return Need::kNothing;
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
    count_request(message);
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

void Slice::resume(Cycle now) {
  stalled_.resume(
      now, [this](Need need) { return is_met(need); },
      [this, now](const Request& request) { return process(request, now); });
  wake(now);
}

Need Slice::write(const Access& access, Cycle now) {
  if (!is_met(Need::kWritePlace) && !tags_.takes_write(access.line)) {
    return Need::kWritePlace;
  }
  store(access.message, access.line, access.message.as<L2Access>().full, now);
  age(access.message, access.line);
  respond(access.message, now);
  return Need::kNothing;
}

/// Writes a home line. A copy that the write does not pass on its way here is out of date then.
void Slice::store(const Message& message, cache::LineNumber line, std::uint8_t full, Cycle now) {
  const SliceTags::Written written = tags_.write(line, message.sectors, full);
  write_back(written.evicted, counters_.evicted_dirty_sectors, now);
  write_back(written.cleaned, counters_.cleaned_sectors, now);
  if (!written.has_copy || is_from_mirror(message)) {
    return;
  }
  tags_.set_copy(line, false);
  mirror_.invalidate(message.as<L2Access>().address, now);
}

Need Slice::atomic(const Access& access, Cycle now) {
  if (!is_met(Need::kAtomicEntry)) {
    return Need::kAtomicEntry;
  }
  const std::uint8_t missing = without(access.message.sectors, tags_.look_up(access.line, access.message.sectors));
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
    const std::uint32_t written = msg::sector_count(tags_.look_up(access.line, access.message.sectors));
    output_.use_data_port(written * kSectorBytes, now);
    shared_.window.apply(access.message.as<L2Access>().address, access.line, tags_);
  } else {
    tags_.invalidate(access.line, access.message.sectors);
  }
  mirror_.write(access.message, kind, now);
  return Need::kNothing;
}

bool Slice::is_met(Need need) const {
  switch (need) {
    case Need::kHomeMshr: return home_misses_.can_allocate();
    case Need::kCopyMshr: return copy_misses_.can_allocate();
    case Need::kWritePlace: return shared_.dram.waiting_writes(local_) < config_.queue_entries;
    case Need::kFarWrite: return mirror_.takes_writes();
    case Need::kAtomicEntry: return atomic_unit_.has_room();
    default: return true;
  }
}

/// Lets the request wait for its missing sectors, and fetches those that are not on their way yet.
Need Slice::await(const Access& access, std::uint8_t missing, Cycle now) {
  MissTable& misses = access.is_home ? home_misses_ : copy_misses_;
  MissTable::Entry entry = misses.find(access.line);
  std::uint8_t fresh = missing;
  if (entry != MissTable::kNone) {
    fresh = misses.add_target(entry, missing, access.message);
  } else {
    for (const Need need : {access.is_home ? Need::kHomeMshr : Need::kCopyMshr, Need::kWritePlace}) {
      if (!is_met(need)) {
        return need;
      }
    }
    entry = misses.allocate(access.line, missing);
    misses.add_target(entry, missing, access.message);
  }
  count_lookup(access.message, missing);
  counters_.mshr_merges += msg::sector_count(without(missing, fresh));
  if (fresh != 0) {
    const std::uint8_t beside = access.is_home ? sectors_beside(access.line, entry, fresh) : 0;
    misses.expect(entry, beside);
    counters_.beside_sectors += msg::sector_count(beside);
    fetch(access, entry, static_cast<std::uint8_t>(fresh | beside), now);
  }
  return Need::kNothing;
}

/// What is read from DRAM with missing sectors: the others of their piece that are neither there nor on their way.
std::uint8_t Slice::sectors_beside(cache::LineNumber line, MissTable::Entry entry, std::uint8_t fresh) {
  const std::uint8_t beside = without(widened(fresh, config_.fill_bytes), fresh);
  const std::uint8_t on_their_way = home_misses_.outstanding(entry);
  return beside == 0 ? beside : without(without(beside, on_their_way), tags_.look_up(line, beside));
}

void Slice::fetch(const Access& access, MissTable::Entry entry, std::uint8_t sectors, Cycle now) {
  if (access.is_home) {
    counters_.dram_read_sectors += msg::sector_count(sectors);
    const map::ChannelLine place = shared_.map.channel_line(access.message.as<L2Access>().address);
    shared_.dram.read(place, {access.line, entry, local_, sectors}, now);
    return;
  }
  mirror_.read(access.message, {access.line, entry, local_, sectors}, now);
}

// ---- Answers ------------------------------------------------------------------------------------------------------

void Slice::accept_answer(const Message& message, Cycle now) {
  const FarOperation operation = mirror_.take_answer(message);
  if (operation.is_read) {
    arrive(copy_misses_, {operation.line, operation.entry, local_, message.sectors}, now);
    return;
  }
  output_.respond(operation.message, 0, now);
  wake(now);
}

void Slice::fill(const Fetch& fetch, Cycle now) {
  arrive(home_misses_, fetch, now);
}

void Slice::arrive(MissTable& misses, const Fetch& fetch, Cycle now) {
  write_back(tags_.fill(fetch.line, fetch.sectors), counters_.evicted_dirty_sectors, now);
  misses.complete(fetch.entry, fetch.sectors, [this, line = fetch.line, now](const Message& message) {
    if (message.kind() == Kind::kRead || message.kind() == Kind::kFarRead) {
      age(message, line);
      if (message.kind() == Kind::kFarRead) {
        tags_.set_copy(line, true);
      }
      respond(message, now);
    } else {
      start_atomic(message, now);
    }
  });
  wake(now);
}

/// What is read or written for the last time soon leaves before other lines; of others the kernel's window may say
/// when they leave.
void Slice::age(const Message& message, cache::LineNumber line) {
  if (message.as<L2Access>().leaves_soon != 0) {
    tags_.age(line);
  } else {
    shared_.window.apply(message.as<L2Access>().address, line, tags_);
  }
}

void Slice::start_atomic(const Message& message, Cycle now) {
  const AtomicUnit::Started started = atomic_unit_.start(message, now);
  shared_.calendar.push(started.done, {Work::kAtomic, local_, started.slot});
}

void Slice::finish_atomic(std::uint32_t slot, Cycle now) {
  const Message message = atomic_unit_.finish(slot, now);
  if (!is_ideal_) {
    const cache::LineNumber line = shared_.map.slice_line(message.as<L2Access>().address);
    store(message, line, message.sectors, now);
    shared_.window.apply(message.as<L2Access>().address, line, tags_);
  }
  respond(message, now);
  wake(now);
}

/// Sends what a line had that was dirty to DRAM, and counts it with others that went there for the same cause.
void Slice::write_back(const cache::LineState& line, std::uint64_t& sectors, Cycle now) {
  if (line.dirty == 0) {
    return;
  }
  sectors += msg::sector_count(line.dirty);
  counters_.dram_write_sectors += msg::sector_count(line.dirty);
  const map::ChannelLine place = shared_.map.channel_line(shared_.map.address_in_slice(global_, line.line));
  shared_.dram.write(place, local_, line.dirty, now);
}

// ---- Outside time -------------------------------------------------------------------------------------------------

FunctionalResult Slice::access_functionally(const FunctionalRequest& request) {
  return is_ideal_ ? FunctionalResult{} : l2::access_functionally(request, config_.fill_bytes, shared_.window, tags_);
}

void Slice::invalidate_copy(Address address) {
  tags_.invalidate(line_in_tags(shared_.map.slice_line(address), true), cache::kAllSectors);
}

// ---- Counters ------------------------------------------------------------------------------------------------------

void Slice::count_request(const Message& message) {
  ++counters_.requests;
  if (message.kind() == Kind::kWrite) {
    counters_.write_sectors += msg::sector_count(message.sectors);
  } else if (message.kind() != Kind::kRead) {
    counters_.atomic_sectors += msg::sector_count(message.sectors);
  }
}

/// Counts the lookup of a message that reads the line. Writes look nothing up, and sectors of atomics are counted where
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

// ---- Results ----------------------------------------------------------------------------------------------------

stats::L2Counters Slice::counters() const {
  stats::L2Counters result = counters_;
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
      {"queued requests", input_.size()},
      {"stalled requests", stalled_.size()},
      {"MSHRs", std::size_t{home_misses_.size()} + copy_misses_.size()},
      {"requests to the other half", mirror_.unanswered()},
      {"atomics", atomic_unit_.held()},
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
