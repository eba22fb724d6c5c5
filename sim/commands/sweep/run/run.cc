// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/run/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/base/problem.h"
#include "sim/commands/sweep/run/inputs.h"
#include "sim/commands/sweep/run/model_version.h"
#include "sim/commands/sweep/run/prepare.h"
#include "sim/commands/sweep/run/reason.h"
#include "sim/commands/sweep/run/summary.h"
#include "sim/machine/gpu/simulate.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/stats/result.h"
#include "sim/output/report/report.h"

namespace gpusim::sweep {
namespace {

using namespace std::chrono_literals;
constexpr auto kBetweenLooks = 100ms;
/// What a point is expected to need before the first has ended: all shipped traces stay below on every shipped GPU
/// (tools/bench measures it).
constexpr std::uint64_t kFirstGuessBytes = 400'000'000;

class Runner {
 public:
  Runner(const PointRunner& runner, Store& store, const RunOptions& options, const Host& host)
      : runner_(runner), store_(store), options_(options), host_(host) {}

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
  void start_workers(std::vector<std::jthread>& threads);
  void watch();
  void work();
  Taken take();
  [[nodiscard]] bool has_memory();
  void give_back(const Taken& taken, const PointEnd& end);
  [[nodiscard]] PointEnd simulate(const Taken& taken);
  void simulate(const PointRunner::Run& run, unsigned threads, PointEnd& end);
  void stop_with(std::exception_ptr error);

  const PointRunner& runner_;
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

void Runner::give_back(const Taken& taken, const PointEnd& end) {
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
  store_.put(end.row, end.result, runner_.program);
  work_done_ += taken.point->work;
  ++(end.row.status == kDone ? tally_.done : tally_.failed);
}

/// Throws InputError where the point is no longer what it was when its key was made: that is not a failure of the
/// point.
PointEnd Runner::simulate(const Taken& taken) {
  PointEnd end;
  end.row.key = taken.point->row.key;
  end.row.status = kFailed;
  const double started = host_.seconds ? host_.seconds() : 0;
  try {
    simulate(runner_.make(*taken.point), taken.threads, end);
  } catch (const std::bad_alloc&) {
    end.row.reason = "out of memory: run it alone, with --jobs 1 --retry";
  }
  if (end.row.status == kFailed && host_.seconds) {
    end.row.host_seconds = host_.seconds() - started;
  }
  return end;
}

void Runner::simulate(const PointRunner::Run& run, unsigned threads, PointEnd& end) {
  try {
    run(
        threads, [this] { return !stop_.load(); }, end);
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

/// A point of kernels.
void run_kernels(const arch::Arch& arch, const trace::Trace& trace, const gpu::SimulateOptions& how, const Host& host,
                 PointEnd& end) {
  const double started = host.seconds ? host.seconds() : 0;
  stats::Result result = gpu::simulate(arch, trace, how);
  result.host.seconds = host.seconds ? host.seconds() - started : 0;
  result.host.threads = how.threads;
  result.host.peak_rss_bytes = host.peak_memory ? host.peak_memory() : 0;
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
  const auto make = [&](const Candidate& point) -> PointRunner::Run {
    const auto arch = std::make_shared<const arch::Resolved>(inputs.resolve(point.point));
    const std::shared_ptr<const LoadedTrace> loaded = inputs.load(point.point);
    return [&, arch, loaded](unsigned threads, const std::function<bool()>& keep_going, PointEnd& end) {
      gpu::SimulateOptions how = options.how;
      how.threads = threads;
      how.on_progress = [&keep_going](const gpu::Progress&) { return keep_going(); };
      run_kernels(arch->arch, loaded->trace, how, host, end);
    };
  };
  return run(PointRunner{make, program_version()}, points, store, options, host);
}

Outcome run(const PointRunner& runner_of, const std::vector<Candidate>& points, Store& store, const RunOptions& options,
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
  Runner runner(runner_of, store, options, host);
  runner.queue(points);
  outcome.complete = runner.run();
  outcome.tally = runner.tally();
  return outcome;
}

}  // namespace gpusim::sweep
