// SPDX-License-Identifier: MIT
// Copies by the TMA: of bytes (UBLKCP, and UBLKRED to a CTA of the cluster) and of boxes of tensors (UTMALDG, UTMASTG).
// One copy per instruction, whatever lanes are active. Uniform registers say what is copied, in the order of
// ptxas 13.0: for what goes to shared memory the place, the mbarrier, the coordinates; for what comes from there the
// place and the coordinates.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "sim/base/address_space.h"
#include "sim/exec/async/barrier_memory.h"
#include "sim/exec/async/families.h"
#include "sim/exec/async/tensor_map.h"
#include "sim/exec/core/context.h"
#include "sim/exec/core/warp.h"
#include "sim/exec/memory/atomic.h"
#include "sim/exec/memory/fault.h"
#include "sim/exec/memory/swizzle.h"
#include "sim/exec/memory/windows.h"

namespace gpusim::exec {
namespace {

using sass::Mod;

constexpr unsigned kPiece = 16;
constexpr std::size_t kDimensionsByte = 3;
constexpr std::size_t kMulticastByte = 4;
constexpr std::size_t kTransferByte = 5;
constexpr std::size_t kReductionByte = 6;
constexpr std::size_t kReducedByte = 7;

/// Uniform registers from a source on.
class Uniforms {
 public:
  Uniforms(const Warp& warp, const Source& source) : row_(warp.row(source)) {}
  std::uint32_t operator[](unsigned at) const { return row_[at * kRow]; }
  [[nodiscard]] Address wide() const { return (*this)[0] | Address{(*this)[1]} << 32U; }

 private:
  const std::uint32_t* row_;
};

/// Where a register of a multicast has the mask of the ranks (code of ptxas 13.0); the size of a bulk copy is below.
constexpr unsigned kRanksShift = 16;

/// The shared memories that a copy goes to: one, or those of some CTAs of the cluster, at the same place in each.
std::vector<Address> places_of(Address address, bool multicast, std::uint32_t mask) {
  if (!multicast) {
    return {address};
  }
  constexpr unsigned kMostRanks = 16;
  std::vector<Address> places;
  for (unsigned rank = 0; rank < kMostRanks; ++rank) {
    if ((mask >> rank & 1U) != 0) {
      places.push_back(offset_in(address) | Address{rank} << kRankBit);
    }
  }
  return places;
}

void bytes_came(Warp& warp, unsigned lane, Address barrier, std::uint64_t bytes) {
  change_mbarrier(warp.cta(), lane, barrier, [bytes](Mbarrier& it) { it.expect(-static_cast<std::int64_t>(bytes)); });
}

/// Calls piece(place in shared memory, offset in the line) for each 16 bytes of a line, swizzled. In an image without
/// values the first and the last of a line show whether it is inside.
template <class Piece>
void for_each_piece(Warp& warp, unsigned lane, Address line, std::size_t bytes, unsigned swizzle, AccessKind kind,
                    const Piece& piece) {
  const std::size_t step = warp.cta().image().has_values() ? kPiece : std::max<std::size_t>(kPiece, bytes - kPiece);
  for (std::size_t offset = 0; offset < bytes; offset += step) {
    piece(shared_bytes(warp.cta(), lane, swizzled(line + offset, swizzle), kPiece, kind), offset);
  }
}

void to_shared(Warp& warp, unsigned lane, Address line, std::span<const std::byte> bytes, unsigned swizzle) {
  constexpr AccessKind kKind = AccessKind::kWrite;
  if (ClusterPort* const port = port_to(warp.cta(), lane, line, kPiece, kKind)) {
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
      static_cast<void>(port_to(warp.cta(), lane, swizzled(line + at, swizzle), kPiece, kKind));
    }
    if (!warp.cta().image().has_values()) {
      return;
    }
    const std::vector<std::byte> kept(bytes.begin(), bytes.end());
    port->later(rank_in(line), [kept, swizzle, offset = offset_in(line)](std::span<std::byte> shared) {
      for (std::size_t at = 0; at < kept.size(); at += kPiece) {
        std::memcpy(shared.data() + swizzled(offset + at, swizzle), kept.data() + at, kPiece);
      }
    });
    return;
  }
  for_each_piece(warp, lane, line, bytes.size(), swizzle, AccessKind::kWrite,
                 [&](std::byte* at, std::size_t offset) { std::memcpy(at, bytes.data() + offset, kPiece); });
}

void from_shared(Warp& warp, unsigned lane, Address line, std::span<std::byte> bytes, unsigned swizzle) {
  for_each_piece(warp, lane, line, bytes.size(), swizzle, AccessKind::kRead,
                 [&](const std::byte* at, std::size_t offset) { std::memcpy(bytes.data() + offset, at, kPiece); });
}

/// What is there becomes what a reduction makes of it and of `bytes`.
void reduce_bytes(std::byte* at, std::span<const std::byte> bytes, const AtomicKind& kind) {
  const unsigned size = kind.element_bytes();
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    std::uint64_t old = 0;
    std::uint64_t operand = 0;
    std::memcpy(&old, at + i, size);
    std::memcpy(&operand, bytes.data() + i, size);
    const std::uint64_t result = atomic_result(kind, old, operand, 0);
    std::memcpy(at + i, &result, size);
  }
}

