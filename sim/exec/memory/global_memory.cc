// SPDX-License-Identifier: MIT
#include "sim/exec/memory/global_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "sim/base/address_space.h"
#include "sim/base/problem.h"
#include "sim/exec/memory/windows.h"

namespace gpusim::exec {
namespace {

std::string place_text(const Buffer& buffer) {
  return "buffer \"" + buffer.name() + "\" (" + address_text(buffer.address()) + ", " + std::to_string(buffer.size()) +
         " bytes)";
}

}  // namespace

Address GlobalMemory::allocate(const std::string& name, std::uint64_t bytes) {
  const Address address = reserve(name, bytes);
  give_values(address);
  return address;
}

Address GlobalMemory::reserve(const std::string& name, std::uint64_t bytes) {
  const std::uint64_t left = kLocalWindow - next_;
  if (bytes > left - 2 * kAlignment) {
    throw InputError(
        Problem{{}, "the buffer \"" + name + "\" of " + std::to_string(bytes) + " bytes is too large", ""});
  }
  const Address address = next_;
  buffers_.push_back(std::make_unique<Buffer>(name, address, bytes));
  next_ += (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment + (bytes % kAlignment == 0 ? kAlignment : 0);
  return address;
}

void GlobalMemory::give_values(Address address) {
  Buffer& buffer = **std::ranges::find(buffers_, address, &Buffer::address);
  try {
    buffer.data_ = ZeroedArray<std::byte>(buffer.size());
  } catch (const std::bad_alloc&) {
    throw InputError(Problem{
        {},
        "there is no memory for the buffer \"" + buffer.name() + "\" of " + std::to_string(buffer.size()) + " bytes",
        ""});
  }
}

const Buffer* GlobalMemory::find(Address address) const {
  const auto after = std::ranges::upper_bound(buffers_, address, {}, &Buffer::address);
  if (after == buffers_.begin() || !(*std::prev(after))->holds(address, 1)) {
    return nullptr;
  }
  return std::prev(after)->get();
}

std::string GlobalMemory::nearest_text(Address address) const {
  const auto after = std::ranges::upper_bound(buffers_, address, {}, &Buffer::address);
  const Buffer* const below = after == buffers_.begin() ? nullptr : std::prev(after)->get();
  const Buffer* const above = after == buffers_.end() ? nullptr : after->get();
  const std::uint64_t from_below = below == nullptr ? ~std::uint64_t{0} : address - below->address() - below->size();
  const std::uint64_t to_above = above == nullptr ? ~std::uint64_t{0} : above->address() - address;
  if (below == nullptr && above == nullptr) {
    return "no buffer has been allocated";
  }
  if (from_below <= to_above) {
    return "it is " + std::to_string(from_below) + " bytes behind the end of " + place_text(*below);
  }
  return "it is " + std::to_string(to_above) + " bytes before " + place_text(*above);
}

void GlobalMemory::read(Address address, std::span<std::byte> into) const {
  const Buffer* const buffer = find(address);
  if (into.empty()) {
    return;
  }
  if (buffer == nullptr || !buffer->holds(address, into.size())) {
    throw InputError(Problem{{}, "a copy from " + address_text(address) + " leaves its buffer", nearest_text(address)});
  }
  if (buffer->has_values()) {
    std::memcpy(into.data(), buffer->data() + (address - buffer->address()), into.size());
  }
}

void GlobalMemory::write(Address address, std::span<const std::byte> from) {
  const Buffer* const buffer = find(address);
  if (from.empty()) {
    return;
  }
  if (buffer == nullptr || !buffer->holds(address, from.size())) {
    throw InputError(Problem{{}, "a copy to " + address_text(address) + " leaves its buffer", nearest_text(address)});
  }
  std::memcpy(for_writing(*buffer, address, from.size()), from.data(), from.size());
}

void GlobalMemory::begin_trial() {
  saved_.clear();
  for (const std::unique_ptr<Buffer>& buffer : buffers_) {
    buffer->saved_.assign((buffer->size() + kPageBytes - 1) / kPageBytes, false);
  }
  in_trial_ = true;
}

void GlobalMemory::roll_back() {
  for (const SavedPage& page : saved_) {
    std::ranges::copy(page.bytes, page.buffer->data_.data() + page.page * kPageBytes);
  }
  saved_.clear();
  in_trial_ = false;
}

void GlobalMemory::save(const Buffer& buffer, Address address, std::uint64_t bytes) {
  auto& own = const_cast<Buffer&>(buffer);  // one of buffers_
  const std::uint64_t first = (address - buffer.address()) / kPageBytes;
  const std::uint64_t last = (address - buffer.address() + bytes - 1) / kPageBytes;
  if (own.saved_.empty()) {
    return;  // allocated during the trial
  }
  for (std::uint64_t page = first; page <= last; ++page) {
    if (!own.saved_[page]) {
      own.saved_[page] = true;
      const std::uint64_t begin = page * kPageBytes;
      const std::byte* const from = buffer.data() + begin;
      saved_.push_back({&own, page, {from, from + std::min(kPageBytes, buffer.size() - begin)}});
    }
  }
}

}  // namespace gpusim::exec
