// SPDX-License-Identifier: MIT
#include "sim/exec/trace/held_memory.h"

#include <cassert>
#include <span>

namespace gpusim::exec {

std::unique_ptr<trace::DeviceMemory> HeldMemory::clone() const {
  auto copy = std::make_unique<HeldMemory>();
  for (const std::unique_ptr<Buffer>& buffer : memory_.buffers()) {
    [[maybe_unused]] const Address address = copy->memory_.reserve(buffer->name(), buffer->size());
    assert(address == buffer->address());
    if (buffer->has_values()) {
      copy->memory_.give_values(buffer->address());
      copy->memory_.write(buffer->address(), std::span(buffer->data(), buffer->size()));
    }
  }
  return copy;
}

}  // namespace gpusim::exec
