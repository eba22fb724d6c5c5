// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/times.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/commands/app/times/database.h"
#include "sim/commands/app/times/recorded.h"
#include "sim/commands/app/times/simulated.h"
#include "sim/commands/app/times/smaller.h"
#include "sim/commands/cli/find_file.h"
#include "sim/commands/cli/interrupt.h"
#include "sim/commands/cli/progress.h"
#include "sim/commands/cli/simulation_inputs.h"
#include "sim/commands/roofline/roofline.h"
#include "sim/commands/sweep/run/inputs.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"
#include "sim/system/application/each_call.h"

namespace gpusim::app {

using application::Kernel;
using run::KernelCost;

namespace {

/// Warp instructions of a CTA that are walked to see how large a kernel is: one of a large sum over rows has 600,000.
constexpr std::uint64_t kMostWalked = 2'000'000;

/// Time at the whole peaks, since nothing says more.
KernelCost roofline_cost(const arch::Arch& arch, const application::Roofline& how) {
  const roofline::Roofs roofs = roofline::make_roofs(arch, {how.peak, false, "dram", roofline::ClockChoice::kSm});
  const roofline::Ceiling& flat = roofs.compute.front();
  KernelCost cost;
  cost.how = run::TimeOf::kRoofline;
  const double compute_ns = how.flops / flat.rate / how.reach * kGiga;
  const double memory_ns = how.bytes / roofs.bandwidth() / how.reach * kGiga;
  const double least_ns = arch.launch.begin_ns + arch.launch.flush_ns;
  cost.ns = std::max(compute_ns, memory_ns) + least_ns;
  cost.compute = how.reach * compute_ns / cost.ns;
  cost.tensor = flat.name.find("tensor") == std::string::npos ? 0 : cost.compute;
  cost.dram = how.reach * memory_ns / cost.ns;
  const bool is_small = least_ns > std::max(compute_ns, memory_ns);
  cost.bound = is_small ? run::Bound::kOverhead : compute_ns > memory_ns ? run::Bound::kCompute : run::Bound::kMemory;
  // Half of the SMs do half of the FLOPs in a time, and move as many bytes.
  cost.of_sms = (std::max(2 * compute_ns, memory_ns) + least_ns) / cost.ns - 1;
  cost.is_of_sms_known = true;
  return cost;
}

/// CTAs that an SM holds, of the kernel of a trace that fits least often.
std::uint32_t ctas_of_sm(const arch::Arch& arch, const trace::Trace& trace) {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (const trace::Kernel& kernel : trace.kernels) {
    const auto shape = occupancy::launch_shape(kernel);
    least = std::min<std::uint32_t>(least, occupancy::residency(arch.sm, shape).occupancy.ctas_per_sm);
  }
  return std::max(1U, least);
}

MfuPeak mfu_peak(const arch::Arch& arch) {
  const std::vector<arch::Peak> peaks = arch::computed_peaks(arch);
  for (const std::string_view name : {"bf16_tensor", "fp16_tensor", "fp32"}) {
    if (const arch::Peak* const peak = arch::find_peak(peaks, name)) {
      return {std::string(name), peak->value / kGiga};
    }
  }
  return {};
}

/// Whether the application gives a GPU work on several streams, so that kernels run beside others or beside
/// collectives.
bool may_share_sms(const application::Application& application) {
  std::set<application::Index> streams;
  const auto note_stream = [&streams](const application::Call& call) {
    if (const auto* const launch = std::get_if<application::Launch>(&call.is)) {
      streams.insert(launch->stream);
    } else if (const auto* const run = std::get_if<application::RunCollective>(&call.is)) {
      streams.insert(run->stream);
    }
  };
  for (const application::Calls& body : application.bodies) {
    application::for_each_call(body, note_stream);
  }
  for (const application::Graph& graph : application.graphs) {
    application::for_each_call(graph.calls, note_stream);
  }
  return streams.size() > 1;
}

class Finder {
 public:
  Finder(const run::Binding& binding, const TimesOptions& options)
      : binding_(binding),
        options_(options),
        own_(options.open == nullptr ? options.database : std::filesystem::path()),
        database_(options.open == nullptr ? own_ : *options.open),
        may_share_sms_(may_share_sms(binding.application())),
        progress_(options.show_progress) {}

  Times find();

 private:
  /// Where the cost of a job goes.
  struct Task {
    Job job;
    std::uint32_t row = 0;
    std::vector<std::uint32_t> kernels;  ///< that are alike
  };

