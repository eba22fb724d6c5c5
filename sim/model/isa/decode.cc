// SPDX-License-Identifier: MIT
#include "sim/model/isa/decode.h"

#include <algorithm>
#include <vector>

#include "sim/base/nearest.h"
#include "sim/model/isa/wgmma.h"

namespace gpusim::isa {
namespace {

/// Walks the parts of "A.B.C".
class Parts {
 public:
  explicit Parts(std::string_view text) : rest_(text) {}

  bool next(std::string_view& part) {
    if (done_) {
      return false;
    }
    const std::size_t dot = rest_.find('.');
    part = rest_.substr(0, dot);
    done_ = dot == std::string_view::npos;
    rest_ = done_ ? std::string_view{} : rest_.substr(dot + 1);
    return true;
  }

 private:
  std::string_view rest_;
  bool done_ = false;
};

std::string_view base_of(std::string_view opcode) {
  return opcode.substr(0, opcode.find('.'));
}

std::string_view modifiers_of(std::string_view opcode) {
  const std::size_t dot = opcode.find('.');
  return dot == std::string_view::npos ? std::string_view{} : opcode.substr(dot + 1);
}

bool has_modifier(std::string_view opcode, std::string_view wanted) {
  Parts parts(modifiers_of(opcode));
  std::string_view part;
  while (parts.next(part)) {
    if (part == wanted) {
      return true;
    }
  }
  return false;
}

/// Whether the parts of `wanted` occur in `given` in this order.
bool occurs_in_order(std::string_view wanted, std::string_view given) {
  if (wanted.empty()) {
    return true;
  }
  Parts wanted_parts(wanted);
  Parts given_parts(given);
  std::string_view want;
  std::string_view part;
  while (wanted_parts.next(want)) {
    do {
      if (!given_parts.next(part)) {
        return false;
      }
    } while (part != want);
  }
  return true;
}

struct AccessSize {
  std::string_view modifier;
  std::uint8_t bytes;
};
constexpr AccessSize kAccessSizes[] = {{"U8", 1},     {"S8", 1},    {"U16", 2},    {"S16", 2},    {"64", 8},
                                       {"F64", 8},    {"U64", 8},   {"S64", 8},    {"128", 16},   {"F32x2", 8},
                                       {"F32x4", 16}, {"F16x4", 8}, {"F16x8", 16}, {"BF16x4", 8}, {"BF16x8", 16}};

std::uint8_t access_bytes(std::string_view opcode) {
  for (const AccessSize& size : kAccessSizes) {
    if (has_modifier(opcode, size.modifier)) {
      return size.bytes;
    }
  }
  return 4;
}

std::uint8_t matrix_count(std::string_view opcode) {
  if (has_modifier(opcode, "4")) {
    return 4;
  }
  return has_modifier(opcode, "2") ? 2 : 1;
}

/// Loads with GPU or system scope must not see a stale L1 line.
bool bypasses_l1(std::string_view opcode) {
  return has_modifier(opcode, "BYPASS") ||
         (has_modifier(opcode, "STRONG") && !has_modifier(opcode, "CTA") && !has_modifier(opcode, "SM"));
}

/// ld.cs and st.cs, ld.lu, and L1::evict_last of PTX; .EU, evict unchanged, is taken for normal.
Eviction eviction_of(std::string_view opcode) {
  if (has_modifier(opcode, "EF") || has_modifier(opcode, "LU")) {
    return Eviction::kFirst;
  }
  return has_modifier(opcode, "EL") ? Eviction::kLast : Eviction::kNormal;
}

/// L2::64B, L2::128B and L2::256B of PTX, a load's prefetch size; 0 without one. Simplified: 256 bytes are one line.
std::uint8_t fetch_sectors_of(std::string_view opcode) {
  if (has_modifier(opcode, "LTC64B")) {
    return 2;
  }
  return has_modifier(opcode, "LTC128B") || has_modifier(opcode, "LTC256B") ? 4 : 0;
}

AtomicType atomic_type_of(std::string_view opcode) {
  constexpr std::string_view kHalves[] = {"F16",    "F16x2",  "F16x4",  "F16x8",  "BF16",
                                          "BF16x2", "BF16x4", "BF16x8", "BF16_V2"};
  constexpr std::string_view kFloats[] = {"F32", "F32x2", "F32x4", "F64"};
  const auto has = [opcode](std::string_view modifier) { return has_modifier(opcode, modifier); };
  if (std::ranges::any_of(kHalves, has)) {
    return AtomicType::kHalf;
  }
  return std::ranges::any_of(kFloats, has) ? AtomicType::kFloat : AtomicType::kInteger;
}

void decode_access(std::string_view opcode, Instr& instr) {
  const std::string_view base = base_of(opcode);
  if (base == "LDSM" || base == "STSM") {
    instr.matrices = matrix_count(opcode);
    instr.bytes_per_lane = static_cast<std::uint8_t>(4 * instr.matrices);
    return;
  }
  instr.bytes_per_lane = access_bytes(opcode);
  const bool is_global = instr.space == MemSpace::kGlobal;
  instr.bypass_l1 = is_global && bypasses_l1(opcode);
  instr.no_allocate = is_global && has_modifier(opcode, "NA");
  instr.fetch_sectors = is_global ? fetch_sectors_of(opcode) : std::uint8_t{0};
  instr.eviction = is_global || instr.space == MemSpace::kLocal ? eviction_of(opcode) : Eviction::kNormal;
}

/// A shape that makes no sense leaves an operation of no columns; assign_operands() says what is wrong.
void decode_wgmma(std::string_view opcode, Instr& instr) {
  const auto parsed = parse_wgmma(opcode);
  if (const auto* name = std::get_if<WgmmaName>(&parsed)) {
    instr.wgmma = name->wgmma;
    instr.flop_class = name->flop_class;
    instr.flops = flops_per_warp(name->wgmma);
  }
}

}  // namespace

const OpcodeRow* find_opcode(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  const std::string_view modifiers = modifiers_of(opcode);
  const std::span<const OpcodeRow> rows = opcode_table();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const OpcodeRow& row) {
    return row.base == base && occurs_in_order(row.modifiers, modifiers);
  });
  return found == rows.end() ? nullptr : &*found;
}

std::string_view nearest_opcode(std::string_view opcode) {
  std::vector<std::string_view> names;
  for (const OpcodeRow& row : opcode_table()) {
    if (names.empty() || names.back() != row.base) {
      names.push_back(row.base);
    }
  }
  return nearest(base_of(opcode), names);
}

Instr decode_opcode(std::string_view opcode) {
  Instr instr;
  const OpcodeRow* row = find_opcode(opcode);
  if (row == nullptr || row->timing == TimingClass::kDefault) {
    instr.kind = OpKind::kCompute;
    instr.timing = TimingClass::kDefault;
    instr.known_opcode = false;
    return instr;
  }
  instr.kind = row->kind;
  instr.timing = row->timing;
  instr.space = row->space;
  instr.generic = row->generic;
  instr.flop_class = row->flop_class;
  instr.flops = row->flops;
  instr.try_waits = instr.kind == OpKind::kPoll && has_modifier(opcode, "TRYWAIT");
  if (instr.is_memory()) {
    decode_access(opcode, instr);
  }
  if (instr.kind == OpKind::kAtomic || instr.kind == OpKind::kReduction || instr.kind == OpKind::kTensorCopy) {
    instr.atomic_type = atomic_type_of(opcode);
  }
  if (instr.kind == OpKind::kWgmma) {
    decode_wgmma(opcode, instr);
  }
  return instr;
}

}  // namespace gpusim::isa