void reduce_in_shared(Warp& warp, unsigned lane, Address address, std::span<const std::byte> bytes,
                      const AtomicKind& kind) {
  constexpr AccessKind kKind = AccessKind::kAtomic;
  ClusterPort* const port = port_to(warp.cta(), lane, address, kPiece, kKind);
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    if (port == nullptr) {
      reduce_bytes(shared_bytes(warp.cta(), lane, address + at, kPiece, kKind), bytes.subspan(at, kPiece), kind);
    } else {
      static_cast<void>(port_to(warp.cta(), lane, address + at, kPiece, kKind));
    }
  }
  if (port != nullptr) {
    const std::vector<std::byte> kept(bytes.begin(), bytes.end());
    port->later(rank_in(address), [kept, kind, offset = offset_in(address)](std::span<std::byte> shared) {
      reduce_bytes(shared.data() + offset, kept, kind);
    });
  }
}

/// For machines with time.
AsyncEffect& note_copy(Context& context, AsyncEffect::Kind kind, LaneMask mask) {
  AsyncEffect& effect = context.async;
  effect.kind = kind;
  effect.mask = mask;
  effect.lanes_agree = true;
  effect.ranks = 0;
  effect.box.dimensions = 0;
  return effect;
}

enum class Transfer : std::uint8_t { kToShared = 1, kToGlobal = 2, kBetweenShared = 3 };
constexpr std::uint32_t kMostPieces = 1U << kRanksShift;  ///< mbarriers count no more bytes

void require_size(std::uint32_t pieces, unsigned lane) {
  if (pieces >= kMostPieces) {
    throw LaneFault(lane, "a bulk copy of " + std::to_string(std::uint64_t{pieces} * kPiece) + " bytes is too large",
                    "less than 1 MiB");
  }
}

/// UBLKCP.S.S and UBLKRED.S.S: from the CTA's shared memory to that of a CTA of the cluster.
void move_bytes(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const unsigned lane = lowest_lane(mask);
  const Uniforms to(warp, op.sources[0]);
  const std::uint32_t pieces = Uniforms(warp, op.sources[2])[0];
  require_size(pieces, lane);
  if (rank_in(to[0]) != rank_in(to[1])) {
    throw LaneFault(lane,
                    "a bulk copy to rank " + std::to_string(rank_in(to[0])) +
                        " of the cluster signals an mbarrier of rank " + std::to_string(rank_in(to[1])),
                    "PTX wants the mbarrier in the CTA that the bytes go to");
  }
  std::vector<std::byte> bytes(std::size_t{pieces} * kPiece);
  from_shared(warp, lane, Uniforms(warp, op.sources[1])[0], bytes, 0);
  const bool reduces = op.bytes[kTransferByte] == 0;
  if (reduces) {
    const AtomicKind kind{static_cast<AtomicAction>(op.bytes[kReductionByte]),
                          static_cast<AtomicElement>(op.bytes[kReducedByte])};
    reduce_in_shared(warp, lane, to[0], bytes, kind);
  } else {
    to_shared(warp, lane, to[0], bytes, 0);
  }
  bytes_came(warp, lane, to[1], bytes.size());
  AsyncEffect& effect = note_copy(context, reduces ? AsyncEffect::Kind::kMoveReduce : AsyncEffect::Kind::kMove, mask);
  effect.global = offset_in(to[0]);
  effect.bytes = bytes.size();
  effect.barrier = to[1];
}

