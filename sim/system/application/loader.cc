// SPDX-License-Identifier: MIT
#include "sim/system/application/loader.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/units.h"
#include "sim/model/arch/value.h"
#include "sim/model/arch/yaml_reader.h"
#include "sim/system/application/call_reader.h"
#include "sim/system/application/check.h"
#include "sim/system/application/fields.h"
#include "sim/system/config/names.h"
#include "sim/system/config/yaml_changes.h"

namespace gpusim::application {

using arch::in_quotes;
using arch::YamlItem;
using arch::YamlNode;

namespace {

/// Programs write applications, too: an imported trace of a minute has some megabytes.
constexpr std::uint64_t kMostFileBytes = 64 * kMi;
constexpr std::uint64_t kMostRounds = 10'000;
constexpr std::uint64_t kMostDepth = 1'000'000;
constexpr std::uint64_t kMostCtas = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostPerSm = 64;
/// What L2 holds when a kernel begins: what its own last run left, or nothing.
constexpr std::array<std::string_view, 2> kCaches{"warm", "cold"};
constexpr std::size_t kCold = 1;
constexpr std::uint64_t kLongestKernel = 1000 * kGiga;  // nanoseconds

class ApplicationReader {
 public:
  ApplicationReader(const std::string& name, std::span<const arch::Override> changes)
      : yaml_(problems_), changes_(changes) {
    yaml_.file = name;
  }
  Application read(std::string text);

 private:
  std::vector<YamlItem> items_of(const YamlItem* item);
  void read_kernel(const YamlItem& item);
  void read_how(Fields& fields, const YamlItem& item, Kernel& kernel);
  void read_params(const YamlItem* item, Parameters& params);
  std::optional<Operation> read_operation(const YamlItem* item);
  std::string read_label(Fields& fields);
  void read_graph(const YamlItem& item, CallReader& calls);
  void read_stream(const YamlItem& item);
  void read_queue(const YamlItem& item);
  void read_thread(const YamlItem& item, CallReader& calls);
  void read_lists(Fields& top);

