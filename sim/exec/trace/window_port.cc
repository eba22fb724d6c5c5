// SPDX-License-Identifier: MIT
#include "sim/exec/trace/window_port.h"

#include <algorithm>
#include <cstring>

#include "sim/exec/memory/lane_copy.h"

namespace gpusim::exec {
namespace {

constexpr unsigned kMostLaneBytes = 16;

unsigned rows_of(unsigned bytes) {
  return bytes < sizeof(std::uint32_t) ? 1U : bytes / static_cast<unsigned>(sizeof(std::uint32_t));
}

}  // namespace

void WindowPort::load(const LaneAccess& access, std::uint32_t* rows) {
  direct_.load(access, rows);
  const auto [low, high] = std::ranges::minmax(access.addresses.of);
  if (own_.misses(low, high + access.bytes)) {
    return;
  }
  with_size(access.bytes, [&]<unsigned kBytes>() {
    std::array<std::array<std::byte, kMostLaneBytes>, kWarpLanes> values;
    const auto bytes_of = [&](unsigned lane) { return values[lane].data(); };
    store_lanes<kBytes>(access.mask, rows, bytes_of);
    for_each_lane(access.mask,
                  [&](unsigned lane) { own_.patch(access.addresses.of[lane], values[lane].data(), kBytes); });
    for_each_lane(access.mask, [&](unsigned lane) { load_lanes<kBytes>(LaneMask{1} << lane, rows, bytes_of); });
  });
}

void WindowPort::put_lanes(const LaneAccess& access, const std::uint32_t* rows) {
  with_size(access.bytes, [&]<unsigned kBytes>() {
    std::array<std::array<std::byte, kMostLaneBytes>, kWarpLanes> values;
    store_lanes<kBytes>(access.mask, rows, [&](unsigned lane) { return values[lane].data(); });
    for_each_lane(access.mask,
                  [&](unsigned lane) { own_.put(access.addresses.of[lane], values[lane].data(), kBytes); });
  });
}

void WindowPort::store(const LaneAccess& access, const std::uint32_t* rows) {
  direct_.check(access, AccessKind::kWrite);
  KeptAccess& kept = kept_.emplace_back();
  kept.bytes = static_cast<std::uint8_t>(access.bytes);
  kept.mask = access.mask;
  kept.addresses = access.addresses;
  kept.first = static_cast<std::uint32_t>(words_.size());
  words_.insert(words_.end(), rows, rows + std::size_t{rows_of(access.bytes)} * kRow);
  put_lanes(access, rows);
}

/// The value that it returns is not known before the exchange; what its lanes leave behind is seen by this SM as if no
/// other had changed the same.
void WindowPort::atomic(const AtomicAccess& access) {
  const unsigned bytes = access.kind.bytes();
  direct_.check({access.addresses, access.mask, bytes}, AccessKind::kAtomic);
  KeptAccess& kept = kept_.emplace_back();
  kept.kind = KeptAccess::Kind::kAtomic;
  kept.first = static_cast<std::uint32_t>(atomics_.size());
  AtomicAccess& own = atomics_.emplace_back(access);
  own.old_values = nullptr;
  for_each_lane(access.mask, [&](unsigned lane) {
    const Address address = access.addresses.of[lane];
    std::array<std::byte, kMostLaneBytes> value;
    read(address, std::span(value).first(bytes));
    own.apply(lane, value.data());
    own_.put(address, value.data(), bytes);
  });
  own.old_values = access.old_values;
}

void WindowPort::read(Address address, std::span<std::byte> into) {
  direct_.read(address, into);
  if (own_.misses(address, address + into.size())) {
    return;
  }
  for (std::size_t done = 0; done < into.size();) {
    const auto part = static_cast<unsigned>(
        std::min<std::size_t>(into.size() - done, kSectorBytes - (address + done) % kSectorBytes));
    own_.patch(address + done, into.data() + done, part);
    done += part;
  }
}

void WindowPort::write(Address address, std::span<const std::byte> from) {
  std::vector<std::byte> there(from.size());
  direct_.read(address, there);  // whether all of it is in a buffer
  KeptAccess& kept = kept_.emplace_back();
  kept.kind = KeptAccess::Kind::kBytes;
  kept.count = from.size();
  kept.addresses.of[0] = address;
  kept.first = static_cast<std::uint32_t>(words_.size());
  words_.resize(words_.size() + (from.size() + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t));
  std::memcpy(words_.data() + kept.first, from.data(), from.size());
  for (std::size_t done = 0; done < from.size();) {
    const auto part = static_cast<unsigned>(
        std::min<std::size_t>(from.size() - done, kSectorBytes - (address + done) % kSectorBytes));
    own_.put(address + done, from.data() + done, part);
    done += part;
  }
}

void WindowPort::apply(const KeptAccess& access) {
  switch (access.kind) {
    case KeptAccess::Kind::kStore:
      direct_.store({access.addresses, access.mask, access.bytes}, words_.data() + access.first);
      break;
    case KeptAccess::Kind::kAtomic: direct_.atomic(atomics_[access.first]); break;
    case KeptAccess::Kind::kBytes:
      direct_.write(access.addresses.of[0], std::as_bytes(std::span(words_).subspan(access.first)).first(access.count));
      break;
  }
}

void WindowPort::clear() {
  kept_.clear();
  stamped_ = 0;
  words_.clear();
  atomics_.clear();
  own_.clear();
}

void exchange(std::span<WindowPort> ports) {
  struct Due {
    Cycle at;
    WindowPort* port;
    const KeptAccess* access;
  };
  std::vector<Due> all;
  for (WindowPort& port : ports) {
    for (const KeptAccess& access : port.kept()) {
      all.push_back({access.at, &port, &access});
    }
  }
  std::ranges::stable_sort(all, {}, &Due::at);
  for (const Due& due : all) {
    due.port->apply(*due.access);
  }
  for (WindowPort& port : ports) {
    port.clear();
  }
}

}  // namespace gpusim::exec