/// UBLKCP from and to global memory. Sizes are in units of 16 bytes.
void copy_bytes(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const auto transfer = static_cast<Transfer>(op.bytes[kTransferByte]);
  const unsigned lane = lowest_lane(mask);
  const Uniforms to(warp, op.sources[0]);
  const Uniforms from(warp, op.sources[1]);
  const Uniforms size(warp, op.sources[2]);
  const bool multicast = op.bytes[kMulticastByte] != 0;
  const std::uint32_t pieces = multicast ? size[0] % kMostPieces : size[0];
  require_size(pieces, lane);
  std::vector<std::byte> bytes(std::size_t{pieces} * kPiece);
  if (transfer == Transfer::kToGlobal) {
    from_shared(warp, lane, from[0], bytes, 0);
    context.global.write(to.wide(), bytes);
    AsyncEffect& effect = note_copy(context, AsyncEffect::Kind::kStore, mask);
    effect.global = to.wide();
    effect.bytes = bytes.size();
    return;
  }
  context.global.read(from.wide(), bytes);
  const std::uint32_t ranks = multicast ? size[0] >> kRanksShift : 0;
  const std::vector<Address> places = places_of(to[0], multicast, ranks);
  const std::vector<Address> barriers = places_of(to[1], multicast, ranks);
  for (std::size_t i = 0; i < places.size(); ++i) {
    to_shared(warp, lane, places[i], bytes, 0);
    bytes_came(warp, lane, barriers[i], bytes.size());
  }
  AsyncEffect& effect = note_copy(context, AsyncEffect::Kind::kLoad, mask);
  effect.global = from.wide();
  effect.bytes = bytes.size();
  effect.barrier = to[1];
  effect.ranks = static_cast<std::uint16_t>(ranks);
}

void lower_copy_bytes(Lowering& lowering) {
  lowering.address(0, 0, 3);
  lowering.address(1, 1, 3);
  lowering.source(2, 2);
  MicroOp& op = lowering.op();
  op.bytes[kTransferByte] = lowering.modifier(Mod::kTransfer);
  op.bytes[kMulticastByte] = lowering.has(Mod::kMulticast) ? 1 : 0;
  switch (static_cast<Transfer>(op.bytes[kTransferByte])) {
    case Transfer::kToShared:
    case Transfer::kToGlobal: op.handler = copy_bytes; break;
    case Transfer::kBetweenShared: op.handler = op.bytes[kMulticastByte] != 0 ? nullptr : move_bytes; break;
    default: break;
  }
}

/// PTX ISA, cp.reduce.async.bulk: in the shared memory of a CTA of the cluster, of integers of 32 and 64 bits. What
/// adds to global memory is not executed.
void lower_reduce_bytes(Lowering& lowering) {
  constexpr AtomicElement kElements[] = {AtomicElement::kU32, AtomicElement::kS32, AtomicElement::kU64,
                                         AtomicElement::kS64};
  constexpr auto kLastAction = static_cast<std::uint8_t>(AtomicAction::kXor);
  const std::uint8_t type = lowering.modifier(Mod::kBulkType);
  const std::uint8_t action = lowering.modifier(Mod::kAtomicOp);
  lowering.address(0, 0, 3);
  lowering.address(1, 1, 3);
  lowering.source(2, 2);
  MicroOp& op = lowering.op();
  const auto transfer = static_cast<Transfer>(lowering.modifier(Mod::kTransfer));
  if (transfer != Transfer::kBetweenShared || type >= std::size(kElements) || action > kLastAction) {
    return;
  }
  op.bytes[kTransferByte] = 0;  // a reduction
  op.bytes[kReductionByte] = action;
  op.bytes[kReducedByte] = static_cast<std::uint8_t>(kElements[type]);
  op.handler = move_bytes;
}

