// SPDX-License-Identifier: MIT
#include "sim/commands/app/times/times.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
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
#include "sim/machine/gpu/simulate.h"
#include "sim/machine/gpu/simulate_options.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/occupancy/launch_shape.h"
#include "sim/model/occupancy/residency.h"
#include "sim/system/application/each_call.h"
#include "sim/system/generate/forms.h"

namespace gpusim::app {

using application::Kernel;
using run::KernelCost;

namespace {

/// Warp instructions of a CTA that are walked to see how large a kernel is: one of a large sum over rows has 600,000.
constexpr std::uint64_t kMostWalked = 2'000'000;

/// Time at the share of the peaks that the kernel reaches, or by its cycles of the SMs.
KernelCost roofline_cost(const arch::Arch& arch, const application::Roofline& how) {
  const roofline::Roofs roofs = roofline::make_roofs(arch, {how.peak, false, "dram", roofline::ClockChoice::kSm});
  const roofline::Ceiling& flat = roofs.compute.front();
  KernelCost cost;
  cost.how = run::TimeOf::kRoofline;
  const double compute_ns = how.flops / flat.rate / how.reach * kGiga;
  const double memory_ns = how.bytes / roofs.bandwidth() / how.reach * kGiga;
  const double sm_hertz = static_cast<double>(arch.sm.count) * static_cast<double>(arch.clocks.sm);
  const double sm_ns = how.sm_cycles / sm_hertz * kGiga;
  const double least_ns = arch.launch.begin_ns + arch.launch.flush_ns + how.besides_ns;
  const double work_ns = std::max({compute_ns, memory_ns, sm_ns});
  cost.ns = work_ns + least_ns;
  cost.compute = how.reach * compute_ns / cost.ns;
  cost.tensor = flat.name.find("tensor") == std::string::npos ? 0 : cost.compute;
  cost.dram = how.reach * memory_ns / cost.ns;
  const double of_sms_ns = std::max(compute_ns, sm_ns);
  const bool is_small = least_ns > work_ns;
  // What moves data alone is shortened by moving less of it, also where its SMs are slower than DRAM.
  const bool is_compute = of_sms_ns > memory_ns && how.flops > 0;
  cost.bound = is_small ? run::Bound::kOverhead : is_compute ? run::Bound::kCompute : run::Bound::kMemory;
  // Half of the SMs do half of the FLOPs in a time, and move as many bytes.
  cost.of_sms = (std::max(2 * of_sms_ns, memory_ns) + least_ns) / cost.ns - 1;
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

/// Why a kernel that is known to do an operation goes with peaks.
constexpr const char* kTooLittle = ", since it takes little of the time";
constexpr const char* kNoLibrary = ", since no kernel of the library does it on both";

/// Where the file of a kernel is looked up.
enum class LookUp : std::uint8_t { kBesideFirst, kLibrary };

/// A kernel that is to be read.
struct Wanted {
  const application::Simulated& how;
  LookUp in;
};

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

/// "NAME=VALUE" each.
std::vector<std::string> texts_of(const application::Parameters& params) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : params) {
    texts.push_back(name + "=" + value);
  }
  return texts;
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
  /// A kernel of the application in a row of the costs.
  struct Place {
    std::uint32_t row = 0;
    std::uint32_t kernel = 0;
  };
  /// Where the cost of a job goes.
  struct Task {
    Job job;
    std::vector<Place> places;      ///< kernels that are alike; none of a kernel that only stands for recorded ones
    std::uint32_t named_after = 0;  ///< the kernel of the application that asked first
    KernelCost cost;                ///< once it is known
  };
  struct Gpu {
    arch::Arch arch;
    std::string digest;
  };
  /// What stands for an operation on a GPU: a kernel, or the roofline.
  struct Library {
    const Gpu* gpu = nullptr;
    std::optional<generate::KernelForm> form;  ///< nothing where no kernel of the library does it on such a GPU
    std::string kernel{};                      ///< empty: the roofline
    std::optional<bool> is_there{};            ///< whether the GPU runs it, once it was read
    std::optional<Program> program{};          ///< until a task has it
    std::optional<std::size_t> task{};
    KernelCost roofline{};
  };
  /// A recorded kernel whose time goes with that of the library's kernels.
  struct Carried {
    Place place;
    const Library* there = nullptr;
    const Library* here = nullptr;
  };

