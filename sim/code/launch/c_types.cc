// SPDX-License-Identifier: MIT
#include "sim/code/launch/c_types.h"

#include <algorithm>
#include <array>

#include "sim/base/trimmed.h"
#include "sim/code/launch/split.h"

namespace gpusim::launch {
namespace {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// What stands between the '(' at `open` and its ')'.
std::optional<std::string_view> in_parentheses(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) {
      return text.substr(open + 1, i - open - 1);
    }
  }
  return std::nullopt;
}

/// Where a word stands from `from` on as a whole word.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word_char(text[at - 1])) && (end == text.size() || !is_word_char(text[end]))) {
      return at;
    }
  }
  return text.npos;
}

/// A source without comments, which become blanks.
std::string without_comments(std::string_view source) {
  std::string out;
  for (std::size_t i = 0; i < source.size();) {
    const std::string_view rest = source.substr(i);
    const bool is_line = rest.starts_with("//");
    if (!is_line && !rest.starts_with("/*")) {
      out += source[i++];
      continue;
    }
    const std::size_t end = source.find(is_line ? "\n" : "*/", i + 2);
    i = end == source.npos ? source.size() : end + (is_line ? 0 : 2);
    out += ' ';
  }
  return out;
}

/// "const float* __restrict__ x" as a type and a name.
NamedType named_type(std::string_view text) {
  text = trimmed(text.substr(0, text.find('=')));
  std::size_t begin = text.size();
  while (begin > 0 && is_word_char(text[begin - 1])) {
    --begin;
  }
  return {std::string(text.substr(begin)), type_of_cpp(text.substr(0, begin))};
}

/// ".param .u64 .ptr .global .align 1 kernel_param_0"
NamedType ptx_parameter(std::string_view text, std::string_view kernel) {
  NamedType out;
  const std::size_t array = text.find('[');
  const std::string_view declaration = trimmed(text.substr(0, array));
  const std::size_t name = declaration.find_last_of(" \t\r\n") + 1;
  out.name = declaration.substr(name);
  if (out.name.starts_with(std::string(kernel) + "_param_")) {
    out.name.clear();
  }
  if (array != text.npos) {
    out.type.kind = ParameterType::Kind::kStruct;
  } else if (find_word(declaration, "ptr", 0) != declaration.npos) {
    out.type.kind = ParameterType::Kind::kPointer;
    out.type.text = "pointer";
  } else {
    for (const std::string_view type : {"f16", "bf16", "f32", "f64"}) {
      if (find_word(declaration, type, 0) < name) {
        out.type = {ParameterType::Kind::kNumber, array::find_element(type), std::string(type)};
      }
    }
  }
  return out;
}

}  // namespace

ParameterType type_of_cpp(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kNoType{
      "const", "volatile", "restrict", "__restrict__", "__restrict", "struct", "register", "__grid_constant__", "std"};
  ParameterType type;
  type.text = trimmed(text);
  std::string base;
  std::size_t stars = 0;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word_char(text[end])) {
      ++end;
    }
    const std::string_view word = text.substr(i, end - i);
    if (!word.empty() && std::ranges::find(kNoType, word) == kNoType.end()) {
      base += (base.empty() ? "" : " ") + std::string(word);
    }
    stars += word.empty() && text[i] == '*' ? 1 : 0;
    i = std::max(end, i + 1);
  }
  type.element = stars > 1 ? std::nullopt : array::find_element(base);
  type.kind = stars > 0      ? ParameterType::Kind::kPointer
              : type.element ? ParameterType::Kind::kNumber
                             : ParameterType::Kind::kStruct;
  return type;
}

ParameterType type_of_triton(std::string_view text) {
  constexpr std::string_view kPointer = "!tt.ptr<";
  ParameterType type;
  type.text = text;
  std::string_view base = text;
  if (base.starts_with('*')) {
    type.kind = ParameterType::Kind::kPointer;
    base.remove_prefix(1);
  } else if (base.starts_with(kPointer)) {
    type.kind = ParameterType::Kind::kPointer;
    base = base.substr(kPointer.size());
    base = base.substr(0, base.find_first_of(",>"));
  }
  base = trimmed(base);
  type.element = array::find_element(base);
  if (type.kind == ParameterType::Kind::kUnknown && type.element) {
    type.kind = ParameterType::Kind::kNumber;
  }
  return type;
}

