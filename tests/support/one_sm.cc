// SPDX-License-Identifier: MIT
#include "tests/support/one_sm.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "sim/machine/engine/engine.h"
#include "sim/machine/lower/kernel_image.h"
#include "sim/machine/mem/map/address_map.h"
#include "sim/machine/sm/per_worker.h"
#include "sim/machine/sm/sm.h"
#include "sim/model/arch/loader.h"
#include "sim/model/isa/decode.h"
#include "sim/model/trace/recorded.h"
#include "sim/model/trace/walker.h"

namespace gpusim::test {
namespace {

constexpr msg::DomainId kSm = 0;
constexpr msg::DomainId kMemory = 1;
constexpr msg::DomainId kDispatcher = 2;
constexpr msg::DomainId kObserver = 3;

/// Router, L2 and DRAM in one: every request is answered `latency` cycles after it arrives, every credit returned at
/// once. Each CTA is a cluster of its own, whose barrier opens `latency` after it has arrived.
class FixedLatencyMemory final : public engine::Domain {
 public:
  explicit FixedLatencyMemory(Cycle latency) : Domain(kMemory), latency_(latency) {}
  void run_until(Cycle end) override {
    for (Cycle now = next_message(); now < end; now = next_message()) {
      receive(now, [this, now](const msg::Message& request) { answer(request, now); });
    }
  }
  [[nodiscard]] Cycle next_event() const override { return next_message(); }

 private:
  void answer(const msg::Message& request, Cycle now) {
    if (msg::is_of_cluster(request.kind())) {
      if (request.kind() == msg::Kind::kClusterArrive) {
        send(kSm, now + latency_, request.as_kind(msg::Kind::kClusterRelease));
      }
      return;
    }
    send(kSm, now + latency_, msg::make(msg::Kind::kSmCredit, msg::SmCredit{1}));
    send(kSm, now + latency_, request.as_kind(msg::answer_to(request.kind())));
  }
  Cycle latency_;
};

/// Has the CTAs delivered at a steady pace and counts those that come back.
class SteadyDispatcher final : public engine::Domain {
 public:
  SteadyDispatcher(std::uint32_t ctas, Cycle interval, sm::Sm& sm) : Domain(kDispatcher), ctas_(ctas) {
    for (std::uint32_t cta = 0; cta < ctas; ++cta) {
      msg::Message launch = msg::make(msg::Kind::kCtaLaunch, msg::CtaLaunch{cta});
      launch.source = kDispatcher;
      launch.time = cta * interval;
      sm.deliver(launch);
    }
  }
  void run_until(Cycle end) override {
    for (Cycle now = next_message(); now < end; now = next_message()) {
      receive(now, [this](const msg::Message&) { ++done_; });
    }
  }
  [[nodiscard]] Cycle next_event() const override { return next_message(); }
  [[nodiscard]] bool finished() const { return done_ == ctas_; }

 private:
  std::uint32_t ctas_;
  std::uint32_t done_ = 0;
};

/// Looks at the SM after every cycle; the engine runs it after the SM in windows of one cycle.
class EveryCycle final : public engine::Domain {
 public:
  using Look = std::function<void(Cycle)>;
  EveryCycle(const SteadyDispatcher& dispatcher, Look look)
      : Domain(kObserver), dispatcher_(dispatcher), look_(std::move(look)) {}
  void run_until(Cycle end) override {
    for (; next_ < end; ++next_) {
      look_(next_);
    }
  }
  [[nodiscard]] Cycle next_event() const override { return dispatcher_.finished() ? kNever : next_; }

 private:
  const SteadyDispatcher& dispatcher_;
  Look look_;
  Cycle next_ = 0;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : text + separator) {
    if (c == separator) {
      const auto first = part.find_first_not_of(' ');
      const auto last = part.find_last_not_of(' ');
      if (first != std::string::npos) {
        parts.push_back(part.substr(first, last - first + 1));
      }
      part.clear();
    } else {
      part += c;
    }
  }
  return parts;
}

isa::Instr parse_line(const std::string& line, bool& has_control) {
  std::string rest = line;
  isa::ControlBits control;
  has_control = rest.front() == '[';
  if (has_control) {
    const auto end = rest.find(']');
    const auto parsed = isa::parse_control_bits(rest.substr(0, end + 1));
    if (!parsed) {
      throw std::invalid_argument("control bits of: " + line);
    }
    control = *parsed;
    rest = rest.substr(rest.find_first_not_of(' ', end + 1));
  }
  const auto space = rest.find(' ');
  const std::string opcode = rest.substr(0, space);
  isa::Instr instr = isa::decode_opcode(opcode);
  const std::vector<std::string> operands =
      space == std::string::npos ? std::vector<std::string>{} : split(rest.substr(space), ',');
  const std::vector<std::string_view> views(operands.begin(), operands.end());
  if (const auto error = isa::assign_operands(opcode, "", views, instr)) {
    throw std::invalid_argument(*error + ": " + line);
  }
  instr.control = control;
  instr.has_control = has_control;
  return instr;
}

}  // namespace

