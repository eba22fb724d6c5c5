// SPDX-License-Identifier: MIT
// What the GPUs of one stage of a pipeline do with a transformer; without a pipeline the one stage does all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/system/generate/memory_calls.h"
#include "sim/system/generate/operators.h"
#include "sim/system/generate/request.h"
#include "sim/system/generate/step_builder.h"
#include "sim/system/memory/training.h"
#include "sim/system/models/operations.h"

namespace gpusim::generate {

/// The streams and events that the stages of a request need.
void add_streams(application::Application& application, const Request& request);

/// GPUs that share layers stand together, then those that are data parallel, then stages.
class Stage {
 public:
  /// `request` must outlive the stage.
  Stage(const Request& request, Pass pass, std::uint32_t index, StepBuilder& builder);

  /// What is held before the step.
  void set_up() { memory_.set_up(); }
  /// A micro-batch forward; `first`: of the step.
  void forward(bool first);
  /// A micro-batch backward; `first`: it makes the gradients to which others add; `last`: the gradients are complete.
  void backward(bool first, bool last);
  void optimize();
  /// All of inference.
  void infer();

 private:
  using Operations = std::vector<models::Operation>;
  /// A layer in a list: how its memory changes, whether gradients are summed behind it, and whether the weights of the
  /// next one are gathered meanwhile.
  struct Layer {
    std::size_t kind = 0;
    bool sums = false;
    bool gathers_next = false;
    friend bool operator==(const Layer&, const Layer&) = default;
  };

  void run_forward(const std::string& which);
  void forward(const Operations& operations);
  void forward_again();
  void backward(const Operations& operations);
  void forward_layers(const std::string& which);
  void backward_layers(const std::string& which, bool last);
  [[nodiscard]] std::vector<Layer> layers_of(const std::string& which, bool reversed, std::uint64_t bucket) const;
  [[nodiscard]] Ranks tensor_ranks() const;
  [[nodiscard]] Ranks data_ranks() const;
  /// Each GPU of a stage, and its like in a stage behind it.
  [[nodiscard]] Ranks pairs(std::uint32_t stage, std::uint32_t stages_between) const;
  void exchange(collective::Collective of);
  void begin_gather(double parameters);
  void await_weights();
  void gather_weights(double parameters);
  void sum_gradients(double parameters);
  /// Behind the backward pass of a micro-batch, whose sections begin with `which`.
  void log_metrics(const std::string& which);
  void clip_gradients();
  void step_optimizer();
  void receive(application::Index stream, std::uint32_t boundary);
  void send(application::Index stream, std::uint32_t boundary);
  [[nodiscard]] bool is_first() const { return index_ == 0; }
  [[nodiscard]] bool is_last() const { return index_ + 1 == request_.pipeline; }
  [[nodiscard]] bool is_fsdp() const { return request_.data() > 1 && request_.parallel == Parallel::kFsdp; }
  /// Whether weights of the next layer are gathered during the backward pass of one.
  [[nodiscard]] bool prefetches() const { return is_fsdp() && request_.prefetch == Prefetch::kBackward; }
  [[nodiscard]] bool scatters() const { return request_.data() > 1 && request_.parallel != Parallel::kData; }
  /// Whether each micro-batch's gradients are summed, not only those of all.
  [[nodiscard]] bool sums_each() const { return scatters() && request_.parallel != Parallel::kZero1; }
  [[nodiscard]] std::uint64_t layers_in_bucket() const;
  [[nodiscard]] double parameters() const {
    return layer_parameters_ * static_cast<double>(stage_.layers) + before_parameters_ + after_parameters_;
  }
  /// Parameters of the stage outside of layers.
  [[nodiscard]] double other_parameters() const { return before_parameters_ + after_parameters_; }
  [[nodiscard]] double gradient_bytes() const {
    return request_.pure || (sums_each() && request_.precision == Precision::kBf16) ? 2 : 4;
  }
  /// Bytes of an element of weights, of kept gradients and of the optimizer's states.
  [[nodiscard]] double state_bytes() const { return request_.pure ? 2 : 4; }
  /// Parameters whose states a GPU keeps.
  [[nodiscard]] double own_parameters() const { return parameters() / (scatters() ? request_.data() : 1); }
  [[nodiscard]] double activation_bytes() const;

  const Request& request_;
  Request part_;  ///< what one of the GPUs that share layers does
  Pass pass_;
  std::uint32_t index_;
  StepBuilder& builder_;
  models::ForwardPass forward_;
  memory::Stage stage_;
  MemoryCalls memory_;
  Operators operators_;
  bool adds_shards_ = false;  ///< gradients are added to those of the micro-batches before
  double layer_parameters_ = 0;
  double before_parameters_ = 0;
  double after_parameters_ = 0;
};

}  // namespace gpusim::generate
