// SPDX-License-Identifier: MIT
// Allocations that fail, as where a machine has no memory left. One file of a test program includes this: it replaces
// operator new of the whole program.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace gpusim::testing {

/// Allocations of this thread up to the one that fails; 0: none does.
inline thread_local std::uint64_t allocations_left = 0;

/// Whether an allocation of this thread is to fail now; counts it.
inline bool allocation_fails() {
  return allocations_left != 0 && --allocations_left == 0;
}

/// Calls `act` with its first allocation failing, then with its second, and so on in steps of `stride`, until it ends
/// without a failure; `check` is called after each failure, with what was thrown swallowed. Returns how often `act`
/// failed. What `act` throws other than std::bad_alloc comes out.
template <class Act, class Check>
std::uint64_t fail_allocations_of(const Act& act, const Check& check, std::uint64_t stride = 1) {
  std::uint64_t failures = 0;
  for (std::uint64_t at = 1;; at += stride) {
    bool has_failed = false;
    allocations_left = at;
    try {
      act();
    } catch (const std::bad_alloc&) {
      has_failed = true;
    }
    const bool was_reached = allocations_left == 0;
    allocations_left = 0;
    if (!was_reached) {
      return failures;
    }
    failures += has_failed ? 1 : 0;
    check(has_failed);
  }
}

}  // namespace gpusim::testing

void* operator new(std::size_t size, const std::nothrow_t& /*none*/) noexcept {
  return gpusim::testing::allocation_fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
}

void* operator new(std::size_t size) {
  void* const memory = operator new(size, std::nothrow);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
