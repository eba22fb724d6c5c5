// SPDX-License-Identifier: MIT
#include "sim/system/generate/memory_calls.h"

#include "sim/system/generate/fold.h"
#include "sim/system/generate/frame.h"

namespace gpusim::generate {

using memory::Change;
using memory::Changes;

void MemoryCalls::play(const Change& change) {
  const memory::Buffer& buffer = script_.buffers[change.buffer];
  if (change.makes) {
    builder_.allocate(buffer.name, buffer.bytes, std::string(memory::name_of(buffer.category)), buffer.is_many,
                      buffer.stream == memory::Stream::kCompute ? kCompute : kComm);
  } else {
    builder_.free(buffer.name);
  }
}

void MemoryCalls::play(std::size_t until) {
  for (; next_ < until; ++next_) {
    play((*section_)[next_]);
  }
}

void MemoryCalls::set_up() {
  const Changes& all = script_.before;
  for (const Fold& fold : folds_of(all)) {
    if (fold.times > 1) {
      builder_.begin_repeat(fold.times);
    }
    for (std::size_t i = fold.begin; i < fold.begin + fold.period; ++i) {
      play(all[i]);
    }
    if (fold.times > 1) {
      builder_.end();
    }
  }
}

void MemoryCalls::begin(const std::string& section) {
  end();
  section_ = &script_.section(section);
  next_ = 0;
}

void MemoryCalls::before(std::string_view operation) {
  if (section_ == nullptr) {
    return;
  }
  for (std::size_t i = section_->size(); i > next_; --i) {
    if ((*section_)[i - 1].operation == operation) {
      play(i);
      return;
    }
  }
}

void MemoryCalls::free_rest() {
  end();
  for (auto left = script_.left.rbegin(); left != script_.left.rend(); ++left) {
    builder_.free(script_.buffers[*left].name);
  }
}

}  // namespace gpusim::generate
