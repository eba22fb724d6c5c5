// SPDX-License-Identifier: MIT
#include "sim/model/arch/sheet.h"

#include <algorithm>

#include "sim/model/arch/schema.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::arch {
namespace {

std::string entry_text(const Key& key, const Entry& entry) {
  std::string value = key.unit == Unit::kText ? double_quoted(entry.text) : entry.text;
  if (!key.has_source) {
    return value;
  }
  if (is_list(key.unit)) {
    value = "[" + value + "]";
  }
  value += ", " + std::string(source_kind_text(entry.kind));
  for (const std::string& source : entry.sources) {
    value += ", " + double_quoted(source);
  }
  return "[" + value + "]";
}

/// Opens the groups of `path` that `open` does not share, and returns the last word's indentation.
std::size_t open_groups(std::string_view path, std::string& open, std::string& out) {
  std::size_t depth = 0;
  std::size_t start = 0;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', start)) {
    const std::string_view group = path.substr(0, dot + 1);
    if (!std::string_view(open).starts_with(group)) {
      out += std::string(2 * depth, ' ') + std::string(path.substr(start, dot - start)) + ":\n";
    }
    start = dot + 1;
    ++depth;
  }
  open = path.substr(0, start);
  return depth;
}

}  // namespace

Sheet::Sheet() : entries_(schema().size()) {}

const Entry* Sheet::find(std::string_view path) const {
  const std::optional<std::size_t> index = find_key(path);
  return index ? find(*index) : nullptr;
}

void Sheet::put(std::size_t index, Entry entry) {
  if (const auto* field = std::get_if<TimingField>(&schema()[index].field)) {
    const bool unsupported = field->part == TimingField::Part::kUnsupported;
    const auto timing_field = [this](std::size_t i) {
      return i < entries_.size() ? std::get_if<TimingField>(&schema()[i].field) : nullptr;
    };
    const auto is_of_class = [&](const TimingField* other) {
      return other != nullptr && other->timing_class == field->timing_class;
    };
    // The keys of a timing class stand side by side.
    std::size_t i = index;
    while (i > 0 && is_of_class(timing_field(i - 1))) {
      --i;
    }
    for (; is_of_class(timing_field(i)); ++i) {
      if ((timing_field(i)->part == TimingField::Part::kUnsupported) != unsupported) {
        entries_[i].reset();
      }
    }
  }
  entries_[index] = std::move(entry);
}

void Sheet::drop_own_figures() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (std::holds_alternative<PeakField>(schema()[i].field) || schema()[i].is_given) {
      entries_[i].reset();
    }
  }
}

std::map<std::string, std::string> used_sources(const Sheet& sheet) {
  std::map<std::string, std::string> used;
  for (std::size_t i = 0; i < schema().size(); ++i) {
    const Entry* const entry = sheet.find(i);
    for (const std::string& source : entry != nullptr ? entry->sources : std::vector<std::string>()) {
      if (const auto found = sheet.sources.find(source); found != sheet.sources.end()) {
        used.insert(*found);
      }
    }
  }
  return used;
}

std::string write_sheet(const Sheet& sheet) {
  std::string out;
  std::string open;
  for (std::size_t i = 0; i < schema().size(); ++i) {
    const Entry* entry = sheet.find(i);
    if (entry == nullptr) {
      continue;
    }
    const Key& key = schema()[i];
    const std::size_t depth = open_groups(key.path, open, out);
    out += std::string(2 * depth, ' ') + key.path.substr(open.size()) + ": " + entry_text(key, *entry) + "\n";
  }
  const std::map<std::string, std::string> used = used_sources(sheet);
  out += used.empty() ? "" : "sources:\n";
  for (const auto& [key, citation] : used) {
    out += "  " + double_quoted(key) + ": " + double_quoted(citation) + "\n";
  }
  return out;
}

}  // namespace gpusim::arch
