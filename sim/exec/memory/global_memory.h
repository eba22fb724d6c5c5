// SPDX-License-Identifier: MIT
// The GPU's global memory: named buffers at device addresses, as cudaMalloc gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/base/zeroed_array.h"

namespace gpusim::exec {

/// One allocation. Its bytes are zero until something is written. A buffer without values has addresses alone, and
/// takes none of the host's memory.
class Buffer {
 public:
  Buffer(std::string name, Address address, std::uint64_t bytes)
      : name_(std::move(name)), address_(address), size_(bytes) {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool has_values() const { return data_.size() == size_; }
  /// Null where it has no values.
  [[nodiscard]] const std::byte* data() const { return data_.data(); }
  /// Whether all of `bytes` bytes from `address` on are its own.
  [[nodiscard]] bool holds(Address address, std::uint64_t bytes) const {
    return bytes <= size() && address - address_ <= size() - bytes;
  }

 private:
  friend class GlobalMemory;
  std::string name_;
  Address address_;
  std::uint64_t size_;
  ZeroedArray<std::byte> data_{0};
  std::vector<bool> saved_;  ///< while a trial runs: pages that are kept as they were
};

/// Owns the buffers. Reading is safe from several threads at once, changing is not.
class GlobalMemory {
 public:
  /// Allocations begin at multiples of this, and at least as many bytes that belong to nobody lie between them, so that
  /// an access beyond a buffer's end is found.
  static constexpr std::uint64_t kAlignment = 512;

  /// Throws InputError when the address space or the host's memory does not suffice.
  Address allocate(const std::string& name, std::uint64_t bytes);
  /// The same without values: it must not be written, and gives nothing when it is read.
  Address reserve(const std::string& name, std::uint64_t bytes);
  /// From here on the buffer that begins there has values. Throws InputError when the host's memory does not suffice.
  void give_values(Address address);

  /// By address, ascending.
  [[nodiscard]] std::span<const std::unique_ptr<Buffer>> buffers() const { return buffers_; }
  /// The buffer that an address is in; null when it is in none.
  [[nodiscard]] const Buffer* find(Address address) const;
  /// "16 bytes behind the end of buffer \"x\" (0x7f0000000000, 4096 bytes)": what lies near an address of no buffer.
  [[nodiscard]] std::string nearest_text(Address address) const;

  /// Copies between the host and a buffer. Throws InputError unless all bytes lie in one buffer. What is read from a
  /// buffer without values stays as it is.
  void read(Address address, std::span<std::byte> into) const;
  void write(Address address, std::span<const std::byte> from);

  /// The bytes from `address` on for a caller that is about to change `bytes` of them; all lie in `buffer`.
  std::byte* for_writing(const Buffer& buffer, Address address, std::uint64_t bytes) {
    if (in_trial_) {
      save(buffer, address, bytes);
    }
    return const_cast<std::byte*>(buffer.data()) + (address - buffer.address());  // the buffers are this object's own
  }

  /// From here on pages are kept before they change, until roll_back() puts them back: a kernel can run to warm the
  /// caches and leave the user's data alone. Costs memory for what is changed only.
  void begin_trial();
  void roll_back();

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct SavedPage {
    Buffer* buffer = nullptr;
    std::uint64_t page = 0;
    std::vector<std::byte> bytes;
  };
  void save(const Buffer& buffer, Address address, std::uint64_t bytes);

  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<SavedPage> saved_;
  Address next_ = Address{0x7f} << 40;
  bool in_trial_ = false;
};

}  // namespace gpusim::exec
