// SPDX-License-Identifier: MIT
// Cuts a long JSON text into the objects that matter, piece by piece, so that nobody has to hold the text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim::kineto {

class Splitter {
 public:
  /// Gets the text of an object. The string may be changed, and keeps its memory from one call to the next.
  using Take = std::function<void(std::string& object)>;

  /// What is taken of the text's outermost object: the objects of a list, or one object.
  struct Part {
    std::string key;
    bool is_list = false;
    Take take;
  };

  explicit Splitter(std::vector<Part> parts);

  /// The next piece of the text.
  void feed(std::string_view piece);

  /// Whether the text so far is whole: all that was opened is closed, in order. Of values that nobody takes no more is
  /// known.
  [[nodiscard]] bool is_whole() const { return has_begun_ && open_.empty() && !in_string_ && !is_broken_; }
  /// Whether the text so far has more than space before what cannot be JSON.
  [[nodiscard]] bool has_begun() const { return has_begun_; }
  /// Whether the first part, a list, was there.
  [[nodiscard]] bool has_list() const { return has_list_; }

 private:
  void step(char c, std::size_t at);
  void step_in_string(char c);
  void open(char c, std::size_t at);
  void close(char c, std::string_view piece, std::size_t at);
  [[nodiscard]] bool is_in_root() const { return open_.size() == 1 && open_.front() == '{'; }

  [[nodiscard]] const Part* part_that_begins() const;

  std::vector<Part> parts_;
  const Part* taken_ = nullptr;  ///< the part of which an object is open
  std::string open_;             ///< brackets that are open, the outermost first
  std::string string_;           ///< last string directly in the outermost object
  std::string key_;              ///< key of the value there
  std::string object_;           ///< what is taken, as far as it came in pieces before
  std::size_t begin_ = 0;        ///< where it begins in this piece
  std::size_t depth_ = 0;        ///< depth outside of it
  bool in_string_ = false;
  bool is_escaped_ = false;
  bool has_begun_ = false;
  bool has_list_ = false;
  bool is_broken_ = false;
};

}  // namespace gpusim::kineto
