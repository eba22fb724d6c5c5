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

/// The number in the tags of a line of the slice's own, or of its mirror.
cache::LineNumber tags_line(std::uint64_t slice_line, bool is_copy) {
  return slice_line | (is_copy ? kCopy : 0);
}

std::uint32_t bytes_of(std::uint8_t sectors) {
  return msg::sector_count(sectors) * kSectorBytes;
}
std::uint8_t without(std::uint8_t sectors, std::uint8_t removed) {
  return static_cast<std::uint8_t>(sectors & ~removed);
}
/// All sectors of the aligned pieces of `bytes` in which any of `sectors` lies.
std::uint8_t widened(std::uint8_t sectors, std::uint32_t bytes) {
  const std::uint32_t pair = bytes > kSectorBytes ? (sectors & 0b0101U) << 1U | (sectors & 0b1010U) >> 1U : 0;
  return bytes == kLineBytes && sectors != 0 ? cache::kAllSectors : static_cast<std::uint8_t>(sectors | pair);
}

}  // namespace

void Slice::prefetch_answer(const Message& message) const {
  const FarOperation& operation = far_operations_[message.as<L2Access>().token];
  if (operation.line != cache::kNoLine) {
    prefetch_arrival(copy_misses_, operation.line, operation.entry);
  }
}

void Slice::prefetch_request(const Message& message, std::uint64_t slice_line) const {
  if (!is_ideal_) {
    const bool is_copy = message.as<L2Access>().is_copy != 0;
    const cache::LineNumber line = tags_line(slice_line, is_copy);
    tags_.prefetch(line);
    (is_copy ? copy_misses_ : home_misses_).prefetch(line);
  }
}

void Slice::prefetch_arrival(const MissTable& misses, cache::LineNumber line, MissTable::Entry entry) const {
  tags_.prefetch(line);
  misses.prefetch(line);
  misses.prefetch_entry(entry);
}