std::vector<Cycle> OneSmRun::issues(std::uint32_t slot) const {
  std::vector<Cycle> cycles;
  for (const stats::WatchInterval& interval : intervals) {
    if (interval.warp_slot == slot && interval.state == stats::Stall::kSelected) {
      cycles.push_back(interval.begin);
    }
  }
  return cycles;
}

std::uint64_t OneSmRun::cycles(std::uint32_t slot, stats::Stall state) const {
  std::uint64_t sum = 0;
  for (const stats::WatchInterval& interval : intervals) {
    sum += interval.warp_slot == slot && interval.state == state ? interval.end - interval.begin : 0;
  }
  return sum;
}

trace::Kernel kernel_of(const OneSmSetup& setup, const std::vector<std::string>& listing) {
  trace::Kernel kernel;
  kernel.name = "listing";
  kernel.grid = {setup.ctas, 1, 1};
  kernel.block = {setup.threads_per_cta, 1, 1};
  kernel.control_recorded = true;
  for (std::size_t i = 0; i < listing.size(); ++i) {
    bool has_control = false;
    kernel.code.push_back(parse_line(listing[i], has_control));
    kernel.control_recorded = kernel.control_recorded && has_control;
    kernel.texts.push_back({listing[i], listing[i], static_cast<std::uint32_t>(i + 1), 16 * i});
    kernel.edges.push_back(
        {static_cast<std::uint32_t>(i), i + 1 < listing.size() ? static_cast<std::uint32_t>(i + 1) : trace::kExitNode});
  }
  trace::RecordingBuilder builder(kernel.code, kernel.grid, kernel.warps_per_cta());
  std::array<Address, kWarpLanes> addresses{};
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    addresses[lane] = 0x10000 + Address{lane} * setup.stride_bytes;
  }
  std::vector<std::uint32_t> every_line(kernel.code.size());
  std::iota(every_line.begin(), every_line.end(), 0U);
  for (std::uint32_t cta = 0; cta < setup.ctas; ++cta) {
    for (std::uint32_t warp = 0; warp < kernel.warps_per_cta(); ++warp) {
      builder.begin_warp(cta, warp);
      for (const std::uint32_t pc : setup.path ? setup.path(cta, warp) : every_line) {
        builder.step(pc, kAllLanes, kAllLanes);
        if (kernel.code[pc].is_memory()) {
          builder.access(trace::AccessSlot::kPrimary, addresses, kAllLanes);
        }
        if (kernel.code[pc].kind == isa::OpKind::kAsyncCopy) {
          builder.access(trace::AccessSlot::kSharedDestination, addresses, kAllLanes);
        }
      }
      builder.end_warp();
    }
  }
  kernel.behaviour = std::make_shared<trace::Behaviour>(builder.finish());
  return kernel;
}

OneSmRun run_listing(const OneSmSetup& setup, const std::vector<std::string>& listing) {
  return run_kernel(setup, kernel_of(setup, listing));
}

OneSmRun run_kernel(const OneSmSetup& setup, const trace::Kernel& kernel) {
  const lower::KernelImage image = lower::make_image(kernel, setup.arch);
  const mem::map::AddressMap map(setup.arch.l2, setup.arch.dram.channels);
  sm::Workers workers(1);
  workers[0].profile.resize(kernel.code.size());
  sm::Watch watch;
  constexpr std::uint64_t kL1Bytes = 128 * 1024;
  constexpr std::uint32_t kCredits = 64;
  sm::Sm sm(kSm, setup.arch, {{0, 0, kCredits, &map}, kMemory, kDispatcher},
            {&image, setup.ctas, kL1Bytes, &workers, &watch, setup.warm_code});
  FixedLatencyMemory memory(setup.memory_latency);
  SteadyDispatcher dispatcher(setup.ctas, setup.cta_interval, sm);
  EveryCycle observer(dispatcher, [&](Cycle now) { setup.observe(sm, image, now); });
  std::vector<engine::Domain*> domains{&sm, &memory, &dispatcher};
  Cycle window = 8 / setup.window_divisor;
  if (setup.observe) {
    domains.push_back(&observer);
    window = 1;
  }
  engine::Engine engine(domains, {window, 1, false});
  engine.run(1'000'000, {});
  std::stable_sort(watch.intervals.begin(), watch.intervals.end(), [](const auto& a, const auto& b) {
    return std::tie(a.warp_slot, a.begin) < std::tie(b.warp_slot, b.begin);
  });
  stats::CounterBlocks counted;
  sm.add_to(counted, {sm.last_drained(), sm.last_drained()});
  return {watch.intervals, workers[0].profile, counted, sm.last_drained(), dispatcher.finished()};
}

arch::Arch shipped_arch(const std::string& name) {
  arch::Arch arch = arch::load_arch(std::string(GPUSIM_SOURCE_DIR) + "/configs/" + name + ".yaml", {});
  arch.sm.front_end.model = gpusim::arch::FrontEndModel::kIdeal;
  arch.sm.constant.model = gpusim::arch::ConstantModel::kIdeal;
  arch.sm.register_file.model = gpusim::arch::RegisterFileModel::kIdeal;
  return arch;
}

}  // namespace gpusim::test
