// SPDX-License-Identifier: MIT
#include "sim/system/memory/script.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace gpusim::memory {
namespace {

/// "forward of layer 3 again mlp.up": "forward of mlp.up".
std::string without_layer(const std::string& operation) {
  constexpr std::string_view kLayer = "layer ";
  constexpr std::string_view kAgain = "again ";
  const std::size_t at = operation.find(kLayer);
  if (at == std::string::npos) {
    return operation;
  }
  std::size_t end = operation.find_first_not_of("0123456789", at + kLayer.size());
  end = end == std::string::npos ? operation.size() : end + 1;
  if (end <= operation.size() && operation.compare(end, kAgain.size(), kAgain) == 0) {
    end += kAgain.size();
  }
  const std::string rest = end < operation.size() ? operation.substr(end) : "the layer";
  return operation.substr(0, at) + rest;
}

class ScriptMaker {
 public:
  ScriptMaker(const Tape& tape, std::string_view first, std::string_view behind)
      : tape_(tape), end_(tape.events().size()), buffer_of_(tape.tensors().size()) {
    for (std::size_t i = 0; i < tape.events().size(); ++i) {
      const Event& event = tape.events()[i];
      if (event.kind == Event::Kind::kSection && tape.operations()[event.operation] == first) {
        begin_ = i;
        end_ = tape.events().size();
      }
      if (event.kind == Event::Kind::kSection && tape.operations()[event.operation] == behind) {
        end_ = std::min(end_, i);
      }
    }
  }

  Script make() {
    const auto& events = tape_.events();
    Changes* section = &script_.before;
    for (std::size_t i = 0; i < end_; ++i) {
      const Event& event = events[i];
      if (event.kind == Event::Kind::kSection) {
        seen_.clear();
        section = i < begin_ ? section : begin_section(tape_.operations()[event.operation]);
      } else if (event.kind == Event::Kind::kMake) {
        section->push_back(made(event));
        if (i >= begin_) {
          made_.insert(event.tensor);
        }
      } else if (event.kind == Event::Kind::kGiveUp) {
        const TensorId tensor = i < begin_ ? event.tensor : in_its_place(event.tensor);
        section->push_back({buffer_of_[tensor], false, operation_of(event)});
        --held_[buffer_of_[tensor]];
        made_.erase(tensor);
      }
    }
    for (const TensorId tensor : made_) {
      script_.left.push_back(buffer_of_[tensor]);
    }
    return std::move(script_);
  }

 private:
  using Part = std::tuple<std::string, Category, std::uint64_t>;

  [[nodiscard]] std::string operation_of(const Event& event) const {
    return without_layer(tape_.operations()[event.operation]);
  }

  /// What is held before a step is held behind it as well: where a newer tensor takes its place, that one goes.
  [[nodiscard]] TensorId in_its_place(TensorId tensor) const {
    if (made_.contains(tensor)) {
      return tensor;
    }
    const Category category = tape_.tensors()[tensor].category;
    const auto newer = std::find_if(made_.rbegin(), made_.rend(),
                                    [&](TensorId other) { return tape_.tensors()[other].category == category; });
    return newer == made_.rend() ? tensor : *newer;
  }

  Changes* begin_section(const std::string& name) {
    script_.order.push_back(name);
    return &script_.sections[name];
  }

  /// Names a tensor by what makes it, its category and size, and which of such in its section it is.
  Change made(const Event& event) {
    const Tensor& tensor = tape_.tensors()[event.tensor];
    const std::string operation = operation_of(event);
    const Part part{operation, tensor.category, tensor.bytes};
    const std::size_t nth = seen_[part]++;
    const auto [known, is_new] = known_.try_emplace({part, nth}, static_cast<std::uint32_t>(script_.buffers.size()));
    if (is_new) {
      script_.buffers.push_back(
          {unique_name(operation, tensor.category), tensor.bytes, tensor.category, tensor.stream});
    }
    buffer_of_[event.tensor] = known->second;
    held_.resize(script_.buffers.size(), 0);
    script_.buffers[known->second].is_many |= ++held_[known->second] > 1;
    return {known->second, true, operation};
  }

  std::string unique_name(const std::string& operation, Category category) {
    constexpr std::string_view kOf = " of ";
    const std::size_t at = operation.find(kOf);
    const bool is_pass = operation.starts_with("forward") || operation.starts_with("backward");
    std::string name = is_pass && at != std::string::npos ? operation.substr(at + kOf.size()) : operation;
    const std::string word(name_of(category));
    name = category == Category::kOptimizer ? word : name.find(word) == std::string::npos ? name + " " + word : name;
    const std::size_t number = ++names_[name];
    return number == 1 ? name : name + " " + std::to_string(number);
  }

  const Tape& tape_;
  std::size_t begin_ = 0;
  std::size_t end_;
  std::vector<std::uint32_t> buffer_of_;  ///< by tensor
  std::map<Part, std::size_t> seen_;      ///< made in this section
  std::map<std::pair<Part, std::size_t>, std::uint32_t> known_;
  std::map<std::string, std::size_t> names_;
  std::vector<std::size_t> held_;  ///< by buffer: tensors at this moment
  std::set<TensorId> made_;        ///< by the sections, and not given up
  Script script_;
};

}  // namespace

const Changes& Script::section(std::string_view name) const {
  static const Changes kNone;
  const auto found = sections.find(name);
  return found == sections.end() ? kNone : found->second;
}

Script script_of(const Tape& tape, std::string_view first, std::string_view behind) {
  return ScriptMaker(tape, first, behind).make();
}

}  // namespace gpusim::memory