  void add_arch(const std::string& name);
  void plan(std::uint32_t row, std::uint32_t kernel);
  void plan_recorded(Place place, KernelCost& cost);
  /// False where no kernel of the library stands for the operation on both GPUs.
  bool plan_carried(Place place, Library& there, Library& here);
  const Gpu& source_of(const std::string& name);
  Library& library_of(const Gpu& gpu, const application::Operation& operation);
  /// False where the GPU has no kernel of the library for the operation. Throws InputError for a file that is broken.
  bool read_library(Library& library);
  bool read_program(Library& library, const application::Simulated& how);
  void add_task(Library& library, std::uint32_t kernel);
  [[nodiscard]] const KernelCost& cost_of(const Library& library) const;
  void carry_all();
  std::size_t task_of(const Gpu& gpu, const Wanted& wanted, Program program, std::uint32_t kernel);
  void plan_simulation(std::uint32_t row, std::uint32_t kernel, const application::Simulated& how);
  /// Smaller forms of a large kernel that has them.
  void plan_parts(Job& job, const Wanted& wanted);
  [[nodiscard]] Program program_of(const Wanted& wanted);
  void work();
  void simulate(Task& task);
  void simulate_all();
  [[nodiscard]] InputError at_kernel(const Kernel& kernel, const InputError& error) const;

