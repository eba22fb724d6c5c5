// SPDX-License-Identifier: MIT
#include "sim/commands/validate/case_keys.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/commands/validate/case_file.h"
#include "sim/commands/validate/metric.h"
#include "sim/model/arch/value.h"

namespace gpusim::validate {
namespace {

using arch::in_quotes;

template <auto kMember>
void text_into(const KeyOfCase& key) {
  key.draft.value.*kMember = key.values.text(key.item);
}

template <auto kMember>
void pairs_into(const KeyOfCase& key) {
  key.values.add_pairs(key.item, key.draft.value.*kMember);
}

template <auto kMember>
void amount_into(const KeyOfCase& key) {
  key.draft.value.*kMember = key.values.amount(key.item);
}

template <auto kMember>
void truth_into(const KeyOfCase& key) {
  key.draft.value.*kMember = key.values.truth(key.item);
}

template <auto kMember, std::uint32_t kMost>
void count_into(const KeyOfCase& key) {
  key.draft.value.*kMember = key.values.count(key.item, kMost);
}

/// A second run is read when the case is whole.
void leave(const KeyOfCase&) {}

void take_id(const KeyOfCase& key) {
  key.draft.value.id += key.values.text(key.item);
}

void take_with(const KeyOfCase& key) {
  key.values.add_pairs(key.item, key.draft.with);
}

void take_clock(const KeyOfCase& key) {
  key.draft.value.clock_mhz = key.values.amount(key.item);
}

void take_program(const KeyOfCase& key) {
  Case& value = key.draft.value;
  value.program = key.values.text(key.item);
  value.program_at = key.values.yaml().place(key.item.value);
  const bool is_block = value.program.find('\n') != std::string::npos;
  value.program_at.line += is_block ? 1 : 0;
  value.program_at.column = is_block ? 0 : value.program_at.column;
  value.program_step = is_block ? 1 : 0;
}

void take_metric(const KeyOfCase& key) {
  Case& value = key.draft.value;
  value.metric = key.values.text(key.item);
  if (find_metric(value.metric) == nullptr && !is_result_metric(value.metric)) {
    key.values.yaml().add(key.item.value, "unknown metric " + in_quotes(value.metric),
                          suggestion(value.metric, metric_names()));
  }
}

void take_measured_word(const KeyOfCase& key, std::span<const std::string_view> words) {
  Case& value = key.draft.value;
  value.measured_word = key.values.word(key.item, words);
  const auto number = static_cast<double>(std::ranges::find(words, value.measured_word) - words.begin());
  value.measured = {number, number};
}

void take_measured(const KeyOfCase& key) {
  const arch::YamlNode& node = key.item.value;
  arch::YamlReader& yaml = key.values.yaml();
  Measured& measured = key.draft.value.measured;
  if (const auto words = words_of_metric(key.draft.value.metric); !words.empty()) {
    take_measured_word(key, words);
    return;
  }
  if (!node.is_sequence()) {
    measured.low = measured.high = key.values.number(key.item, node);
    return;
  }
  if (node.values.size() != 2) {
    yaml.add(node, "'measured' is a list of " + std::to_string(node.values.size()) + " values",
             "one number, or [least, greatest]");
    return;
  }
  measured = {key.values.number(key.item, *node.values[0]), key.values.number(key.item, *node.values[1])};
  if (measured.low > measured.high) {
    yaml.add(node, "'measured' must be [least, greatest]");
  }
}

void take_clock_word(const KeyOfCase& key) {
  constexpr std::array<std::string_view, 1> kWords{"boost"};
  key.draft.value.is_unlocked = key.values.word(key.item, kWords) == kWords[0];
}

void take_cache(const KeyOfCase& key) {
  key.draft.value.cache = cache_state_of(key.values.word(key.item, kCacheStates));
}

void take_confidence(const KeyOfCase& key) {
  const std::string written = key.values.word(key.item, kConfidenceNames);
  const auto* const found = std::ranges::find(kConfidenceNames, written);
  key.draft.value.confidence = found == std::end(kConfidenceNames)
                                   ? Confidence::kLow
                                   : static_cast<Confidence>(found - std::begin(kConfidenceNames));
}

void take_tolerance(const KeyOfCase& key) {
  Tolerance& tolerance = key.draft.value.tolerance;
  std::string written = key.values.text(key.item);
  if (written.ends_with('%')) {
    tolerance.is_percent = true;
    written.erase(written.find_last_not_of(" %") + 1);
  }
  const std::optional<double> value = parse_number(written);
  if (!value) {
    key.values.yaml().add(key.item.value, "'tolerance': " + in_quotes(written) + " is not a number from 0 on",
                          "such as 1, or 3 %");
  }
  tolerance.value = value.value_or(0);
}

}  // namespace

const std::vector<CaseKey>& case_keys() {
  static const std::vector<CaseKey> kKeys{
      {"id", take_id, "a name of its own; a row's is put behind its case's, after a `/`"},
      {"suite", text_into<&Case::suite>, "the folder's name when absent"},
      {"mechanism", text_into<&Case::mechanism>,
       "what of the machine it shows; the [pages of cases](#today) have a table for each mechanism of the micro suite"},
      {"kind", text_into<&Case::kind>,
       "what sort of kernel was measured: `transpose`. Such a case must say its clock and its cache state, needs no "
       "tolerance, and is refused alone when something is wrong with it"},
      {"missing", text_into<&Case::missing>, "the mechanism that is believed to be missing where the kernel is off"},
      {"gpu", text_into<&Case::gpu>,
       "as the source calls it: a name of `tests/validation/gpus.yaml`, which knows the architecture"},
      {"arch", text_into<&Case::arch>, "instead of `gpu`: an architecture file, by name or path"},
      {"set", pairs_into<&Case::set>, "overrides of the architecture, as `--set` takes them"},
      {"trace", text_into<&Case::trace>, "a trace, by name or path"},
      {"params", pairs_into<&Case::params>, "its parameters, as `--param` takes them"},
      {"program", take_program, "instead of `trace`: lines of the trace language"},
      {"with", take_with, "texts that stand for `${NAME}` in the program"},
      {"warps", count_into<&Case::warps, 32>,
       "warps of a CTA of the program: 1 (when absent) to 32, dealt to the sub-cores in turn"},
      {"ctas", count_into<&Case::ctas, 1'000'000>, "CTAs of the program: 1 when absent, dealt to the SMs in turn"},
      {"make", text_into<&Case::make>,
       "instead of both: what would have to be run; the case is kept and not simulated"},
      {"estimate", pairs_into<&Case::estimate>,
       "instead of a GPU and what it runs: a map of what is calculated, `{collective: all-reduce, system: dgx-a100, "
       "...}`, `{memory: training, model: gpt2, gpu: h100, ...}`, or a step of `gpusim app make`"},
      {"relative_to", leave,
       "a second run: what is different of `trace`, `params` and `set`. Simulated and measured are then the quotient "
       "of the case's metric and that of the second run"},
      {"less", leave,
       "a second run: what is different of `trace`, `params`, `with` and `set`. Its metric is taken from the case's, "
       "so that what both have, such as the launch, cancels"},
      {"plus", leave, "a second run in the same form, or a list of them, whose metrics are added: several kernels"},
      {"per", amount_into<&Case::per>, "simulated is the metric divided by this number: `16384` steps of a chase"},
      {"rate_of", amount_into<&Case::rate_of>,
       "simulated is this number divided by the metric: bytes over `time_us` x 1000 are GB/s"},
      {"slow", truth_into<&Case::slow>, "`true`: takes long, so that only `--all` simulates it; absent: `false`"},
      {"metric", take_metric, "what was measured, see below"},
      {"of", text_into<&Case::of>, "the line that the metric is about: its label"},
      {"from", text_into<&Case::from>, "a mark: where the metric begins"},
      {"to", text_into<&Case::to>, "a mark: where it ends"},
      {"measured", take_measured,
       "the value, or `[least, greatest]` where sources differ: within it the error is 0; of `top_stall` a word"},
      {"unit", text_into<&Case::unit>, "unit of the value: `cycles`, `%`, `TFLOP/s`; of a word none"},
      {"clock_mhz", take_clock,
       "clock of the measurement, and then of the simulation; with `clock` the highest; absent: the architecture's"},
      {"clock", take_clock_word,
       "`boost`: not locked; what power and tensor cores leave, at most `clock_mhz`, without it `clocks.boost`"},
      {"cache", take_cache, "`warm` (when absent), `cold`, `flush-between` or `dirty`, as `--cache` takes it"},
      {"source", text_into<&Case::source>, "who measured it, and where it is written"},
      {"confidence", take_confidence, "`high`, `medium` or `low`"},
      {"counted", truth_into<&Case::counted>,
       "whether the summary counts it; absent: unless confidence is low or a kernel's metric no time"},
      {"tolerance", take_tolerance,
       "how far off is still right: `1`, in the unit, or `3 %`; absent: to the nearest cycle"},
      {"note", text_into<&Case::note>, "what else there is to know"},
  };
  return kKeys;
}

const CaseKey* find_case_key(std::string_view name) {
  const auto found = std::ranges::find(case_keys(), name, &CaseKey::name);
  return found == case_keys().end() ? nullptr : &*found;
}

std::string case_keys_markdown() {
  std::string out = "| key | meaning |\n| --- | --- |\n";
  for (const CaseKey& key : case_keys()) {
    out += "| `" + std::string(key.name) + "` | " + std::string(key.what) + " |\n";
  }
  return out;
}

}  // namespace gpusim::validate
