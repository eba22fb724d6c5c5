// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/study/expand.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <unordered_set>

#include "sim/base/hash.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/commands/sweep/study/items.h"
#include "sim/commands/sweep/study/key_book.h"
#include "sim/commands/sweep/study/where.h"
#include "sim/model/arch/arch.h"
#include "sim/model/arch/loader.h"
#include "sim/model/arch/sheet.h"
#include "sim/model/arch/value.h"

namespace gpusim::sweep {
namespace {

using arch::in_quotes;
using Kind = AxisValue::Kind;

constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
  return a > kMany - b ? kMany : a + b;
}

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMany : product;
}

/// Sebastiano Vigna's splitmix64: the same numbers everywhere, whatever the standard library.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  /// Below `limit`, each number equally often: what lies beyond the last multiple of `limit` is drawn again.
  std::uint64_t below(std::uint64_t limit) {
    const std::uint64_t fair = kMany - kMany % limit;
    std::uint64_t number = next();
    while (number >= fair) {
      number = next();
    }
    return number % limit;
  }

 private:
  std::uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15U); }

  std::uint64_t state_;
};

/// `count` different numbers below `grid`, in the order drawn: a larger sample begins with the smaller one of the seed.
std::vector<std::uint64_t> draw(std::uint64_t count, std::uint64_t grid, std::uint64_t seed) {
  Generator generator(seed);
  std::unordered_set<std::uint64_t> seen;
  std::vector<std::uint64_t> drawn;
  while (drawn.size() < count) {
    const std::uint64_t number = generator.below(grid);
    if (seen.insert(number).second) {
      drawn.push_back(number);
    }
  }
  return drawn;
}

/// Bytes that a computed value is a multiple of, so that the base's caches keep whole sets.
std::uint64_t granule_of(std::string_view key, const arch::Arch& arch) {
  if (key == "l2.bytes") {
    return std::uint64_t{arch.l2.slices} * arch.l2.ways * kLineBytes;
  }
  return key == "sm.l1.unified_bytes" ? std::uint64_t{arch.sm.l1.ways} * kLineBytes : 1;
}

}  // namespace

namespace {

const Parameter* find_parameter(const Parameters& parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

/// Nothing also for the keys of an architecture.
const Parameter* find_parameter(const Parameters& parameters, const Domain& domain) {
  return domain.is_parameter() ? find_parameter(parameters, domain.parameter()) : nullptr;
}

/// As --param takes it, and as the trace writes it.
std::string text_of(const Parameter& parameter, std::int64_t value) {
  const bool is_named = value >= 0 && static_cast<std::size_t>(value) < parameter.words.size();
  return is_named ? parameter.words[static_cast<std::size_t>(value)] : std::to_string(value);
}

/// A value as it was written, but that a word's number means the word.
std::string text_of(const Parameter& parameter, const AxisValue& written) {
  const std::optional<std::int64_t> number = parse_signed(written.text);
  return number ? text_of(parameter, *number) : written.text;
}

}  // namespace

/// The values of one axis with one architecture and trace.
class AxisResolver {
 public:
  AxisResolver(const Domain& domain, const arch::Resolved& arch, const Parameters& parameters)
      : domain_(domain), arch_(&arch), parameters_(parameters), granule_(granule_of(domain.key(), arch.arch)) {}
  /// `base` is the text of the base value; empty: there is none.
  AxisResolver(const Domain& domain, std::string base) : domain_(domain), base_text_(std::move(base)) {}

  /// The base's own value; its text is empty where it has none.
  [[nodiscard]] Setting base() const;

  /// Nothing when a factor has nothing to multiply. Words must be ones that the parameter has.
  [[nodiscard]] std::optional<std::vector<Setting>> settings(const std::vector<AxisValue>& values) const;

  /// Equal for settings that mean the same.
  [[nodiscard]] std::string identity(const Setting& setting) const;

 private:
  [[nodiscard]] std::optional<Number> base_number() const;
  [[nodiscard]] std::string computed(const Number& number, bool rough) const;

