// SPDX-License-Identifier: MIT
#include "sim/mem/l2/slice.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace gpusim::mem::l2 {
namespace {

using msg::Kind;
using msg::Message;

/// Tells a copy of the mirror slice's line from a line of one's own with the same number; no line number is as large.
constexpr std::uint64_t kCopy = std::uint64_t{1} << 62;

std::uint32_t count_of(std::uint8_t sectors) {
  return static_cast<std::uint32_t>(std::popcount(sectors));
}
std::uint32_t bytes_of(std::uint8_t sectors) {
  return count_of(sectors) * kSectorBytes;
}
std::uint8_t without(std::uint8_t sectors, std::uint8_t removed) {
  return static_cast<std::uint8_t>(sectors & ~removed);
}

bool is_from_mirror(const Message& m) {
  return m.kind == Kind::kFarRead || m.kind == Kind::kFarWrite || m.kind == Kind::kFarAtomic ||
         m.kind == Kind::kFarReduction;
}

RateServer per_byte(std::uint32_t bytes_per_cycle) {
  return RateServer(Ratio::of(1, bytes_per_cycle));
}

}  // namespace

Slice::Slice(PartitionCore& core, std::uint16_t local)
    : core_(core),
      local_(local),
      global_(core.wiring().index * core.map().slices_per_partition() + local),
      config_(core.arch().l2),
      is_ideal_(config_.model == "ideal"),
      tags_(config_, global_),
      home_misses_(config_.mshrs),
      copy_misses_(config_.mshrs) {
  std::size_t routers = 0;
  for (const msg::DomainId router : core.wiring().router_of_sm) {
    routers = std::max<std::size_t>(routers, router + std::size_t{1});
  }
  owed_credits_.resize(routers);
  restart();
}

void Slice::restart() {
  const arch::NocConfig& noc = core_.arch().noc;
  request_port_ = per_byte(noc.slice_request_bytes_per_cycle);
  reply_port_ = per_byte(noc.slice_reply_bytes_per_cycle);
  data_port_ = per_byte(config_.slice_bytes_per_cycle);
  tag_port_ = RateServer();
  counters_ = {};
  data_bytes_ = 0;
}

// ---- Input: queues, tag pipeline, stalls --------------------------------------------------------------------------

Slice::Input& Slice::input_of(const Message& message) {
  return is_from_mirror(message) ? far_ : near_;
}

void Slice::accept(const Message& message, Cycle now) {
  const bool is_free = tag_port_.is_free(now) && (is_from_mirror(message) || request_port_.is_free(now));
  if (near_.queue.empty() && far_.queue.empty() && is_free) {
    start(message, now);
    return;
  }
  input_of(message).queue.push_back(message);
  schedule_serve(now);
}

void Slice::start(const Message& message, Cycle now) {
  tag_port_.take(now, 1);
  if (!is_from_mirror(message) && core_.has_ports()) {
    request_port_.take(now, msg::wire_bytes(message, core_.arch().noc.request_header_bytes));
  }
  pipeline_.push_back(message);
  core_.schedule(now + config_.tag_latency, {Work::kLookUp, local_, 0});
}

/// Starts one request; when both origins have one that may start, they take turns.
void Slice::serve(Cycle now) {
  const bool near_can = !near_.queue.empty() && request_port_.is_free(now);
  const bool far_can = !far_.queue.empty();
  if (tag_port_.is_free(now) && (near_can || far_can)) {
    Input& input = far_can && (far_turn_ || !near_can) ? far_ : near_;
    far_turn_ = &input == &near_;
    start(input.queue.front(), now);
    input.queue.pop_front();
  }
  serve_at_ = kNever;
  schedule_serve(now);
}

void Slice::schedule_serve(Cycle now) {
  const Cycle tags = tag_port_.free_at(now);
  Cycle next = far_.queue.empty() ? kNever : tags;
  if (!near_.queue.empty()) {
    next = std::min(next, request_port_.free_at(tags));
  }
  if (next < serve_at_) {
    serve_at_ = next;
    core_.schedule(next, {Work::kServe, local_, 0});
  }
}

void Slice::look_up(Cycle now) {
  const Message message = pipeline_.front();
  pipeline_.pop_front();
  Input& input = input_of(message);
  if (!input.stalled.empty() || !process(message, now)) {
    input.stalled.push_back(message);
  }
}

