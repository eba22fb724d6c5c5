// SPDX-License-Identifier: MIT
#include "sim/commands/lab/course/yaml_map.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/commands/sweep/formula/formula.h"
#include "sim/model/arch/value.h"

namespace gpusim::lab {

using arch::in_quotes;

void YamlMapReader::read_file(const std::filesystem::path& file, const std::string& what, Fields fields) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    throw InputError({{file.string(), 0, 0}, "is missing", "it is " + what});
  }
  std::string why;
  const std::optional<std::string> text = arch::read_yaml_text(file, why);
  if (!text) {
    throw InputError({{file.string(), 0, 0}, why, ""});
  }
  read_text(*text, what, fields);
}

void YamlMapReader::read_text(const std::string& text, const std::string& what, Fields fields) {
  if (const auto document = yaml_.parse(text, what, "one YAML document with keys")) {
    take(document->root(), what, fields);
  }
  problems_.throw_if_any();
}

void YamlMapReader::read_all_of(const std::string& text, const std::string& what, const Take& take) {
  if (const auto document = yaml_.parse(text, what, "one YAML document with keys")) {
    take_all(document->root(), what, take);
  }
  problems_.throw_if_any();
}

void YamlMapReader::take(const YamlNode& map, const std::string& what, Fields fields) {
  take_all(map, what, [&](const YamlItem& item) {
    const auto* const field = std::ranges::find(fields, item.name, &std::pair<std::string_view, Take>::first);
    if (field != fields.end()) {
      field->second(item);
      return;
    }
    std::vector<std::string_view> names;
    for (const auto& known : fields) {
      names.push_back(known.first);
    }
    yaml_.add(item.key, "unknown key " + in_quotes(item.name) + " of " + what, suggestion(item.name, names));
  });
}

void YamlMapReader::take_all(const YamlNode& map, const std::string& what, const Take& take) {
  if (!map.is_map()) {
    yaml_.add(map, what + " must be a map", "such as  key: value");
    return;
  }
  for (const YamlItem& item : yaml_.items(map)) {
    take(item);
  }
}

std::string YamlMapReader::text(const YamlItem& item) {
  return yaml_.scalar(item.value, "'" + item.name + "'").value_or("");
}

std::string YamlMapReader::key(const YamlItem& item) {
  std::string plain = item.name;
  std::ranges::replace(plain, '-', '_');
  if (!is_word(plain)) {
    yaml_.add(item.key, in_quotes(item.name) + " is not a name", "letters, digits, '-' and '_', with no digit first");
  }
  return item.name;
}

std::string YamlMapReader::name(const YamlItem& item) {
  std::string plain = key(item);
  if (std::ranges::count(plain, '-') != 0) {
    std::ranges::replace(plain, '-', '_');
    yaml_.add(item.key, in_quotes(item.name) + " has a hyphen, which formulas take for a minus",
              "such as '" + plain + "'");
  }
  return plain;
}

std::uint32_t YamlMapReader::count(const YamlItem& item, std::uint32_t least, std::uint32_t most) {
  const std::optional<std::uint64_t> number = parse_unsigned(text(item));
  if (!number || *number < least || *number > most) {
    yaml_.add(item.value, "'" + item.name + "' is not a whole number in range",
              "allowed: " + with_thousands(least) + " to " + with_thousands(most));
    return least;
  }
  return static_cast<std::uint32_t>(*number);
}

double YamlMapReader::number(const YamlNode& node, const std::string& what) {
  const std::string text = yaml_.scalar(node, what).value_or("0");
  try {
    const sweep::Formula formula = sweep::Formula::number("", text);
    if (formula.names().empty() && std::isfinite(formula.value({}))) {
      return formula.value({});
    }
  } catch (const InputError&) {  // said below, with the place in the file
  }
  yaml_.add(node, what + ": " + in_quotes(text) + " is not a number");
  return 0;
}

std::vector<std::string> YamlMapReader::texts(const YamlItem& item) {
  std::vector<std::string> all;
  const auto take_one = [&](const YamlNode& node) {
    if (std::optional<std::string> one = yaml_.scalar(node, "each of '" + item.name + "'")) {
      all.push_back(*std::move(one));
    }
  };
  if (!item.value.is_sequence()) {
    take_one(item.value);
    return all;
  }
  for (const YamlNode* const node : item.value.values) {
    take_one(*node);
  }
  return all;
}

void YamlMapReader::refuse_unless_one_of(const YamlNode& node, const std::string& what, const std::string& word,
                                         const std::vector<std::string_view>& known) {
  if (std::ranges::find(known, word) == known.end()) {
    yaml_.add(node, what + " is " + in_quotes(word), suggestion(word, known));
  }
}

}  // namespace gpusim::lab
