// SPDX-License-Identifier: MIT
#include "sim/model/arch/validate.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/validator.h"
#include "sim/model/arch/value.h"

namespace gpusim::arch {

namespace {

/// The value as a file would say it.
std::string text_of(const Named& named) {
  const bool bytes = schema()[*find_key(named.key)].unit == Unit::kBytes;
  return bytes ? format_number(Unit::kBytes, named.value) : std::to_string(named.value);
}

}  // namespace

bool Validator::is_readable(std::string_view key) const {
  const std::size_t index = *find_key(key);
  const Entry* const entry = sheet_.find(index);
  // A timing in nanoseconds became clocks of the command clock.
  return entry != nullptr && !entry->unreadable &&
         (schema()[index].unit != Unit::kTiming || is_readable("dram.command_hz"));
}

bool Validator::knows(Rule keys) const {
  return std::ranges::all_of(keys, [this](std::string_view key) { return is_readable(key); });
}

/// Where the user most likely changed something: an option, else the file itself, else what it extends.
SourceLocation Validator::place(Rule keys) const {
  const auto nearness = [this](std::string_view key) {
    const std::string& file = sheet_.find(key)->where.file;
    return file.starts_with(kSetSource) ? 2 : file == sheet_.file ? 1 : 0;
  };
  return sheet_.find(*std::ranges::max_element(keys, {}, nearness))->where;
}

void Validator::add(Rule keys, std::string message, std::string hint) {
  problems_.add({place(keys), "'" + std::string(*keys.begin()) + "' " + std::move(message), std::move(hint)});
}

void Validator::divides(const Named& part, const Named& whole) {
  if (knows({whole.key, part.key}) && whole.value % part.value != 0) {
    add({whole.key, part.key},
        "is " + text_of(whole) + ", not a multiple of '" + std::string(part.key) + "', " + text_of(part));
  }
}

void Validator::at_most(const Named& small, const Named& large) {
  if (knows({small.key, large.key}) && small.value > large.value) {
    add({small.key, large.key}, "is " + text_of(small) + ", above '" + std::string(large.key) + "', " + text_of(large));
  }
}

void Validator::power_of_two(const Named& named) {
  if (knows({named.key}) && !std::has_single_bit(named.value)) {
    add({named.key}, "is not a power of two");
  }
}

void Validator::needed_with_clusters(const Named& named) {
  const Entry* const entry = sheet_.find(*find_key(named.key));
  if (entry == nullptr) {
    add({"sm.limits.ctas_per_cluster"}, "is above 0, but '" + std::string(named.key) + "' is missing",
        "a GPU with clusters needs it");
  }
}

void Validator::whole_sets(Rule keys, std::uint64_t bytes, std::uint64_t set_bytes) {
  if (bytes == 0 || bytes % set_bytes != 0) {
    add(keys, "leaves a cache of " + with_binary_prefix(bytes) + ", which is not a whole number of sets of " +
                  with_binary_prefix(set_bytes));
  }
}

void Validator::few_in_all(const Named& places, const Named& owners) {
  // A simulated place costs the host some 30 to 140 bytes from the beginning, used or not.
  constexpr std::uint64_t kMost = 2U << 20U;
  if (knows({places.key, owners.key}) && places.value * owners.value > kMost) {
    add({places.key, owners.key},
        "is " + std::to_string(places.value) + " for each of '" + std::string(owners.key) + "', " +
            std::to_string(owners.value) + ": more than " + with_thousands(kMost) + " in all",
        "each takes the host's memory, used or not");
  }
}

/// Whether `text` has a date such as 2026-01-31 in it.
bool has_date(std::string_view text) {
  static constexpr std::string_view kForm = "dddd-dd-dd";
  const auto fits = [](char c, char form) { return form == 'd' ? c >= '0' && c <= '9' : c == form; };
  return std::search(text.begin(), text.end(), kForm.begin(), kForm.end(), fits) != text.end();
}

bool Validator::has_dated_source(const Entry& entry) const {
  return std::ranges::any_of(entry.sources, [this](const std::string& source) {
    const auto citation = sheet_.sources.find(source);
    return has_date(citation == sheet_.sources.end() ? source : citation->second);
  });
}

void Validator::check_given() {
  static constexpr const char* kHow = "write [2.5, given, \"who asks that, 2026-01-31\"], or --set it";
  for (std::size_t i = 0; i < schema().size(); ++i) {
    const Entry* const entry = sheet_.find(i);
    const Key& key = schema()[i];
    if (entry == nullptr || entry->kind == SourceKind::kSet) {
      continue;
    }
    const bool is_given = entry->kind == SourceKind::kGiven;
    if (is_given && !key.is_given) {
      add({key.path}, "is of kind 'given', which is for what a user states, such as price.usd_per_hour");
    } else if (key.is_given && !is_given) {
      add({key.path}, "is not of kind 'given'", kHow);
    } else if (is_given && !has_dated_source(*entry)) {
      add({key.path}, "has no date in its source", kHow);
    }
  }
}

void Validator::check_sm() {
  const SmConfig& sm = arch_.sm;
  divides({"sm.sub_cores", sm.sub_cores}, {"sm.limits.warps_per_sm", sm.limits.warps_per_sm});
  divides({"sm.sub_cores", sm.sub_cores}, {"sm.limits.registers_per_sm", sm.limits.registers_per_sm});
  check_warps();
  at_most({"sm.limits.registers_per_cta", sm.limits.registers_per_cta},
          {"sm.limits.registers_per_sm", sm.limits.registers_per_sm});
  if (knows({"sm.lsu.lanes"}) && kWarpLanes % sm.lsu.lanes != 0) {
    add({"sm.lsu.lanes"}, "is " + std::to_string(sm.lsu.lanes) + ", which does not divide a warp's 32 lanes");
  }
  at_most({"sm.lsu.address_latency", sm.lsu.address_latency}, {"sm.l1.hit_latency", sm.l1.hit_latency});
  at_most({"sm.lsu.address_latency", sm.lsu.address_latency}, {"sm.shared.latency", sm.shared.latency});
}

void Validator::check_warps() {
  const SmConfig& sm = arch_.sm;
  // The SM's bit masks have 64 warps, a sub-core's 32.
  constexpr std::uint32_t kMostWarpsPerSubCore = 32;
  const Rule spread{"sm.limits.warps_per_sm", "sm.sub_cores"};
  if (knows(spread) && sm.limits.warps_per_sm > sm.sub_cores * kMostWarpsPerSubCore) {
    add(spread, "is " + std::to_string(sm.limits.warps_per_sm) + ", more than " + std::to_string(kMostWarpsPerSubCore) +
                    " for each of 'sm.sub_cores', " + std::to_string(sm.sub_cores));
  }
  const Rule resident{"sm.limits.threads_per_cta", "sm.limits.warps_per_sm"};
  if (knows(resident) && sm.limits.threads_per_cta > sm.limits.warps_per_sm * kWarpLanes) {
    add(resident, "is " + std::to_string(sm.limits.threads_per_cta) + ", more than a SM's " +
                      std::to_string(sm.limits.warps_per_sm) + " warps hold");
  }
}

void Validator::check_front_end() {
  constexpr std::uint64_t kConstantLine = 64;
  const FrontEndConfig& front_end = arch_.sm.front_end;
  const ConstantConfig& constant = arch_.sm.constant;
  const auto sets = [this](Rule keys, std::uint64_t bytes, std::uint64_t set_bytes) {
    if (knows(keys)) {
      whole_sets(keys, bytes, set_bytes);
    }
  };
  sets({"sm.front_end.l0_bytes", "sm.front_end.l0_ways"}, front_end.l0_bytes,
       std::uint64_t{front_end.l0_ways} * kLineBytes);
  sets({"sm.front_end.l1_bytes", "sm.front_end.l1_ways"}, front_end.l1_bytes,
       std::uint64_t{front_end.l1_ways} * kLineBytes);
  sets({"sm.constant.l0_bytes", "sm.constant.l0_ways"}, constant.l0_bytes, constant.l0_ways * kConstantLine);
  sets({"sm.constant.l1_bytes", "sm.constant.l1_ways"}, constant.l1_bytes, constant.l1_ways * kConstantLine);
}

void Validator::check_shared_memory() {
  const SharedMemoryConfig& shared = arch_.sm.shared;
  at_most({"sm.shared.max_per_cta_default", shared.max_per_cta_default}, {"sm.shared.max_per_cta", shared.max_per_cta});
  check_carveouts();
  power_of_two({"sm.l1.tag_lines_per_cycle", arch_.sm.l1.tag_lines_per_cycle});
  const Rule fit{"sm.shared.max_per_cta", "sm.shared.reserved_per_cta", "sm.shared.carveouts"};
  if (knows(fit) && shared.max_per_cta + shared.reserved_per_cta > shared.carveouts.back()) {
    add(fit, "and 'sm.shared.reserved_per_cta' exceed the largest carve-out, " +
                 with_binary_prefix(shared.carveouts.back()));
  }
}

void Validator::check_carveouts() {
  const SmConfig& sm = arch_.sm;
  const Rule split{"sm.shared.carveouts", "sm.l1.unified_bytes"};
  const Rule sets{"sm.shared.carveouts", "sm.l1.unified_bytes", "sm.l1.reserved_bytes", "sm.l1.ways"};
  if (!knows(split)) {
    return;
  }
  for (const std::uint64_t carveout : sm.shared.carveouts) {
    if (carveout + sm.l1.reserved_bytes >= sm.l1.unified_bytes) {
      add(split, "has " + with_binary_prefix(carveout) + ", which leaves nothing of 'sm.l1.unified_bytes', " +
                     with_binary_prefix(sm.l1.unified_bytes));
    } else if (knows(sets)) {
      whole_sets(sets, sm.l1.unified_bytes - carveout - sm.l1.reserved_bytes, std::uint64_t{sm.l1.ways} * kLineBytes);
    }
  }
}

void Validator::check_noc() {
  // A cluster's CTAs run in one GPC, in the worst case one per SM.
  at_most({"sm.limits.ctas_per_cluster", arch_.sm.limits.ctas_per_cluster},
          {"noc.max_sms_per_gpc", arch_.noc.max_sms_per_gpc});
  if (is_readable("sm.limits.ctas_per_cluster") && arch_.sm.limits.ctas_per_cluster > 0) {
    needed_with_clusters({"noc.cluster_barrier_latency", arch_.noc.cluster_barrier_latency});
    needed_with_clusters({"noc.dsmem_latency", arch_.noc.dsmem_latency});
    needed_with_clusters({"noc.dsmem_bytes_per_cycle", arch_.noc.dsmem_bytes_per_cycle});
  }
  at_most({"noc.gpcs", arch_.noc.gpcs}, {"sm.count", arch_.sm.count});
  const std::uint64_t room = std::uint64_t{arch_.noc.gpcs} * arch_.noc.max_sms_per_gpc;
  const Rule rule{"sm.count", "noc.gpcs", "noc.max_sms_per_gpc"};
  if (knows(rule) && arch_.sm.count > room) {
    add(rule,
        "is " + std::to_string(arch_.sm.count) + ", more than 'noc.gpcs' x 'noc.max_sms_per_gpc', " +
            std::to_string(room),
        "change 'noc.gpcs' too");
  }
}

void Validator::check_tlb() {
  const TlbConfig& tlb = arch_.tlb;
  power_of_two({"tlb.page_bytes", tlb.page_bytes});
  power_of_two({"tlb.l1.pages", tlb.l1.pages});
  power_of_two({"tlb.l2.pages", tlb.l2.pages});
  power_of_two({"tlb.l3.pages", tlb.l3.pages});
  divides({"tlb.l1.ways", tlb.l1.ways}, {"tlb.l1.entries", tlb.l1.entries});
  divides({"tlb.l2.ways", tlb.l2.ways}, {"tlb.l2.entries", tlb.l2.entries});
  divides({"tlb.l3.ways", tlb.l3.ways}, {"tlb.l3.entries", tlb.l3.entries});
  // What an entry says comes from one entry of the level behind it.
  at_most({"tlb.l1.pages", tlb.l1.pages}, {"tlb.l2.pages", tlb.l2.pages});
  at_most({"tlb.l2.pages", tlb.l2.pages}, {"tlb.l3.pages", tlb.l3.pages});
}

void Validator::check_l2() {
  const L2Config& l2 = arch_.l2;
  divides({"l2.halves", l2.halves}, {"l2.partitions", l2.partitions});
  divides({"l2.partitions", l2.partitions}, {"l2.slices", l2.slices});
  divides({"l2.slices", l2.slices}, {"l2.bytes", l2.bytes});
  const Rule sets{"l2.bytes", "l2.slices", "l2.ways"};
  if (knows(sets) && l2.bytes % l2.slices == 0) {
    whole_sets(sets, l2.bytes / l2.slices, std::uint64_t{l2.ways} * kLineBytes);
  }
  if (!std::has_single_bit(l2.fill_bytes)) {
    add({"l2.fill_bytes"}, "is not 32, 64 or 128");
  }
  if (knows({"l2.interleave_bytes"}) && l2.interleave_bytes % kLineBytes != 0) {
    add({"l2.interleave_bytes"}, "is not a multiple of a line's 128 bytes");
  }
  if (knows({"l2.slice_share_bytes"}) && !std::has_single_bit(l2.slice_share_bytes)) {
    add({"l2.slice_share_bytes"}, "is not a power of two");
  }
  if (knows({"l2.slice_share_bytes", "l2.interleave_bytes"}) && l2.interleave_bytes % l2.slice_share_bytes != 0) {
    add({"l2.slice_share_bytes"}, "does not divide l2.interleave_bytes");
  }
}

void Validator::check_size() {
  few_in_all({"sm.l1.mshrs", arch_.sm.l1.mshrs}, {"sm.count", arch_.sm.count});
  few_in_all({"l2.mshrs", arch_.l2.mshrs}, {"l2.slices", arch_.l2.slices});
  few_in_all({"dram.queue_entries", arch_.dram.queue_entries}, {"dram.channels", arch_.dram.channels});
}

void validate(const Arch& arch, const Sheet& sheet, ProblemList& problems) {
  Validator validator(arch, sheet, problems);
  validator.check_sm();
  validator.check_front_end();
  validator.check_shared_memory();
  validator.check_noc();
  validator.check_tlb();
  validator.check_l2();
  validator.check_dram();
  validator.check_dram_timing();
  validator.check_pin_rate();
  validator.check_size();
  validator.check_given();
}

}  // namespace gpusim::arch
