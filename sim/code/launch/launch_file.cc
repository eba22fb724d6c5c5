// SPDX-License-Identifier: MIT
#include "sim/code/launch/launch_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/code/array/element.h"
#include "sim/code/array/fill.h"
#include "sim/code/launch/argument.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_reader.h"

namespace gpusim::launch {
namespace {

using arch::in_quotes;
using arch::YamlItem;
using arch::YamlNode;

/// More launches than anybody writes; loops of them are `repeat`.
constexpr std::size_t kMostLaunches = 1000;

class LaunchFileReader {
 public:
  explicit LaunchFileReader(const std::filesystem::path& name) : folder_(name.parent_path()), yaml_(problems_) {
    yaml_.file = name.string();
  }

  Request read(std::string text);

  using TakeFile = void (LaunchFileReader::*)(const YamlItem& item);
  using TakeLaunch = void (LaunchFileReader::*)(const YamlItem& item, LaunchText& launch);
  /// A key: of the file, or of a launch, which may stand at the top of a file with one launch.
  struct Key {
    std::string_view name;
    std::string_view form;
    std::string_view meaning;
    TakeFile of_file = nullptr;
    TakeLaunch of_launch = nullptr;
  };
  static const std::array<Key, 14> kKeys;

 private:
  std::string text(const YamlItem& item) { return yaml_.scalar(item.value, "'" + item.name + "'").value_or(""); }
  Text placed(const YamlItem& item) { return {text(item), yaml_.place(item.value)}; }
  Text sizes(const YamlItem& item);
  void texts(const YamlItem& item, std::string_view example, std::vector<NamedText>& into);
  [[nodiscard]] std::string beside(const std::string& file) const;
  [[nodiscard]] std::string value_beside(const std::string& value) const;
  std::optional<double> tolerance(const YamlItem& item);
  void unknown(const YamlItem& item, bool in_launch);
  void take(const YamlItem& item);
  void take_in_launch(const YamlItem& item, LaunchText& launch);

  void take_file(const YamlItem& item) { request_.file = Text{beside(text(item)), yaml_.place(item.value)}; }
  void take_param(const YamlItem& item) { texts(item, "n: 1048576", request_.parameters); }
  void take_buffers(const YamlItem& item);
  void take_launches(const YamlItem& item);
  void take_out(const YamlItem& item);
  void take_expect(const YamlItem& item);
  void take_expectation(const YamlItem& item);
  void take_tolerance(const YamlItem& item) { request_.tolerance = tolerance(item).value_or(0); }
  void take_kernel(const YamlItem& item, LaunchText& launch) { launch.kernel = placed(item); }
  void take_grid(const YamlItem& item, LaunchText& launch) { launch.grid = sizes(item); }
  void take_block(const YamlItem& item, LaunchText& launch) { launch.block = sizes(item); }
  void take_cluster(const YamlItem& item, LaunchText& launch) { launch.cluster = sizes(item); }
  void take_shared(const YamlItem& item, LaunchText& launch) { launch.shared = placed(item); }
  void take_repeat(const YamlItem& item, LaunchText& launch) { launch.repeat = placed(item); }
  void take_args(const YamlItem& item, LaunchText& launch);