  ProblemList problems_;
  arch::YamlReader yaml_;
  std::span<const arch::Override> changes_;
  Vocabulary names_;
  Names threads_{"thread"};
  Application application_;
};

std::vector<YamlItem> ApplicationReader::items_of(const YamlItem* item) {
  if (item == nullptr) {
    return {};
  }
  if (!item->value.is_map()) {
    yaml_.add(item->value.is_null() ? item->key : item->value, "'" + item->name + "' must be a map",
              "write " + item->name + ": {NAME: ...}");
    return {};
  }
  return yaml_.items(item->value);
}

void ApplicationReader::read_params(const YamlItem* item, Parameters& params) {
  for (const YamlItem& inner : items_of(item)) {
    params.emplace_back(inner.name, yaml_.scalar(inner.value, "'" + inner.name + "'").value_or(""));
  }
}

/// An operation with the sizes that its kind has.
std::optional<Operation> ApplicationReader::read_operation(const YamlItem* item) {
  if (item == nullptr) {
    return std::nullopt;
  }
  Fields fields(yaml_, item->value, item->name, "of");
  static constexpr auto kKinds = arch::all_words<OperationKind>();
  static constexpr auto kTypes = arch::all_words<ElementType>();
  static constexpr auto kFlash = arch::all_words<FlashKernel>();
  if (fields.need("of", "such as of: product") == nullptr) {
    return std::nullopt;
  }
  const std::optional<std::size_t> kind = fields.word("of", kKinds);
  if (!kind) {
    return std::nullopt;
  }
  Operation operation;
  operation.of = arch::kWords<OperationKind>[*kind].value;
  const OperationForm& form = form_of(operation.of);
  for (const OperationSize& size : form.sizes) {
    if (!size.name.empty() && fields.need(size.name, text_of(operation)) != nullptr) {
      const arch::Unit unit = size.at == &Operation::bytes ? arch::Unit::kBytes : arch::Unit::kCount;
      operation.*size.at = fields.number(size.name, {unit, 1, most_of(size)}).value_or(1);
    }
  }
  if (form.has_type) {
    operation.type = arch::kWords<ElementType>[fields.word("type", kTypes).value_or(2)].value;
  }
  if (form.is_attention) {
    operation.causal = fields.flag("causal", false);
    operation.flash = arch::kWords<FlashKernel>[fields.word("flash", kFlash).value_or(0)].value;
  }
  fields.refuse_others();
  return operation;
}

/// A kernel has a trace, or FLOPs and bytes, or a time.
void ApplicationReader::read_how(Fields& fields, const YamlItem& item, Kernel& kernel) {
  const std::optional<std::string> trace = fields.text("trace");
  const YamlItem* const params = fields.find("params");
  const auto cache = fields.word("cache", kCaches);
  const auto time = fields.number("time", {arch::Unit::kNanoseconds, 1, kLongestKernel});
  const auto bytes = fields.number("bytes", {arch::Unit::kBytes, 0, kKi * kTi});
  const std::optional<std::string> peak = fields.text("peak");
  const auto reach = fields.number("reach", {arch::Unit::kPercent, 1, 100});
  const auto sm_cycles = fields.number("sm_cycles", {arch::Unit::kCycles, 0, kKi * kTi});
  const auto besides = fields.number("besides", {arch::Unit::kNanoseconds, 0, kLongestKernel});
  const std::optional<std::string> of = fields.text("of");
  const int ways = (trace ? 1 : 0) + (time ? 1 : 0) + (bytes ? 1 : 0);
  if (ways != 1 && problems_.empty()) {
    yaml_.add(item.key, "the kernel " + in_quotes(item.name) + " needs one of 'trace', 'bytes' and 'time'",
              "simulated, by the roofline, or as recorded");
  }
  if (trace) {
    Simulated how{*trace, {}, cache == kCold};
    read_params(params, how.params);
    kernel.how = std::move(how);
  } else if (time) {
    kernel.how = Recorded{static_cast<double>(*time), of.value_or(""), read_operation(fields.find("does"))};
  } else {
    kernel.how = Roofline{kernel.flops,
                          static_cast<double>(bytes.value_or(0)),
                          peak.value_or("fp32"),
                          static_cast<double>(reach.value_or(100)) / 100,
                          static_cast<double>(sm_cycles.value_or(0)),
                          static_cast<double>(besides.value_or(0))};
  }
  const bool is_roofline = !trace && !time;
  for (const std::string_view key : {"peak", "reach", "sm_cycles", "besides"}) {
    if (const YamlItem* const odd = fields.find(key); odd != nullptr && !is_roofline) {
      yaml_.add(odd->key, "'" + std::string(key) + "' is that of a kernel with 'bytes'");
    }
  }
  if (const YamlItem* const odd = fields.find("of"); odd != nullptr && !time) {
    yaml_.add(odd->key, "'of' says on which GPU a kernel took its 'time'");
  }
  if (const YamlItem* const odd = fields.find("does"); odd != nullptr && !time) {
    yaml_.add(odd->key, "'does' says of a kernel with a 'time' what it does");
  }
  for (const std::string_view key : {"ctas", "ctas_per_sm"}) {
    if (const YamlItem* const odd = fields.find(key); odd != nullptr && trace) {
      yaml_.add(odd->key, "'" + std::string(key) + "' follows from the trace");
    }
  }
  if (params != nullptr && !trace) {
    yaml_.add(params->key, "'params' are those of a trace", "write trace: NAME");
  }
  if (cache && !trace) {
    yaml_.add(fields.find("cache")->key, "'cache' is that of a trace", "write trace: NAME");
  }
}

/// A label, or that of another kernel, so that a long one stands in the file once.
std::string ApplicationReader::read_label(Fields& fields) {
  const std::optional<std::string> label = fields.text("label");
  const std::optional<std::string> like = fields.text("like");
  if (!like) {
    return label.value_or("");
  }
  const YamlItem& at = *fields.find("like");
  if (label) {
    yaml_.add(at.key, "'like' takes the label of another kernel, and there is a 'label'", "leave one of them out");
  }
  const Index other = names_.kernels.find(yaml_, at.value, *like);
  return other < application_.kernels.size() ? label_of(application_.kernels[other]) : "";
}

void ApplicationReader::read_kernel(const YamlItem& item) {
  Fields fields(yaml_, item.value, item.name, "trace");
  Kernel kernel;
  kernel.name = item.name;
  kernel.place = item.key.place;
  kernel.label = read_label(fields);
  kernel.ctas = fields.number("ctas", {arch::Unit::kCount, 1, kMostCtas}).value_or(0);
  kernel.ctas_per_sm =
      static_cast<std::uint32_t>(fields.number("ctas_per_sm", {arch::Unit::kCount, 1, kMostPerSm}).value_or(1));
  kernel.flops = static_cast<double>(fields.number("flops", {arch::Unit::kCount, 0, kKi * kPeta}).value_or(0));
  read_how(fields, item, kernel);
  fields.refuse_others();
  names_.kernels.add(yaml_, item);
  application_.kernels.push_back(std::move(kernel));
}

void ApplicationReader::read_graph(const YamlItem& item, CallReader& calls) {
  Fields fields(yaml_, item.value, item.name, "calls");
  Graph graph{item.name, {}, item.key.place, {}};
  if (const auto gap = fields.number("gap", {arch::Unit::kNanoseconds, 0, kGiga})) {
    graph.gap_ns = static_cast<double>(*gap);
  }
  if (const YamlItem* const body = fields.need("calls", "write calls: [...]")) {
    graph.calls = calls.read(body->value);
  }
  fields.refuse_others();
  application_.graphs.push_back(std::move(graph));
}

void ApplicationReader::read_stream(const YamlItem& item) {
  Fields fields(yaml_, item.value, item.name);
  application_.streams.push_back({item.name, fields.flag("waits_for_default", true)});
  fields.refuse_others();
  names_.streams.add(yaml_, item);
}

void ApplicationReader::read_queue(const YamlItem& item) {
  Fields fields(yaml_, item.value, item.name, "depth");
  const auto depth = fields.number("depth", {arch::Unit::kCount, 1, kMostDepth});
  application_.queues.push_back({item.name, static_cast<std::uint32_t>(depth.value_or(1))});
  fields.refuse_others();
  names_.queues.add(yaml_, item);
}

/// One thread, or as many as a range of names stands for, each with a GPU of the range under 'gpu'.
void ApplicationReader::read_thread(const YamlItem& item, CallReader& calls) {
  Fields fields(yaml_, item.value, item.name, "calls");
  const auto names = system::names_of(item.name);
  if (!names) {
    yaml_.add(item.key, in_quotes(item.name) + " is not a name", "write for example main, or rank0..7 for eight");
    return;
  }
  const YamlItem* const gpu = fields.find("gpu");
  const auto gpus = gpu == nullptr
                        ? std::vector<std::string>{""}
                        : system::names_of(fields.text("gpu").value_or("")).value_or(std::vector<std::string>{});
  if (gpus.size() != 1 && gpus.size() != names->size()) {
    yaml_.add(gpu->value, "'gpu' of '" + item.name + "' needs one name, or as many as there are threads",
              "write for example gpu: gpu0..7");
    return;
  }
  const bool background = fields.flag("background", false);
  std::optional<Index> setup;
  if (const YamlItem* const once = fields.find("setup")) {
    setup = static_cast<Index>(application_.bodies.size());
    application_.bodies.push_back(calls.read(once->value));
  }
  if (const YamlItem* const body = fields.need("calls", "write calls: [...]")) {
    application_.bodies.push_back(calls.read(body->value));
    for (std::size_t i = 0; i < names->size(); ++i) {
      threads_.add(yaml_, {(*names)[i], item.key, item.value});
      application_.threads.push_back({(*names)[i], gpus[gpus.size() == 1 ? 0 : i],
                                      static_cast<Index>(application_.bodies.size() - 1), background, item.key.place,
                                      setup});
    }
  }
  fields.refuse_others();
}

void ApplicationReader::read_lists(Fields& top) {
  for (const YamlItem& item : items_of(top.find("kernels"))) {
    read_kernel(item);
  }
  application_.streams.push_back({std::string(kDefaultStream), true});
  names_.streams.add(std::string(kDefaultStream));
  for (const YamlItem& item : items_of(top.find("streams"))) {
    read_stream(item);
  }
  for (const YamlItem& item : items_of(top.find("queues"))) {
    read_queue(item);
  }
  application_.categories.emplace_back("other");
  CallReader calls(yaml_, names_, application_);
  const std::vector<YamlItem> graphs = items_of(top.find("graphs"));
  for (const YamlItem& item : graphs) {  // before their calls, which may name them
    names_.graphs.add(yaml_, item);
  }
  for (const YamlItem& item : graphs) {
    read_graph(item, calls);
  }
  for (const YamlItem& item : items_of(top.need("threads", "write threads: {main: [...]}"))) {
    read_thread(item, calls);
  }
  calls.check_names();
}

Application ApplicationReader::read(std::string text) {
  const std::unique_ptr<arch::YamlDocument> document =
      yaml_.parse(std::move(text), "an application", "one YAML document with keys such as 'kernels:' and 'threads:'");
  problems_.throw_if_any();
  static constexpr std::array<std::string_view, 1> kMayLack{"params"};
  const YamlNode& root = system::changed_root(problems_, *document, changes_, kMayLack);
  system::throw_if_any(problems_, changes_);
  application_.path = yaml_.file;
  Fields top(yaml_, root, "application");
  application_.name = top.text("name").value_or("");
  application_.description = top.text("description").value_or("");
  application_.system = top.text("system").value_or("");
  application_.fit = top.text("fit").value_or("");
  const Range64 rounds{arch::Unit::kCount, 0, kMostRounds};
  application_.warm_up = static_cast<std::uint32_t>(top.number("warm_up", rounds).value_or(0));
  application_.repeats =
      static_cast<std::uint32_t>(top.number("repeats", {arch::Unit::kCount, 1, kMostRounds}).value_or(1));
  read_lists(top);
  top.refuse_others();
  system::throw_if_any(problems_, changes_);
  check(application_);
  return std::move(application_);
}

}  // namespace

Application load_application(const std::filesystem::path& file, std::span<const arch::Override> changes) {
  std::string why;
  std::optional<std::string> text = arch::read_yaml_text(file, why, kMostFileBytes);
  if (!text) {
    throw InputError({{file.string(), 0, 0}, why, ""});
  }
  return parse_application(*std::move(text), file.string(), changes);
}

Application parse_application(std::string text, const std::string& name, std::span<const arch::Override> changes) {
  return ApplicationReader(name, changes).read(std::move(text));
}

std::string calls_markdown() {
  std::string text = "| call | written | what it does |\n| --- | --- | --- |\n";
  for (const CallForm& form : call_forms()) {
    text +=
        "| `" + std::string(form.name) + "` | `" + std::string(form.form) + "` | " + std::string(form.meaning) + " |\n";
  }
  return text;
}

}  // namespace gpusim::application