std::optional<std::vector<NamedType>> parameters_of_demangled(std::string_view text) {
  const std::size_t close = text.rfind(')');
  if (close == text.npos) {
    return std::nullopt;
  }
  std::size_t open = close;
  for (int depth = 0; open < text.size(); --open) {
    depth += text[open] == ')' ? 1 : text[open] == '(' ? -1 : 0;
    if (depth == 0) {
      break;
    }
  }
  if (open >= text.size()) {
    return std::nullopt;
  }
  std::vector<NamedType> types;
  for (const std::string_view part : split_outside_brackets(text.substr(open + 1, close - open - 1))) {
    types.push_back({"", type_of_cpp(part)});
  }
  return types;
}

std::optional<std::vector<NamedType>> parameters_of_source(std::string_view source, std::string_view kernel) {
  const std::string clean = without_comments(source);
  const std::string_view text = clean;
  for (std::size_t at = find_word(text, "__global__", 0); at != text.npos; at = find_word(text, "__global__", at + 1)) {
    // Between the two are a type and attributes, and neither a body nor another declaration.
    const std::size_t stop = std::min(text.find_first_of("{;", at), text.size());
    const std::size_t name = find_word(text, kernel, at);
    const std::size_t open = name == text.npos ? name : text.find_first_not_of(" \t\r\n", name + kernel.size());
    if (open >= stop || text[open] != '(') {
      continue;
    }
    const std::optional<std::string_view> inside = in_parentheses(text, open);
    if (!inside || inside->find('#') != inside->npos) {
      return std::nullopt;
    }
    std::vector<NamedType> found;
    for (const std::string_view part : split_outside_brackets(*inside)) {
      found.push_back(named_type(part));
      if (found.back().name.empty()) {
        return std::nullopt;
      }
    }
    return found;
  }
  return std::nullopt;
}

std::optional<std::vector<NamedType>> parameters_of_ttir(std::string_view text) {
  const std::size_t function = text.find("tt.func public @");
  const std::size_t open = function == text.npos ? function : text.find('(', function);
  const std::optional<std::string_view> inside = open == text.npos ? std::nullopt : in_parentheses(text, open);
  if (!inside) {
    return std::nullopt;
  }
  std::vector<NamedType> found;
  for (const std::string_view part : split_outside_brackets(*inside)) {
    // "%x_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc(...)"
    const std::size_t colon = part.find(':');
    if (!part.starts_with('%') || colon == part.npos) {
      return std::nullopt;
    }
    const std::string_view type = trimmed(part.substr(colon + 1));
    NamedType one{std::string(trimmed(part.substr(1, colon - 1))), type_of_triton(type.substr(0, type.find(' ')))};
    // Older versions number what they have no names for.
    const std::string_view number =
        std::string_view(one.name).starts_with("arg") ? std::string_view(one.name).substr(3) : std::string_view("x");
    if (number.find_first_not_of("0123456789") == number.npos) {
      one.name.clear();
    }
    found.push_back(std::move(one));
  }
  return found;
}

std::optional<std::vector<NamedType>> parameters_of_ptx(std::string_view text, std::string_view kernel) {
  const std::string clean = without_comments(text);
  const std::string_view source = clean;
  for (std::size_t at = find_word(source, "entry", 0); at != source.npos; at = find_word(source, "entry", at + 1)) {
    const std::size_t name = source.find_first_not_of(" \t\r\n", at + std::string_view("entry").size());
    if (name == source.npos || find_word(source, kernel, name) != name) {
      continue;
    }
    const std::size_t open = source.find_first_not_of(" \t\r\n", name + kernel.size());
    if (open == source.npos || source[open] != '(') {
      return std::vector<NamedType>{};
    }
    const std::optional<std::string_view> inside = in_parentheses(source, open);
    if (!inside) {
      return std::nullopt;
    }
    std::vector<NamedType> found;
    for (const std::string_view part : split_outside_brackets(*inside)) {
      found.push_back(ptx_parameter(part, kernel));
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace gpusim::launch
