// SPDX-License-Identifier: MIT
// The encoding table as one, and the way from the bits of an opcode to its row.
#include <vector>

#include "sim/code/sass/row.h"

namespace gpusim::sass {
namespace {

constexpr std::size_t kKeys = 2 * std::size_t{kUniformKey};

/// A row for every key of every generation.
std::vector<const EncodingRow*> rows_by_key() {
  std::vector<const EncodingRow*> rows(kGenerations * kKeys);
  for (const auto& part : encoding_table()) {
    for (const EncodingRow& row : part) {
      for (std::size_t generation = 0; generation < kGenerations; ++generation) {
        for (const std::uint16_t key : row.keys) {
          if (((row.generations >> generation) & 1U) != 0) {
            rows[generation * kKeys + key] = &row;
          }
        }
      }
    }
  }
  return rows;
}

constexpr unsigned kSms[kGenerations] = {75, 80, 86, 89, 90};

}  // namespace

std::array<std::span<const EncodingRow>, 4> encoding_table() {
  return {arithmetic_rows(), memory_rows(), control_rows(), tensor_rows()};
}

const EncodingRow* find_row(std::uint16_t key, Generation generation) {
  static const std::vector<const EncodingRow*> kRows = rows_by_key();
  return kRows[static_cast<std::size_t>(generation) * kKeys + key];
}

std::optional<Generation> generation_of(unsigned sm) {
  switch (sm) {
    case 75: return Generation::kSm75;
    case 80: return Generation::kSm80;
    case 86:
    case 87: return Generation::kSm86;  // Orin has the code of the GeForce GPUs of its time
    case 89: return Generation::kSm89;
    case 90: return Generation::kSm90;
    default: return std::nullopt;
  }
}

unsigned sm_of(Generation generation) {
  return kSms[static_cast<std::size_t>(generation)];
}

}  // namespace gpusim::sass
