// SPDX-License-Identifier: MIT
#include "sim/model/arch/derive.h"

#include <algorithm>
#include <utility>

#include "sim/base/units.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

namespace gpusim::arch {
namespace {

__extension__ using Wide = unsigned __int128;

/// The value of a whole-number key; nothing when it is absent or wrong (which binding reports).
std::optional<std::uint64_t> number_of(const Sheet& sheet, std::string_view path) {
  const Entry* entry = sheet.find(path);
  if (entry == nullptr) {
    return std::nullopt;
  }
  const ParsedValue parsed = parse_value(schema()[*find_key(path)], entry->text);
  const bool whole = parsed.error.empty() && parsed.value.number.denominator == 1 && parsed.value.word != "ns";
  return whole ? std::optional(parsed.value.number.numerator) : std::nullopt;
}

bool is_same_value(const Key& key, const std::string& a, const std::string& b) {
  const auto [first, first_error, first_hint] = parse_value(key, a);
  const auto [second, second_error, second_hint] = parse_value(key, b);
  const bool word_is_unit = key.unit != Unit::kText && key.unit != Unit::kTiming && key.unit != Unit::kPeak;
  return first_error.empty() && second_error.empty() && first.number == second.number && first.list == second.list &&
         (word_is_unit || first.word == second.word);
}

/// People say MHz, even where the number is not a whole one.
std::string derived_value(Unit unit, std::uint64_t number) {
  if (unit != Unit::kHertz || number < kMega || number % kMega == 0) {
    return format_number(unit, number);
  }
  const std::string decimals = std::to_string(kMega + number % kMega).substr(1);
  return std::to_string(number / kMega) + "." + decimals.substr(0, decimals.find_last_not_of('0') + 1) + " MHz";
}

}  // namespace

bool is_derived_key(std::string_view key) {
  return key == "dram.bandwidth";
}

void put_changed(Sheet& sheet, std::size_t index, Entry entry) {
  const Entry* const had = sheet.find(index);
  if (had == nullptr || !is_same_value(schema()[index], had->text, entry.text)) {
    sheet.put(index, std::move(entry));
  }
}

Derivation::Derivation(const Sheet& sheet, SourceKind kind)
    : kind_(kind),
      old_count_(number_of(sheet, "sm.count")),
      old_most_(number_of(sheet, "noc.max_sms_per_gpc")),
      old_stacks_(number_of(sheet, "dram.stacks")),
      old_memory_(number_of(sheet, "clocks.memory")) {}

bool Derivation::give(const std::string& key, Given given) {
  return given_.emplace(key, std::move(given)).second;
}

void Derivation::put(Sheet& sheet, std::string_view path, std::uint64_t number, std::string_view cause) const {
  if (was_given(path)) {
    return;
  }
  const std::size_t index = *find_key(path);
  const Given& given = given_.find(cause)->second;
  put_changed(sheet, index, {derived_value(schema()[index].unit, number), kind_, {given.why}, given.where});
}

void Derivation::follow_stacks(Sheet& sheet, ProblemList& problems) const {
  const std::optional<std::uint64_t> stacks = number_of(sheet, "dram.stacks");
  if (!stacks || !old_stacks_ || *stacks == *old_stacks_) {
    return;
  }
  for (const std::string_view path :
       {"dram.channels", "dram.capacity_bytes", "l2.partitions", "l2.slices", "l2.bytes"}) {
    const std::optional<std::uint64_t> old = number_of(sheet, path);
    if (!old || was_given(path)) {
      continue;
    }
    const Wide scaled = Wide{*old} * *stacks;
    if (scaled % *old_stacks_ != 0) {
      problems.add(
          {given_.find("dram.stacks")->second.where,
           "'" + std::string(path) + "' has no whole share for each of " + std::to_string(*old_stacks_) + " stacks",
           "set '" + std::string(path) + "' too"});
      continue;
    }
    put(sheet, path, static_cast<std::uint64_t>(scaled / *old_stacks_), "dram.stacks");
  }
}

void Derivation::follow_count(Sheet& sheet) const {
  const std::optional<std::uint64_t> count = number_of(sheet, "sm.count");
  const std::optional<std::uint64_t> most = number_of(sheet, "noc.max_sms_per_gpc");
  if (count && most && (count != old_count_ || most != old_most_)) {
    put(sheet, "noc.gpcs", (*count + *most - 1) / *most, "sm.count");
  }
}

void Derivation::follow_memory_clock(Sheet& sheet) const {
  const std::optional<std::uint64_t> memory = number_of(sheet, "clocks.memory");
  const std::optional<std::uint64_t> command = number_of(sheet, "dram.command_hz");
  if (memory && old_memory_ && command && *memory != *old_memory_) {
    const Wide scaled = (Wide{*command} * *memory + *old_memory_ / 2) / *old_memory_;
    put(sheet, "dram.command_hz", static_cast<std::uint64_t>(scaled), "clocks.memory");
  }
}

/// Whether a clock was given beside the bandwidth that it follows from. The clocks then are of neither, and no rule may
/// find more fault with them.
bool Derivation::refuse_contradiction(Sheet& sheet, ProblemList& problems) const {
  constexpr std::array<std::string_view, 2> kClocks{"clocks.memory", "dram.command_hz"};
  const auto* const rival = std::ranges::find_if(kClocks, [this](std::string_view key) { return was_given(key); });
  if (rival == kClocks.end()) {
    return false;
  }
  const Given& given = given_.find("dram.bandwidth")->second;
  const std::string own = given.where.line == 0 ? "" : given.name + " ";  // the place of an option names it
  problems.add({given.where, own + "contradicts " + given_.find(*rival)->second.name, "give one of the two"});
  for (const std::string_view clock : kClocks) {
    if (sheet.find(clock) != nullptr) {
      sheet.mark_unreadable(*find_key(clock));
    }
  }
  return true;
}

void Derivation::follow_bandwidth(Sheet& sheet, ProblemList& problems) const {
  const Given& given = given_.find("dram.bandwidth")->second;
  const ParsedValue wanted = parse_bandwidth(given.text);
  if (!wanted.error.empty()) {
    problems.add({given.where, wanted.error, wanted.hint});
    return;
  }
  if (refuse_contradiction(sheet, problems)) {
    return;
  }
  const auto channels = number_of(sheet, "dram.channels");
  const auto burst = number_of(sheet, "dram.burst_bytes");
  const auto gap = number_of(sheet, "dram.timing.CCDS");
  const auto command = number_of(sheet, "dram.command_hz");
  const auto memory = number_of(sheet, "clocks.memory");
  if (!channels || !burst || !gap || !command || !memory) {
    problems.add({given.where, "needs the DRAM's structure, with 'dram.timing.CCDS' in clocks", ""});
    return;
  }
  // Peak = channels x burst x command clock / CCDS, solved for the clock and rounded to the nearest hertz.
  const Wide per_clock = Wide{*channels} * *burst;
  const Wide scaled = (Wide{wanted.value.number.numerator} * *gap + per_clock / 2) / per_clock;
  const Wide data = (Wide{*memory} * scaled + *command / 2) / *command;
  const std::uint64_t most = schema()[*find_key("clocks.memory")].max;
  if (scaled == 0 || scaled > most || data > most) {
    problems.add({given.where, in_quotes(given.text) + " needs an impossible clock", ""});
    return;
  }
  put(sheet, "dram.command_hz", static_cast<std::uint64_t>(scaled), "dram.bandwidth");
  put(sheet, "clocks.memory", static_cast<std::uint64_t>(data), "dram.bandwidth");
}

void Derivation::follow(Sheet& sheet, ProblemList& problems) const {
  if (was_given("dram.stacks")) {
    follow_stacks(sheet, problems);
  }
  if (was_given("sm.count")) {
    follow_count(sheet);
  }
  if (was_given("dram.bandwidth")) {
    follow_bandwidth(sheet, problems);
  } else if (was_given("clocks.memory")) {
    follow_memory_clock(sheet);
  }
}

}  // namespace gpusim::arch
