// SPDX-License-Identifier: MIT
#include "sim/model/arch/overrides.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "sim/base/nearest.h"
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

/// What people call a thing, and the word in the key's name.
struct Synonym {
  std::string_view word;
  std::string_view key_word;
};
constexpr std::array<Synonym, 9> kSynonyms{{{"size", "bytes"},
                                            {"size", "capacity_bytes"},
                                            {"bytes", "capacity_bytes"},
                                            {"capacity", "bytes"},
                                            {"size", "unified_bytes"},
                                            {"associativity", "ways"},
                                            {"frequency", "command_hz"},
                                            {"clock", "command_hz"},
                                            {"number", "count"}}};

/// "l1.hit_latency" for "sm.l1.hit_latency": the keys that end so, or nothing where they are many.
std::string keys_ending_in(std::string_view ending) {
  constexpr int kMostNamed = 3;
  int found = 0;
  std::string names;
  for (const Key& row : schema()) {
    const std::string_view path = row.path;
    if (path.size() > ending.size() && path.ends_with(ending) && path[path.size() - ending.size() - 1] == '.') {
      names += (found++ == 0 ? "'" : " or '") + std::string(path) + "'";
    }
  }
  return found > kMostNamed ? std::string() : names;
}

/// The key directly below `group` that is called by a synonym of `word`, or the only one with `word` in its name.
std::string key_about(std::string_view group, std::string_view word) {
  const std::string prefix = std::string(group) + ".";
  for (const Synonym& synonym : kSynonyms) {
    const std::string path = prefix + std::string(synonym.key_word);
    if (synonym.word == word && find_key(path)) {
      return path;
    }
  }
  std::vector<std::string> found;
  for (const std::string_view child : children_of(group)) {
    const std::string path = prefix + std::string(child);
    if (child.find(word) != std::string_view::npos && find_key(path)) {
      found.push_back(path);
    }
  }
  return found.size() == 1 ? found.front() : std::string();
}

class Overrider {
 public:
  Overrider(Sheet& sheet, ProblemList& problems)
      : sheet_(sheet),
        problems_(problems),
        old_count_(number_of(sheet, "sm.count")),
        old_most_(number_of(sheet, "noc.max_sms_per_gpc")),
        old_stacks_(number_of(sheet, "dram.stacks")) {}

  void set(const Override& change);
  void derive();

 private:
  void put(std::size_t index, Entry entry);
  void derive_key(std::string_view path, std::uint64_t number, std::string_view cause);
  void derive_stacks();
  void derive_gpcs();
  void derive_bandwidth(const std::string& text);
  [[nodiscard]] bool was_set(std::string_view path) const { return set_.contains(path); }
  static SourceLocation place(std::string_view key) { return {"--set " + std::string(key), 0, 0}; }

  Sheet& sheet_;
  ProblemList& problems_;
  std::optional<std::uint64_t> old_count_;
  std::optional<std::uint64_t> old_most_;
  std::optional<std::uint64_t> old_stacks_;
  std::map<std::string, std::string, std::less<>> set_;  ///< key -> text
};

bool is_same_value(const Key& key, const std::string& a, const std::string& b) {
  const auto [first, first_error, first_hint] = parse_value(key, a);
  const auto [second, second_error, second_hint] = parse_value(key, b);
  const bool word_is_unit = key.unit != Unit::kText && key.unit != Unit::kTiming && key.unit != Unit::kPeak;
  return first_error.empty() && second_error.empty() && first.number == second.number && first.list == second.list &&
         (word_is_unit || first.word == second.word);
}

/// A value that is only said again keeps its source: a guess is no better for being repeated.
void Overrider::put(std::size_t index, Entry entry) {
  const Entry* const had = sheet_.find(index);
  if (had == nullptr || !is_same_value(schema()[index], had->text, entry.text)) {
    sheet_.put(index, std::move(entry));
  }
}

void Overrider::set(const Override& change) {
  if (!set_.emplace(change.key, change.value).second) {
    problems_.add({place(change.key), "is given twice", ""});
    return;
  }
  if (change.key == "dram.bandwidth") {
    return;
  }
  if (const std::optional<std::size_t> index = find_key(change.key)) {
    put(*index, {change.value, SourceKind::kSet, {std::string(kSetSource)}, place(change.key)});
  } else if (is_group(change.key)) {
    problems_.add({place(change.key), "is a group of keys", suggestion("", children_of(change.key))});
  } else {
    problems_.add({place(change.key), "unknown key " + in_quotes(change.key), suggest_key(change.key)});
  }
}

void Overrider::derive_key(std::string_view path, std::uint64_t number, std::string_view cause) {
  if (was_set(path)) {
    return;
  }
  const std::size_t index = *find_key(path);
  const std::string why = std::string(kSetSource) + " " + std::string(cause) + "=" + set_.find(cause)->second;
  put(index, {format_number(schema()[index].unit, number), SourceKind::kSet, {why}, place(cause)});
}