void Slice::wake(Cycle now) {
  if (!resume_pending_ && (!near_.stalled.empty() || !far_.stalled.empty())) {
    resume_pending_ = true;
    core_.schedule(now, {Work::kResume, local_, 0});
  }
}

/// One stalled request of each origin, and one more a cycle while that succeeds.
void Slice::resume(Cycle now) {
  resume_pending_ = false;
  bool progressed = false;
  for (Input* input : {&near_, &far_}) {
    if (!input->stalled.empty() && process(input->stalled.front(), now)) {
      input->stalled.pop_front();
      progressed = true;
    }
  }
  if (progressed) {
    wake(now + 1);
  }
}

void Slice::release_place(const Message& message, Cycle now) {
  if (!core_.has_ports()) {
    return;
  }
  std::uint32_t& owed = owed_credits_[core_.wiring().router_of_sm[message.requester]];
  if (++owed == core_.wiring().credit_lot) {
    Message credit;
    credit.kind = Kind::kCredit;
    credit.requester = message.requester;
    credit.slice = static_cast<std::uint16_t>(global_);
    credit.count = std::exchange(owed, 0);
    core_.send_to_router(credit, now);
  }
}

void Slice::handle(const Event& event, Cycle now) {
  switch (event.work) {
    case Work::kServe:
      if (serve_at_ == now) {
        serve(now);
      }
      break;
    case Work::kLookUp: look_up(now); break;
    case Work::kWake: wake(now); break;
    case Work::kResume: resume(now); break;
    case Work::kAtomic: finish_atomic(event.slot, now); break;
    default: assert(false && "not a slice's event");
  }
}

// ---- Requests behind the tags -------------------------------------------------------------------------------------

Slice::Access Slice::access_of(const Message& message) const {
  const Place place = core_.map().locate(message.address);
  const bool is_home = place.slice == global_;
  return {message, place, is_home, place.slice_line | (is_home ? 0 : kCopy)};
}

/// Returns false, having changed nothing, when the request must wait.
bool Slice::process(const Message& message, Cycle now) {
  const bool done = is_ideal_ ? process_ideal(message, now) : process_at_tags(access_of(message), now);
  if (done && !is_from_mirror(message)) {
    count_request(message);
    release_place(message, now);
  }
  return done;
}

bool Slice::process_at_tags(const Access& access, Cycle now) {
  switch (access.message.kind) {
    case Kind::kRead:
    case Kind::kFarRead: return read(access, now);
    case Kind::kWrite: return access.is_home ? write(access, now) : forward(access, Kind::kFarWrite, now);
    case Kind::kFarWrite: return write(access, now);
    case Kind::kAtomic: return access.is_home ? atomic(access, now) : forward(access, Kind::kFarAtomic, now);
    case Kind::kReduction: return access.is_home ? atomic(access, now) : forward(access, Kind::kFarReduction, now);
    case Kind::kFarAtomic:
    case Kind::kFarReduction: return atomic(access, now);
    default: assert(false && "not a request"); return true;
  }
}

bool Slice::process_ideal(const Message& message, Cycle now) {
  if (message.kind == Kind::kRead) {
    count_read(message, 0, 0);
  }
  if (message.kind == Kind::kAtomic || message.kind == Kind::kReduction) {
    start_atomic(message, now);
  } else {
    respond(message, bytes_of(message.sectors), now);
  }
  return true;
}

bool Slice::read(const Access& access, Cycle now) {
  const std::uint8_t missing = without(access.message.sectors, tags_.look_up(access.line, access.message.sectors));
  if (missing != 0) {
    return await(access, missing, now);
  }
  count_read(access.message, 0, 0);
  respond(access.message, bytes_of(access.message.sectors), now);
  return true;
}

bool Slice::write(const Access& access, Cycle now) {
  if (!has_write_place() && !tags_.has(access.line)) {
    return false;
  }
  evict(tags_.write(access.line, access.message.sectors, access.message.write_full), now);
  respond(access.message, bytes_of(access.message.sectors), now);
  return true;
}

bool Slice::atomic(const Access& access, Cycle now) {
  const std::uint8_t missing = without(access.message.sectors, tags_.look_up(access.line, access.message.sectors));
  if (missing != 0) {
    return await(access, missing, now);
  }
  start_atomic(access.message, now);
  return true;
}

