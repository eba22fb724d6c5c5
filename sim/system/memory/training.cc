// SPDX-License-Identifier: MIT
#include "sim/system/memory/training.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/system/memory/forward.h"
#include "sim/system/memory/optimizer.h"

namespace gpusim::memory {
namespace {

using models::ForwardPass;
using models::Operation;
using models::Transformer;

constexpr std::uint64_t kReducedBytes = 4;  ///< gradients are reduced in FP32

/// Adds the elements of each tensor of parameters to a list.
void add_all(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

class Trainer {
 public:
  Trainer(const Transformer& model, const TrainPlan& plan, const Stage& stage)
      : plan_(plan),
        stage_(stage),
        widths_(widths_of(plan)),
        pass_(models::forward_pass(model)),
        autograd_(tape_),
        forward_(model, plan, tape_, autograd_) {}

  Tape make() {
    set_up();
    step("first ");
    step("");
    return std::move(tape_);
  }

  [[nodiscard]] std::uint64_t trained() const {
    const std::vector<std::uint64_t> all = trained_tensors();
    return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  }

 private:
  [[nodiscard]] bool shares_weights() const { return plan_.shard == Shard::kZero3 && plan_.data > 1; }
  [[nodiscard]] bool shares_gradients() const { return plan_.shard >= Shard::kZero2 && plan_.data > 1; }
  [[nodiscard]] std::uint64_t shard(std::uint64_t bytes, bool is_shared) const {
    return is_shared ? (bytes + plan_.data - 1) / plan_.data : bytes;
  }

  /// The operations of this stage, each with how often it is there.
  template <class Visit>
  void visit_operations(const Visit& visit) const {
    for (const Operation& of : stage_.first ? pass_.before : std::vector<Operation>{}) {
      visit(of, false);
    }
    for (std::uint64_t i = 0; i < stage_.layers; ++i) {
      for (const Operation& of : pass_.layer) {
        visit(of, true);
      }
    }
    for (const Operation& of : stage_.last ? pass_.after : std::vector<Operation>{}) {
      visit(of, false);
    }
  }

  [[nodiscard]] std::vector<std::uint64_t> trained_tensors() const {
    std::vector<std::uint64_t> all;
    visit_operations([&](const Operation& of, bool) {
      add_all(all, plan_.tuning == Tuning::kFull ? forward_.parameters(of) : forward_.adapters(of));
    });
    return all;
  }

  void set_up() {
    tape_.begin("weights");
    visit_operations([&](const Operation& of, bool in_layer) { make_weights(of, in_layer); });
    tape_.milestone("weights");
    if (plan_.data > 1 && plan_.shard == Shard::kDdp) {
      // Buckets beside the gradients.
      tape_.begin("gradient buckets");
      tape_.make(trained() * widths_.gradient, Category::kCommunication);
    }
  }

  void step(const std::string& which) {
    const bool is_first = !which.empty();
    if (is_first) {
      make_workspace();
    }
    std::uint64_t begun = 0;
    for (std::uint64_t done = 0; done < stage_.micro_batches; ++done) {
      for (; begun < std::min(done + stage_.in_flight, stage_.micro_batches); ++begun) {
        micro_batch_ = begun;
        forward();
      }
      if (done == 0) {
        tape_.milestone(which + "forward");
        if (is_first) {
          make_workspace();
        }
      }
      micro_batch_ = done;
      backward();
    }
    end_backward();
    tape_.milestone(which + "backward");
    if (is_first) {
      tape_.begin("optimizer's first step");
      for (const std::uint64_t elements : trained_tensors()) {
        make_states(elements);
      }
    }
    optimize();
    tape_.milestone(which + "optimizer");
    end_step();
  }

  /// The thread of the forward pass has one, and that of the backward pass.
  void make_workspace() {
    if (plan_.workspace_bytes != 0) {
      tape_.begin("workspace of cuBLAS");
      tape_.make(plan_.workspace_bytes, Category::kWorkspace);
    }
  }

  void make_weights(const Operation& of, bool in_layer) {
    const bool in_4_bits = plan_.tuning == Tuning::kQlora && in_layer && of.op == models::Op::kLinear;
    for (const std::uint64_t elements : forward_.parameters(of)) {
      const std::uint64_t bytes = in_4_bits ? int4_bytes(elements) : elements * widths_.weight;
      tape_.make(shard(bytes, shares_weights()), Category::kWeights);
      if (widths_.fp8 && in_layer && of.op == models::Op::kLinear) {
        // By rows for the forward pass, by columns for the backward pass.
        tape_.make(2 * shard(elements, shares_weights()), Category::kWeights);
      }
    }
    for (const std::uint64_t elements : forward_.adapters(of)) {
      tape_.make(elements * widths_.gradient, Category::kWeights);
    }
  }

  void make_states(std::uint64_t elements) {
    const bool is_shared = plan_.shard != Shard::kDdp && plan_.data > 1;
    for (const std::uint64_t bytes : state_bytes(plan_.optimizer, widths_, elements)) {
      tape_.make(shard(bytes, is_shared), Category::kOptimizer);
    }
  }

  /// Weights of some operations, gathered from the GPUs that share them.
  std::uint64_t gathered_bytes(const std::vector<Operation>& operations) const {
    std::uint64_t sum = 0;
    for (const Operation& of : operations) {
      const std::vector<std::uint64_t> all = forward_.parameters(of);
      sum += std::accumulate(all.begin(), all.end(), std::uint64_t{0}) * widths_.compute;
    }
    return sum;
  }

  /// Gathers a layer's weights. Those of the layer before go once the next are there: one layer is fetched ahead.
  void gather() {
    if (shares_weights()) {
      tape_.begin("gather of weights");
      const TensorId next = tape_.make(gathered_bytes(pass_.layer), Category::kCommunication);
      release();
      gathered_ = next;
      has_gathered_ = true;
    }
  }
  void release() {
    if (std::exchange(has_gathered_, false)) {
      tape_.drop(gathered_);
    }
  }

  /// Gradients that were calculated since last time, added up over GPUs; each keeps its share.
  void reduce() {
    if (!shares_gradients()) {
      return;
    }
    std::vector<TensorId> gradients = autograd_.take_gradients();
    std::uint64_t elements = 0;
    for (const TensorId gradient : gradients) {
      elements += tape_.tensors()[gradient].bytes / widths_.compute;
    }
    if (elements == 0) {
      return;
    }
    tape_.begin("reduce-scatter of gradients");
    const TensorId buffer = tape_.make(elements * kReducedBytes, Category::kCommunication, Stream::kReduction);
    const TensorId kept = tape_.make(shard(elements * widths_.gradient, true), Category::kGradients);
    if (adds_shards_) {
      tape_.drop(kept);
    } else {
      shards_.push_back(kept);
    }
    for (const TensorId gradient : gradients) {
      tape_.drop(gradient);
    }
    tape_.drop(buffer);
  }

  /// "forward 0 layer 3": a part of what is done with a micro-batch.
  void section(const char* pass, const std::string& part) {
    tape_.section(std::string(pass) + " " + std::to_string(micro_batch_) + " " + part);
  }

  void forward() {
    section("forward", "begin");
    autograd_.begin_pass();
    tape_.begin("input");
    inputs_.push_back(tape_.make(plan_.batch * plan_.sequence * kTokenBytes, Category::kActivations));
    if (shares_weights() && !has_root_) {
      root_ = tape_.make(
          (stage_.first ? gathered_bytes(pass_.before) : 0) + (stage_.last ? gathered_bytes(pass_.after) : 0) + 1,
          Category::kCommunication);
      has_root_ = true;
    }
    stage_.first ? forward_.embed(pass_.before) : forward_.receive();
    forward_.make_angles();
    const TensorId embedded = forward_.stream();
    tape_.hold(embedded);
    autograd_.add({.name = "end of the layers", .again = [this] {
                     section("backward", "end");
                     release();
                     reduce();
                   }});
    for (std::uint64_t i = 0; i < stage_.layers; ++i) {
      layer(i);
    }
    section("forward", "end");
    release();
    tape_.drop(embedded);
    stage_.last ? forward_.finish(pass_.after) : forward_.drop_stream();
    forward_.end_autocast();
  }

  void layer(std::uint64_t index) {
    const std::string where = "layer " + std::to_string(index);
    section("forward", where);
    gather();
    autograd_.add({.name = "begin of " + where, .again = [this] { reduce(); }});
    if (keeps_some() || plan_.recompute == Recompute::kFull) {
      layer_for_again(where);
    } else {
      forward_.layer(pass_.layer, where);
    }
    autograd_.add({.name = "end of " + where, .again = [this, where] {
                     section("backward", where);
                     gather();
                   }});
  }

  [[nodiscard]] bool keeps_some() const {
    return plan_.recompute == Recompute::kSelective && plan_.attention == AttentionKernel::kFlash;
  }

  /// A layer that keeps its input, and perhaps some outputs.
  void layer_for_again(const std::string& where) {
    Node node{.name = where};
    const TensorId input = forward_.stream();
    autograd_.save(node, input);
    autograd_.set_recording(false);
    if (keeps_some()) {
      forward_.keep_some();
    }
    forward_.layer(pass_.layer, where);
    autograd_.set_recording(true);
    node.again = [this, input, where, kept = forward_.take_kept()] {
      for (const TensorId tensor : kept) {
        tape_.drop(tensor);
      }
      again(input, where);
    };
    autograd_.add(std::move(node));
  }

  /// A layer's forward pass once more, this time for its backward pass.
  void again(TensorId input, const std::string& where) {
    forward_.set_stream(input);
    forward_.layer(pass_.layer, where + " again");
    forward_.drop_stream();
    forward_.end_autocast();
  }

  /// The backward pass of the micro-batch whose forward pass was the last.
  void backward() {
    section("backward", "begin");
    tape_.begin("backward begins");
    autograd_.set_accumulating(micro_batch_ > 0 && !shares_gradients());
    adds_shards_ = micro_batch_ > 0;
    autograd_.backward(forward_.gradient(stage_.last));
    if (stage_.last && plan_.train_metrics > 0) {
      section("backward", "metrics");
      forward_.take_metrics();
    }
    forward_.end_layers();
    tape_.drop(inputs_.back());
    inputs_.pop_back();
  }

  void end_backward() {
    tape_.section("all backward");
    reduce();
    if (std::exchange(has_root_, false)) {
      tape_.drop(root_);
    }
    for (const TensorId gradient : autograd_.take_gradients()) {
      shards_.push_back(gradient);
    }
  }

  void optimize() {
    tape_.section("optimizer");
    tape_.begin("optimizer");
    const bool is_shared = plan_.shard != Shard::kDdp && plan_.data > 1;
    const std::uint64_t bytes = scratch_bytes(plan_.optimizer, widths_, trained());
    if (bytes != 0) {
      tape_.scratch(shard(bytes, is_shared), Category::kOptimizer);
    }
  }

  void end_step() {
    for (const TensorId tensor : std::exchange(shards_, {})) {
      tape_.drop(tensor);
    }
  }

  const TrainPlan& plan_;
  const Stage& stage_;
  Widths widths_;
  ForwardPass pass_;
  Tape tape_;
  Autograd autograd_;
  Forward forward_;
  std::vector<TensorId> inputs_;
  std::vector<TensorId> shards_;
  TensorId gathered_ = 0;
  bool has_gathered_ = false;
  bool adds_shards_ = false;  ///< true in each micro-batch but the first
  TensorId root_ = 0;         ///< weights outside of layers, gathered for the whole step
  bool has_root_ = false;
  std::uint64_t micro_batch_ = 0;
};

}  // namespace

std::vector<Stage> stages_of(const Transformer& model, const TrainPlan& plan) {
  const std::uint64_t stages = plan.pipeline;
  if (stages == 1) {
    return {{model.layers, true, true, 1}};
  }
  // One micro-batch enters a stage after the other, until the first one's backward pass comes back.
  const std::uint64_t most = (model.layers + stages - 1) / stages;
  return {{most, true, false, stages, stages}, {model.layers / stages, false, true, 1}};
}

Tape training_step(const Transformer& model, const TrainPlan& plan, const Stage& stage) {
  return Trainer(model, plan, stage).make();
}

std::uint64_t trained_parameters(const Transformer& model, const TrainPlan& plan, const Stage& stage) {
  return Trainer(model, plan, stage).trained();
}

}  // namespace gpusim::memory
