// SPDX-License-Identifier: MIT
#include "sim/code/launch/argument.h"

#include <charconv>

#include "sim/base/text.h"
#include "sim/base/trimmed.h"
#include "sim/code/launch/request.h"

namespace gpusim::launch {
namespace {

constexpr std::string_view kBufferHint = "such as f32[n]:random, f32[n*2]:zeros or [n]:ones";

std::string quoted(std::string_view text) {
  return "'" + printable(clipped(text, 60)) + "'";
}

array::Element element_named(std::string_view name, std::string_view text, const SourceLocation& where) {
  const std::optional<array::Element> element = array::find_element(name);
  if (!element) {
    throw InputError({where, "unknown type " + quoted(name) + " in " + quoted(text), array::element_suggestion(name)});
  }
  return *element;
}

/// "f32[n]:random", of which `open` is the place of the bracket.
ArgumentText buffer_of(std::string_view text, std::size_t open, const SourceLocation& where) {
  ArgumentText out;
  out.kind = ArgumentText::Kind::kBuffer;
  if (const std::string_view type = trimmed(text.substr(0, open)); !type.empty()) {
    out.element = element_named(type, text, where);
  }
  const std::size_t close = text.rfind(']');
  if (close == text.npos || close < open) {
    throw InputError({where, "the '[' of " + quoted(text) + " is not closed", std::string(kBufferHint)});
  }
  out.count = trimmed(text.substr(open + 1, close - open - 1));
  std::string_view rest = trimmed(text.substr(close + 1));
  if (out.count.empty()) {
    throw InputError({where, quoted(text) + " does not say how many elements it has", std::string(kBufferHint)});
  }
  if (rest.empty()) {
    return out;
  }
  if (!rest.starts_with(':')) {
    throw InputError({where, "unexpected " + quoted(rest) + " behind the ']'", std::string(kBufferHint)});
  }
  out.fill = array::parse_fill(rest.substr(1), where);
  return out;
}

/// "&x[n]".
ArgumentText address_of(std::string_view text, const SourceLocation& where) {
  ArgumentText out;
  out.kind = ArgumentText::Kind::kAddress;
  const std::size_t open = text.find('[');
  out.text = trimmed(text.substr(1, open == text.npos ? open : open - 1));
  out.count = open == text.npos ? "0" : std::string(text.substr(open + 1, text.rfind(']') - open - 1));
  if (!is_argument_name(out.text) || (open != text.npos && !text.ends_with(']'))) {
    throw InputError({where, quoted(text) + " is not a place in a buffer", "such as &x[1024]"});
  }
  return out;
}

ArgumentText bytes_of(std::string_view text, const SourceLocation& where) {
  ArgumentText out;
  out.kind = ArgumentText::Kind::kBytes;
  if (text.ends_with(".npy")) {
    out.fill = array::parse_fill(text, where);
    return out;
  }
  for (std::size_t i = 0; i < text.size(); i += 2) {
    unsigned byte = 0;
    const std::string_view pair = text.substr(i, 2);
    const auto [end, error] = std::from_chars(pair.data(), pair.data() + pair.size(), byte, 16);
    if (error != std::errc() || end != pair.data() + 2) {
      throw InputError({where, quoted(text) + " are not bytes", "two hexadecimal digits a byte, or a .npy file"});
    }
    out.text += static_cast<char>(byte);
  }
  return out;
}

constexpr std::string_view kMap = "map(";
constexpr std::string_view kMapHint = "such as map(64, 64, swizzle=128):bf16[m, k]:random, or map(64, 64):a";

/// "map(64, 64, swizzle=128):a", of whose buffer parse_argument() takes care.
ArgumentText map_of(std::string_view text, const SourceLocation& where) {
  const std::size_t close = text.find(')');
  if (close == text.npos || close + 1 >= text.size() || text[close + 1] != ':') {
    throw InputError({where, quoted(text) + " is not a tensor map of a buffer", std::string(kMapHint)});
  }
  ArgumentText out = parse_argument(text.substr(close + 2), where);
  const bool is_buffer = out.kind == ArgumentText::Kind::kBuffer || out.kind == ArgumentText::Kind::kFile ||
                         (out.kind == ArgumentText::Kind::kNumber && is_argument_name(out.text));
  if (!is_buffer || out.map) {
    throw InputError({where, quoted(text.substr(close + 2)) + " is not a buffer", std::string(kMapHint)});
  }
  constexpr std::string_view kSwizzle = "swizzle=";
  MapText map;
  map.box = text.substr(kMap.size(), close - kMap.size());
  if (const std::size_t swizzle = map.box.find(kSwizzle); swizzle != map.box.npos) {
    map.swizzle = map.box.substr(swizzle + kSwizzle.size());
    const std::size_t comma = map.box.rfind(',', swizzle);
    map.box.resize(comma == map.box.npos ? 0 : comma);
  }
  out.map = std::move(map);
  return out;
}

}  // namespace

const std::vector<ArgumentForm>& argument_forms() {
  static const std::vector<ArgumentForm> kForms{
      {"1048576", "a number; `(n + 255) / 256` calculates with parameters and with numbers that stand before it"},
      {"2.0",
       "a number with a fraction; where the type of the parameter is not known, the point tells it from an "
       "integer"},
      {"f32:2", "a number of this type"},
      {"f32[n]:random", "a buffer of n elements with a fill; `f32[m, k]` has rows, which a file of the result keeps"},
      {"[n]:ones", "a buffer of the type that the parameter points to"},
      {"x.npy", "a buffer with the type, the count and the elements of a file of NumPy's"},
      {"x", "the buffer x of an earlier launch, or of `buffers`"},
      {"&x[1024]", "the address of an element of a buffer"},
      {"nullptr", "a pointer to nothing"},
      {"map(64, 64, swizzle=128):a",
       "a tensor map by value (`CUtensorMap`), which copies 64 x 64 elements of the buffer a at a time and swizzles "
       "them by 128 bytes; in the place of a stands any form of a buffer"},
      {"{f32[n]:ones, y, n, f32:0.5}",
       "a struct by value, member by member, aligned as C++ does; a number without a type has 4 bytes; "
       "`{x=f32[n]:ones, y=x}` gives members names, to be used as those of arguments"},
      {"bytes:0100ff00", "a struct by value, two hexadecimal digits a byte; `bytes:x.npy` takes them from a file"}};
  return kForms;
}

ArgumentText parse_argument(std::string_view text, const SourceLocation& where) {
  constexpr std::string_view kBytes = "bytes:";
  text = trimmed(text);
  ArgumentText out;
  if (text.empty()) {
    throw InputError({where, "has no value", std::string(kBufferHint)});
  }
  if (text.starts_with('&')) {
    return address_of(text, where);
  }
  if (text.starts_with(kBytes)) {
    return bytes_of(text.substr(kBytes.size()), where);
  }
  if (text.starts_with(kMap)) {
    return map_of(text, where);
  }
  if (text == "null" || text == "nullptr") {
    out.kind = ArgumentText::Kind::kNull;
    return out;
  }
  const std::size_t mark = text.find_first_of("[:(");
  if (mark != text.npos && text[mark] == '[') {
    return buffer_of(text, mark, where);
  }
  if (text.ends_with(".npy")) {
    out.kind = ArgumentText::Kind::kFile;
    out.fill = array::parse_fill(text, where);
    return out;
  }
  if (mark != text.npos && text[mark] == ':' && text.find('?') == text.npos) {
    out.element = element_named(trimmed(text.substr(0, mark)), text, where);
    text = trimmed(text.substr(mark + 1));
  }
  out.text = text;
  return out;
}

}  // namespace gpusim::launch
