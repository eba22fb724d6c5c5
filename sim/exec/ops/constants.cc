// SPDX-License-Identifier: MIT
// Loads from constant banks.
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/ops/families.h"
#include "sim/exec/ops/sizes.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

void copy_rows(Context&, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const from = warp.row(op.sources[0]);
  std::uint32_t* const to = warp.row(op.destinations[0]);
  for (unsigned row = 0; row < op.width; ++row) {
    for_each_lane(mask, [&](unsigned lane) { to[row * kRow + lane] = from[row * kRow + lane]; });
  }
}

/// Each lane at its own offset. Beyond the bank's end the hardware reads zeros; here it is an error.
void load_indexed(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  const std::uint32_t* const index = warp.row(op.sources[0]);
  std::uint32_t* const to = warp.row(op.destinations[0]);
  const auto size = static_cast<sass::Size>(op.bytes[1]);
  const unsigned bytes = bytes_of(size);
  const std::string& bank = context.image.banks.find(op.immediate)->second;
  for_each_lane(mask, [&](unsigned lane) {
    const auto offset = static_cast<std::uint32_t>(index[lane] + static_cast<std::uint32_t>(op.offset));
    if (offset % bytes != 0 || std::uint64_t{offset} + bytes > bank.size()) {
      throw LaneFault(lane,
                      "invalid constant read of " + std::to_string(bytes) + " bytes at offset " +
                          std::to_string(offset) + " of bank " + std::to_string(op.immediate),
                      "the bank has " + std::to_string(bank.size()) + " bytes");
    }
    std::array<std::uint32_t, 4> words{};
    std::memcpy(words.data(), bank.data() + offset, bytes);
    words[0] = extended(size, words[0]);
    for (unsigned row = 0; row < rows_of(size); ++row) {
      to[row * kRow + lane] = words[row];
    }
  });
}

void lower_ldc(Lowering& lowering) {
  MicroOp& op = lowering.op();
  const sass::Operand& from = lowering.operand(1);
  const auto size = static_cast<sass::Size>(lowering.modifier(Mod::kSize));
  lowering.destination(0, 0);
  if (lowering.has(Mod::kIndexMode)) {
    return;
  }
  const bool indexed = from.file != isa::RegFile::kNone && from.index != isa::last_register(from.file);
  if (indexed) {
    op.immediate = from.bank;
    op.offset = from.value;
    op.bytes[1] = lowering.modifier(Mod::kSize);
    lowering.index_source(0, 1);
    op.handler = load_indexed;
    if (!lowering.image().banks.contains(from.bank)) {
      lowering.set_outside_bank();
    }
    return;
  }
  std::array<std::uint32_t, 4> words{};
  const char* const at = lowering.constant(from.bank, from.value, bytes_of(size));
  if (at != nullptr) {
    std::memcpy(words.data(), at, bytes_of(size));
    words[0] = extended(size, words[0]);
    op.sources[0].pooled = true;
    op.sources[0].offset = lowering.pooled(std::span(words).first(rows_of(size)));
    op.width = static_cast<std::uint8_t>(rows_of(size));
    op.handler = copy_rows;
  } else {
    lowering.set_outside_bank();
  }
}

}  // namespace

std::span<const LowerRow> constant_rows() {
  static constexpr LowerRow kRows[] = {{sass::Op::kLdc, lower_ldc}, {sass::Op::kUldc, lower_ldc}};
  return kRows;
}

}  // namespace gpusim::exec
