// SPDX-License-Identifier: MIT
// What happens to a request once the tags have been read, up to its answer.
#include <algorithm>
#include <cassert>

#include "sim/base/address_space.h"
#include "sim/machine/mem/l2/slice.h"

namespace gpusim::mem::l2 {
namespace {

using msg::Kind;
using msg::L2Access;
using msg::Message;

/// Tells a copy of the mirror slice's line from a line of one's own with the same number. The tags have 48 bits for a
/// number; those of all addresses that there are need fewer.
constexpr std::uint64_t kCopy = std::uint64_t{1} << 47;
static_assert(kLocalEnd / kLineBytes <= kCopy);

std::uint32_t bytes_of(std::uint8_t sectors) {
  return msg::sector_count(sectors) * kSectorBytes;
}
std::uint8_t without(std::uint8_t sectors, std::uint8_t removed) {
  return static_cast<std::uint8_t>(sectors & ~removed);
}

}  // namespace

/// The number in the tags of the line whose home is `place`.
cache::LineNumber Slice::line_of(const Place& place) const {
  return place.slice_line | (place.slice == global_ ? 0 : kCopy);
}

Expected Slice::expect_answer(const Message& message) const {
  const FarOperation& operation = far_operations_[message.as<L2Access>().token];
  return {operation.line, operation.entry, local_};
}

Expected Slice::expect_request(const Place& place) const {
  return {is_ideal_ ? cache::kNoLine : line_of(place), Expected::kNoMiss, local_};
}

void Slice::prefetch(const Expected& expected) const {
  if (expected.line == cache::kNoLine) {
    return;
  }
  tags_.prefetch(expected.line);
  const MissTable& misses = (expected.line & kCopy) == 0 ? home_misses_ : copy_misses_;
  misses.prefetch(expected.line);
  if (expected.miss != Expected::kNoMiss) {
    misses.prefetch_entry(expected.miss);
  }
}

/// Returns what the request must wait for, having changed nothing, or that it waits no more.
Slice::Need Slice::process(const Request& request, Cycle now) {
  const Message& message = request.message;
  const Place& place = request.place;
  const Need need = is_ideal_ ? process_ideal(message, now)
                              : process_at_tags({message, place, place.slice == global_, line_of(place)}, now);
  if (need == Need::kNothing && !is_from_mirror(message)) {
    count_request(message);
    output_.return_credit(message, now);
  }
  return need;
}

Slice::Need Slice::process_at_tags(const Access& access, Cycle now) {
  switch (access.message.kind()) {
    case Kind::kRead:
    case Kind::kFarRead: return read(access, now);
    case Kind::kWrite: return access.is_home ? write(access, now) : forward(access, Kind::kFarWrite, now);
    case Kind::kFarWrite: return write(access, now);
    case Kind::kAtomic: return access.is_home ? atomic(access, now) : forward(access, Kind::kFarAtomic, now);
    case Kind::kReduction: return access.is_home ? atomic(access, now) : forward(access, Kind::kFarReduction, now);
    case Kind::kFarAtomic:
    case Kind::kFarReduction: return atomic(access, now);
    case Kind::kFarInvalidate: invalidate_copy(access.message.as<L2Access>().address); return Need::kNothing;
    default: assert(false && "not a request"); return Need::kNothing;
  }
}

Slice::Need Slice::process_ideal(const Message& message, Cycle now) {
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

Slice::Need Slice::read(const Access& access, Cycle now) {
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

Slice::Need Slice::write(const Access& access, Cycle now) {
  if (!is_met(Need::kWritePlace) && !tags_.has(access.line)) {
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
  evict(written.evicted, now);
  if (!written.has_copy || is_from_mirror(message)) {
    return;
  }
  tags_.set_copy(line, false);
  ++counters_.far_invalidations;
  L2Access copy;
  copy.address = message.as<L2Access>().address;
  copy.slice = static_cast<std::uint16_t>(shared_.map.mirror_slice(global_));
  shared_.ports.send_far(msg::make(Kind::kFarInvalidate, copy), now + config_.data_latency,
                         now);  // after the answers that are on their way
}

Slice::Need Slice::atomic(const Access& access, Cycle now) {
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
Slice::Need Slice::forward(const Access& access, Kind kind, Cycle now) {
  if (!is_met(Need::kFarWrite)) {
    return Need::kFarWrite;
  }
  ++far_writes_;
  if (kind == Kind::kFarWrite) {
    output_.use_data_port(bytes_of(tags_.look_up(access.line, access.message.sectors)), now);
    apply_window(access.message.as<L2Access>().address, access.line);
  } else {
    tags_.invalidate(access.line, access.message.sectors);
  }
  ask_mirror(access, {access.message}, kind, now);
  return Need::kNothing;
}

bool Slice::is_met(Need need) const {
  switch (need) {
    case Need::kHomeMshr: return home_misses_.can_allocate();
    case Need::kCopyMshr: return copy_misses_.can_allocate();
    case Need::kWritePlace: return shared_.dram.waiting_writes(local_) < config_.queue_entries;
    case Need::kFarWrite: return far_writes_ < config_.mshrs;
    case Need::kAtomicEntry: return atomic_unit_.has_room();
    default: return true;
  }
}

/// Lets the request wait for its missing sectors, and fetches those that are not on their way yet.
Slice::Need Slice::await(const Access& access, std::uint8_t missing, Cycle now) {
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
    fetch(access, entry, fresh, now);
  }
  return Need::kNothing;
}

void Slice::fetch(const Access& access, MissTable::Entry entry, std::uint8_t sectors, Cycle now) {
  if (access.is_home) {
    counters_.dram_read_sectors += msg::sector_count(sectors);
    shared_.dram.read(access.place, {access.line, entry, local_, sectors}, now);
    return;
  }
  FarOperation operation{access.message, access.line, entry};
  operation.message.sectors = sectors;
  ask_mirror(access, operation, Kind::kFarRead, now);
}

void Slice::ask_mirror(const Access& access, const FarOperation& operation, Kind kind, Cycle now) {
  Message message = operation.message.as_kind(kind);
  auto& asked = message.as<L2Access>();
  asked.slice = static_cast<std::uint16_t>(access.place.slice);
  asked.requester = static_cast<std::uint16_t>(global_);
  asked.token = far_operations_.take(operation);
  shared_.ports.send_far(message, now, now);
}

// ---- Answers ------------------------------------------------------------------------------------------------------

void Slice::accept_answer(const Message& message, Cycle now) {
  const FarOperation operation = far_operations_.remove(message.as<L2Access>().token);
  if (operation.line != cache::kNoLine) {
    arrive(copy_misses_, {operation.line, operation.entry, local_, message.sectors}, now);
    return;
  }
  --far_writes_;
  output_.respond(operation.message, 0, now);
  wake(now);
}

void Slice::fill(const Fetch& fetch, Cycle now) {
  arrive(home_misses_, fetch, now);
}

void Slice::arrive(MissTable& misses, const Fetch& fetch, Cycle now) {
  evict(tags_.fill(fetch.line, fetch.sectors), now);
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
    apply_window(message.as<L2Access>().address, line);
  }
}

void Slice::apply_window(Address address, cache::LineNumber line) {
  const AccessWindow& window = shared_.window;
  if (!window.holds(address)) [[likely]] {
    return;
  }
  switch (window.of(address)) {
    case Eviction::kFirst: tags_.age(line); break;
    case Eviction::kLast: tags_.keep(line, window.persisting_ways); break;
    case Eviction::kNormal: break;
  }
}

void Slice::start_atomic(const Message& message, Cycle now) {
  shared_.calendar.push(atomic_unit_.start(message, now), {Work::kAtomic, local_, atomics_.take(message)});
}

void Slice::finish_atomic(std::uint32_t slot, Cycle now) {
  const Message message = atomics_.remove(slot);
  atomic_unit_.finish(message, now);
  if (!is_ideal_) {
    const cache::LineNumber line = line_of(shared_.map.locate(message.as<L2Access>().address));
    store(message, line, message.sectors, now);
    apply_window(message.as<L2Access>().address, line);
  }
  respond(message, now);
  wake(now);
}

void Slice::evict(const cache::LineState& victim, Cycle now) {
  if (victim.dirty == 0) {
    return;
  }
  counters_.evicted_dirty_sectors += msg::sector_count(victim.dirty);
  counters_.dram_write_sectors += msg::sector_count(victim.dirty);
  const Place place = shared_.map.locate(shared_.map.address_in_slice(global_, victim.line));
  shared_.dram.write(place, victim.dirty, now);
}

// ---- Outside time -------------------------------------------------------------------------------------------------

FunctionalResult Slice::access_functionally(const Message& message, cache::LineNumber line) {
  if (is_ideal_) {
    return {};
  }
  const bool is_home = (line & kCopy) == 0;
  if (message.kind() == Kind::kRead || message.kind() == Kind::kFarRead) {
    const std::uint8_t missed = tags_.read_in(line, message.sectors, message.kind() == Kind::kFarRead);
    apply_window(message.as<L2Access>().address, line);
    return {missed, !is_home};
  }
  if (!is_home) {
    if (message.kind() != Kind::kWrite) {
      tags_.invalidate(line, message.sectors);
    }
    return {message.sectors, true};
  }
  const bool is_write = message.kind() == Kind::kWrite || message.kind() == Kind::kFarWrite;
  const SliceTags::Written written =
      tags_.write(line, message.sectors, is_write ? message.as<L2Access>().full : message.sectors);
  apply_window(message.as<L2Access>().address, line);
  const std::uint8_t missed = without(message.sectors, written.readable);
  const bool invalidates = written.has_copy && !is_from_mirror(message);
  if (invalidates) {
    tags_.set_copy(line, false);
  }
  return {missed, false, invalidates};
}

void Slice::invalidate_copy(Address address) {
  tags_.invalidate(shared_.map.locate(address).slice_line | kCopy, cache::kAllSectors);
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

/// Of what reads the line: writes look nothing up. Sectors of atomics are counted where they come in.
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

}  // namespace gpusim::mem::l2
