// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/request_coalescer.h"

#include <bit>

#include "sim/base/hash.h"

namespace gpusim::mem::l2 {

void RequestCoalescer::restart() {
  buckets_.fill(kNone);
  groups_ = {};
  waiters_ = {};
  replied_ = {};
}

std::size_t RequestCoalescer::bucket_of(Address line) {
  return spread_to(line / kLineBytes, std::countr_zero(kBuckets));
}

RequestCoalescer::Joined RequestCoalescer::join(const msg::Message& read, msg::DomainId router, Cycle now) {
  close_left(now);
  constexpr std::uint32_t kBits = 64;  // where there are more GPCs, some count as one
  const std::uint64_t gpc = std::uint64_t{1} << router % kBits;
  const Address line = read.as<msg::L2Access>().address;
  const std::size_t bucket = bucket_of(line);
  std::uint32_t last = kNone;
  for (std::uint32_t number = buckets_[bucket]; number != kNone; last = number, number = groups_[number].next) {
    Group& group = groups_[number];
    const bool has_sectors = (read.sectors & ~group.sectors) == 0;
    const bool is_copy = (group.gpcs & gpc) != 0;
    const bool may_join = !is_copy || read.as<msg::L2Access>().is_bulk != 0;
    if (group.line != line || !has_sectors || !may_join || group.reads >= most_reads_) {
      continue;
    }
    group.gpcs |= gpc;
    ++group.reads;
    if (group.leaves != kNever) {
      return {Joined::How::kLeavesAt, group.leaves, is_copy};
    }
    add_waiter(group, read, is_copy);
    return {Joined::How::kWaits, 0, is_copy};
  }
  open(read, gpc, bucket, last);
  return {};
}

/// A new group behind the `last` of its bucket.
void RequestCoalescer::open(const msg::Message& read, std::uint64_t gpc, std::size_t bucket, std::uint32_t last) {
  const auto& access = read.as<msg::SmAccess>();
  const std::uint32_t number = groups_.take();
  Group& group = groups_[number];
  group.line = access.address;
  group.gpcs = gpc;
  group.leaves = kNever;
  group.next = kNone;
  group.token = access.token;
  group.first_waiter = kNone;
  group.requester = access.requester;
  group.sectors = read.sectors;
  group.reads = 1;
  (last == kNone ? buckets_[bucket] : groups_[last].next) = number;
}

void RequestCoalescer::add_waiter(Group& group, const msg::Message& read, bool is_copy) {
  const std::uint32_t waiter = waiters_.take({read, kNone, is_copy});
  (group.first_waiter == kNone ? group.first_waiter : waiters_[group.last_waiter].next) = waiter;
  group.last_waiter = waiter;
}

/// The oldest group that the read has opened and that has no reply yet. (An SM may ask twice by one token.)
std::uint32_t RequestCoalescer::group_of(const msg::Message& read) const {
  const auto& access = read.as<msg::SmAccess>();
  const auto is_of = [&access, &read](const Group& group) {
    return group.line == access.address && group.token == access.token && group.requester == access.requester &&
           group.sectors == read.sectors && group.leaves == kNever;
  };
  std::uint32_t number = buckets_[bucket_of(access.address)];
  while (number != kNone && !is_of(groups_[number])) {
    number = groups_[number].next;
  }
  return number;
}

/// Takes out the groups whose reply has left.
void RequestCoalescer::close_left(Cycle now) {
  while (!replied_.empty() && groups_[replied_.front()].leaves <= now) {
    const std::uint32_t left = replied_.front();
    replied_.pop_front();
    std::uint32_t* link = &buckets_[bucket_of(groups_[left].line)];
    while (*link != left) {
      link = &groups_[*link].next;
    }
    *link = groups_[left].next;
    groups_.release(left);
  }
}

}  // namespace gpusim::mem::l2
