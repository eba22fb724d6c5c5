// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/run/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>

#include "sim/base/problem.h"
#include "sim/commands/sweep/run/model_version.h"
#include "sim/commands/sweep/run/reason.h"
#include "sim/commands/sweep/run/summary.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/output/report/report.h"

namespace gpusim::sweep {
namespace {

using namespace std::chrono_literals;
constexpr auto kBetweenLooks = 100ms;
/// What a point is expected to need before the first has ended: all shipped traces stay below on every shipped part
/// (tools/bench measures it).
constexpr std::uint64_t kFirstGuessBytes = 400'000'000;

class Runner {
 public:
  Runner(Inputs& inputs, Store& store, const RunOptions& options, const Host& host)
      : inputs_(inputs), store_(store), options_(options), host_(host) {}

  void queue(const std::vector<Candidate>& points);
  /// False when it was interrupted.
  bool run();
  [[nodiscard]] Tally tally();

 private:
  /// A point that a thread has taken.
  struct Taken {
    const Candidate* point = nullptr;
    unsigned threads = 1;
  };
  /// What became of it.
  struct End {
    PointRow row;
    std::string result;
    bool stopped = false;  ///< before it ended
  };

  void start_workers(std::vector<std::jthread>& threads);
  void watch();
  void work();
  Taken take();
  [[nodiscard]] bool has_memory();
  void give_back(const Taken& taken, const End& end);
  [[nodiscard]] End simulate(const Taken& taken);
  void simulate(const Taken& taken, const arch::Arch& arch, const trace::Trace& trace, End& end);
  void run_point(const Taken& taken, const arch::Arch& arch, const trace::Trace& trace, End& end);
  void stop_with(std::exception_ptr error);

  Inputs& inputs_;
  Store& store_;
  const RunOptions& options_;
  const Host& host_;
  std::atomic<bool> stop_ = false;

  std::mutex mutex_;  ///< guards all that follows, and the store
  std::condition_variable changed_;
  std::deque<const Candidate*> waiting_;
  Tally tally_;
  double work_ = 0;
  double work_done_ = 0;
  unsigned threads_in_use_ = 0;
  std::uint64_t most_running_ = 0;
  std::uint64_t bytes_of_point_ = 0;  ///< that one needed so far; 0: none has ended
  std::uint64_t most_available_ = 0;  ///< bytes, so far: before the points took theirs
  unsigned workers_ = 0;
  std::exception_ptr error_;
};

void Runner::queue(const std::vector<Candidate>& points) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_in(options_.share, i) || options_.only.value_or(i) != i) {
      continue;
    }
    const PointRow& row = points[i].row;
    ++tally_.points;
    if (row.status == kSkipped) {
      ++tally_.skipped;
      continue;
    }
    const std::optional<PointRow> stored = store_.find(row.key);
    const bool has_end = stored && !(stored->status == kFailed && options_.retry);
    if (has_end || !seen.insert(row.key).second) {
      ++tally_.known;
      continue;
    }
    waiting_.push_back(&points[i]);
    work_ += points[i].work;
  }
  // The longest first, so that all threads end at about the same time.
  std::ranges::stable_sort(waiting_, std::greater<>(), &Candidate::work);
}

bool Runner::run() {
  {
    std::vector<std::jthread> threads;
    try {
      start_workers(threads);
      watch();
    } catch (...) {
      stop_with(std::current_exception());
    }
  }
  if (error_ != nullptr) {
    std::rethrow_exception(error_);
  }
  return !stop_;
}

/// As many as the machine gives: fewer than asked for are slower, and no reason to give up.
void Runner::start_workers(std::vector<std::jthread>& threads) {
  const std::size_t wanted = std::min<std::size_t>(options_.jobs, waiting_.size());
  const std::lock_guard guard(mutex_);
  try {
    while (threads.size() < wanted) {
      threads.emplace_back([this] { work(); });
      ++workers_;
    }
  } catch (const std::system_error&) {
    if (threads.empty()) {
      throw;
    }
  }
}

/// Until the workers are done.
void Runner::watch() {
  for (bool over = false; !over;) {
    {
      std::unique_lock lock(mutex_);
      over = changed_.wait_for(lock, kBetweenLooks, [this] { return workers_ == 0; });
    }
    if (host_.progress) {
      host_.progress(tally());
    }
    if (host_.interrupted && host_.interrupted()) {
      stop_ = true;
      changed_.notify_all();
    }
  }
}

Tally Runner::tally() {
  const std::lock_guard guard(mutex_);
  Tally now = tally_;
  now.work_left = work_ > 0 ? 1 - work_done_ / work_ : 0;
  return now;
}

void Runner::work() {
  try {
    for (Taken taken = take(); taken.point != nullptr; taken = take()) {
      give_back(taken, simulate(taken));
    }
  } catch (...) {
    stop_with(std::current_exception());
  }
  const std::lock_guard guard(mutex_);
  --workers_;
  changed_.notify_all();
}

