// SPDX-License-Identifier: MIT
#include "sim/system/memory/tape.h"

#include <utility>

namespace gpusim::memory {

std::string_view name_of(Category category) {
  constexpr std::array<std::string_view, kCategories> kNames{"weights",   "gradients",     "optimizer", "activations",
                                                             "workspace", "communication", "KV cache"};
  return kNames[static_cast<std::size_t>(category)];
}

void Tape::begin(std::string operation) {
  operations_.push_back(std::move(operation));
}

TensorId Tape::make(std::uint64_t bytes, Category category, Stream stream) {
  const auto id = static_cast<TensorId>(tensors_.size());
  tensors_.push_back({bytes, category, stream});
  holders_.push_back(1);
  events_.push_back({Event::Kind::kMake, id, static_cast<std::uint32_t>(operations_.size() - 1)});
  return id;
}

void Tape::drop(TensorId tensor) {
  if (--holders_[tensor] == 0) {
    events_.push_back({Event::Kind::kGiveUp, tensor, static_cast<std::uint32_t>(operations_.size() - 1)});
  }
}

void Tape::section(std::string name) {
  begin(std::move(name));
  events_.push_back({Event::Kind::kSection, 0, static_cast<std::uint32_t>(operations_.size() - 1)});
}

void Tape::milestone(std::string name) {
  begin(std::move(name));
  events_.push_back({Event::Kind::kMilestone, 0, static_cast<std::uint32_t>(operations_.size() - 1)});
}

}  // namespace gpusim::memory