/// Sends a write or an atomic on to the line's home. A copy of the line keeps what is written, but not what an atomic
/// will make of it.
bool Slice::forward(const Access& access, Kind kind, Cycle now) {
  if (far_writes_ == config_.mshrs) {
    return false;
  }
  ++far_writes_;
  if (kind == Kind::kFarWrite) {
    use_data_port(bytes_of(tags_.look_up(access.line, access.message.sectors)), now);
  } else {
    tags_.drop(access.line, access.message.sectors);
  }
  ask_mirror(access, {access.message, cache::kNoLine}, kind, now);
  return true;
}

bool Slice::has_write_place() const {
  return core_.waiting_writes(local_) < config_.queue_entries;
}

/// Lets the request wait for its missing sectors, and fetches those that are not on their way yet.
bool Slice::await(const Access& access, std::uint8_t missing, Cycle now) {
  MissTable& misses = access.is_home ? home_misses_ : copy_misses_;
  MissTable::Entry entry = misses.find(access.line);
  std::uint8_t fresh = missing;
  if (entry != MissTable::kNone) {
    fresh = misses.add_waiter(entry, missing, access.message);
  } else {
    if (!misses.can_allocate() || !has_write_place()) {
      return false;
    }
    entry = misses.allocate(access.line, missing);
    misses.add_waiter(entry, missing, access.message);
  }
  if (access.message.kind == Kind::kRead || access.message.kind == Kind::kFarRead) {
    count_read(access.message, missing, without(missing, fresh));
  }
  if (fresh != 0) {
    fetch(access, fresh, now);
  }
  return true;
}

void Slice::fetch(const Access& access, std::uint8_t sectors, Cycle now) {
  if (access.is_home) {
    counters_.dram_read_sectors += count_of(sectors);
    core_.read_dram(access.place, {access.line, local_, sectors}, now);
    return;
  }
  FarOperation operation{access.message, access.line};
  operation.message.sectors = sectors;
  ask_mirror(access, operation, Kind::kFarRead, now);
}

void Slice::ask_mirror(const Access& access, const FarOperation& operation, Kind kind, Cycle now) {
  Message message = operation.message;
  message.kind = kind;
  message.slice = static_cast<std::uint16_t>(access.place.slice);
  message.requester = static_cast<std::uint16_t>(global_);
  message.token = far_operations_.take(operation);
  core_.send_far(message, now, now);
}

// ---- Answers ------------------------------------------------------------------------------------------------------

void Slice::accept_answer(const Message& message, Cycle now) {
  const FarOperation operation = far_operations_.remove(message.token);
  if (operation.line != cache::kNoLine) {
    arrive(copy_misses_, operation.line, message.sectors, now);
    return;
  }
  --far_writes_;
  respond(operation.message, 0, now);
  wake(now);
}

void Slice::fill(const Fetch& fetch, Cycle now) {
  arrive(home_misses_, fetch.line, fetch.sectors, now);
}

void Slice::arrive(MissTable& misses, cache::LineNumber line, std::uint8_t sectors, Cycle now) {
  evict(tags_.fill(line, sectors), now);
  misses.complete(line, sectors, [this, now](const Message& message) {
    if (message.kind == Kind::kRead || message.kind == Kind::kFarRead) {
      respond(message, bytes_of(message.sectors), now);
    } else {
      start_atomic(message, now);
    }
  });
  wake(now);
}

/// Lanes on one sector follow each other; sectors go on side by side.
void Slice::start_atomic(const Message& message, Cycle now) {
  const std::uint32_t sectors = std::max(count_of(message.sectors), 1U);
  const std::uint64_t lanes_each = (std::max<std::uint32_t>(message.lanes, 1) + sectors - 1) / sectors;
  Cycle done = now;
  for (unsigned i = 0; i < kSectorsPerLine; ++i) {
    if ((message.sectors >> i & 1) != 0) {
      Cycle& free_at = atomic_free_at_[message.address + i * kSectorBytes];
      free_at = std::max(free_at, now) + lanes_each * config_.atomic_interval;
      done = std::max(done, free_at);
    }
  }
  core_.schedule(done, {Work::kAtomic, local_, atomics_.take(message)});
}

void Slice::finish_atomic(std::uint32_t slot, Cycle now) {
  const Message message = atomics_.remove(slot);
  for (unsigned i = 0; i < kSectorsPerLine; ++i) {
    const auto busy = atomic_free_at_.find(message.address + i * kSectorBytes);
    if (busy != atomic_free_at_.end() && busy->second <= now) {
      atomic_free_at_.erase(busy);
    }
  }
  if (!is_ideal_) {
    evict(tags_.write(access_of(message).line, message.sectors, message.sectors), now);
  }
  respond(message, bytes_of(message.sectors), now);
}