void Overrider::derive_stacks() {
  const std::optional<std::uint64_t> stacks = number_of(sheet_, "dram.stacks");
  if (!stacks || !old_stacks_ || *stacks == *old_stacks_) {
    return;
  }
  for (const std::string_view path :
       {"dram.channels", "dram.capacity_bytes", "l2.partitions", "l2.slices", "l2.bytes"}) {
    const std::optional<std::uint64_t> old = number_of(sheet_, path);
    if (!old || was_set(path)) {
      continue;
    }
    const Wide scaled = Wide{*old} * *stacks;
    if (scaled % *old_stacks_ != 0) {
      problems_.add(
          {place("dram.stacks"),
           "'" + std::string(path) + "' has no whole share for each of " + std::to_string(*old_stacks_) + " stacks",
           "set '" + std::string(path) + "' too"});
      continue;
    }
    derive_key(path, static_cast<std::uint64_t>(scaled / *old_stacks_), "dram.stacks");
  }
}

void Overrider::derive_gpcs() {
  const std::optional<std::uint64_t> count = number_of(sheet_, "sm.count");
  const std::optional<std::uint64_t> most = number_of(sheet_, "noc.max_sms_per_gpc");
  if (count && most && (count != old_count_ || most != old_most_)) {
    derive_key("noc.gpcs", (*count + *most - 1) / *most, "sm.count");
  }
}

void Overrider::derive_bandwidth(const std::string& text) {
  const SourceLocation where = place("dram.bandwidth");
  const ParsedValue wanted = parse_bandwidth(text);
  if (!wanted.error.empty()) {
    problems_.add({where, wanted.error, wanted.hint});
    return;
  }
  for (const std::string_view rival : {"clocks.memory", "dram.command_hz"}) {
    if (was_set(rival)) {
      problems_.add({where, "contradicts --set " + std::string(rival), "give one of the two"});
      return;
    }
  }
  const auto channels = number_of(sheet_, "dram.channels");
  const auto burst = number_of(sheet_, "dram.burst_bytes");
  const auto gap = number_of(sheet_, "dram.timing.CCDS");
  const auto command = number_of(sheet_, "dram.command_hz");
  const auto memory = number_of(sheet_, "clocks.memory");
  if (!channels || !burst || !gap || !command || !memory) {
    problems_.add({where, "needs the DRAM's structure, with 'dram.timing.CCDS' in clocks", ""});
    return;
  }
  // Peak = channels x burst x command clock / CCDS, solved for the clock and rounded to the nearest hertz.
  const Wide per_clock = Wide{*channels} * *burst;
  const Wide scaled = (Wide{wanted.value.number.numerator} * *gap + per_clock / 2) / per_clock;
  const Wide data = (Wide{*memory} * scaled + *command / 2) / *command;
  const std::uint64_t most = schema()[*find_key("clocks.memory")].max;
  if (scaled == 0 || scaled > most || data > most) {
    problems_.add({where, in_quotes(text) + " needs an impossible clock", ""});
    return;
  }
  derive_key("dram.command_hz", static_cast<std::uint64_t>(scaled), "dram.bandwidth");
  derive_key("clocks.memory", static_cast<std::uint64_t>(data), "dram.bandwidth");
}

void Overrider::derive() {
  if (was_set("dram.stacks")) {
    derive_stacks();
  }
  if (was_set("sm.count")) {
    derive_gpcs();
  }
  if (const auto found = set_.find("dram.bandwidth"); found != set_.end()) {
    derive_bandwidth(found->second);
  }
}

}  // namespace

std::string suggest_key(std::string_view key) {
  if (const std::string whole = keys_ending_in(key); !whole.empty()) {
    return "did you mean " + whole + "?";
  }
  const std::size_t dot = key.rfind('.');
  const std::string_view group = dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
  const bool in_group = !group.empty() && is_group(group);
  if (in_group && dot + 1 < key.size()) {
    if (const std::string about = key_about(group, key.substr(dot + 1)); !about.empty()) {
      return "did you mean '" + about + "'?";
    }
  }
  std::vector<std::string_view> known;
  for (const DerivedOverride& derived : kDerivedOverrides) {
    known.push_back(derived.key);
  }
  for (const Key& row : schema()) {
    known.push_back(row.path);
  }
  if (const std::string_view near = nearest(key, known); !near.empty()) {
    return "did you mean '" + std::string(near) + "'?";
  }
  return in_group ? "in '" + std::string(group) + "', " + suggestion("", children_of(group))
                  : "docs/architecture-files.md lists all keys";
}

void apply_overrides(std::span<const Override> overrides, Sheet& sheet, ProblemList& problems) {
  Overrider overrider(sheet, problems);
  for (const Override& change : overrides) {
    overrider.set(change);
  }
  overrider.derive();
}

}  // namespace gpusim::arch