/// Stops the run. If there are several errors, the first is reported.
void Runner::stop_with(std::exception_ptr error) {
  const std::lock_guard guard(mutex_);
  if (error_ == nullptr) {
    error_ = std::move(error);
  }
  stop_ = true;
  changed_.notify_all();
}

/// No point when there is none left.
Runner::Taken Runner::take() {
  std::unique_lock lock(mutex_);
  while (!stop_ && !waiting_.empty() && !has_memory()) {
    changed_.wait_for(lock, kBetweenLooks);
  }
  if (stop_ || waiting_.empty()) {
    return {};
  }
  const unsigned idle = options_.jobs > threads_in_use_ ? options_.jobs - threads_in_use_ : 1;
  const Taken taken{waiting_.front(), std::max(1U, static_cast<unsigned>(idle / waiting_.size()))};
  waiting_.pop_front();
  threads_in_use_ += taken.threads;
  most_running_ = std::max(most_running_, ++tally_.running);
  return taken;
}

/// For one point more than are running, if it is like those so far. Those that run may not have taken yet what they
/// will need, so it is also counted from what there was before them.
bool Runner::has_memory() {
  if (!host_.memory_available || !host_.peak_memory) {
    return true;
  }
  const std::uint64_t available = host_.memory_available();
  most_available_ = std::max(most_available_, available);
  if (tally_.running == 0) {
    return true;
  }
  const std::uint64_t need = bytes_of_point_ > 0 ? bytes_of_point_ : kFirstGuessBytes;
  return available >= need && most_available_ / need > tally_.running;
}

void Runner::give_back(const Taken& taken, const End& end) {
  const std::lock_guard guard(mutex_);
  if (host_.peak_memory) {
    bytes_of_point_ = std::max(bytes_of_point_, host_.peak_memory() / most_running_);
  }
  --tally_.running;
  threads_in_use_ -= taken.threads;
  changed_.notify_all();
  if (end.stopped) {
    return;
  }
  store_.put(end.row, end.result, program_version());
  work_done_ += taken.point->work;
  ++(end.row.status == kDone ? tally_.done : tally_.failed);
}

/// Throws InputError where the point is no longer what it was when its key was made: that is not a failure of the
/// point.
Runner::End Runner::simulate(const Taken& taken) {
  End end;
  end.row.key = taken.point->row.key;
  end.row.status = kFailed;
  const double started = host_.seconds ? host_.seconds() : 0;
  try {
    const arch::Resolved resolved = inputs_.resolve(taken.point->point);
    const std::shared_ptr<const LoadedTrace> loaded = inputs_.load(taken.point->point);
    simulate(taken, resolved.arch, loaded->trace, end);
  } catch (const std::bad_alloc&) {
    end.row.reason = "out of memory: run it alone, with --jobs 1 --retry";
  }
  if (end.row.status == kFailed && host_.seconds) {
    end.row.host_seconds = host_.seconds() - started;
  }
  return end;
}

void Runner::simulate(const Taken& taken, const arch::Arch& arch, const trace::Trace& trace, End& end) {
  try {
    run_point(taken, arch, trace, end);
  } catch (const InputError& error) {
    end.row.reason = reason_of(error);
  } catch (const CannotFinishError& error) {
    end.row.reason = one_line(error.what());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    end.row.reason = one_line(std::string("internal error, please report it: ") + error.what());
  }
}

void Runner::run_point(const Taken& taken, const arch::Arch& arch, const trace::Trace& trace, End& end) {
  gpu::SimulateOptions how = options_.how;
  how.threads = taken.threads;
  how.on_progress = [this](const gpu::Progress&) { return !stop_.load(); };
  const double started = host_.seconds ? host_.seconds() : 0;
  stats::Result result = gpu::simulate(arch, trace, how);
  result.host.seconds = host_.seconds ? host_.seconds() - started : 0;
  result.host.threads = taken.threads;
  result.host.peak_rss_bytes = host_.peak_memory ? host_.peak_memory() : 0;
  end.stopped = !result.complete;
  if (result.complete) {
    end.result = report::to_json(result);
    summarize(result, end.row);
  }
}

}  // namespace

bool is_in(const Share& share, std::uint64_t position) {
  return position % share.count == share.index - 1;
}

Outcome run(Inputs& inputs, const std::vector<Candidate>& points, Store& store, const RunOptions& options,
            const Host& host) {
  Outcome outcome;
  StudyRecord record{options.name, options.text, {}};
  for (const Candidate& candidate : points) {
    record.points.push_back(candidate.row);
  }
  outcome.study = store.record(record);
  if (options.share.count > 1) {
    store.note_share(outcome.study, options.share);
  }
  Runner runner(inputs, store, options, host);
  runner.queue(points);
  outcome.complete = runner.run();
  outcome.tally = runner.tally();
  return outcome;
}

}  // namespace gpusim::sweep