  const Domain& domain_;
  const arch::Resolved* arch_ = nullptr;  ///< null: base_text_ says it
  Parameters parameters_;
  std::string base_text_;
  std::uint64_t granule_ = 1;
};

std::optional<Number> AxisResolver::base_number() const {
  if (arch_ == nullptr) {
    ParsedNumber own = domain_.is_numeric() ? domain_.parse(base_text_) : ParsedNumber{{}, "text", ""};
    return own.error.empty() ? std::optional(std::move(own.number)) : std::nullopt;
  }
  if (domain_.is_parameter()) {
    const Parameter* const own = find_parameter(parameters_, domain_);
    return own == nullptr || !own->words.empty() ? std::nullopt : std::optional(Number{own->value, ""});
  }
  if (domain_.is_bandwidth()) {
    return Number{Exact::of(dram_bandwidth(arch_->arch).rounded(), 1), ""};
  }
  const arch::Entry* const entry = arch_->sheet.find(domain_.key());
  if (entry == nullptr || !domain_.is_numeric()) {
    return std::nullopt;
  }
  ParsedNumber parsed = domain_.parse(entry->text);
  return parsed.error.empty() ? std::optional(std::move(parsed.number)) : std::nullopt;
}

Setting AxisResolver::base() const {
  if (arch_ == nullptr) {
    return {domain_.key(), base_text_, true};
  }
  if (domain_.is_parameter()) {
    const Parameter* const own = find_parameter(parameters_, domain_);
    return {domain_.key(), own == nullptr ? "" : text_of(*own, own->value), true};
  }
  return {domain_.key(), text_of_key(*arch_, domain_.key()), true};
}

std::string AxisResolver::computed(const Number& number, bool rough) const {
  return domain_.text(number, rough, granule_);
}

std::optional<std::vector<Setting>> AxisResolver::settings(const std::vector<AxisValue>& values) const {
  const std::optional<Number> base_value = base_number();
  const Parameter* const own = find_parameter(parameters_, domain_);
  std::vector<Setting> all;
  for (const AxisValue& value : values) {
    if (value.kind == Kind::kWritten) {
      all.push_back({domain_.key(), own == nullptr ? value.text : text_of(*own, value), false});
    } else if (value.kind == Kind::kComputed) {
      all.push_back({domain_.key(), computed(value.number, value.rough), false});
    } else if (value.number.value == 1 && !base().text.empty()) {
      all.push_back(base());
    } else if (!base_value) {
      return std::nullopt;
    } else {
      const Number product{base_value->value * value.number.value, base_value->word};
      all.push_back({domain_.key(), computed(product, value.rough), false});
    }
  }
  return all;
}

std::string AxisResolver::identity(const Setting& setting) const {
  const ParsedNumber parsed = domain_.is_numeric() ? domain_.parse_step(setting.text) : ParsedNumber{{}, "text", ""};
  if (!parsed.error.empty()) {
    return setting.text;
  }
  const Exact& value = parsed.number.value;
  return to_decimal(value.numerator()) + "/" + to_decimal(value.denominator()) + " " + parsed.number.word;
}

namespace {

/// Problems that need the bases, each once although several architectures and traces may share it.
class BaseProblems {
 public:
  explicit BaseProblems(ProblemList& problems) : problems_(problems) {}

  void no_parameter(const SourceLocation& where, const std::string& trace, std::string_view name,
                    const Parameters& parameters) {
    std::vector<std::string_view> known;
    for (const Parameter& parameter : parameters) {
      known.emplace_back(parameter.name);
    }
    add({where, in_quotes(trace) + " has no parameter " + in_quotes(name),
         known.empty() ? "it has none" : suggestion(name, known)});
  }

  void no_base(const SourceLocation& where, const std::string& owner) {
    add({where, in_quotes(owner) + " has no value to multiply", ""});
  }