  const run::Binding& binding_;
  const TimesOptions& options_;
  Database own_;
  Database& database_;
  bool may_share_sms_;
  cli::ProgressLine progress_;
  std::map<std::string, std::uint32_t> rows_;  ///< by architecture
  std::vector<Gpu> gpus_;                      ///< by row
  std::map<std::string, Gpu> sources_;         ///< on which kernels were recorded, without changes, by name
  std::vector<Task> tasks_;
  std::vector<std::size_t> order_;                                               ///< tasks, the longest first
  std::map<std::pair<std::string, std::string>, std::size_t> task_by_;           ///< by digests of GPU and trace
  std::map<std::pair<std::string, application::Operation>, Library> libraries_;  ///< by digest of GPU
  std::vector<bool> is_worth_;                                                   ///< by kernel: worth_simulating()
  std::vector<Carried> carried_;
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
  rows_.emplace(name, static_cast<std::uint32_t>(gpus_.size()));
  arch::Arch arch = cli::read_named_arch(name, binding_.system().gpu_set);
  std::string digest = sweep::arch_digest(arch);
  gpus_.push_back({std::move(arch), std::move(digest)});
}

Program Finder::program_of(const Wanted& wanted) {
  const std::filesystem::path folder = std::filesystem::path(binding_.application().path).parent_path();
  trace::Trace trace =
      wanted.in == LookUp::kLibrary ? read_library_trace(wanted.how) : read_kernel_trace(folder, wanted.how);
  std::string digest = digest_(trace);
  return {std::move(trace), std::move(digest)};
}

std::size_t Finder::task_of(const Gpu& gpu, const Wanted& wanted, Program program, std::uint32_t kernel) {
  Task task;
  task.named_after = kernel;
  task.job.arch = &gpu.arch;
  task.job.arch_digest = gpu.digest;
  task.job.program = std::move(program);
  task.job.may_share_sms = may_share_sms_;
  task.job.is_cold = wanted.how.is_cold;
  const std::pair key(gpu.digest, task.job.program.digest + (task.job.is_cold ? " cold" : ""));
  if (const auto known = task_by_.find(key); known != task_by_.end()) {
    return known->second;
  }
  task.job.work = sweep::estimate_work(task.job.program.trace, kMostWalked);
  if (!options_.whole && task.job.work > kWholeWork) {
    plan_parts(task.job, wanted);
  }
  tasks_.push_back(std::move(task));
  return task_by_.emplace(key, tasks_.size() - 1).first->second;
}

void Finder::plan_simulation(std::uint32_t row, std::uint32_t kernel, const application::Simulated& how) {
  const Wanted wanted{how, LookUp::kBesideFirst};
  tasks_[task_of(gpus_[row], wanted, program_of(wanted), kernel)].places.push_back({row, kernel});
}

void Finder::plan_parts(Job& job, const Wanted& wanted) {
  const auto forms = smaller_forms(job.program.trace, job.work, kPartWork, job.arch->sm.count,
                                   ctas_of_sm(*job.arch, job.program.trace));
  if (!forms) {
    return;
  }
  const auto program_with = [&](const ParameterValues& values) {
    application::Simulated other = wanted.how;
    for (const auto& changed : values) {
      std::erase_if(other.params, [&](const auto& param) { return param.first == changed.first; });
      other.params.emplace_back(changed.first, std::to_string(changed.second));
    }
    return program_of({other, wanted.in});
  };
  job.in_parts = {*forms, program_with(forms->larger), program_with(forms->smaller)};
  job.work = sweep::estimate_work(job.in_parts->larger.trace, kMostWalked) +
             sweep::estimate_work(job.in_parts->smaller.trace, kMostWalked);
}

const Finder::Gpu& Finder::source_of(const std::string& name) {
  auto source = sources_.find(name);
  if (source == sources_.end()) {
    arch::Arch arch = cli::read_named_arch(name, {});
    std::string digest = sweep::arch_digest(arch);
    source = sources_.emplace(name, Gpu{std::move(arch), std::move(digest)}).first;
  }
  return source->second;
}

Finder::Library& Finder::library_of(const Gpu& gpu, const application::Operation& operation) {
  const std::pair key(gpu.digest, operation);
  auto known = libraries_.find(key);
  if (known == libraries_.end()) {
    known = libraries_.emplace(key, Library{&gpu, generate::form_of(generate::target_on(gpu.arch), operation)}).first;
  }
  return known->second;
}

bool Finder::read_program(Library& library, const application::Simulated& how) {
  library.kernel = how.trace;
  try {
    library.program = program_of({how, LookUp::kLibrary});
    gpu::require_runnable(library.gpu->arch, library.program->trace, {});
    return true;
  } catch (const InputError&) {  // a shape that the kernel does not have, or a kernel that the GPU does not run
    static_cast<void>(read_library_trace({how.trace, {}}));  // throws where the file itself is broken
    library.program.reset();
    return false;
  }
}

bool Finder::read_library(Library& library) {
  if (library.is_there) {
    return *library.is_there;
  }
  library.is_there = false;
  if (!library.form) {
    return false;
  }
  if (const auto* const simulated = std::get_if<application::Simulated>(&library.form->how)) {
    library.is_there = read_program(library, *simulated);
    return *library.is_there;
  }
  try {
    library.roofline = roofline_cost(library.gpu->arch, std::get<application::Roofline>(library.form->how));
    library.is_there = true;
  } catch (const UsageError&) {  // a peak that the GPU does not have
  }
  return *library.is_there;
}

void Finder::add_task(Library& library, std::uint32_t kernel) {
  if (library.program) {
    const auto& how = std::get<application::Simulated>(library.form->how);
    library.task = task_of(*library.gpu, {how, LookUp::kLibrary}, *std::move(library.program), kernel);
    library.program.reset();
  }
}

/// Nothing is simulated for an operation that only one of the GPUs does.
bool Finder::plan_carried(Place place, Library& there, Library& here) {
  if (!there.form || !here.form || !read_library(there) || !read_library(here)) {
    return false;
  }
  add_task(there, place.kernel);
  add_task(here, place.kernel);
  carried_.push_back({place, &there, &here});
  return true;
}

const KernelCost& Finder::cost_of(const Library& library) const {
  return library.task ? tasks_[*library.task].cost : library.roofline;
}

/// Times of recorded kernels, once those of the library's are known.
void Finder::carry_all() {
  for (const Carried& carried : carried_) {
    carry_recorded(binding_.application().kernels[carried.place.kernel],
                   {carried.there->kernel, cost_of(*carried.there)}, {carried.here->kernel, cost_of(*carried.here)},
                   times_.costs[carried.place.row][carried.place.kernel]);
  }
}

void Finder::plan_recorded(Place place, KernelCost& cost) {
  const Kernel& kernel = binding_.application().kernels[place.kernel];
  const auto& how = std::get<application::Recorded>(kernel.how);
  Library* const here = how.does ? &library_of(gpus_[place.row], *how.does) : nullptr;
  cost.flops = here != nullptr && here->form ? here->form->flops : 0;
  if (how.of.empty()) {
    cost.ns = how.ns;
    times_.of_unknown += place.row == 0 ? 1 : 0;
    return;
  }
  const Gpu& source = source_of(how.of);
  scale_recorded(kernel, source.arch, gpus_[place.row].arch, cost);
  if (here == nullptr || source.digest == gpus_[place.row].digest) {
    return;
  }
  const bool is_worth = is_worth_[place.kernel];
  const bool is_carried = is_worth && plan_carried(place, library_of(source, *how.does), *here);
  if (!is_carried && cost.how == run::TimeOf::kScaled) {
    cost.note += is_worth ? kNoLibrary : kTooLittle;
  }
}

void Finder::plan(std::uint32_t row, std::uint32_t index) {
  const Kernel& kernel = binding_.application().kernels[index];
  KernelCost& cost = times_.costs[row][index];
  if (const auto* const simulated = std::get_if<application::Simulated>(&kernel.how)) {
    plan_simulation(row, index, *simulated);
    return;
  }
  if (const auto* const roofline = std::get_if<application::Roofline>(&kernel.how)) {
    cost = roofline_cost(gpus_[row].arch, *roofline);
    cost.flops = roofline->flops;
  } else {
    plan_recorded({row, index}, cost);
  }
  cost.flops = kernel.flops > 0 ? kernel.flops : cost.flops;
  const double sms = gpus_[row].arch.sm.count;
  const double ctas = kernel.ctas > 0 ? static_cast<double>(kernel.ctas) : sms * kernel.ctas_per_sm;
  run::spread_ctas(cost, ctas, kernel.ctas_per_sm, sms);
  cost.tail_ns = cost.ns * cost.tail_share;
}

void Finder::simulate(Task& task) {
  try {
    const Answer answer = simulate_cost(task.job, options_.whole, database_);
    const std::lock_guard guard(mutex_);
    task.cost = answer.cost;
    for (const auto& [row, kernel] : task.places) {
      const double flops = binding_.application().kernels[kernel].flops;
      times_.costs[row][kernel] = answer.cost;
      times_.costs[row][kernel].flops = flops > 0 ? flops : answer.cost.flops;
    }
    ++(answer.was_known ? times_.known : times_.simulated);
  } catch (const InputError& error) {
    throw at_kernel(binding_.application().kernels[task.named_after], error);
  }
}

void Finder::work() {
  for (std::size_t i = next_++; i < tasks_.size(); i = next_++) {
    try {
      simulate(tasks_[order_[i]]);
      const std::lock_guard guard(mutex_);
      ++done_;
      progress_.update(
          [this](double) { return counted(done_, "kernel") + " of " + std::to_string(tasks_.size()) + " simulated"; });
    } catch (...) {
      const std::lock_guard guard(mutex_);
      error_ = std::current_exception();
      next_ = tasks_.size();
    }
  }
}

void Finder::simulate_all() {
  // The longest first, so that all threads end at about the same time.
  order_.resize(tasks_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(order_, std::greater<>(), [this](std::size_t task) { return tasks_[task].job.work; });
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
  times_.costs.assign(gpus_.size(), std::vector<KernelCost>(kernels));
  std::ranges::transform(gpus_, std::back_inserter(times_.peaks), mfu_peak, &Gpu::arch);
  is_worth_ = worth_simulating(binding_.application());
  for (std::uint32_t i = 0; i < binding_.gpus().size(); ++i) {
    const std::uint32_t row = rows_.at(binding_.gpu(i).arch);
    const arch::Arch& arch = gpus_[row].arch;
    const arch::Peak dram = *arch::find_peak(arch::computed_peaks(arch), "dram");
    times_.gpus.push_back({static_cast<double>(arch.sm.count),
                           static_cast<double>(arch.launch.kernel_ns + arch.launch.memory_ns), dram.value / kGiga, row,
                           memory::offer_of(arch, binding_.gpus().size())});
  }
  for (std::uint32_t row = 0; row < gpus_.size(); ++row) {
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
  carry_all();
  times_.database_problem = database_.problem();
  return std::move(times_);
}

}  // namespace

trace::Trace read_kernel_trace(const std::filesystem::path& folder, const application::Simulated& how) {
  return cli::read_trace(cli::name_beside(folder, how.trace, cli::trace_files()), texts_of(how.params), false, {});
}

trace::Trace read_library_trace(const application::Simulated& how) {
  return cli::read_shipped_trace(how.trace, texts_of(how.params));
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
