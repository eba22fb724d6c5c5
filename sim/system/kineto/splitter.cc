// SPDX-License-Identifier: MIT
#include "sim/system/kineto/splitter.h"

#include <algorithm>
#include <utility>

namespace gpusim::kineto {
namespace {

constexpr std::size_t kDeepest = 1024;
constexpr std::size_t kLongestKey = 64;

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

Splitter::Splitter(std::vector<Part> parts) : parts_(std::move(parts)) {}

void Splitter::feed(std::string_view piece) {
  begin_ = 0;
  for (std::size_t at = 0; at < piece.size() && !is_broken_; ++at) {
    const char c = piece[at];
    if (in_string_) {
      step_in_string(c);
    } else if (c == '}' || c == ']') {
      close(c, piece, at);
    } else {
      step(c, at);
    }
  }
  if (taken_ != nullptr) {
    object_.append(piece.substr(begin_));
  }
}

void Splitter::step_in_string(char c) {
  if (is_escaped_) {
    is_escaped_ = false;
  } else if (c == '\\') {
    is_escaped_ = true;
  } else if (c == '"') {
    in_string_ = false;
  } else if (is_in_root() && string_.size() < kLongestKey) {
    string_ += c;
  }
}

void Splitter::step(char c, std::size_t at) {
  switch (c) {
    case '"':
      in_string_ = true;
      if (is_in_root()) {
        string_.clear();
      }
      break;
    case '{':
    case '[': open(c, at); return;
    case ':':
      if (is_in_root()) {
        key_ = string_;
      }
      break;
    default: break;
  }
  is_broken_ = open_.empty() && !is_space(c);  // a text is one object or list
}

/// The part to which an object that opens here belongs; null: to none.
const Splitter::Part* Splitter::part_that_begins() const {
  const bool is_item = open_ == "{[";
  if (!is_item && !is_in_root()) {
    return nullptr;
  }
  const auto found =
      std::ranges::find_if(parts_, [&](const Part& part) { return part.is_list == is_item && part.key == key_; });
  return found == parts_.end() ? nullptr : &*found;
}

void Splitter::open(char c, std::size_t at) {
  is_broken_ = open_.size() == kDeepest || (open_.empty() && has_begun_);
  has_begun_ = true;
  has_list_ = has_list_ || (c == '[' && is_in_root() && key_ == parts_.front().key);
  if (taken_ == nullptr && c == '{') {
    taken_ = part_that_begins();
    if (taken_ != nullptr) {
      depth_ = open_.size();
      begin_ = at;
      object_.clear();
    }
  }
  open_ += c;
}

void Splitter::close(char c, std::string_view piece, std::size_t at) {
  if (open_.empty() || (open_.back() == '{') != (c == '}')) {
    is_broken_ = true;
    return;
  }
  open_.pop_back();
  if (taken_ != nullptr && open_.size() == depth_) {
    object_.append(piece.substr(begin_, at + 1 - begin_));
    std::exchange(taken_, nullptr)->take(object_);
  }
}

}  // namespace gpusim::kineto
