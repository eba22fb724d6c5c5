// SPDX-License-Identifier: MIT
#include "sim/system/kineto/splitter.h"

#include <utility>

namespace gpusim::kineto {
namespace {

constexpr std::size_t kDeepest = 1024;
constexpr std::size_t kLongestKey = 64;

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

Splitter::Splitter(std::string list_key, Take take_item, std::string object_key, Take take_object)
    : list_key_(std::move(list_key)),
      object_key_(std::move(object_key)),
      take_item_(std::move(take_item)),
      take_object_(std::move(take_object)) {}

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
  if (depth_ > 0) {
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

void Splitter::open(char c, std::size_t at) {
  is_broken_ = open_.size() == kDeepest || (open_.empty() && has_begun_);
  has_begun_ = true;
  has_list_ = has_list_ || (c == '[' && is_in_root() && key_ == list_key_);
  const bool is_item = c == '{' && open_ == "{[" && key_ == list_key_;
  if (depth_ == 0 && (is_item || (c == '{' && is_in_root() && key_ == object_key_))) {
    depth_ = open_.size();
    begin_ = at;
    object_.clear();
  }
  open_ += c;
}

void Splitter::close(char c, std::string_view piece, std::size_t at) {
  if (open_.empty() || (open_.back() == '{') != (c == '}')) {
    is_broken_ = true;
    return;
  }
  open_.pop_back();
  if (depth_ > 0 && open_.size() == depth_) {
    object_.append(piece.substr(begin_, at + 1 - begin_));
    depth_ = 0;
    (open_.size() == 1 ? take_object_ : take_item_)(object_);
  }
}

}  // namespace gpusim::kineto
