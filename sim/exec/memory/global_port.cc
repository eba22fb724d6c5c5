// SPDX-License-Identifier: MIT
#include "sim/exec/memory/global_port.h"

#include "sim/base/address_space.h"
#include "sim/exec/memory/atomic.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/lane_copy.h"

namespace gpusim::exec {
namespace {

using Why = AccessFault::Why;

std::string access_text(AccessKind kind, std::uint64_t bytes, Address address) {
  return "invalid global " + std::string(word_of(kind)) + " of " + std::to_string(bytes) + " bytes at " +
         address_text(address);
}

/// Whether all lanes have their bytes in the buffer, at multiples of their number.
bool all_inside(const Buffer& buffer, const LaneAccess& access) {
  const Address begin = buffer.address();
  const std::uint64_t last = buffer.size() - access.bytes;
  const Address unaligned = access.bytes - 1;
  std::uint64_t bad = 0;
  for (const Address address : access.addresses.of) {
    bad |= static_cast<std::uint64_t>(address - begin > last) | (address & unaligned);
  }
  return bad == 0 && access.bytes <= buffer.size();
}

/// Whether lane n accesses what is directly behind the bytes of lane n - 1.
bool is_contiguous(const LaneAccess& access) {
  std::uint64_t different = 0;
  const Address first = access.addresses.of[0];
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    different |= access.addresses.of[lane] ^ (first + lane * access.bytes);
  }
  return different == 0;
}

}  // namespace

void require_inside(const GlobalMemory& memory, Address address, std::uint64_t bytes, AccessKind kind) {
  const Buffer* const buffer = memory.find(address);
  if (buffer == nullptr || !buffer->holds(address, bytes)) {
    throw AccessFault(Why::kOutOfBounds, 0, access_text(kind, bytes, address) + ": it is out of bounds",
                      memory.nearest_text(address));
  }
}

void check_lanes(const GlobalMemory& memory, const LaneAccess& access, AccessKind kind) {
  for_each_lane(access.mask, [&](unsigned lane) {
    const Address address = access.addresses.of[lane];
    if (address % access.bytes != 0) {
      throw AccessFault(Why::kMisaligned, lane,
                        access_text(kind, access.bytes, address) + ": the address is misaligned",
                        "it has to be a multiple of " + std::to_string(access.bytes));
    }
    const Buffer* const buffer = memory.find(address);
    if (buffer == nullptr || !buffer->holds(address, access.bytes)) {
      throw AccessFault(
          Why::kOutOfBounds, lane, access_text(kind, access.bytes, address) + ": the address is out of bounds",
          buffer == nullptr ? memory.nearest_text(address) : "it leaves buffer \"" + buffer->name() + "\" at its end");
    }
  });
}

const Buffer* DirectPort::one_buffer(const LaneAccess& access, AccessKind kind) {
  if (last_ != nullptr && all_inside(*last_, access)) {
    return last_;
  }
  const Buffer* const buffer = memory_.find(access.addresses.of[lowest_lane(access.mask)]);
  if (buffer != nullptr && all_inside(*buffer, access)) {
    last_ = buffer;
    return buffer;
  }
  check_lanes(memory_, access, kind);
  return nullptr;
}

void DirectPort::load(const LaneAccess& access, std::uint32_t* rows) {
  const Buffer* const buffer = one_buffer(access, AccessKind::kRead);
  if (buffer != nullptr) {
    const std::byte* const data = buffer->data();
    const Address begin = buffer->address();
    if (access.bytes == 4 && access.mask == kAllLanes && is_contiguous(access)) {
      std::memcpy(rows, data + (access.addresses.of[0] - begin), kRow * sizeof(std::uint32_t));
      return;
    }
    with_size(access.bytes, [&]<unsigned kBytes>() {
      load_lanes<kBytes>(access.mask, rows, [&](unsigned lane) { return data + (access.addresses.of[lane] - begin); });
    });
    return;
  }
  with_size(access.bytes, [&]<unsigned kBytes>() {
    load_lanes<kBytes>(access.mask, rows, [&](unsigned lane) {
      const Address address = access.addresses.of[lane];
      const Buffer* const own = memory_.find(address);
      return own->data() + (address - own->address());
    });
  });
}

void DirectPort::store(const LaneAccess& access, const std::uint32_t* rows) {
  const Buffer* const buffer = one_buffer(access, AccessKind::kWrite);
  if (buffer != nullptr && access.bytes == 4 && access.mask == kAllLanes && is_contiguous(access)) {
    constexpr std::size_t kSize = kRow * sizeof(std::uint32_t);
    std::memcpy(memory_.for_writing(*buffer, access.addresses.of[0], kSize), rows, kSize);
    return;
  }
  with_size(access.bytes, [&]<unsigned kBytes>() {
    store_lanes<kBytes>(access.mask, rows, [&](unsigned lane) {
      const Address address = access.addresses.of[lane];
      return memory_.for_writing(buffer != nullptr ? *buffer : *memory_.find(address), address, kBytes);
    });
  });
}

void DirectPort::atomic(const AtomicAccess& access) {
  const LaneAccess lanes{access.addresses, access.mask, access.kind.bytes()};
  const Buffer* const buffer = one_buffer(lanes, AccessKind::kAtomic);
  for_each_lane(access.mask, [&](unsigned lane) {
    const Address address = access.addresses.of[lane];
    const Buffer& own = buffer != nullptr ? *buffer : *memory_.find(address);
    access.apply(lane, memory_.for_writing(own, address, access.kind.bytes()));
  });
}

void DirectPort::read(Address address, std::span<std::byte> into) {
  require_inside(memory_, address, into.size(), AccessKind::kRead);
  memory_.read(address, into);
}

void DirectPort::write(Address address, std::span<const std::byte> from) {
  require_inside(memory_, address, from.size(), AccessKind::kWrite);
  memory_.write(address, from);
}

}  // namespace gpusim::exec