void Slice::prefetch_tags(std::uint64_t slice_line, bool is_copy) const {
  if (!is_ideal_) {
    tags_.prefetch(tags_line(slice_line, is_copy));
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

inline Slice::Need Slice::read(const Access& access, Cycle now) {
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

inline Slice::Need Slice::process_at_tags(const Access& access, Cycle now) {
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
inline Slice::Need Slice::process(const Request& request, Cycle now) {
  const Message& message = request.message;
  const bool is_copy = message.as<L2Access>().is_copy != 0;
  const Need need = is_ideal_ ? process_ideal(message, now)
                              : process_at_tags({message, !is_copy, tags_line(request.slice_line, is_copy)}, now);
  if (need == Need::kNothing && !is_from_mirror(message)) {
    count_request(message);
    output_.return_credit(message, now);
  }
  return need;
}

void Slice::look_up(std::uint32_t slot, Cycle now) {
  const Request& request = input_.passed(slot);
  Stalled& stalled = is_from_mirror(request.message) ? far_ : near_;
  if (stalled.requests.empty()) {
    stalled.need = process(request, now);
  }
  if (stalled.need != Need::kNothing || !stalled.requests.empty()) {
    const bool is_first = stalled.requests.empty();
    stalled.requests.push_back(request);
    if (is_first) {
      count_stalls(now);
    }
  }
  input_.drop_passed(slot);
}

/// One stalled request of each origin moves a cycle, as long as what they need is there.
void Slice::wake(Cycle now) {
  if (resume_pending_ || !(can_resume(near_) || can_resume(far_))) {
    return;
  }
  if (now >= resume_from_) {
    resume(now);
  } else {
    resume_pending_ = true;
    shared_.calendar.push(resume_from_, {Work::kResume, local_, 0});
  }
}

void Slice::resume(Cycle now) {
  resume_pending_ = false;
  resume_from_ = now + 1;
  for (Stalled* stalled : {&near_, &far_}) {
    if (can_resume(*stalled)) {
      stalled->need = process(stalled->requests.front(), now);
      if (stalled->need == Need::kNothing) {
        stalled->requests.pop_front();
      }
    }
  }
  count_stalls(now);
  wake(now);
}

Slice::Need Slice::write(const Access& access, Cycle now) {
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
  ++counters_.far_invalidations;
  msg::FarAccess copy;
  copy.address = message.as<L2Access>().address;
  copy.slice = static_cast<std::uint16_t>(shared_.map.mirror_slice(global_));
  copy.is_copy = 1;
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
  ask_mirror({access.message}, kind, now);
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
  FarOperation operation{access.message, access.line, entry};
  operation.message.sectors = sectors;
  ask_mirror(operation, Kind::kFarRead, now);
}

void Slice::ask_mirror(const FarOperation& operation, Kind kind, Cycle now) {
  msg::FarAccess asked{operation.message.as<L2Access>(), static_cast<std::uint16_t>(global_)};
  asked.slice = static_cast<std::uint16_t>(shared_.map.mirror_slice(global_));
  asked.is_copy = 0;
  asked.token = far_operations_.take(operation);
  const Message message = msg::make(kind, asked, operation.message.sectors);
  ++counters_.far_requests;
  if (kind != Kind::kFarRead) {
    (kind == Kind::kFarAtomic ? counters_.far_atomic_sectors : counters_.far_write_sectors) +=
        msg::sector_count(message.sectors);
  }
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
    apply_window(message.as<L2Access>().address, line);
  }
}

void Slice::apply_window_to(Address address, cache::LineNumber line) {
  switch (shared_.window.of(address)) {
    case Eviction::kFirst: tags_.age(line); break;
    case Eviction::kLast: tags_.keep(line, shared_.window.persisting_ways); break;
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
    const cache::LineNumber line = shared_.map.slice_line(message.as<L2Access>().address);
    store(message, line, message.sectors, now);
    apply_window(message.as<L2Access>().address, line);
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
  if (is_ideal_) {
    return {};
  }
  const cache::LineNumber line = tags_line(request.slice_line, request.is_copy);
  if (request.kind == Kind::kRead || request.kind == Kind::kFarRead) {
    const bool by_mirror = request.kind == Kind::kFarRead;
    const std::uint8_t missed = tags_.read_in(line, request.sectors, by_mirror);
    if (const std::uint8_t beside = without(widened(missed, config_.fill_bytes), missed);
        beside != 0 && !request.is_copy) {
      static_cast<void>(tags_.read_in(line, beside, by_mirror));
    }
    apply_window(request.address, line);
    return {missed, request.is_copy};
  }
  if (request.is_copy) {
    if (request.kind != Kind::kWrite) {
      tags_.invalidate(line, request.sectors);
    }
    return {request.sectors, true};
  }
  const bool is_write = request.kind == Kind::kWrite || request.kind == Kind::kFarWrite;
  const SliceTags::Written written = tags_.write(line, request.sectors, is_write ? request.full : request.sectors);
  apply_window(request.address, line);
  const std::uint8_t missed = without(request.sectors, written.readable);
  const bool invalidates = written.has_copy && !is_from_mirror(request.kind);
  if (invalidates) {
    tags_.set_copy(line, false);
  }
  return {missed, false, invalidates};
}

void Slice::invalidate_copy(Address address) {
  tags_.invalidate(tags_line(shared_.map.slice_line(address), true), cache::kAllSectors);
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

void Slice::count_stalls(Cycle now) {
  const auto need_of = [](const Stalled& one) { return one.requests.empty() ? Need::kNothing : one.need; };
  const Need of_near = need_of(near_);
  stalls_.any.hold(!near_.requests.empty() || !far_.requests.empty(), now);
  stalls_.for_mirror.hold(of_near == Need::kCopyMshr || of_near == Need::kFarWrite, now);  // the mirror's need neither
  stalls_.for_dram.hold(of_near == Need::kWritePlace || need_of(far_) == Need::kWritePlace, now);
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

}  // namespace gpusim::mem::l2
