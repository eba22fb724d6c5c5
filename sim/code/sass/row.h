// SPDX-License-Identifier: MIT
// What a row of the encoding table is made of, and the words in which the rows are written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "sim/code/sass/instruction.h"
#include "sim/code/sass/warpgroup_shape.h"

namespace gpusim::sass {

/// Bit 91 as part of a key: the form has a uniform register.
inline constexpr std::uint16_t kUniformKey = 0x1000;

/// At most N values, as a literal list.
template <class T, std::size_t N>
struct List {
  std::array<T, N> values{};
  std::uint8_t count = 0;

  constexpr List() = default;
  constexpr List(std::initializer_list<T> list) {
    for (const T& value : list) {
      values.at(count++) = value;  // too many: no constant expression
    }
  }
  [[nodiscard]] constexpr const T* begin() const { return values.data(); }
  [[nodiscard]] constexpr const T* end() const { return values.data() + count; }
  [[nodiscard]] constexpr std::size_t size() const { return count; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return values[i]; }
};

/// Where an operand stands. X and Y are the two sources whose places the form (bits 9 to 11) decides: X is at bit 32,
/// as a register, an immediate of 32 bits, a constant, or (with bit 91) a uniform register; Y is a register at bit 64.
/// In the forms 2, 3 and 7 Y is the second source and X the third, else it is the other way round.
enum class Slot : std::uint8_t {
  kRegister,
  kX,
  kY,
  kXorY,          ///< Y where form 1 has a register there, else X (DADD)
  kImmediate,     ///< `bits`
  kConstant,      ///< c[][] with bank at 54, offset at 38, and a register at `base`
  kMemory,        ///< `base`, `uniform_at`, offset in `bits`
  kRelative,      ///< a target: words of 4 bytes from the end of the instruction, in `bits`
  kRelativeWide,  ///< the same; sm_90 keeps its lower 8 bits in bits 16 to 23
  kOffset,        ///< as kRelativeWide, and printed as an offset (BRX)
  kSpecial,
  kConvergence,
  kPredicates,
  kReturnPc,
  kTable,  ///< a truth table of 8 bits: 3 at 64, 5 at 72
  kScoreboard,
  kScoreboards,
  kMatrixDescriptor,
  kGroup,
};

/// How many registers an operand has.
enum class Wide : std::uint8_t {
  k1,
  k2,
  k4,
  kBySize,      ///< Mod::kSize
  kByAtomic,    ///< Mod::kAtomicType or Mod::kWide
  kByArrival,   ///< Mod::kArriveCount of ATOMS
  kByMatrices,  ///< Mod::kMatrices
  kByToFloat,
  kByFromFloat,
  kByToInteger,
  kByFromInteger,
  kByFlag,   ///< 2 where Mod::kIs64 or Mod::kWide is set
  kMatrixD,  ///< as the opcode table of sim/model/isa says
  kMatrixA,
  kMatrixB,
  kWarpgroupD,
  kWarpgroupA,
};

/// A bit and the value it has to have.
struct Condition {
  std::uint8_t bit = 0;
  bool value = false;
  bool used = false;
};

enum class PartKind : std::uint8_t { kNone, kSwizzle, kHalf, kByte, kLayout };

inline constexpr std::uint8_t kNoBit = 0;  // bit 0 belongs to the opcode
inline constexpr std::int16_t kNeverHidden = -1;

/// Two bits, of which one is to be set and the other, if there is one, clear.
struct HiddenWhen {
  std::uint8_t set = kNoBit;
  std::uint8_t clear = kNoBit;
};

struct OperandRow {
  Slot slot = Slot::kRegister;
  isa::RegFile file = isa::RegFile::kGeneral;
  BitRange bits;  ///< bits of a register or number
  std::uint8_t negate = kNoBit;
  std::uint8_t magnitude = kNoBit;
  std::uint8_t invert = kNoBit;
  std::uint8_t negate_y = kNoBit;  ///< kXorY: where it is Y
  std::uint8_t magnitude_y = kNoBit;
  std::uint8_t inverts_if = kNoBit;  ///< `negate` means ~ where this bit is set
  std::uint8_t uniform_if = kNoBit;  ///< a predicate is of the uniform datapath where this bit is set
  std::uint8_t part_at = kNoBit;
  PartKind part = PartKind::kNone;
  ImmediateKind immediate = ImmediateKind::kInteger;
  Wide width = Wide::k1;
  bool written = false;
  bool never_reused = false;              ///< its bit of Control::reuse is another's
  bool complement = false;                ///< a predicate is stored as 7 less its number
  std::array<Condition, 2> conditions{};  ///< there where all that are used hold
  std::int16_t hidden_at = kNeverHidden;
  // Memory
  std::uint8_t base = kNoBit;
  std::uint8_t uniform_at = kNoBit;  ///< where the key has bit 91
  std::uint8_t descriptor_if = kNoBit;
  std::uint8_t wide_if = kNoBit;  ///< E
  std::uint8_t typed_wide_if = kNoBit;
  std::uint8_t scale_at = kNoBit;
  bool always_wide = false;
  bool hides_urz = false;
  std::uint8_t next_descriptor_if = kNoBit;  ///< the descriptor is behind the uniform register
  std::uint8_t factor = 1;
  std::array<HiddenWhen, 2> hidden_when{};
  std::uint8_t own_reuse = kNoBit;  ///< a bit of its own says .reuse

