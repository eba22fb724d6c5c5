// SPDX-License-Identifier: MIT
#include "tests/support/silicon_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <span>

#include <lzma.h>
#include <nlohmann/json.hpp>

#include "sim/base/problem.h"

#include "tests/support/gpus.h"

namespace gpusim::test {
namespace {

using nlohmann::json;
using Texts = std::map<std::string, std::string>;

// Quartiles this far apart, relative to the median: the runs agree, or they do not.
constexpr double kHighSpread = 0.02;
constexpr double kMediumSpread = 0.10;
constexpr int kFewestRuns = 5;
constexpr std::uint64_t kMostBytes = 256u << 20;  // bytes of text: a damaged .xz must not fill the memory

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Texts texts_of(const json& object) {
  Texts texts;
  for (const auto& [key, value] : object.items()) {
    texts[key] = text_of(value);
  }
  return texts;
}

std::string joined(const json& params) {
  std::string text;
  for (const auto& [key, value] : params.items()) {
    text += (text.empty() ? "" : " ") + key + "=" + text_of(value);
  }
  return text;
}

Confidence confidence_of(const json& record) {
  const double value = std::abs(record.at("value").get<double>());
  const double spread = record.at("spread").get<double>();
  if (record.at("n").get<int>() < kFewestRuns || spread > kMediumSpread * value) {
    return Confidence::Low;
  }
  return spread > kHighSpread * value ? Confidence::Medium : Confidence::High;
}

class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  std::vector<Case> read(std::string_view text);

 private:
  void read_line(std::string_view line);
  void take(const json& record);
  void add_case(const json& record);
  void distrust_other_code();

  std::string name_;
  std::uint32_t line_ = 0;
  ProblemList problems_;
  std::map<std::string, std::string> gpus_;                // by experiment
  std::set<std::pair<std::string, std::string>> suspect_;  // experiment and kernel whose SASS is not what it should be
  std::vector<std::pair<std::string, std::string>> origins_;  // by case: experiment and kernel
  std::vector<Case> cases_;
};

std::vector<Case> Reader::read(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    ++line_;
    read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  problems_.throw_if_any();
  distrust_other_code();
  return std::move(cases_);
}

void Reader::read_line(std::string_view line) {
  try {
    take(json::parse(line));
  } catch (const json::exception& error) {
    problems_.add({{name_, line_, 0}, "is not a record of a measurement", error.what()});
  }
}

void Reader::take(const json& record) {
  const auto type = record.at("type").get<std::string>();
  const auto experiment = record.at("experiment").get<std::string>();
  if (type == "begin") {
    gpus_[experiment] = record.at("gpu").get<std::string>();
  } else if (type == "measurement") {
    add_case(record);
  } else if (type == "sass" && !record.at("ok").get<bool>()) {
    suspect_.emplace(experiment, record.at("kernel").get<std::string>());
  }
}

void Reader::add_case(const json& record) {
  const auto experiment = record.at("experiment").get<std::string>();
  const std::string params = joined(record.at("params"));
  const auto input = record.at("input").get<std::string>();
  Case result;
  result.gpu = gpus_.contains(experiment) ? gpus_.at(experiment) : "";
  if (const std::optional<ArchOfGpu> known = arch_of_gpu(result.gpu)) {
    result.arch = known->arch;
    result.set = known->set;
  }
  result.suite = experiment.substr(0, experiment.find('/'));
  result.metric = record.at("metric").get<std::string>();
  result.cache = record.at("cache").get<std::string>();
  result.id = experiment + " " + result.metric + (params.empty() ? "" : " " + params) + " input=" + input +
              " cache=" + result.cache;
  result.trace = record.value("trace", "");
  if (result.trace.empty()) {
    result.make = experiment + (params.empty() ? "" : " " + params);
  } else {
    result.params = texts_of(record.at("trace_params"));
  }
  result.measured = record.at("value").get<double>();
  result.unit = record.at("unit").get<std::string>();
  result.clock_mhz = record.at("clock_mhz").get<double>();
  result.source = "tools/silicon on " + result.gpu;
  result.note = record.at("note").get<std::string>();
  result.confidence = confidence_of(record);
  origins_.emplace_back(experiment, record.at("launch").at("kernel").get<std::string>());
  cases_.push_back(std::move(result));
}

// The verdicts on machine code stand at the end of the file, so they are applied last.
void Reader::distrust_other_code() {
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    Case& result = cases_[i];
    if (suspect_.contains(origins_[i])) {
      result.confidence = Confidence::Low;
      result.note += result.note.empty() ? "" : "; ";
      result.note += "the kernel's SASS is not what the experiment expects";
    }
    result.counted = result.confidence != Confidence::Low && !result.trace.empty() && !result.arch.empty();
  }
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError({{file.string(), 0, 0}, "cannot be read", ""});
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string decompressed(const std::string& packed, const std::string& name) {
  lzma_stream stream = LZMA_STREAM_INIT;
  std::string text;
  lzma_ret state = lzma_stream_decoder(&stream, kMostBytes, LZMA_CONCATENATED);
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  std::array<std::uint8_t, 1 << 16> block{};
  while (state == LZMA_OK && text.size() < kMostBytes) {
    stream.next_out = block.data();
    stream.avail_out = block.size();
    state = lzma_code(&stream, LZMA_FINISH);
    text.append(reinterpret_cast<const char*>(block.data()), block.size() - stream.avail_out);
  }
  lzma_end(&stream);
  if (state != LZMA_STREAM_END) {
    throw InputError({{name, 0, 0}, "is not a whole .xz file", ""});
  }
  return text;
}

}  // namespace

std::vector<Case> parse_silicon_cases(std::string_view text, const std::string& name) {
  return Reader(name).read(text);
}

std::vector<Case> read_silicon_cases(const std::filesystem::path& file) {
  std::string bytes = bytes_of(file);
  if (file.extension() == ".xz") {
    bytes = decompressed(bytes, file.string());
  }
  return parse_silicon_cases(bytes, file.string());
}

}  // namespace gpusim::test
