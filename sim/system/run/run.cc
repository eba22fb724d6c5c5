// SPDX-License-Identifier: MIT
#include "sim/system/run/run.h"

#include <algorithm>
#include <utility>

#include "sim/base/problem.h"
#include "sim/system/run/calendar.h"
#include "sim/system/run/host_side.h"
#include "sim/system/run/recorder.h"
#include "sim/system/run/stuck.h"

namespace gpusim::run {
namespace {

class Run {
 public:
  Run(const Binding& binding, const std::vector<GpuFacts>& gpus, const Costs& costs)
      : binding_(binding),
        devices_(binding, gpus, costs, calendar_, recorder_),
        host_(binding, gpus, devices_, calendar_, recorder_),
        at_begin_(gpus.size()) {}

  Timeline run(const std::function<bool()>& keep_going) {
    constexpr std::uint64_t kStepsBetweenLooks = 4096;
    host_.start();
    note_begin();
    for (std::uint64_t steps = 1; !is_over(); ++steps) {
      const double next = std::min(calendar_.next(), devices_.next_change());
      if (next == kNever) {
        throw CannotFinishError(why_stuck(binding_, host_, devices_.ranks()));
      }
      step(next);
      if (keep_going && steps % kStepsBetweenLooks == 0 && !keep_going()) {
        break;
      }
    }
    return finish();
  }

 private:
  [[nodiscard]] bool is_over() { return host_.has_ended() && !devices_.ops().has_counted(); }

  void step(double now) {
    now_ = now;
    devices_.advance(now);
    host_.wake(now);
    if (calendar_.next() <= now) {
      handle(calendar_.take());
      host_.wake(now);
    }
    note_begin();
  }

  void handle(const Event& event) {
    switch (event.kind) {
      case EventKind::kThread: host_.go_on(event.id, event.time); break;
      case EventKind::kCpu: host_.end_work(event.id, event.time); break;
      case EventKind::kBegin: devices_.begin(event.id, event.time); break;
      case EventKind::kEnd: devices_.end(event.id, event.time); break;
      case EventKind::kAgree: devices_.agree(event.id, event.time); break;
    }
  }

  /// Notes when the first round that counts begins: before, work of others may still run.
  void note_begin() {
    if (has_begun_ || !host_.is_warm() || devices_.ops().has_warm_up()) {
      return;
    }
    has_begun_ = true;
    recorder_.timeline.begin = now_;
    for (Index gpu = 0; gpu < at_begin_.size(); ++gpu) {
      at_begin_[gpu] = devices_.usage(gpu);
    }
  }

  Timeline finish() {
    Timeline& timeline = recorder_.timeline;
    timeline.end = now_;
    timeline.repeats = binding_.application().repeats;
    timeline.needs = std::move(devices_.ops().needs());
    for (const Index thread : binding_.ranks()) {
      timeline.gpu_of_rank.push_back(binding_.gpu_of(thread));
    }
    timeline.links = devices_.links().series(binding_.fabric().resources());
    for (Index gpu = 0; gpu < at_begin_.size(); ++gpu) {
      Usage use = devices_.usage(gpu);
      use -= at_begin_[gpu];
      timeline.gpus.push_back(
          {binding_.system().nodes[binding_.gpus()[gpu]].name, binding_.gpu(gpu).arch, use, host_.memory(gpu)});
    }
    return std::move(timeline);
  }

  const Binding& binding_;
  Calendar calendar_;
  Recorder recorder_;
  DeviceSide devices_;
  HostSide host_;
  std::vector<Usage> at_begin_;
  bool has_begun_ = false;
  double now_ = 0;
};

}  // namespace

Timeline run(const Binding& binding, const std::vector<GpuFacts>& gpus, const Costs& costs,
             const std::function<bool()>& keep_going) {
  return Run(binding, gpus, costs).run(keep_going);
}

}  // namespace gpusim::run
