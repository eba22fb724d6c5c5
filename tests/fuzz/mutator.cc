// SPDX-License-Identifier: MIT
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace gpusim::fuzz {
namespace {

constexpr std::size_t kMostChanges = 5;
constexpr std::size_t kMostBytes = 256 << 10;  ///< bytes of an input: more only takes time
constexpr std::string_view kBytes = "()[]{}@<-+*/%?:!&|^\"\\#=.,;'`~_\n\t 0123456789abcdefxRPU\xff\x80\x01";
/// Edges of what numbers are kept in, and of limits of GPUs.
constexpr std::array<std::string_view, 28> kNumbers{"0",
                                                    "1",
                                                    "-1",
                                                    "2",
                                                    "7",
                                                    "15",
                                                    "16",
                                                    "31",
                                                    "32",
                                                    "33",
                                                    "63",
                                                    "64",
                                                    "255",
                                                    "256",
                                                    "1023",
                                                    "1024",
                                                    "1025",
                                                    "65535",
                                                    "65536",
                                                    "2147483647",
                                                    "2147483648",
                                                    "-2147483648",
                                                    "4294967295",
                                                    "4294967296",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "18446744073709551615",
                                                    "18446744073709551616"};

bool is_word_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

}  // namespace

Mutator::Mutator(std::vector<std::string> seeds, std::uint32_t random_seed)
    : seeds_(std::move(seeds)), random_(random_seed) {}

std::string Mutator::next() {
  std::string text = any_seed();
  for (std::size_t changes = 1 + below(kMostChanges); changes > 0; --changes) {
    change(text);
  }
  text.resize(std::min(text.size(), kMostBytes));
  return text;
}

void Mutator::change(std::string& text) {
  switch (below(16)) {
    case 0:
    case 1:
    case 2: change_byte(text); break;
    case 3:
    case 4: change_range(text); break;
    case 5:
    case 6:
    case 7: change_line(text); break;
    case 8:
    case 9:
    case 10: change_word(text); break;
    case 11:
    case 12:
    case 13:
    case 14: change_number(text); break;
    default: splice(text);
  }
}

Mutator::Piece Mutator::any_range(const std::string& text, std::size_t most) {
  const std::size_t begin = below(text.size());
  return {begin, std::min(below(most) + 1, text.size() - begin)};
}

/// With its line break, if it has one.
Mutator::Piece Mutator::any_line(const std::string& text) {
  const std::size_t at = below(text.size());
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return {begin, std::min(end + 1, text.size()) - begin};
}

Mutator::Piece Mutator::any_word(const std::string& text) {
  std::size_t begin = below(text.size());
  while (begin < text.size() && !is_word_byte(text[begin])) {
    ++begin;
  }
  while (begin > 0 && begin < text.size() && is_word_byte(text[begin - 1])) {
    --begin;
  }
  std::size_t end = begin;
  while (end < text.size() && is_word_byte(text[end])) {
    ++end;
  }
  return {begin, end - begin};
}

std::string Mutator::any_number() {
  if (below(3) != 0) {
    return std::string(kNumbers[below(kNumbers.size())]);
  }
  return std::to_string(std::uint64_t{random_()} >> below(32));
}

void Mutator::change_byte(std::string& text) {
  if (text.empty()) {
    return;
  }
  char& byte = text[below(text.size())];
  switch (below(3)) {
    case 0: byte = static_cast<char>(byte ^ static_cast<char>(1U << below(8))); break;
    case 1: byte = static_cast<char>(below(256)); break;
    default: byte = kBytes[below(kBytes.size())];
  }
}

void Mutator::change_range(std::string& text) {
  const Piece piece = any_range(text, 60);
  switch (below(4)) {
    case 0: text.erase(piece.begin, piece.size); break;
    case 1: text.insert(below(text.size() + 1), text.substr(piece.begin, piece.size)); break;
    case 2: text.insert(piece.begin, 1, kBytes[below(kBytes.size())]); break;
    default: text.resize(below(text.size() + 1));
  }
}

void Mutator::change_line(std::string& text) {
  const Piece line = any_line(text);
  const std::string content = text.substr(line.begin, line.size);
  switch (below(4)) {
    case 0: text.erase(line.begin, line.size); break;
    case 1: text.insert(line.begin, content); break;
    case 2: {
      text.erase(line.begin, line.size);
      text.insert(any_line(text).begin, content);
      break;
    }
    default: {
      const std::string& other = any_seed();
      const Piece taken = any_line(other);
      text.insert(line.begin, other.substr(taken.begin, taken.size));
    }
  }
}

void Mutator::change_word(std::string& text) {
  const Piece word = any_word(text);
  const std::string& from = below(2) == 0 ? any_seed() : text;
  const Piece taken = any_word(from);
  const std::string other = from.substr(taken.begin, taken.size);
  text.replace(word.begin, word.size, other);
}

void Mutator::change_number(std::string& text) {
  const std::size_t at = text.find_first_of("0123456789", below(text.size()));
  if (at == std::string::npos) {
    return;
  }
  const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
  text.replace(at, end - at, any_number());
}

void Mutator::splice(std::string& text) {
  const std::string& other = any_seed();
  text = text.substr(0, any_line(text).begin) + other.substr(any_line(other).begin);
}

}  // namespace gpusim::fuzz
