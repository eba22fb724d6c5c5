// SPDX-License-Identifier: MIT
#include "sim/model/isa/operand_text.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "sim/model/isa/decode.h"

namespace gpusim::isa {
namespace {

constexpr std::uint8_t kAllPredicates = 7;  // "PR": P0 to P6 together

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  return text;
}

/// Takes "-", "!", "~", "|" off both ends.
std::string_view without_signs(std::string_view text) {
  constexpr std::string_view kSigns = "+-~!|";
  while (!text.empty() && kSigns.find(text.front()) != std::string_view::npos) {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == '|') {
    text.remove_suffix(1);
  }
  return text;
}

/// A numbered register file: "R" with 0 to 254 and "RZ", and so on.
struct FileName {
  std::string_view prefix;
  RegFile file;
  std::string_view none_name;
  std::string_view range;
};
constexpr FileName kFiles[] = {{"UR", RegFile::kUniform, "URZ", "UR0 to UR62, or URZ"},
                               {"UP", RegFile::kUniformPredicate, "UPT", "UP0 to UP6, or UPT"},
                               {"R", RegFile::kGeneral, "RZ", "R0 to R254, or RZ"},
                               {"P", RegFile::kPredicate, "PT", "P0 to P6, or PT"}};

std::optional<unsigned> small_number(std::string_view digits) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) {
    return std::nullopt;
  }
  return value;
}

bool has_part(std::string_view modifiers, std::string_view wanted) {
  while (!modifiers.empty()) {
    const std::size_t dot = modifiers.find('.');
    if (modifiers.substr(0, dot) == wanted) {
      return true;
    }
    modifiers = dot == std::string_view::npos ? std::string_view{} : modifiers.substr(dot + 1);
  }
  return false;
}

class Parser {
 public:
  explicit Parser(Labels labels) : labels_(labels) {}

  std::variant<ParsedOperand, std::string> parse(std::string_view whole) {
    std::string_view text = trim(whole);
    if (text.empty()) {
      return std::string("an operand is empty");
    }
    if (labels_ == Labels::kAccepted && text.find(' ') != std::string_view::npos && text.front() != '`') {
      text = text.substr(0, text.find(' '));  // "R20 `(f)", "R2 -0xd0": the target relative to a register
    }
    const std::string_view inner = without_signs(text);
    if (inner.find('[') != std::string_view::npos ? parse_brackets(inner) : parse_atom(inner)) {
      return result_;
    }
    return "operand " + quoted(whole) + " " + error_;
  }

 private:
  bool fail(std::string message) {
    if (error_.empty()) {
      error_ = std::move(message);
    }
    return false;
  }

  /// "desc[UR4][R2.64+0x10]", "c[0x0][0x160]", "[R2]"
  bool parse_brackets(std::string_view text) {
    const std::size_t open = text.find('[');
    const std::string_view prefix = text.substr(0, open);
    if (prefix == "c" || prefix == "cx") {
      result_.kind = OperandKind::kConstant;
    } else if (prefix.empty() || prefix == "desc" || prefix == "gdesc") {
      result_.kind = OperandKind::kMemory;
    } else {
      return fail("has an unknown space '" + std::string(prefix) + "': expected [..], desc[..][..] or c[..][..]");
    }
    descriptor_ = !prefix.empty() && prefix != "c";
    std::string_view rest = text.substr(open);
    while (rest.starts_with('[')) {
      const std::size_t close = rest.find(']');
      if (close == std::string_view::npos) {
        return fail("has no closing ']'");
      }
      if (!parse_sum(rest.substr(1, close - 1))) {
        return false;
      }
      descriptor_ = false;
      rest.remove_prefix(close + 1);
    }
    return rest.empty() || rest.front() == '.' || fail("has text after ']'");
  }

  /// "R2.64+UR4+-0x10"
  bool parse_sum(std::string_view sum) {
    while (true) {
      const std::size_t plus = sum.find('+');
      const std::string_view term = without_signs(trim(sum.substr(0, plus)));
      if (!parse_register(term) && (!error_.empty() || !parse_number(term))) {
        return fail("has the address term " + quoted(term) + ": expected a register or a number");
      }
      if (plus == std::string_view::npos) {
        return true;
      }
      sum = sum.substr(plus + 1);
    }
  }

