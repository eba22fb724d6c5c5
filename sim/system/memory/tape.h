// SPDX-License-Identifier: MIT
// What a program does with GPU memory, in order: tensors made and given up, with what they are for and the operation
// that makes them. Tensors are counted by their holders, as Python and autograd count them; replay.h gives a tape to an
// allocator.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/memory/allocator.h"

namespace gpusim::memory {

/// What a tensor is for. kCommunication: buckets of gradients, weights gathered from other GPUs.
enum class Category : std::uint8_t {
  kWeights,
  kGradients,
  kOptimizer,
  kActivations,
  kWorkspace,
  kCommunication,
  kCache,
};
inline constexpr std::size_t kCategories = 7;
/// "weights", "gradients", "optimizer", "activations", "workspace", "communication", "kv cache".
[[nodiscard]] std::string_view name_of(Category category);

/// Bytes by category.
using Shares = std::array<std::uint64_t, kCategories>;

/// An index into the tensors of a tape.
using TensorId = std::uint32_t;

struct Event {
  enum class Kind : std::uint8_t { kMake, kGiveUp, kMilestone, kSection };
  Kind kind = Kind::kMake;
  TensorId tensor = 0;
  std::uint32_t operation = 0;  ///< index into Tape::operations(); of a milestone or a section: its name
};

struct Tensor {
  std::uint64_t bytes = 0;
  Category category = Category::kActivations;
  Stream stream = Stream::kCompute;
};

class Tape {
 public:
  /// The operation that what follows belongs to: "forward layer 3 mlp.up".
  void begin(std::string operation);
  /// A new tensor with one holder.
  TensorId make(std::uint64_t bytes, Category category, Stream stream = Stream::kCompute);
  void hold(TensorId tensor) { ++holders_[tensor]; }
  /// One holder less; without any the tensor is given up.
  void drop(TensorId tensor);
  /// A tensor that only this operation uses.
  void scratch(std::uint64_t bytes, Category category = Category::kActivations) { drop(make(bytes, category)); }
  /// A moment at which readers ask what is allocated: "forward".
  void milestone(std::string name);
  /// What follows is a part of a step: "forward 0 layer 3". script.h tells parts apart by it.
  void section(std::string name);

  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const std::vector<Tensor>& tensors() const { return tensors_; }
  [[nodiscard]] const std::vector<std::string>& operations() const { return operations_; }

 private:
  std::vector<Event> events_;
  std::vector<Tensor> tensors_;
  std::vector<std::uint32_t> holders_;
  std::vector<std::string> operations_{"begin"};
};

}  // namespace gpusim::memory
