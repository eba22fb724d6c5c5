// SPDX-License-Identifier: MIT
// The keys of a case, and their values.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/commands/validate/case_file.h"
#include "sim/commands/validate/case_reader.h"
#include "sim/commands/validate/metric.h"
#include "sim/model/arch/value.h"

namespace gpusim::validate {
namespace {

using arch::in_quotes;
using arch::YamlItem;

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

const std::array<CaseReader::Field, 36> CaseReader::kFields{{
    {"id", &CaseReader::take_id, "a name of its own; a row's is put behind its case's, after a `/`"},
    {"suite", &CaseReader::take_suite, "the folder's name when absent"},
    {"mechanism", &CaseReader::take_mechanism,
     "what of the machine it shows; the [pages of cases](#today) have a table for each mechanism of the micro suite"},
    {"kind", &CaseReader::take_kind,
     "what sort of kernel was measured: `transpose`. Such a case must say its clock and its cache state, needs no "
     "tolerance, and is refused alone when something is wrong with it"},
    {"missing", &CaseReader::take_missing, "the mechanism that is believed to be missing where the kernel is off"},
    {"gpu", &CaseReader::take_gpu,
     "as the source calls it: a name of `tests/validation/gpus.yaml`, which knows the architecture"},
    {"arch", &CaseReader::take_arch, "instead of `gpu`: an architecture file, by name or path"},
    {"set", &CaseReader::take_set, "overrides of the architecture, as `--set` takes them"},
    {"trace", &CaseReader::take_trace, "a trace, by name or path"},
    {"params", &CaseReader::take_params, "its parameters, as `--param` takes them"},
    {"program", &CaseReader::take_program, "instead of `trace`: lines of the trace language"},
    {"with", &CaseReader::take_with, "texts that stand for `${NAME}` in the program"},
    {"warps", &CaseReader::take_warps,
     "warps of a CTA of the program: 1 (when absent) to 32, dealt to the sub-cores in turn"},
    {"ctas", &CaseReader::take_ctas, "CTAs of the program: 1 when absent, dealt to the SMs in turn"},
    {"make", &CaseReader::take_make, "instead of both: what would have to be run; the case is kept and not simulated"},
    {"estimate", &CaseReader::take_estimate,
     "instead of a GPU and what it runs: a map of what is calculated, `{collective: all-reduce, system: dgx-a100, "
     "...}`, `{memory: training, model: gpt2, gpu: h100, ...}`, or a step of `gpusim app make`"},
    {"relative_to", &CaseReader::take_relative_to,
     "a second run: what is different of `trace`, `params` and `set`. Simulated and measured are then the quotient of "
     "the case's metric and that of the second run"},
    {"less", &CaseReader::take_less,
     "a second run: what is different of `trace`, `params`, `with` and `set`. Its metric is taken from the case's, so "
     "that what both have, such as the launch, cancels"},
    {"plus", &CaseReader::take_plus,
     "a second run in the same form, whose metric is added to the case's: a measurement of several kernels"},
    {"per", &CaseReader::take_per, "simulated is the metric divided by this number: `16384` steps of a chase"},
    {"rate_of", &CaseReader::take_rate_of,
     "simulated is this number divided by the metric: bytes over `time_us` x 1000 are GB/s"},
    {"slow", &CaseReader::take_slow, "`true`: takes long, so that only `--all` simulates it; absent: `false`"},
    {"metric", &CaseReader::take_metric, "what was measured, see below"},
    {"of", &CaseReader::take_of, "the line that the metric is about: its label"},
    {"from", &CaseReader::take_from, "a mark: where the metric begins"},
    {"to", &CaseReader::take_to, "a mark: where it ends"},
    {"measured", &CaseReader::take_measured,
     "the value, or `[least, greatest]` where sources differ: within it the error is 0"},
    {"unit", &CaseReader::take_unit, "unit of the value: `cycles`, `%`, `TFLOP/s`"},
    {"clock_mhz", &CaseReader::take_clock,
     "clock of the measurement, and then of the simulation; absent: that of the architecture"},
    {"clock", &CaseReader::take_clock_word,
     "instead of `clock_mhz`: `boost`, of a card that nobody locked: the clock that its power allows, else the "
     "architecture's"},
    {"cache", &CaseReader::take_cache,
     "`warm` (when absent), `cold`, `flush-between` or `dirty`, as `--cache` takes it"},
    {"source", &CaseReader::take_source, "who measured it, and where it is written"},
    {"confidence", &CaseReader::take_confidence, "`high`, `medium` or `low`"},
    {"counted", &CaseReader::take_counted,
     "whether the summary counts it: `true` or `false`; absent: unless confidence is low, which never counts"},
    {"tolerance", &CaseReader::take_tolerance,
     "how far off is still right: `1`, in the unit, or `3 %`; absent: to the nearest cycle"},
    {"note", &CaseReader::take_note, "what else there is to know"},
}};

const CaseReader::Field* CaseReader::field_of(std::string_view name) {
  const auto* const found = std::ranges::find(kFields, name, &Field::name);
  return found == kFields.end() ? nullptr : &*found;
}

std::string CaseReader::text(const YamlItem& item) {
  std::string text = yaml_.scalar(item.value, "'" + item.name + "'").value_or("?");
  if (text.empty()) {
    yaml_.add(item.value, "'" + item.name + "' is empty");
  }
  return text;
}

double CaseReader::number(const YamlItem& item, const arch::YamlNode& node) {
  const std::optional<std::string> text = yaml_.scalar(node, "'" + item.name + "'");
  const std::optional<double> value = text ? parse_number(*text) : std::nullopt;
  if (text && !value) {
    yaml_.add(node, "'" + item.name + "': " + in_quotes(*text) + " is not a number from 0 on");
  }
  return value.value_or(0);
}

double CaseReader::amount(const YamlItem& item) {
  const double value = number(item, item.value);
  if (value == 0) {
    yaml_.add(item.value, "'" + item.name + "' must be more than 0");
  }
  return value;
}

std::uint32_t CaseReader::count(const YamlItem& item, std::uint32_t most) {
  const std::string written = text(item);
  const std::optional<std::uint64_t> value = parse_unsigned(written);
  if (!value || *value == 0 || *value > most) {
    yaml_.add(item.value, "'" + item.name + "': " + in_quotes(written) + " is out of range",
              "allowed: 1 to " + with_thousands(most));
    return 1;
  }
  return static_cast<std::uint32_t>(*value);
}

std::string CaseReader::word(const YamlItem& item, std::span<const std::string_view> words) {
  std::string written = text(item);
  if (std::ranges::find(words, written) == words.end()) {
    yaml_.add(item.value, "'" + item.name + "' is " + in_quotes(written), suggestion(written, words));
  }
  return written;
}

bool CaseReader::truth(const YamlItem& item) {
  constexpr std::array<std::string_view, 2> kWords{"true", "false"};
  return word(item, kWords) == "true";
}

/// What a second run says of a name that the first one knows wins.
void CaseReader::take_pairs(const YamlItem& item, std::vector<NamedText>& pairs) {
  for (const YamlItem& pair : yaml_.items(item.value)) {
    std::string value = yaml_.scalar(pair.value, "the value of " + in_quotes(pair.name)).value_or("");
    const auto known = std::ranges::find(pairs, pair.name, &NamedText::first);
    if (known == pairs.end()) {
      pairs.emplace_back(pair.name, std::move(value));
    } else {
      known->second = std::move(value);
    }
  }
}

void CaseReader::take_program(const YamlItem& item) {
  case_.program = text(item);
  case_.program_at = yaml_.place(item.value);
  const bool is_block = case_.program.find('\n') != std::string::npos;
  case_.program_at.line += is_block ? 1 : 0;
  case_.program_at.column = is_block ? 0 : case_.program_at.column;
  case_.program_step = is_block ? 1 : 0;
}

void CaseReader::take_metric(const YamlItem& item) {
  case_.metric = text(item);
  if (find_metric(case_.metric) == nullptr && !is_result_metric(case_.metric)) {
    yaml_.add(item.value, "unknown metric " + in_quotes(case_.metric), suggestion(case_.metric, metric_names()));
  }
}

void CaseReader::take_measured(const YamlItem& item) {
  if (!item.value.is_sequence()) {
    case_.measured.low = case_.measured.high = number(item, item.value);
    return;
  }
  if (item.value.values.size() != 2) {
    yaml_.add(item.value, "'measured' is a list of " + std::to_string(item.value.values.size()) + " values",
              "one number, or [least, greatest]");
    return;
  }
  case_.measured = {number(item, *item.value.values[0]), number(item, *item.value.values[1])};
  if (case_.measured.low > case_.measured.high) {
    yaml_.add(item.value, "'measured' must be [least, greatest]");
  }
}

void CaseReader::take_clock_word(const YamlItem& item) {
  constexpr std::array<std::string_view, 1> kWords{"boost"};
  (void)word(item, kWords);
}

void CaseReader::take_cache(const YamlItem& item) {
  case_.cache = cache_state_of(word(item, kCacheStates));
}

void CaseReader::take_confidence(const YamlItem& item) {
  const std::string written = word(item, kConfidenceNames);
  const auto* const found = std::ranges::find(kConfidenceNames, written);
  case_.confidence = found == std::end(kConfidenceNames)
                         ? Confidence::kLow
                         : static_cast<Confidence>(found - std::begin(kConfidenceNames));
}

void CaseReader::take_tolerance(const YamlItem& item) {
  std::string written = text(item);
  if (written.ends_with('%')) {
    case_.tolerance.is_percent = true;
    written.erase(written.find_last_not_of(" %") + 1);
  }
  const std::optional<double> value = parse_number(written);
  if (!value) {
    yaml_.add(item.value, "'tolerance': " + in_quotes(written) + " is not a number from 0 on", "such as 1, or 3 %");
  }
  case_.tolerance.value = value.value_or(0);
}

std::string case_keys_markdown() {
  std::string out = "| key | meaning |\n| --- | --- |\n";
  for (const CaseReader::Field& field : CaseReader::kFields) {
    out += "| `" + std::string(field.name) + "` | " + std::string(field.what) + " |\n";
  }
  return out;
}

}  // namespace gpusim::validate
