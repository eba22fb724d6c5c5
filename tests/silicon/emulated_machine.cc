// SPDX-License-Identifier: MIT
// Swizzle and descriptors as the PTX ISA document defines them ("Tensor Swizzling Modes", "Matrix Descriptor Format"),
// written down here independently of the kernels.
#include "tests/silicon/emulated_machine.h"

#include <cstring>

namespace gpusim::silicon {

// The 128-byte swizzle is one of addresses: bits 4 to 6 are exclusive-ored with bits 7 to 9.
void EmulatedMachine::deliver(const TensorCopy& copy) {
  const EmulatedTensorMap& map = *copy.map;
  require(copy.to % 1024 == 0 && map.tile_columns * 2 == 128, "a swizzled tile that is not as this emulation has it");
  for (std::uint32_t row = 0; row < map.tile_rows; ++row) {
    for (std::uint32_t column = 0; column < map.tile_columns; ++column) {
      const std::uint32_t logical = copy.to + row * 128 + column * 2;
      const std::uint32_t physical = logical ^ (((logical >> 7) & 7) << 4);
      const bool inside = copy.y + row < map.rows && copy.x + column < map.columns;
      const std::uint16_t value = inside ? map.data[std::size_t{copy.y + row} * map.columns + copy.x + column] : 0;
      std::memcpy(at(physical, 2), &value, 2);
    }
  }
  Barrier& done = barrier(copy.barrier);
  done.bytes -= static_cast<std::int64_t>(map.tile_rows) * map.tile_columns * 2;
  done.advance();
}

// rows x 16 values of an operand with k along the rows, eight rows of 128 bytes a swizzle atom.
std::vector<float> EmulatedMachine::described(std::uint64_t descriptor, std::uint32_t rows) {
  require(descriptor >> 62 == 1 && ((descriptor >> 49) & 7) == 0, "not a descriptor of the 128-byte swizzle");
  const auto start = static_cast<std::uint32_t>((descriptor & 0x3fff) << 4);
  const auto stride = static_cast<std::uint32_t>(((descriptor >> 32) & 0x3fff) << 4);
  std::vector<float> values;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t k = 0; k < 16; ++k) {
      const std::uint32_t logical = start + row / 8 * stride + row % 8 * 128 + k * 2;
      const std::uint32_t physical = logical ^ (((logical >> 7) & 7) << 4);
      std::uint16_t bits = 0;
      std::memcpy(&bits, at(physical, 2), 2);
      values.push_back(bf16_to_float(bits));
    }
  }
  return values;
}

void EmulatedMachine::multiply(const Wgmma& wgmma) {
  const std::vector<float> a = described(wgmma.a, 64);
  const std::vector<float> b = described(wgmma.b, 256);
  for (std::size_t thread = 0; thread < kWarpgroup; ++thread) {
    const std::size_t lane = thread % kLanes;
    for (std::size_t e = 0; e < 128; ++e) {
      const std::size_t row = thread / kLanes * 16 + lane / 4 + e / 2 % 2 * 8;
      const std::size_t column = e / 4 * 8 + lane % 4 * 2 + e % 2;
      for (std::size_t k = 0; k < 16; ++k) {
        wgmma.d[thread][e] += a[row * 16 + k] * b[column * 16 + k];
      }
    }
  }
}

}  // namespace gpusim::silicon
