// SPDX-License-Identifier: MIT
// Cuts a long JSON text into the objects that matter, piece by piece, so that nobody has to hold the text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace gpusim::kineto {

class Splitter {
 public:
  /// Gets the text of an object. The string may be changed, and keeps its memory from one call to the next.
  using Take = std::function<void(std::string& object)>;

  /// `take_item` gets the objects in the list `list_key` of the text's outermost object, `take_object` the object
  /// `object_key` beside it.
  Splitter(std::string list_key, Take take_item, std::string object_key, Take take_object);

  /// The next piece of the text.
  void feed(std::string_view piece);

  /// Whether the text so far is whole: all that was opened is closed, in order. Of values that nobody takes no more is
  /// known.
  [[nodiscard]] bool is_whole() const { return has_begun_ && open_.empty() && !in_string_ && !is_broken_; }
  [[nodiscard]] bool has_list() const { return has_list_; }

 private:
  void step(char c, std::size_t at);
  void step_in_string(char c);
  void open(char c, std::size_t at);
  void close(char c, std::string_view piece, std::size_t at);
  [[nodiscard]] bool is_in_root() const { return open_.size() == 1 && open_.front() == '{'; }

  std::string list_key_;
  std::string object_key_;
  Take take_item_;
  Take take_object_;
  std::string open_;       ///< brackets that are open, the outermost first
  std::string string_;     ///< last string directly in the outermost object
  std::string key_;        ///< key of the value there
  std::string object_;     ///< what is taken, as far as it came in pieces before
  std::size_t begin_ = 0;  ///< where it begins in this piece
  std::size_t depth_ = 0;  ///< depth outside of it; 0: nothing is taken
  bool in_string_ = false;
  bool is_escaped_ = false;
  bool has_begun_ = false;
  bool has_list_ = false;
  bool is_broken_ = false;
};

}  // namespace gpusim::kineto
