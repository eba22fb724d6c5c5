// SPDX-License-Identifier: MIT
#include "sim/model/arch/derive.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/schema.h"
#include "sim/model/arch/value.h"

namespace gpusim::arch {
namespace {

std::string row(const Key& key) {
  const std::string allowed = allowed_values(key);
  return "| `" + key.path + "` | " + std::string(unit_meaning(key.unit)) + " | " + (allowed.empty() ? "any" : allowed) +
         " | " + key.meaning + " |\n";
}

std::string section_of(const Key& key) {
  const std::size_t dot = key.path.find('.');
  return dot == std::string::npos ? "Identity" : "`" + key.path.substr(0, dot) + "`";
}

std::string keys_of(const isa::TimingClassInfo& timing_class) {
  const std::string group = "sm.timing." + std::string(timing_class.key);
  if (!is_group(group)) {
    return find_key(group) ? "none; may be unsupported" : "none";
  }
  return find_key(group + ".interval") ? "latency, interval" : "latency";
}

std::string timing_classes() {
  std::string text =
      "\n## Timing classes\n\nEach class is `sm.timing.<class>: {latency: ..., interval: ...}`: cycles from issue to "
      "the "
      "issue of a dependent instruction, and cycles a warp instruction holds its sub-core's pipe (a ratio, 1 to "
      "1024).\n"
      "A class that the GPU lacks is `sm.timing.<class>: [unsupported, kind, source]`; one without keys of its own "
      "is\n"
      "`[supported, ...]` again in a GPU whose base lacks it. A class lacks the keys that would "
      "decide nothing: `sm.lsu` has the rate of the load/store pipe, the memory system the latency of accesses, and "
      "`sm.barrier_latency` that of barriers.\n\n"
      "| class | pipe | keys | instructions |\n| --- | --- | --- | --- |\n";
  for (const isa::TimingClassInfo& c : isa::kTimingClasses) {
    text += "| `" + std::string(c.key) + "` | " + std::string(isa::kPipeNames[static_cast<std::size_t>(c.pipe)]) +
            " | " + keys_of(c) + " | " + std::string(c.what) + " |\n";
  }
  return text;
}

}  // namespace

std::string schema_markdown() {
  std::string text;
  std::string section;
  for (const Key& key : schema()) {
    if (std::holds_alternative<TimingField>(key.field)) {
      continue;
    }
    if (section_of(key) != section) {
      section = section_of(key);
      text += (text.empty() ? "## " : "\n## ") + section +
              "\n\n| key | value | allowed | meaning |\n| --- | --- | --- | --- |\n";
    }
    text += row(key);
  }
  text += timing_classes();
  text += "\n## Keys that carry others along\n\n| key | effect |\n| --- | --- |\n";
  for (const DerivedKey& derived : kDerivedKeys) {
    text += "| `" + std::string(derived.key) + "` | " + std::string(derived.meaning) + " |\n";
  }
  return text;
}

}  // namespace gpusim::arch
