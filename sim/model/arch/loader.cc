// SPDX-License-Identifier: MIT
#include "sim/model/arch/loader.h"

#include <algorithm>
#include <set>

#include "sim/base/problem.h"
#include "sim/model/arch/overrides.h"
#include "sim/model/arch/peaks.h"
#include "sim/model/arch/resolved.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/validate.h"
#include "sim/model/arch/value.h"

namespace gpusim::arch {
namespace {

/// Writes a parsed value into its field.
struct Store {
  Arch& arch;
  const Value& value;
  const Key& key;

  void operator()(std::uint32_t& (*member)(Arch&)) const {
    const bool timing = key.unit == Unit::kTiming;
    member(arch) = static_cast<std::uint32_t>(timing ? to_clocks(value, arch.dram.command_hz) : value.number.numerator);
  }
  void operator()(std::uint64_t& (*member)(Arch&)) const { member(arch) = value.number.numerator; }
  void operator()(std::string& (*member)(Arch&)) const { member(arch) = value.word; }
  void operator()(std::vector<std::uint64_t>& (*member)(Arch&)) const { member(arch) = value.list; }
  void operator()(Ratio& (*member)(Arch&)) const { member(arch) = value.number; }
  void operator()(const ChoiceField& field) const {
    field.set(arch, static_cast<std::size_t>(std::ranges::find(key.choices, value.word) - key.choices.begin()));
  }
  void operator()(const TimingField& field) const {
    isa::Timing& timing = arch.sm.timing[field.timing_class];
    switch (field.part) {
      case TimingField::Part::kLatency: timing.latency = static_cast<std::uint32_t>(value.number.numerator); break;
      case TimingField::Part::kInterval: timing.interval = value.number; break;
      case TimingField::Part::kUnsupported: timing.supported = value.word == "supported"; break;
    }
  }
  void operator()(const PeakField& field) const {
    const PeakInfo& info = peak_infos()[field.peak];
    arch.peaks.push_back({std::string(info.name), 0, value.number.value(), value_of<PeakClock>(value.word), info.unit});
  }
};

std::string citations(const Entry& entry, const Sheet& sheet) {
  std::string text;
  for (const std::string& source : entry.sources) {
    const auto known = sheet.sources.find(source);
    text += (text.empty() ? "" : "; ") + (known == sheet.sources.end() ? source : known->second);
  }
  return text;
}

/// Whether the value could be read.
bool bind_key(const Key& key, const Entry& entry, Arch& arch, ProblemList& problems) {
  const ParsedValue parsed = parse_value(key, entry.text);
  if (parsed.error.empty()) {
    std::visit(Store{arch, parsed.value, key}, key.field);
  } else {
    problems.add({entry.where, "'" + key.path + "': " + parsed.error, parsed.hint});
  }
  return parsed.error.empty();
}

Arch bind(Sheet& sheet, ProblemList& problems) {
  Arch arch;
  arch.path = sheet.file;
  // Timings in nanoseconds need the command clock, so they come last.
  for (const bool timings : {false, true}) {
    for (std::size_t i = 0; i < schema().size(); ++i) {
      const Entry* const entry = sheet.find(i);
      const bool now = entry != nullptr && !entry->unreadable && (schema()[i].unit == Unit::kTiming) == timings;
      if (now && !bind_key(schema()[i], *entry, arch, problems)) {
        sheet.mark_unreadable(i);
      }
    }
  }
  for (std::size_t i = 0; i < schema().size(); ++i) {
    const Entry* entry = sheet.find(i);
    if (entry != nullptr && schema()[i].has_source &&
        (entry->kind == SourceKind::kInferred || entry->kind == SourceKind::kGuess)) {
      arch.guesses.push_back({schema()[i].path, entry->text, entry->kind, citations(*entry, sheet)});
    }
  }
  return arch;
}

/// Paths of all keys that have a value, and of the groups above them.
std::set<std::string_view> present_paths(const Sheet& sheet) {
  std::set<std::string_view> present;
  for (std::size_t i = 0; i < schema().size(); ++i) {
    if (sheet.find(i) != nullptr) {
      const std::string_view path = schema()[i].path;
      for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
        present.insert(path.substr(0, dot));
      }
      present.insert(path);
    }
  }
  return present;
}

bool is_needed(const Key& key, const Sheet& sheet) {
  if (const auto* field = std::get_if<TimingField>(&key.field)) {
    const std::string group = key.path.substr(0, key.path.rfind('.'));
    return field->part != TimingField::Part::kUnsupported && sheet.find(group) == nullptr;
  }
  return key.required;
}

/// A group that is absent altogether is one problem, not one per key.
void check_complete(const Sheet& sheet, ProblemList& problems) {
  const std::set<std::string_view> present = present_paths(sheet);
  std::set<std::string_view> reported;
  for (const Key& key : schema()) {
    if (!is_needed(key, sheet) || present.contains(key.path)) {
      continue;
    }
    std::string_view missing = key.path;
    for (std::size_t dot = key.path.find('.'); dot != std::string::npos; dot = key.path.find('.', dot + 1)) {
      const std::string_view group = std::string_view(key.path).substr(0, dot);
      if (!present.contains(group)) {
        missing = group;
        break;
      }
    }
    if (reported.insert(missing).second) {
      problems.add({{sheet.file, 0, 0},
                    "lacks '" + std::string(missing) + "'",
                    "every key needs a value; 'extends:' takes the others from another file"});
    }
  }
}

Resolved resolve(Sheet sheet, std::span<const Override> overrides, ProblemList problems) {
  Resolved resolved;
  resolved.sheet = std::move(sheet);
  // What seems to be missing may only be misspelt, or in a base that is not there.
  const bool well_formed = problems.empty();
  apply_overrides(overrides, resolved.sheet, problems);
  resolved.arch = bind(resolved.sheet, problems);
  if (well_formed) {
    check_complete(resolved.sheet, problems);
  }
  validate(resolved.arch, resolved.sheet, problems);
  problems.throw_if_any();
  return resolved;
}

}  // namespace

Resolved resolve_arch(const std::filesystem::path& file, std::span<const Override> overrides, Folders folders) {
  ProblemList problems;
  Sheet sheet = read_sheet(file, folders, problems);
  return resolve(std::move(sheet), overrides, std::move(problems));
}

Resolved resolve_sheet(Sheet sheet, std::span<const Override> overrides) {
  return resolve(std::move(sheet), overrides, {});
}

Override parse_override(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw UsageError("--set takes KEY=VALUE, such as sm.count=160, not '" + std::string(text) + "'");
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::vector<Override> parse_overrides(std::span<const std::string> texts) {
  std::vector<Override> overrides;
  std::ranges::transform(texts, std::back_inserter(overrides), &parse_override);
  return overrides;
}

Arch load_arch(const std::filesystem::path& file, std::span<const Override> overrides, Folders folders) {
  return resolve_arch(file, overrides, folders).arch;
}

std::string compute_capability_of(const std::filesystem::path& file, Folders folders) {
  return load_arch(file, {}, folders).compute_capability;
}

}  // namespace gpusim::arch