  std::filesystem::path folder_;
  ProblemList problems_;
  arch::YamlReader yaml_;
  Request request_;
  LaunchText top_;  ///< what stands at the top of the file
  bool has_launches_ = false;
};

const std::array<LaunchFileReader::Key, 14> LaunchFileReader::kKeys{{
    {"file", "saxpy.cubin", "the file with the kernels, beside the launch file; the command line's wins",
     &LaunchFileReader::take_file, nullptr},
    {"kernel", "saxpy", "the kernel, as `gpusim trace import FILE --list` names it; not needed for a file with one",
     nullptr, &LaunchFileReader::take_kernel},
    {"grid", "(n + 255) / 256", "CTAs: up to three sizes, with commas or as a list", nullptr,
     &LaunchFileReader::take_grid},
    {"block", "256", "threads of a CTA, as `grid`; not needed where the code or Triton says it", nullptr,
     &LaunchFileReader::take_block},
    {"cluster", "2", "CTAs of a cluster, as `grid`", nullptr, &LaunchFileReader::take_cluster},
    {"shared", "49152", "bytes of dynamic shared memory of a CTA", nullptr, &LaunchFileReader::take_shared},
    {"args", "{n: n, a: 2.0}", "a value for each parameter, by name, or by position from 0 on", nullptr,
     &LaunchFileReader::take_args},
    {"repeat", "10", "how often the launch is made, one after another", nullptr, &LaunchFileReader::take_repeat},
    {"param", "{n: 1048576}", "numbers with names for all that is calculated here; `--param n=4096` changes them",
     &LaunchFileReader::take_param, nullptr},
    {"buffers", "{x: \"f32[n]:random\"}", "buffers that several launches use", &LaunchFileReader::take_buffers,
     nullptr},
    {"launches", "[{kernel: a, ...}, ...]",
     "launches one after another on the same buffers; what stands at the top "
     "counts for each that does not say otherwise",
     &LaunchFileReader::take_launches, nullptr},
    {"out", "{y: y.npy}", "buffers to write to files when all launches are done", &LaunchFileReader::take_out, nullptr},
    {"expect", "{y: ref.npy}",
     "what buffers must hold then: a file or a fill; `{file: ref.npy, tolerance: 1e-3}` has "
     "its own tolerance",
     &LaunchFileReader::take_expect, nullptr},
    {"tolerance", "1e-5",
     "how far an element may be off, relative to the expected one, absolute below 1; 0 where "
     "nothing is said",
     &LaunchFileReader::take_tolerance, nullptr},
}};

/// A list of sizes as a text with commas.
Text LaunchFileReader::sizes(const YamlItem& item) {
  if (!item.value.is_sequence()) {
    return placed(item);
  }
  Text out{"", yaml_.place(item.value)};
  for (const YamlNode* const part : item.value.values) {
    out.text += (out.text.empty() ? "" : ", ") + yaml_.scalar(*part, "a size of '" + item.name + "'").value_or("1");
  }
  return out;
}

void LaunchFileReader::texts(const YamlItem& item, std::string_view example, std::vector<NamedText>& into) {
  if (!item.value.is_map()) {
    yaml_.add(item.value, "'" + item.name + "' must be a map", "such as  " + std::string(example));
    return;
  }
  for (const YamlItem& one : yaml_.items(item.value)) {
    if (!is_argument_name(one.name)) {
      yaml_.add(one.key, in_quotes(one.name) + " is not a name", "letters, digits and '_', with no digit first");
      continue;
    }
    if (one.value.is_null()) {
      yaml_.add(one.value, in_quotes(one.name) + " has no value", "a pointer to nothing is written nullptr");
      continue;
    }
    if (std::optional<std::string> value = yaml_.scalar(one.value, "the value of " + in_quotes(one.name))) {
      into.push_back({one.name, *std::move(value), yaml_.place(one.value)});
    }
  }
}

std::string LaunchFileReader::beside(const std::string& file) const {
  const std::filesystem::path path(file);
  return path.is_absolute() || file.empty() ? file : (folder_ / path).string();
}

/// A value with the file in it, if it has one: "f32[n]:x.npy", "x.npy", "bytes:x.npy".
std::string LaunchFileReader::value_beside(const std::string& value) const {
  if (!value.ends_with(".npy")) {
    return value;
  }
  const std::size_t bracket = value.rfind("]:");
  const std::size_t begin = bracket != value.npos         ? bracket + 2
                            : value.starts_with("bytes:") ? std::string_view("bytes:").size()
                                                          : 0;
  return value.substr(0, begin) + beside(value.substr(begin));
}

std::optional<double> LaunchFileReader::tolerance(const YamlItem& item) {
  const std::optional<array::Number> number = array::parse_number(text(item));
  if (!number || !std::isfinite(number->real) || number->real < 0) {
    yaml_.add(item.value, "'" + item.name + "' is not a tolerance", "a number from 0 on, such as 1e-5");
    return std::nullopt;
  }
  return number->real;
}

void LaunchFileReader::take_buffers(const YamlItem& item) {
  texts(item, "x: f32[n]:random", request_.buffers);
  for (NamedText& buffer : request_.buffers) {
    buffer.text = value_beside(buffer.text);
  }
}

void LaunchFileReader::take_args(const YamlItem& item, LaunchText& launch) {
  std::vector<NamedText> arguments;
  texts(item, "x: f32[n]:random", arguments);
  for (NamedText& argument : arguments) {
    argument.text = value_beside(argument.text);
    set_text(launch.arguments, std::move(argument));
  }
}

void LaunchFileReader::take_out(const YamlItem& item) {
  texts(item, "y: y.npy", request_.outputs);
  for (NamedText& output : request_.outputs) {
    output.text = beside(output.text);
  }
}

void LaunchFileReader::take_expectation(const YamlItem& item) {
  ExpectationText out{item.name, "", std::nullopt, yaml_.place(item.value)};
  if (!item.value.is_map()) {
    out.text = value_beside(text(item));
    request_.expectations.push_back(std::move(out));
    return;
  }
  for (const YamlItem& part : yaml_.items(item.value)) {
    if (part.name == "file") {
      out.text = value_beside(text(part));
    } else if (part.name == "tolerance") {
      out.tolerance = tolerance(part);
    } else {
      constexpr std::array<std::string_view, 2> kParts{"file", "tolerance"};
      yaml_.add(part.key, "unknown key " + in_quotes(part.name) + " of an expectation", suggestion(part.name, kParts));
    }
  }
  if (out.text.empty()) {
    yaml_.add(item.value, "the expectation of " + in_quotes(item.name) + " has no 'file'", "such as  file: ref.npy");
  }
  request_.expectations.push_back(std::move(out));
}

void LaunchFileReader::take_expect(const YamlItem& item) {
  if (!item.value.is_map()) {
    yaml_.add(item.value, "'expect' must be a map", "such as  y: ref.npy");
    return;
  }
  for (const YamlItem& one : yaml_.items(item.value)) {
    take_expectation(one);
  }
}

void LaunchFileReader::take_launches(const YamlItem& item) {
  has_launches_ = true;
  if (!item.value.is_sequence() || item.value.values.empty() || item.value.values.size() > kMostLaunches) {
    yaml_.add(item.value, "'launches' must be a list of 1 to " + with_thousands(kMostLaunches) + " launches",
              "such as  - kernel: saxpy");
    return;
  }
  for (const YamlNode* const node : item.value.values) {
    LaunchText launch;
    launch.where = yaml_.place(*node);
    if (!node->is_map()) {
      yaml_.add(*node, "a launch must be a map", "such as  kernel: saxpy");
      continue;
    }
    for (const YamlItem& part : yaml_.items(*node)) {
      take_in_launch(part, launch);
    }
    request_.launches.push_back(std::move(launch));
  }
}

void LaunchFileReader::unknown(const YamlItem& item, bool in_launch) {
  std::vector<std::string_view> names;
  for (const Key& key : kKeys) {
    if (!in_launch || key.of_launch != nullptr) {
      names.push_back(key.name);
    }
  }
  yaml_.add(item.key, "unknown key " + in_quotes(item.name) + (in_launch ? " of a launch" : ""),
            suggestion(item.name, names));
}

void LaunchFileReader::take_in_launch(const YamlItem& item, LaunchText& launch) {
  const auto* const key = std::ranges::find(kKeys, item.name, &Key::name);
  if (key == kKeys.end() || key->of_launch == nullptr) {
    unknown(item, true);
  } else {
    (this->*key->of_launch)(item, launch);
  }
}

void LaunchFileReader::take(const YamlItem& item) {
  const auto* const key = std::ranges::find(kKeys, item.name, &Key::name);
  if (key == kKeys.end()) {
    unknown(item, false);
  } else if (key->of_file != nullptr) {
    (this->*key->of_file)(item);
  } else {
    (this->*key->of_launch)(item, top_);
  }
}

/// Takes over what a launch does not say itself.
void inherit(const LaunchText& from, LaunchText& launch) {
  for (std::optional<Text> LaunchText::*const part : {&LaunchText::kernel, &LaunchText::grid, &LaunchText::block,
                                                      &LaunchText::cluster, &LaunchText::shared, &LaunchText::repeat}) {
    if (!(launch.*part)) {
      launch.*part = from.*part;
    }
  }
  for (const NamedText& argument : from.arguments) {
    if (std::ranges::find(launch.arguments, argument.name, &NamedText::name) == launch.arguments.end()) {
      launch.arguments.push_back(argument);
    }
  }
}

Request LaunchFileReader::read(std::string text) {
  if (const auto document = yaml_.parse(std::move(text), "a launch", "one YAML document with keys such as 'grid:'")) {
    for (const YamlItem& item : yaml_.items(document->root())) {
      take(item);
    }
    for (LaunchText& launch : request_.launches) {
      inherit(top_, launch);
    }
    if (!has_launches_) {
      top_.where = {yaml_.file, 0, 0};
      request_.launches.push_back(top_);
    }
  }
  problems_.throw_if_any();
  return std::move(request_);
}

}  // namespace

Request read_launch_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw InputError({{path.string(), 0, 0}, "no such file", ""});
  }
  std::string why;
  std::optional<std::string> text = arch::read_yaml_text(path, why);
  if (!text) {
    throw InputError({{path.string(), 0, 0}, why, ""});
  }
  return LaunchFileReader(path).read(*std::move(text));
}

Request parse_launch_file(std::string_view yaml, const std::filesystem::path& name) {
  return LaunchFileReader(name).read(std::string(yaml));
}

std::string launch_file_markdown() {
  std::string out = "| key | such as | what it says |\n| --- | --- | --- |\n";
  for (const auto& key : LaunchFileReader::kKeys) {
    out += "| `" + std::string(key.name) + "` | `" + std::string(key.form) + "` | " + std::string(key.meaning) + " |\n";
  }
  out += "\n| value of an argument | what it is |\n| --- | --- |\n";
  for (const ArgumentForm& form : argument_forms()) {
    out += "| `" + std::string(form.form) + "` | " + std::string(form.meaning) + " |\n";
  }
  out += "\n| fill | elements |\n| --- | --- |\n";
  for (std::size_t i = 0; i < array::kFillWords; ++i) {
    const array::FillWord& word = array::fill_words()[i];
    out += "| `" + std::string(word.form) + "` | " + std::string(word.meaning) + " |\n";
  }
  return out;
}

}  // namespace gpusim::launch