 private:
  template <class T>
  [[nodiscard]] constexpr OperandRow with(T OperandRow::*field, T value) const {
    OperandRow row = *this;
    row.*field = value;
    return row;
  }
  [[nodiscard]] constexpr OperandRow of_part(PartKind kind, std::uint8_t bit) const {
    return with(&OperandRow::part, kind).with(&OperandRow::part_at, bit);
  }

 public:
  [[nodiscard]] constexpr OperandRow neg(std::uint8_t bit) const { return with(&OperandRow::negate, bit); }
  [[nodiscard]] constexpr OperandRow abs(std::uint8_t bit) const { return with(&OperandRow::magnitude, bit); }
  [[nodiscard]] constexpr OperandRow inv(std::uint8_t bit) const { return with(&OperandRow::invert, bit); }
  [[nodiscard]] constexpr OperandRow inv_if(std::uint8_t bit) const { return with(&OperandRow::inverts_if, bit); }
  [[nodiscard]] constexpr OperandRow uniform_when(std::uint8_t bit) const { return with(&OperandRow::uniform_if, bit); }
  [[nodiscard]] constexpr OperandRow w(Wide wide) const { return with(&OperandRow::width, wide); }
  [[nodiscard]] constexpr OperandRow as(ImmediateKind kind) const { return with(&OperandRow::immediate, kind); }
  [[nodiscard]] constexpr OperandRow hide(std::int16_t value) const { return with(&OperandRow::hidden_at, value); }
  [[nodiscard]] constexpr OperandRow out() const { return with(&OperandRow::written, true); }
  [[nodiscard]] constexpr OperandRow e(std::uint8_t bit) const { return with(&OperandRow::wide_if, bit); }
  [[nodiscard]] constexpr OperandRow w64(std::uint8_t bit) const { return with(&OperandRow::typed_wide_if, bit); }
  [[nodiscard]] constexpr OperandRow desc(std::uint8_t bit) const { return with(&OperandRow::descriptor_if, bit); }
  [[nodiscard]] constexpr OperandRow ur(std::uint8_t bit) const { return with(&OperandRow::uniform_at, bit); }
  [[nodiscard]] constexpr OperandRow scaled(std::uint8_t bit) const { return with(&OperandRow::scale_at, bit); }
  [[nodiscard]] constexpr OperandRow wide() const { return with(&OperandRow::always_wide, true); }
  [[nodiscard]] constexpr OperandRow no_reuse() const { return with(&OperandRow::never_reused, true); }
  [[nodiscard]] constexpr OperandRow hide_urz() const { return with(&OperandRow::hides_urz, true); }
  [[nodiscard]] constexpr OperandRow desc_next(std::uint8_t bit) const {
    return with(&OperandRow::next_descriptor_if, bit);
  }
  /// Not printed where the first bit is set and the second, if there is one, clear; or so after a second call.
  [[nodiscard]] constexpr OperandRow hide_when(std::uint8_t set, std::uint8_t clear) const {
    OperandRow row = *this;
    (row.hidden_when[0].set != kNoBit ? row.hidden_when[1] : row.hidden_when[0]) = {set, clear};
    return row;
  }
  [[nodiscard]] constexpr OperandRow reuse_at(std::uint8_t bit) const { return with(&OperandRow::own_reuse, bit); }
  [[nodiscard]] constexpr OperandRow times(std::uint8_t bytes) const { return with(&OperandRow::factor, bytes); }
  [[nodiscard]] constexpr OperandRow y(std::uint8_t neg_bit, std::uint8_t abs_bit) const {
    return with(&OperandRow::negate_y, neg_bit).with(&OperandRow::magnitude_y, abs_bit);
  }
  [[nodiscard]] constexpr OperandRow swz(std::uint8_t bit) const { return of_part(PartKind::kSwizzle, bit); }
  [[nodiscard]] constexpr OperandRow hsel(std::uint8_t bit) const { return of_part(PartKind::kHalf, bit); }
  [[nodiscard]] constexpr OperandRow bsel(std::uint8_t bit) const { return of_part(PartKind::kByte, bit); }
  [[nodiscard]] constexpr OperandRow layout(std::uint8_t bit) const { return of_part(PartKind::kLayout, bit); }
  /// There only where the bit has the value; after a second call, where both have.
  [[nodiscard]] constexpr OperandRow when(std::uint8_t bit, bool value) const {
    OperandRow row = *this;
    (row.conditions[0].used ? row.conditions[1] : row.conditions[0]) = {bit, value, true};
    return row;
  }
};

/// A meaning, and how its values are printed: by a list, or as the shape of a WGMMA operation.
struct ModifierKind {
  Mod mod = Mod::kNone;
  std::span<const std::string_view> names;  ///< "" prints nothing
  std::span<const std::uint16_t> depths;    ///< K of shapes, by WarpgroupShape::depth
  ShapeCode shapes = ShapeCode::kEights;    ///< how the value says a shape
};

struct ModifierRow {
  const ModifierKind* kind = nullptr;
  std::array<BitRange, 4> ranges{};  ///< joined, the lowest first
  Mod only_with = Mod::kNone;        ///< means something only where this one is set
  bool silent = false;               ///< printed with an operand, or by another modifier
};

/// What bits 9 to 11 of the opcode say.
enum class FormClass : std::uint8_t { kFixed, kAlu, kUniformAlu };

/// How sure a row is.
enum class Confidence : std::uint8_t {
  kHigh,    ///< every field was seen to vary in code whose text is known, and matched
  kMedium,  ///< opcode and main operands are sure, some modifier is not
  kLow,     ///< the opcode only
};

/// A set of generations.
using GenerationSet = std::uint8_t;

struct EncodingRow {
  Op op = Op::kUnknown;
  std::string_view name;        ///< as printed before the modifiers, with those that never change: "IMAD.WIDE"
  List<std::uint16_t, 7> keys;  ///< bits 0 to 11 of the code; 0x1000: and bit 91
  GenerationSet generations = 0;
  FormClass form = FormClass::kFixed;
  List<OperandRow, kMaxOperands> operands;
  List<ModifierRow, kMaxModifiers> modifiers;
  Confidence confidence = Confidence::kHigh;
  bool uniform_guard = false;
};

/// The table, a part a source file.
[[nodiscard]] std::span<const EncodingRow> arithmetic_rows();
[[nodiscard]] std::span<const EncodingRow> memory_rows();
[[nodiscard]] std::span<const EncodingRow> control_rows();
[[nodiscard]] std::span<const EncodingRow> tensor_rows();
[[nodiscard]] std::array<std::span<const EncodingRow>, 4> encoding_table();

/// The row for a key; null when there is none.
[[nodiscard]] const EncodingRow* find_row(std::uint16_t key, Generation generation);

}  // namespace gpusim::sass