  bool parse_atom(std::string_view text) {
    if (parse_register(text)) {
      result_.kind = OperandKind::kRegister;
      return true;
    }
    if (!error_.empty()) {
      return false;
    }
    if (parse_number(text)) {
      result_.kind = OperandKind::kNumber;
      return true;
    }
    return parse_name(text);
  }

  /// False without an error when the text does not look like a register at all.
  bool parse_register(std::string_view text) {
    const std::size_t dot = text.find('.');
    std::string_view name = text.substr(0, dot);
    name.remove_suffix(name.ends_with('|') ? 1 : 0);  // "|R0|.reuse"
    const std::string_view modifiers = dot == std::string_view::npos ? std::string_view{} : text.substr(dot + 1);
    for (const FileName& file : kFiles) {
      if (name == file.none_name) {
        return add({file.file, 1, last_register(file.file), false, 0}, modifiers);
      }
      if (!name.starts_with(file.prefix) || name.size() == file.prefix.size() || !is_digit(name[file.prefix.size()])) {
        continue;
      }
      const std::optional<unsigned> index = small_number(name.substr(file.prefix.size()));
      if (!index || *index >= last_register(file.file)) {
        return fail("is not a register: expected " + std::string(file.range));
      }
      return add({file.file, 1, static_cast<std::uint16_t>(*index), false, 0}, modifiers);
    }
    if (name == "PR" || name == "UPR") {
      const RegFile file = name == "PR" ? RegFile::kPredicate : RegFile::kUniformPredicate;
      return add({file, kAllPredicates, 0, false, 0}, modifiers);
    }
    return false;
  }

  bool add(Operand operand, std::string_view modifiers) {
    if (result_.register_count == result_.registers.size()) {
      return fail("has too many registers");
    }
    operand.reuse = has_part(modifiers, "reuse");
    result_.registers[result_.register_count++] = {operand, has_part(modifiers, "64"), has_part(modifiers, "U32"),
                                                   descriptor_};
    return true;
  }

  bool parse_number(std::string_view text) {
    if (text == "INF" || text == "QNAN" || text == "SNAN") {
      return true;
    }
    const char* end = text.data() + text.size();
    if (text.starts_with("0x") || text.starts_with("0X")) {
      const auto [stop, error] = std::from_chars(text.data() + 2, end, result_.number, 16);
      return error == std::errc{} && stop == end;
    }
    if (text.empty() || (!is_digit(text.front()) && text.front() != '.')) {
      return false;
    }
    const auto [stop, error] = std::from_chars(text.data(), end, result_.number, 10);
    if (error == std::errc{} && stop == end) {
      return true;
    }
    double ignored = 0;
    const auto [float_stop, float_error] = std::from_chars(text.data(), end, ignored);
    return float_error != std::errc::invalid_argument && float_stop == end;
  }

  bool parse_name(std::string_view text) {
    if (text.starts_with("SB")) {
      const std::optional<unsigned> counter = small_number(text.substr(2));
      if (!counter || *counter >= kDependenceCounters) {
        return fail("is not a dependence counter: expected SB0 to SB5");
      }
      result_.kind = OperandKind::kScoreboard;
      result_.number = *counter;
      return true;
    }
    if (text.starts_with("gsb")) {
      result_.kind = OperandKind::kGroupCounter;
      return text == "gsb0" || fail("is not a group counter: expected gsb0");
    }
    if (text.starts_with("SR")) {
      return true;
    }
    if (const auto barrier = convergence_barrier_number(text); barrier && *barrier < kConvergenceBarriers) {
      return true;
    }
    const bool looks_like_label =
        !text.empty() &&
        (is_letter(text.front()) || std::string_view("_.$`(").find(text.front()) != std::string_view::npos);
    const bool is_shape = text.size() == 2 && is_digit(text[0]) && text[1] == 'D';  // shape of a texture: 1D, 2D, 3D
    if (labels_ == Labels::kAccepted && (looks_like_label || is_shape)) {
      return true;
    }
    return fail("makes no sense here: expected a register, a number, [address] or c[bank][offset]");
  }

  Labels labels_;
  bool descriptor_ = false;
  ParsedOperand result_;
  std::string error_;
};

}  // namespace

std::optional<unsigned> convergence_barrier_number(std::string_view operand) {
  return operand.starts_with('B') ? small_number(operand.substr(1)) : std::nullopt;
}

std::variant<ParsedOperand, std::string> parse_operand(std::string_view text, Labels labels) {
  return Parser(labels).parse(text);
}

}  // namespace gpusim::isa
