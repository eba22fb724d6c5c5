// SPDX-License-Identifier: MIT
#include "sim/commands/validate/run.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "sim/base/problem.h"
#include "sim/base/text.h"
#include "sim/commands/validate/runner.h"

namespace gpusim::validate {
namespace {

/// Problems of cases. Rows of one case, and quotients, meet the same problem many times: it is told once, with the
/// first case that has it and how many others do.
class RefusedCases {
 public:
  void add(const Case& of, const InputError& error) {
    for (const Problem& problem : error.problems()) {
      const bool is_placed = problem.where.file == of.where.file;
      const bool is_shared =
          is_placed && !(problem.where == of.where);  // as a line of a program that rows have in common
      Told told{
          is_placed ? problem : Problem{of.where, gpusim::to_text({problem.where, problem.message, ""}), problem.hint},
          {}};
      const SourceLocation place = is_shared ? problem.where : SourceLocation();
      const auto [known, is_new] =
          known_.emplace(Kind{place.line, place.column, told.problem.message, told.problem.hint}, told_.size());
      if (is_new) {
        told_.push_back(std::move(told));
      }
      std::vector<std::string>& ids = told_[known->second].ids;
      if (ids.empty() || ids.back() != of.id) {
        ids.push_back(of.id);
      }
    }
  }

  void throw_if_any() const {
    ProblemList problems;
    for (const auto& [problem, ids] : told_) {
      const std::string others = ids.size() > 1 ? " and " + counted(ids.size() - 1, "other case") : "";
      problems.add({problem.where, "case '" + ids.front() + "'" + others + ": " + problem.message, problem.hint});
    }
    problems.throw_if_any();
  }

 private:
  using Kind =
      std::tuple<std::uint32_t, std::uint32_t, std::string, std::string>;  ///< place that is shared, message, hint
  struct Told {
    Problem problem;
    std::vector<std::string> ids;  ///< each once
  };
  std::map<Kind, std::size_t> known_;  ///< in told_
  std::vector<Told> told_;             ///< in the order of the cases
};

/// All problems, as a table or a list has room for them.
std::string on_one_line(const InputError& error) {
  std::string out;
  for (const Problem& problem : error.problems()) {
    out += out.empty() ? gpusim::to_text(problem) : "; " + gpusim::to_text({{}, problem.message, problem.hint});
  }
  std::ranges::replace(out, '\n', ' ');
  return out;
}

void compare(Outcome& outcome) {
  outcome.measured = outcome.of.measured.nearest(outcome.simulated.value_or(outcome.of.measured.low));
  const double off = outcome.simulated.value_or(outcome.measured) - outcome.measured;
  if (outcome.of.is_word()) {
    return;
  }
  outcome.error_pct = 100.0 * off / (outcome.measured == 0 ? 1.0 : outcome.measured);
}

}  // namespace

bool Outcome::is_within() const {
  if (of.is_word()) {
    return is_equal_word();
  }
  const double off = std::abs(simulated.value_or(measured) - measured);
  const Tolerance& allowed = of.tolerance;
  constexpr double kRounding = 1e-9;
  return off <= (allowed.is_percent ? allowed.value / 100.0 * measured : allowed.value) + kRounding;
}

std::string arch_name(const std::string& file) {
  const std::filesystem::path path(file);
  return path.extension() == ".yaml" ? path.stem().string() : path.filename().string();
}

namespace {

/// Whether both come from one simulation, or might: cases without a kind belong together, since quotients share runs.
bool belong_together(const Case& one, const Case& other) {
  const auto run = [](const Case& of) {
    return std::tie(of.kind, of.arch, of.set, of.trace, of.params, of.cache, of.clock_mhz, of.is_unlocked);
  };
  return one.is_kernel() ? run(one) == run(other) : !other.is_kernel();
}

/// Cases in pieces that threads take one after the other; outcomes in the order of the cases.
class Batch {
 public:
  Batch(std::span<const Case> cases, const Sources& sources) : cases_(cases), sources_(sources), done_(cases.size()) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (i == 0 || !belong_together(cases[i - 1], cases[i])) {
        pieces_.push_back({i, i});
      }
      ++pieces_.back().second;
    }
  }

  void run() {
    const std::size_t jobs = std::clamp<std::size_t>(pieces_.size(), 1, std::max(1U, sources_.threads));
    const auto threads = static_cast<unsigned>(std::max<std::size_t>(1, sources_.threads / jobs));
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < jobs; ++i) {
      others.emplace_back([this, threads] { work(threads); });
    }
    work(threads);
  }

  /// Those that were done; then whatever ended the run, or the problems of all cases.
  void finish(std::vector<Outcome>& outcomes) {
    for (std::optional<Outcome>& outcome : done_) {
      if (outcome) {
        outcomes.push_back(std::move(*outcome));
      }
    }
    if (ended_by_) {
      std::rethrow_exception(ended_by_);
    }
    RefusedCases refused;
    for (const auto& [i, error] : refusals_) {
      refused.add(cases_[i], error);
    }
    refused.throw_if_any();
  }

 private:
  void work(unsigned threads) {
    Runner runner(sources_, threads);
    for (std::size_t piece = next_++; piece < pieces_.size(); piece = next_++) {
      for (std::size_t i = pieces_[piece].first; i < pieces_[piece].second; ++i) {
        if (!work_on(runner, i)) {
          return;
        }
      }
    }
  }

  /// Returns whether to go on.
  bool work_on(Runner& runner, std::size_t i) {
    Outcome outcome;
    outcome.of = cases_[i];
    outcome.arch = arch_name(cases_[i].arch);
    try {
      simulate(runner, i, outcome);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      ended_by_ = ended_by_ ? ended_by_ : std::current_exception();
      has_ended_ = true;
    }
    if (has_ended_ || !sources_.keep_going()) {
      return false;  // perhaps in the midst of this case
    }
    compare(outcome);
    const std::scoped_lock lock(mutex_);
    done_[i] = std::move(outcome);
    if (sources_.on_outcome) {
      sources_.on_outcome(*done_[i], ++finished_, cases_.size());
    }
    return true;
  }

  void simulate(Runner& runner, std::size_t i, Outcome& outcome) {
    const Case& of = outcome.of;
    try {
      if (of.can_run() && (!of.slow || sources_.slow_ones)) {
        outcome.simulated = runner.simulate(of);
      }
      if (!of.refusals.empty()) {
        throw InputError(of.refusals);
      }
    } catch (const InputError& error) {
      if (sources_.keep_going()) {  // else it may be for the want of what was not simulated any more
        const std::scoped_lock lock(mutex_);
        refusals_.emplace(i, error);
        outcome.refusal = on_one_line(error);
      }
    } catch (const CannotFinishError& error) {
      if (!of.is_kernel()) {
        throw CannotFinishError("case '" + of.id + "': " + error.what());
      }
      outcome.fault = error.what();
    } catch (const std::logic_error& error) {
      outcome.fault = error.what();
    }
  }

  std::span<const Case> cases_;
  const Sources& sources_;
  std::vector<std::pair<std::size_t, std::size_t>> pieces_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> has_ended_{false};
  std::mutex mutex_;  ///< guards what follows
  std::vector<std::optional<Outcome>> done_;
  std::size_t finished_ = 0;
  std::map<std::size_t, InputError> refusals_;  ///< by case
  std::exception_ptr ended_by_;
};

}  // namespace

void run_cases(std::span<const Case> cases, const Sources& sources, std::vector<Outcome>& outcomes) {
  Batch batch(cases, sources);
  batch.run();
  batch.finish(outcomes);
}

}  // namespace gpusim::validate