/// The map at an address, which may be that of a parameter.
TensorMap map_at(Context& context, unsigned lane, Address address) {
  TensorMapBytes bytes{};
  if (in_window(address, kParameterWindow)) {
    const std::string& bank = context.image.banks.at(0);
    const Address offset = address - kParameterWindow;
    if (offset <= bank.size() && kTensorMapBytes <= bank.size() - offset) {
      std::memcpy(bytes.data(), bank.data() + offset, kTensorMapBytes);
    }
  } else {
    context.global.read(address, bytes);
  }
  if (const auto map = decoded_tensor_map(bytes)) {
    return *map;
  }
  throw LaneFault(lane, "there is no tensor map at " + address_text(address),
                  context.image.has_values()
                      ? "the launch has to describe it"
                      : "if a kernel writes it there: --out NAME=FILE has all values calculated, those in memory, too");
}

/// One box of a tensor, line by line: a line runs along the innermost dimension.
class Box {
 public:
  Box(const TensorMap& map, const Uniforms& registers, unsigned first_coordinate) : map_(map) {
    for (unsigned i = 0; i < map.dimensions; ++i) {
      begin_[i] = static_cast<std::int32_t>(registers[first_coordinate + i]);
      counts_[i] = (map.box[i] + map.every[i] - 1) / map.every[i];
    }
  }

  /// The same for machines with time.
  [[nodiscard]] TensorBox described() const {
    TensorBox box;
    box.element_bytes = map_.element_bytes();
    box.dimensions = map_.dimensions;
    box.sizes = map_.sizes;
    box.strides = map_.strides;
    box.box = map_.box;
    box.begin = begin_;
    box.has_gaps = std::ranges::any_of(map_.every, [](std::uint32_t every) { return every != 1; });
    return box;
  }

  [[nodiscard]] std::size_t line_bytes() const { return std::size_t{counts_[0]} * map_.element_bytes(); }

  /// Calls line(number, address of the line's first element, whether it lies in the tensor).
  template <class Line>
  void for_each_line(const Line& line) const {
    std::array<std::uint32_t, kMostDimensions> at{};
    for (std::size_t number = 0;; ++number) {
      Address address = map_.address;
      bool inside = true;
      for (unsigned i = 1; i < map_.dimensions; ++i) {
        const std::int64_t place = begin_[i] + std::int64_t{at[i]} * map_.every[i];
        inside = inside && place >= 0 && static_cast<std::uint64_t>(place) < map_.sizes[i];
        address += static_cast<Address>(place) * map_.strides[i];
      }
      line(number, address, inside);
      unsigned dimension = 1;
      while (dimension < map_.dimensions && ++at[dimension] == counts_[dimension]) {
        at[dimension++] = 0;
      }
      if (dimension >= map_.dimensions) {
        return;
      }
    }
  }

  /// Calls part(offset in the line, offset from the line's address, bytes) for what lies in the tensor: all at once
  /// where elements are neighbours.
  template <class Part>
  void for_each_part(const Part& part) const {
    const std::size_t element = map_.element_bytes();
    const std::int64_t step = map_.every[0];
    const auto size = static_cast<std::int64_t>(map_.sizes[0]);
    const std::int64_t first = begin_[0] >= 0 ? 0 : (-begin_[0] + step - 1) / step;
    const std::int64_t room = begin_[0] >= size ? 0 : (size - begin_[0] + step - 1) / step;
    const std::int64_t end = std::min<std::int64_t>(counts_[0], room);
    if (first >= end) {
      return;
    }
    const auto at = [&](std::int64_t i) { return static_cast<std::size_t>(begin_[0] + i * step) * element; };
    if (step == 1) {
      part(static_cast<std::size_t>(first) * element, at(first), static_cast<std::size_t>(end - first) * element);
      return;
    }
    for (std::int64_t i = first; i < end; ++i) {
      part(static_cast<std::size_t>(i) * element, at(i), element);
    }
  }

 private:
  const TensorMap& map_;
  std::array<std::int64_t, kMostDimensions> begin_{};
  std::array<std::uint32_t, kMostDimensions> counts_{};
};

void check_dimensions(const TensorMap& map, const MicroOp& op, unsigned lane) {
  if (map.dimensions != op.bytes[kDimensionsByte]) {
    throw LaneFault(lane, "the tensor map has " + std::to_string(map.dimensions) + " dimensions, the instruction " +
                              std::to_string(op.bytes[kDimensionsByte]));
  }
}