void Slice::evict(const cache::LineState& victim, Cycle now) {
  if (victim.dirty == 0) {
    return;
  }
  counters_.evicted_dirty_sectors += count_of(victim.dirty);
  counters_.dram_write_sectors += count_of(victim.dirty);
  const Place place = core_.map().locate(core_.map().address_in_slice(global_, victim.line));
  core_.write_dram(place, victim.dirty, now);
}

/// The cycle at which `bytes` that are asked for now begin to pass the data port.
Cycle Slice::use_data_port(std::uint32_t bytes, Cycle now) {
  const Cycle start = data_port_.free_at(now);
  data_port_.take(start, bytes);
  data_bytes_ += bytes;
  return start;
}

/// Answers a request, `bytes` of which pass the data port.
void Slice::respond(const Message& message, std::uint32_t bytes, Cycle now) {
  const Cycle departs = use_data_port(bytes, now) + config_.data_latency;
  Message reply = message;
  switch (message.kind) {
    case Kind::kRead:
    case Kind::kAtomic:
      reply.kind = Kind::kReadReply;
      counters_.reply_sectors += count_of(message.sectors);
      break;
    case Kind::kFarRead:
    case Kind::kFarAtomic: reply.kind = Kind::kFarReadReply; break;
    case Kind::kFarWrite:
    case Kind::kFarReduction: reply.kind = Kind::kFarAck; break;
    default: reply.kind = Kind::kWriteAck;
  }
  if (is_from_mirror(message)) {
    core_.send_far(reply, departs, now);
    return;
  }
  Cycle start = departs;
  if (core_.has_ports()) {
    start = reply_port_.free_at(departs);
    reply_port_.take(start, msg::wire_bytes(reply, core_.arch().noc.request_header_bytes));
  }
  core_.send_to_router(reply, start);
}

// ---- Outside time -------------------------------------------------------------------------------------------------

Touched Slice::touch(const Message& message) {
  if (is_ideal_) {
    return {};
  }
  const Access access = access_of(message);
  if (message.kind == Kind::kRead) {
    const std::uint8_t missed = without(message.sectors, tags_.look_up(access.line, access.message.sectors));
    if (missed != 0) {
      tags_.fill(access.line, missed);
    }
    return {missed, !access.is_home};
  }
  if (!access.is_home) {
    if (message.kind != Kind::kWrite) {
      tags_.drop(access.line, message.sectors);
    }
    return {message.sectors, true};
  }
  const bool is_write = message.kind == Kind::kWrite;
  const std::uint8_t missed = without(message.sectors, tags_.look_up(access.line, access.message.sectors));
  tags_.write(access.line, message.sectors, is_write ? message.write_full : message.sectors);
  return {missed, false};
}

void Slice::count_request(const Message& message) {
  ++counters_.requests;
  if (message.kind == Kind::kWrite) {
    counters_.write_sectors += count_of(message.sectors);
  } else if (message.kind != Kind::kRead) {
    counters_.atomic_sectors += count_of(message.sectors);
  }
}

void Slice::count_read(const Message& message, std::uint8_t missing, std::uint8_t merged) {
  const std::uint32_t sectors = count_of(message.sectors);
  const std::uint32_t misses = count_of(missing);
  const bool is_far = message.kind == Kind::kFarRead;
  (is_far ? counters_.far_sectors : counters_.read_sectors) += sectors;
  (is_far ? counters_.far_hits : counters_.read_hits) += sectors - misses;
  (is_far ? counters_.far_misses : counters_.read_misses) += misses;
  counters_.mshr_merges += count_of(merged);
}

stats::L2Counters Slice::counters() const {
  stats::L2Counters result = counters_;
  result.busy_cycles = (data_bytes_ + config_.slice_bytes_per_cycle - 1) / config_.slice_bytes_per_cycle;
  return result;
}

std::string Slice::leftovers() const {
  const std::pair<const char*, std::size_t> kinds[] = {
      {"queued requests", near_.queue.size() + far_.queue.size() + pipeline_.size()},
      {"stalled requests", near_.stalled.size() + far_.stalled.size()},
      {"MSHRs", std::size_t{home_misses_.size()} + copy_misses_.size()},
      {"requests to the other half", far_operations_.used()},
      {"atomics", atomics_.used()},
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
