// SPDX-License-Identifier: MIT
#include "tests/support/same_kernel.h"

#include <array>
#include <tuple>

#include "sim/model/trace/box.h"
#include "sim/model/trace/walker.h"

namespace gpusim::testing {
namespace {

auto fields(const isa::Instr& i) {
  return std::tuple(i.kind, i.timing, i.space, i.flop_class, i.bytes_per_lane, i.matrices, i.known_opcode,
                    i.has_control, i.bypass_l1, i.no_allocate, i.eviction, i.atomic_type, i.guard_negated, i.guarded,
                    i.barrier_waits, i.barrier_id, i.depbar_counter, i.depbar_limit, i.barrier_threads, i.sleep_ns,
                    i.flops, i.guard, i.destinations, i.sources, i.wgmma, i.control, i.of_cluster);
}

auto fields(const trace::Kernel& k) {
  return std::tuple(k.name, k.grid, k.block, k.registers_per_thread, k.shared_static_bytes, k.shared_dynamic_bytes,
                    k.barriers, k.local.base, k.local.bytes, k.stream, k.binary_version, k.edges, k.control_recorded);
}

/// A copy: what a walker gives is valid until the next one is asked.
std::array<Address, kWarpLanes> addresses_of(trace::Walker& walker, trace::AccessSlot slot) {
  const trace::LaneAddresses given = walker.addresses(slot);
  std::array<Address, kWarpLanes> addresses{};
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    addresses[lane] = given.base + static_cast<Address>(given.offsets[lane]);
  }
  return addresses;
}

std::string lanes_differ(trace::Walker& a, trace::Walker& b, trace::AccessSlot slot, LaneMask mask) {
  const std::array<Address, kWarpLanes> of_a = addresses_of(a, slot);
  const std::array<Address, kWarpLanes> of_b = addresses_of(b, slot);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if ((mask >> lane & 1U) != 0 && of_a[lane] != of_b[lane]) {
      return " lane " + std::to_string(lane) + ": " + std::to_string(of_a[lane]) + " and " + std::to_string(of_b[lane]);
    }
  }
  return "";
}

/// What two copies move in global memory is the same, row by row.
bool copies_differ(const trace::AsyncOperands& a, const trace::AsyncOperands& b) {
  trace::BoxRows of_a(a);
  trace::BoxRows of_b(b);
  for (; !of_a.done() && !of_b.done(); of_a.advance(), of_b.advance()) {
    if (of_a.row().begin != of_b.row().begin || of_a.row().bytes != of_b.row().bytes) {
      return true;
    }
  }
  return of_a.done() != of_b.done();
}

std::string commands_differ(trace::Walker& a, trace::Walker& b) {
  const trace::AsyncOperands of_a = a.async_operands();
  const trace::AsyncOperands of_b = b.async_operands();
  const auto fields = [](const trace::AsyncOperands& o) {
    return std::tuple(o.action, o.parity, o.barrier, o.count, o.bytes, o.multicast);
  };
  const bool differ = fields(of_a) != fields(of_b) || (trace::is_copy(of_a.action) && copies_differ(of_a, of_b));
  return differ ? " asks for something else" : "";
}

std::string warps_differ(const trace::Kernel& k, trace::Walker& a, trace::Walker& b, bool sees_active) {
  for (std::uint64_t number = 0;; ++number) {
    trace::Step of_a;
    trace::Step of_b;
    const bool goes_on = a.next(of_a);
    if (goes_on != b.next(of_b)) {
      return " step " + std::to_string(number) + ": one ends";
    }
    if (!goes_on) {
      return "";
    }
    if (of_a.pc != of_b.pc || of_a.mask != of_b.mask || (sees_active && of_a.active != of_b.active)) {
      return " step " + std::to_string(number) + ": " + k.texts[of_a.pc].text;
    }
    const isa::Instr& instr = k.code[of_a.pc];
    if (sees_active && of_a.mask != 0 && trace::has_command(instr)) {
      if (const std::string what = commands_differ(a, b); !what.empty()) {
        return " step " + std::to_string(number) + ": " + k.texts[of_a.pc].text + what;
      }
    }
    const bool names_rank =
        instr.space == isa::MemSpace::kClusterShared || (instr.of_cluster && instr.kind == isa::OpKind::kMbarrier);
    if (of_a.mask != 0 && names_rank && a.target_rank() != b.target_rank()) {
      return " step " + std::to_string(number) + ": " + k.texts[of_a.pc].text + " names another CTA";
    }
    if (instr.is_memory() && of_a.mask != 0) {
      std::string lanes = lanes_differ(a, b, trace::AccessSlot::kPrimary, of_a.mask);
      if (lanes.empty() && instr.kind == isa::OpKind::kAsyncCopy) {
        lanes = lanes_differ(a, b, trace::AccessSlot::kSharedDestination, of_a.mask);
      }
      if (!lanes.empty()) {
        return " step " + std::to_string(number) + ": " + k.texts[of_a.pc].text + lanes;
      }
    }
  }
}

}  // namespace

std::string difference(const trace::Kernel& a, const trace::Kernel& b) {
  if (fields(a) != fields(b)) {
    return "the kernels' sizes, resources or edges";
  }
  if (a.code.size() != b.code.size()) {
    return "the number of instructions";
  }
  for (std::size_t i = 0; i < a.code.size(); ++i) {
    const isa::InstrText& x = a.texts[i];
    const isa::InstrText& y = b.texts[i];
    if (std::tie(x.opcode, x.text, x.line, x.pc) != std::tie(y.opcode, y.text, y.line, y.pc)) {
      return "the text of instruction " + std::to_string(i) + ": '" + x.text + "' and '" + y.text + "'";
    }
    if (fields(a.code[i]) != fields(b.code[i])) {
      return "instruction " + std::to_string(i) + ": " + x.text;
    }
  }
  return "";
}

std::string behaviour_difference(const trace::Kernel& a, const trace::Kernel& b, bool sees_active) {
  for (std::uint64_t cta = 0; cta < a.ctas(); ++cta) {
    for (std::uint32_t warp = 0; warp < a.warps_per_cta(); ++warp) {
      trace::Walker of_a(a, trace::cta_at(cta, a.grid), warp);
      trace::Walker of_b(b, trace::cta_at(cta, b.grid), warp);
      if (std::string where = warps_differ(a, of_a, of_b, sees_active); !where.empty()) {
        return "CTA " + std::to_string(cta) + " warp " + std::to_string(warp) + where;
      }
    }
  }
  return "";
}

}  // namespace gpusim::testing
