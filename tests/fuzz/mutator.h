// SPDX-License-Identifier: MIT
// Changes inputs: bytes, and the lines, words and numbers that texts are made of.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gpusim::fuzz {

class Mutator {
 public:
  /// `seeds` are what inputs begin as, and take parts from; at least one.
  Mutator(std::vector<std::string> seeds, std::uint32_t random_seed);

  /// The next input: the same ones in the same order for the same seeds.
  [[nodiscard]] std::string next();

 private:
  struct Piece {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  [[nodiscard]] std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  [[nodiscard]] const std::string& any_seed() { return seeds_[below(seeds_.size())]; }
  [[nodiscard]] Piece any_range(const std::string& text, std::size_t most);
  [[nodiscard]] Piece any_line(const std::string& text);
  [[nodiscard]] Piece any_word(const std::string& text);
  [[nodiscard]] std::string any_number();

  void change(std::string& text);
  void change_byte(std::string& text);
  void change_range(std::string& text);
  void change_line(std::string& text);
  void change_word(std::string& text);
  void change_number(std::string& text);
  void splice(std::string& text);

  std::vector<std::string> seeds_;
  std::mt19937 random_;
};

}  // namespace gpusim::fuzz