  void add_arch(const std::string& name);
  void plan(std::uint32_t row, std::uint32_t kernel);
  void plan_recorded(std::uint32_t row, const Kernel& kernel, KernelCost& cost);
  void plan_simulation(std::uint32_t row, std::uint32_t kernel, const application::Simulated& how);
  /// Smaller forms of a large kernel that has them.
  void plan_parts(Job& job, const application::Simulated& how);
  [[nodiscard]] Program program_of(const application::Simulated& how);
  void work();
  void simulate_all();
  [[nodiscard]] InputError at_kernel(const Kernel& kernel, const InputError& error) const;

  const run::Binding& binding_;
  const TimesOptions& options_;
  Database own_;
  Database& database_;
  bool may_share_sms_;
  cli::ProgressLine progress_;
  std::map<std::string, std::uint32_t> rows_;  ///< by architecture
  std::vector<arch::Arch> archs_;
  std::map<std::string, arch::Arch> sources_;  ///< on which kernels were recorded, without changes, by name
  std::vector<Task> tasks_;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> task_of_;  ///< by row and digest of the trace
  sweep::TraceDigester digest_;
  Times times_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  ///< guards what follows, and the costs
  std::size_t done_ = 0;
  std::exception_ptr error_;
};

/// The same problems, said of a kernel of the application.
InputError Finder::at_kernel(const Kernel& kernel, const InputError& error) const {
  std::vector<Problem> problems;
  for (const Problem& problem : error.problems()) {
    problems.push_back({{binding_.application().path, kernel.place.line, kernel.place.column},
                        "the kernel '" + kernel.name + "': " + to_text(problem),
                        ""});
  }
  return InputError(std::move(problems));
}

void Finder::add_arch(const std::string& name) {
  rows_.emplace(name, static_cast<std::uint32_t>(archs_.size()));
  archs_.push_back(cli::read_named_arch(name, binding_.system().gpu_set));
}

Program Finder::program_of(const application::Simulated& how) {
  const std::filesystem::path folder = std::filesystem::path(binding_.application().path).parent_path();
  trace::Trace trace = read_kernel_trace(folder, how);
  std::string digest = digest_(trace);
  return {std::move(trace), std::move(digest)};
}

void Finder::plan_simulation(std::uint32_t row, std::uint32_t kernel, const application::Simulated& how) {
  Task task{{}, row, {kernel}};
  task.job.arch = &archs_[row];
  task.job.arch_digest = sweep::arch_digest(archs_[row]);
  task.job.program = program_of(how);
  task.job.may_share_sms = may_share_sms_;
  const auto [known, is_new] = task_of_.try_emplace({row, task.job.program.digest}, tasks_.size());
  if (!is_new) {
    tasks_[known->second].kernels.push_back(kernel);
    return;
  }
  task.job.work = sweep::estimate_work(task.job.program.trace, kMostWalked);
  if (!options_.whole && task.job.work > kWholeWork) {
    plan_parts(task.job, how);
  }
  tasks_.push_back(std::move(task));
}

void Finder::plan_parts(Job& job, const application::Simulated& how) {
  const auto forms = smaller_forms(job.program.trace, job.work, kPartWork, job.arch->sm.count,
                                   ctas_of_sm(*job.arch, job.program.trace));
  if (!forms) {
    return;
  }
  const auto program_with = [&](const ParameterValues& values) {
    application::Simulated other = how;
    for (const auto& changed : values) {
      std::erase_if(other.params, [&](const auto& param) { return param.first == changed.first; });
      other.params.emplace_back(changed.first, std::to_string(changed.second));
    }
    return program_of(other);
  };
  job.in_parts = {*forms, program_with(forms->larger), program_with(forms->smaller)};
  job.work = sweep::estimate_work(job.in_parts->larger.trace, kMostWalked) +
             sweep::estimate_work(job.in_parts->smaller.trace, kMostWalked);
}

void Finder::plan_recorded(std::uint32_t row, const Kernel& kernel, KernelCost& cost) {
  const auto& how = std::get<application::Recorded>(kernel.how);
  if (how.of.empty()) {
    cost.ns = how.ns;
    times_.of_unknown += row == 0 ? 1 : 0;
    return;
  }
  auto source = sources_.find(how.of);
  if (source == sources_.end()) {
    source = sources_.emplace(how.of, cli::read_named_arch(how.of, {})).first;
  }
  scale_recorded(kernel, source->second, archs_[row], cost);
}

void Finder::plan(std::uint32_t row, std::uint32_t index) {
  const Kernel& kernel = binding_.application().kernels[index];
  KernelCost& cost = times_.costs[row][index];
  if (const auto* const simulated = std::get_if<application::Simulated>(&kernel.how)) {
    plan_simulation(row, index, *simulated);
    return;
  }
  if (const auto* const roofline = std::get_if<application::Roofline>(&kernel.how)) {
    cost = roofline_cost(archs_[row], *roofline);
    cost.flops = roofline->flops;
  } else {
    plan_recorded(row, kernel, cost);
  }
  cost.flops = kernel.flops > 0 ? kernel.flops : cost.flops;
  const double sms = archs_[row].sm.count;
  const double ctas = kernel.ctas > 0 ? static_cast<double>(kernel.ctas) : sms * kernel.ctas_per_sm;
  run::spread_ctas(cost, ctas, kernel.ctas_per_sm, sms);
  cost.tail_ns = cost.ns * cost.tail_share;
}

void Finder::work() {
  for (std::size_t i = next_++; i < tasks_.size(); i = next_++) {
    try {
      const Task& task = tasks_[i];
      const Answer answer = simulate_cost(task.job, options_.whole, database_);
      const std::lock_guard guard(mutex_);
      for (const std::uint32_t kernel : task.kernels) {
        const double flops = binding_.application().kernels[kernel].flops;
        times_.costs[task.row][kernel] = answer.cost;
        times_.costs[task.row][kernel].flops = flops > 0 ? flops : answer.cost.flops;
      }
      ++(answer.was_known ? times_.known : times_.simulated);
      ++done_;
      progress_.update(
          [this](double) { return counted(done_, "kernel") + " of " + std::to_string(tasks_.size()) + " simulated"; });
    } catch (const InputError& error) {
      const std::lock_guard guard(mutex_);
      error_ = std::make_exception_ptr(at_kernel(binding_.application().kernels[tasks_[i].kernels.front()], error));
      next_ = tasks_.size();
    } catch (...) {
      const std::lock_guard guard(mutex_);
      error_ = std::current_exception();
      next_ = tasks_.size();
    }
  }
}

void Finder::simulate_all() {
  // The longest first, so that all threads end at about the same time.
  std::ranges::stable_sort(tasks_, std::greater<>(), [](const Task& task) { return task.job.work; });
  {
    std::vector<std::jthread> threads;
    const std::size_t more = std::min<std::size_t>(options_.threads, tasks_.size());
    for (std::size_t i = 1; i < more; ++i) {
      threads.emplace_back([this] { work(); });
    }
    work();
  }
  progress_.erase();
  if (error_ != nullptr) {
    std::rethrow_exception(error_);
  }
}

Times Finder::find() {
  for (std::uint32_t i = 0; i < binding_.gpus().size(); ++i) {
    if (!rows_.contains(binding_.gpu(i).arch)) {
      add_arch(binding_.gpu(i).arch);
    }
  }
  const std::size_t kernels = binding_.application().kernels.size();
  times_.costs.assign(archs_.size(), std::vector<KernelCost>(kernels));
  std::ranges::transform(archs_, std::back_inserter(times_.peaks), mfu_peak);
  for (std::uint32_t i = 0; i < binding_.gpus().size(); ++i) {
    const std::uint32_t row = rows_.at(binding_.gpu(i).arch);
    const arch::Arch& arch = archs_[row];
    const arch::Peak dram = *arch::find_peak(arch::computed_peaks(arch), "dram");
    times_.gpus.push_back({static_cast<double>(arch.sm.count),
                           static_cast<double>(arch.launch.kernel_ns + arch.launch.memory_ns), dram.value / kGiga, row,
                           memory::offer_of(arch, binding_.gpus().size())});
  }
  for (std::uint32_t row = 0; row < archs_.size(); ++row) {
    for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) {
      try {
        plan(row, kernel);
      } catch (const InputError& error) {
        throw at_kernel(binding_.application().kernels[kernel], error);
      } catch (const UsageError& error) {  // a peak that nobody has
        throw at_kernel(binding_.application().kernels[kernel], InputError({{}, error.what(), ""}));
      }
    }
  }
  simulate_all();
  times_.database_problem = database_.problem();
  return std::move(times_);
}

}  // namespace

trace::Trace read_kernel_trace(const std::filesystem::path& folder, const application::Simulated& how) {
  std::vector<std::string> params;
  for (const auto& [name, value] : how.params) {
    params.push_back(name + "=" + value);
  }
  return cli::read_trace(cli::name_beside(folder, how.trace, cli::trace_files()), params, false, {});
}

std::vector<memory::Offer> offers_of(const run::Binding& binding) {
  std::map<std::string, memory::Offer> known;  // by architecture
  std::vector<memory::Offer> offers;
  for (std::uint32_t i = 0; i < binding.gpus().size(); ++i) {
    const std::string& name = binding.gpu(i).arch;
    if (!known.contains(name)) {
      const arch::Arch arch = cli::read_named_arch(name, binding.system().gpu_set);
      known.emplace(name, memory::offer_of(arch, binding.gpus().size()));
    }
    offers.push_back(known.at(name));
  }
  return offers;
}

Times find_times(const run::Binding& binding, const TimesOptions& options) {
  return Finder(binding, options).find();
}

}  // namespace gpusim::app