void load_box(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const unsigned lane = lowest_lane(mask);
  const Uniforms registers(warp, op.sources[0]);
  const TensorMap map = map_at(context, lane, Uniforms(warp, op.sources[1]).wide());
  check_dimensions(map, op, lane);
  const Box box(map, registers, 2);
  const bool multicast = op.bytes[kMulticastByte] != 0;
  const std::uint32_t ranks = multicast ? Uniforms(warp, op.sources[2])[0] >> kRanksShift : 0;
  const std::vector<Address> places = places_of(registers[0], multicast, ranks);
  std::vector<std::byte> line(box.line_bytes());
  box.for_each_line([&](std::size_t number, Address address, bool inside) {
    std::ranges::fill(line, std::byte{});
    if (inside) {
      box.for_each_part([&](std::size_t to, std::size_t from, std::size_t bytes) {
        context.global.read(address + from, std::span(line).subspan(to, bytes));
      });
    }
    for (const Address place : places) {
      to_shared(warp, lane, place + number * line.size(), line, map.swizzle_bytes);
    }
  });
  for (const Address barrier : places_of(registers[1], multicast, ranks)) {
    bytes_came(warp, lane, barrier, map.box_bytes());
  }
  AsyncEffect& effect = note_copy(context, AsyncEffect::Kind::kLoad, mask);
  effect.global = map.address;
  effect.bytes = map.box_bytes();
  effect.barrier = registers[1];
  effect.ranks = static_cast<std::uint16_t>(ranks);
  effect.box = box.described();
}

void store_box(Context& context, Warp& warp, const MicroOp& op, LaneMask mask) {
  if (mask == 0) {
    return;
  }
  const unsigned lane = lowest_lane(mask);
  const Uniforms registers(warp, op.sources[0]);
  const TensorMap map = map_at(context, lane, Uniforms(warp, op.sources[1]).wide());
  check_dimensions(map, op, lane);
  const Box box(map, registers, 1);
  std::vector<std::byte> line(box.line_bytes());
  box.for_each_line([&](std::size_t number, Address address, bool inside) {
    from_shared(warp, lane, registers[0] + number * line.size(), line, map.swizzle_bytes);
    if (inside) {
      box.for_each_part([&](std::size_t from, std::size_t to, std::size_t bytes) {
        context.global.write(address + to, std::span(line).subspan(from, bytes));
      });
    }
  });
  AsyncEffect& effect = note_copy(context, AsyncEffect::Kind::kStore, mask);
  effect.global = map.address;
  effect.bytes = map.box_bytes();
  effect.box = box.described();
}

void lower_box(Lowering& lowering, Handler handler) {
  lowering.address(0, 0, 3);
  lowering.address(1, 1, 3);
  lowering.source(2, 2);
  MicroOp& op = lowering.op();
  op.bytes[kDimensionsByte] = static_cast<std::uint8_t>(lowering.modifier(Mod::kDimensions) + 1);
  op.bytes[kMulticastByte] = lowering.has(Mod::kMulticast) ? 1 : 0;
  if (!lowering.has(Mod::kIm2Col)) {
    op.handler = handler;
  }
}

void lower_load_box(Lowering& lowering) {
  lower_box(lowering, load_box);
}

void lower_store_box(Lowering& lowering) {
  lower_box(lowering, store_box);
}

/// Prefetches, and what closes groups of copies that are done already.
void lower_done(Lowering& lowering) {
  lowering.op().handler = [](Context&, Warp&, const MicroOp&, LaneMask) {};
}

}  // namespace

std::span<const LowerRow> bulk_copy_rows() {
  using sass::Op;
  static constexpr LowerRow kRows[] = {
      {Op::kUblkcp, lower_copy_bytes},     {Op::kUblkred, lower_reduce_bytes}, {Op::kUtmaldg, lower_load_box},
      {Op::kUtmaldgExtra, lower_load_box}, {Op::kUtmastg, lower_store_box},    {Op::kUtmapf, lower_done},
      {Op::kUblkpf, lower_done},           {Op::kUtmacctl, lower_done},        {Op::kUtmacmdflush, lower_done}};
  return kRows;
}

}  // namespace gpusim::exec