  /// Words that a parameter does not have; of one that has words, everything else.
  void check_words(const SourceLocation& where, const std::vector<AxisValue>& values, const Parameter& parameter) {
    const std::vector<std::string_view> known(parameter.words.begin(), parameter.words.end());
    for (const AxisValue& value : values) {
      const std::string text = value.kind == Kind::kWritten ? text_of(parameter, value) : "";
      if (known.empty() && value.is_word) {
        add({where, in_quotes(text) + " is not an integer", integers_only(text)});
      } else if (!known.empty() && value.kind == Kind::kComputed) {
        add({where, "is a range over words", suggestion("", known)});
      } else if (!known.empty() && value.kind == Kind::kWritten && !parameter.takes_file &&
                 std::ranges::find(known, text) == known.end()) {
        add({where, in_quotes(text) + " is not a value of the parameter", suggestion(text, known)});
      }
    }
  }

 private:
  void add(Problem problem) {
    if (seen_.insert(to_text(problem)).second) {
      problems_.add(std::move(problem));
    }
  }

  ProblemList& problems_;
  std::set<std::string> seen_;
};

void check_condition_parameters(const Study& study, std::span<const Parameters> traces, const Locate& locate,
                                BaseProblems& problems) {
  for (const Condition& condition : conditions(study)) {
    for (const std::string& name : condition.parameters()) {
      for (std::size_t i = 0; i < traces.size(); ++i) {
        if (find_parameter(traces[i], name) == nullptr) {
          problems.no_parameter(locate("where", condition.text()), study.traces[i], name, traces[i]);
        }
      }
    }
  }
}

/// An axis with the values that its items stand for.
struct ReadAxis {
  Domain domain;
  std::vector<AxisValue> values;
};

std::vector<ReadAxis> read_axes(const Study& study) {
  ProblemList problems;
  check(study, on_command_line, problems);
  problems.throw_if_any();
  std::vector<ReadAxis> axes;
  for (const Axis& axis : study.axes) {
    const Domain domain = *Domain::of(axis.key, study);
    axes.push_back({domain, parse_items(domain, axis.items, on_command_line("vary", axis.key), problems)});
  }
  return axes;
}

/// Drops settings that mean the same as an earlier one, or as what `seen` has.
void drop_repeats(const AxisResolver& resolver, std::set<std::string> seen, std::vector<Setting>& settings) {
  std::erase_if(settings, [&](const Setting& setting) { return !seen.insert(resolver.identity(setting)).second; });
}

}  // namespace

void Plan::add_axis(const AxisResolver& resolver, std::vector<Setting> settings, Block& block) const {
  block.base.push_back(resolver.base());
  if (combination_ == Combination::kOneAtATime) {
    drop_repeats(resolver, {resolver.identity(block.base.back())}, settings);
  } else if (combination_ != Combination::kZip) {
    drop_repeats(resolver, {}, settings);
  }
  block.axes.push_back(std::move(settings));
}

void Plan::close(Block block, std::uint64_t random_count) {
  std::uint64_t grid = 1;
  std::uint64_t alone = 1;
  for (const std::vector<Setting>& axis : block.axes) {
    grid = saturated_product(grid, axis.size());
    alone = saturated_sum(alone, axis.size());
  }
  block.grid = grid;
  switch (combination_) {
    case Combination::kGrid: block.size = grid; break;
    case Combination::kZip: block.size = block.axes.empty() ? 1 : block.axes.front().size(); break;
    case Combination::kRandom: block.size = std::min(random_count, grid); break;
    case Combination::kOneAtATime: block.size = alone; break;
  }
  block.first = size_;
  size_ = saturated_sum(size_, block.size);
  blocks_.push_back(std::move(block));
}

template <class Fill>
void Plan::add_blocks(const Study& study, const Fill& fill) {
  for (std::size_t trace = 0; trace < study.traces.size(); ++trace) {
    for (std::size_t arch = 0; arch < study.archs.size(); ++arch) {
      Block block;
      block.arch = arch;
      block.trace = trace;
      fill(block);
      close(std::move(block), study.random_count);
    }
  }
}

Plan::Plan(const Study& study, std::span<const arch::Resolved> archs, std::span<const Parameters> traces,
           const Locate& locate)
    : combination_(study.combination) {
  assert(archs.size() == study.archs.size() && traces.size() == study.traces.size());
  const std::vector<ReadAxis> axes = read_axes(study);
  ProblemList problems;
  BaseProblems base_problems(problems);
  check_condition_parameters(study, traces, locate, base_problems);
  add_blocks(study, [&](Block& block) {
    const Parameters& parameters = traces[block.trace];
    for (const auto& [domain, values] : axes) {
      const SourceLocation where = locate("vary", domain.key());
      const AxisResolver resolver(domain, archs[block.arch], parameters);
      std::optional<std::vector<Setting>> settings = resolver.settings(values);
      const Parameter* const parameter = find_parameter(parameters, domain);
      if (parameter != nullptr) {
        base_problems.check_words(where, values, *parameter);
      }
      if (domain.is_parameter() && parameter == nullptr) {
        base_problems.no_parameter(where, study.traces[block.trace], domain.parameter(), parameters);
      } else if (!settings) {
        base_problems.no_base(where, domain.is_parameter() ? study.traces[block.trace] : study.archs[block.arch]);
      } else {
        add_axis(resolver, std::move(*settings), block);
      }
    }
  });
  problems.throw_if_any();
  draw_all(study.seed, locate);
}

Plan::Plan(const Study& study, const BaseValues& bases, const Locate& locate) : combination_(study.combination) {
  const std::vector<ReadAxis> axes = read_axes(study);
  ProblemList problems;
  BaseProblems base_problems(problems);
  add_blocks(study, [&](Block& block) {
    for (const auto& [domain, values] : axes) {
      const AxisResolver resolver(domain, bases.text(block.arch, block.trace, domain.key()));
      if (std::optional<std::vector<Setting>> settings = resolver.settings(values)) {
        add_axis(resolver, std::move(*settings), block);
      } else {
        base_problems.no_base(locate("vary", domain.key()), study.archs[block.arch] + ", " + study.traces[block.trace]);
      }
    }
  });
  problems.throw_if_any();
  draw_all(study.seed, locate);
}

void Plan::draw_all(std::uint64_t seed, const Locate& locate) {
  if (combination_ != Combination::kRandom || size_ > kMostPoints) {
    return;
  }
  for (Block& block : blocks_) {
    if (block.grid == kMany) {
      throw InputError({locate("random", ""), "the grid to draw from has more than 2^64 points",
                        "fewer axes, or fewer values of each"});
    }
    block.drawn = draw(block.size, block.grid, seed);
  }
}

std::vector<Setting> Plan::settings_of(const Block& block, std::uint64_t index) const {
  std::vector<Setting> settings;
  if (combination_ == Combination::kOneAtATime) {
    settings = block.base;
    for (std::size_t i = 0; index > 0; ++i) {
      const std::uint64_t size = block.axes[i].size();
      if (index <= size) {
        settings[i] = block.axes[i][index - 1];
      }
      index -= std::min(index, size);
    }
    return settings;
  }
  if (combination_ == Combination::kZip) {
    for (const std::vector<Setting>& axis : block.axes) {
      settings.push_back(axis[index]);
    }
    return settings;
  }
  std::uint64_t rest = combination_ == Combination::kRandom ? block.drawn[index] : index;
  for (std::size_t i = block.axes.size(); i > 0; --i) {
    const std::vector<Setting>& axis = block.axes[i - 1];
    settings.push_back(axis[rest % axis.size()]);
    rest /= axis.size();
  }
  std::ranges::reverse(settings);
  return settings;
}

Point Plan::operator[](std::uint64_t index) const {
  assert(index < size_ && size_ <= kMostPoints);
  const auto after = std::ranges::upper_bound(blocks_, index, {}, &Block::first);
  const Block& block = *std::prev(after);
  return {block.arch, block.trace, settings_of(block, index - block.first)};
}

}  // namespace gpusim::sweep
