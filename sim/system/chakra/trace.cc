// SPDX-License-Identifier: MIT
#include "sim/system/chakra/trace.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "sim/base/gzip.h"
#include "sim/base/problem.h"
#include "sim/base/units.h"
#include "sim/system/chakra/et.pb.h"

namespace gpusim::chakra {
namespace {

constexpr std::uint64_t kMostBytes = kGi;
constexpr std::size_t kMostNodes = 4'000'000;
constexpr double kNsPerUs = 1000;
constexpr double kLongest = 1e18;  ///< nanoseconds
constexpr const char* kVersion = "0.0.4";
constexpr const char* kStartNs = "gpusim_start_ns";
constexpr const char* kDurationNs = "gpusim_duration_ns";
constexpr const char* kAloneNs = "gpusim_alone_ns";
constexpr const char* kArch = "gpusim_arch";
constexpr const char* kCtas = "gpusim_ctas";
constexpr const char* kCtasPerSm = "gpusim_ctas_per_sm";

double number_of(const form::Attribute& attribute) {
  using form::Attribute;
  switch (attribute.value_case()) {
    case Attribute::kDoubleVal: return attribute.double_val();
    case Attribute::kFloatVal: return attribute.float_val();
    case Attribute::kInt32Val: return attribute.int32_val();
    case Attribute::kInt64Val: return static_cast<double>(attribute.int64_val());
    case Attribute::kUint32Val: return attribute.uint32_val();
    case Attribute::kUint64Val: return static_cast<double>(attribute.uint64_val());
    case Attribute::kSint32Val: return attribute.sint32_val();
    case Attribute::kSint64Val: return static_cast<double>(attribute.sint64_val());
    case Attribute::kFixed32Val: return attribute.fixed32_val();
    case Attribute::kFixed64Val: return static_cast<double>(attribute.fixed64_val());
    case Attribute::kSfixed32Val: return attribute.sfixed32_val();
    case Attribute::kSfixed64Val: return static_cast<double>(attribute.sfixed64_val());
    case Attribute::kBoolVal: return attribute.bool_val() ? 1 : 0;
    default: return 0;
  }
}

/// A number that a file may not make negative, or none.
double amount_of(const form::Attribute& attribute) {
  const double number = number_of(attribute);
  return std::isfinite(number) ? std::clamp(number, 0.0, kLongest) : 0;
}

std::int64_t whole_of(const form::Attribute& attribute) {
  const double number = number_of(attribute);
  return std::isfinite(number) ? static_cast<std::int64_t>(std::clamp(number, -kLongest, kLongest)) : 0;
}

void take_attribute(const form::Attribute& attribute, Node& node) {
  const std::string& name = attribute.name();
  if (name == "is_cpu_op") {
    node.is_on_cpu = number_of(attribute) != 0;
  } else if (name == "num_ops") {
    node.flops = amount_of(attribute);
  } else if (name == "tensor_size") {
    node.bytes = amount_of(attribute);
  } else if (name == "stream") {
    node.stream = whole_of(attribute);
  } else if (name == "tid") {
    node.thread = whole_of(attribute);
  } else if (name == "comm_type") {
    node.comm = whole_of(attribute);
  } else if (name == "comm_size") {
    node.comm_bytes = static_cast<std::uint64_t>(amount_of(attribute));
  } else if (name == "pg_name") {
    node.group = attribute.string_val();
  } else if (name == "comm_src") {
    node.from = whole_of(attribute);
  } else if (name == "comm_dst") {
    node.to = whole_of(attribute);
  } else if (name == kStartNs) {
    node.begin = amount_of(attribute);
    node.is_own = true;
  } else if (name == kDurationNs) {
    node.ns = amount_of(attribute);
  } else if (name == kAloneNs) {
    node.alone_ns = amount_of(attribute);
  } else if (name == kArch) {
    node.arch = attribute.string_val();
  } else if (name == kCtas) {
    node.ctas = static_cast<std::uint64_t>(amount_of(attribute));
  } else if (name == kCtasPerSm) {
    node.ctas_per_sm = static_cast<std::uint64_t>(amount_of(attribute));
  }
}

Node node_of(const form::Node& form) {
  Node node;
  node.id = form.id();
  node.name = form.name();
  node.type = static_cast<NodeType>(form.type());
  node.needs.assign(form.data_deps().begin(), form.data_deps().end());
  node.needs.insert(node.needs.end(), form.ctrl_deps().begin(), form.ctrl_deps().end());
  node.begin = std::min(kNsPerUs * static_cast<double>(form.start_time_micros()), kLongest);
  node.ns = std::min(kNsPerUs * static_cast<double>(form.duration_micros()), kLongest);
  for (const form::Attribute& attribute : form.attr()) {
    take_attribute(attribute, node);
  }
  return node;
}

/// Messages one after the other, each with its length before it.
class MessageReader {
 public:
  MessageReader(std::string_view bytes, const std::string& name)
      : stream_(reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size())),
        size_(static_cast<int>(bytes.size())),
        name_(name) {
    stream_.SetTotalBytesLimit(static_cast<int>(bytes.size()) + 1);
  }

  /// False at the end.
  template <class Message>
  bool read(Message& message) {
    if (stream_.CurrentPosition() == size_) {
      return false;
    }
    ++number_;
    std::uint32_t size = 0;
    const bool has_size = stream_.ReadVarint32(&size);
    const auto limit = stream_.PushLimit(static_cast<int>(std::min<std::uint32_t>(size, 0x7fff'ffff)));
    if (!has_size || stream_.BytesUntilLimit() != static_cast<int>(size) || !message.ParseFromCodedStream(&stream_) ||
        stream_.BytesUntilLimit() != 0) {
      throw InputError({{name_, 0, 0},
                        "message " + std::to_string(number_) + " is cut off, or is not of a Chakra execution trace",
                        "a file such as step.0.et, which chakra_converter writes"});
    }
    stream_.PopLimit(limit);
    return true;
  }

 private:
  google::protobuf::io::CodedInputStream stream_;
  int size_;
  const std::string& name_;
  std::size_t number_ = 0;
};

void add(form::Node& node, const char* name, std::uint64_t value) {
  form::Attribute& attribute = *node.add_attr();
  attribute.set_name(name);
  attribute.set_uint64_val(value);
}

void add(form::Node& node, const char* name, std::int64_t value) {
  form::Attribute& attribute = *node.add_attr();
  attribute.set_name(name);
  attribute.set_int64_val(value);
}

void add(form::Node& node, const char* name, const std::string& value) {
  if (!value.empty()) {
    form::Attribute& attribute = *node.add_attr();
    attribute.set_name(name);
    attribute.set_string_val(value);
  }
}

form::Node form_of(const Node& node) {
  form::Node form;
  form.set_id(node.id);
  form.set_name(node.name);
  form.set_type(static_cast<std::int32_t>(node.type));
  for (const std::uint64_t need : node.needs) {
    form.add_data_deps(need);
  }
  form.set_start_time_micros(static_cast<std::uint64_t>(node.begin / kNsPerUs));
  form.set_duration_micros(static_cast<std::uint64_t>(std::llround(node.ns / kNsPerUs)));
  form::Attribute& is_on_cpu = *form.add_attr();
  is_on_cpu.set_name("is_cpu_op");
  is_on_cpu.set_bool_val(node.is_on_cpu);
  add(form, kStartNs, static_cast<std::uint64_t>(std::llround(node.begin)));
  add(form, kDurationNs, static_cast<std::uint64_t>(std::llround(node.ns)));
  if (node.is_on_cpu) {
    add(form, "tid", node.thread);
  }
  if (node.stream) {
    add(form, "stream", *node.stream);
  }
  if (node.type == NodeType::kCompute && !node.is_on_cpu) {
    add(form, "num_ops", static_cast<std::int64_t>(std::llround(node.flops)));
  }
  if (node.ctas > 0) {
    add(form, kAloneNs, static_cast<std::uint64_t>(std::llround(node.alone_ns)));
    add(form, kCtas, node.ctas);
    add(form, kCtasPerSm, node.ctas_per_sm);
  }
  if (node.bytes > 0) {
    add(form, "tensor_size", static_cast<std::uint64_t>(std::llround(node.bytes)));
  }
  if (node.comm) {
    add(form, "comm_type", *node.comm);
  }
  add(form, "pg_name", node.group);
  add(form, kArch, node.arch);
  if (node.comm_bytes > 0) {
    add(form, "comm_size", static_cast<std::int64_t>(node.comm_bytes));
  }
  if (node.type == NodeType::kSend || node.type == NodeType::kReceive) {
    add(form, "comm_src", node.from);
    add(form, "comm_dst", node.to);
    add(form, "comm_tag", std::int64_t{0});
  }
  return form;
}

template <class Message>
void append(const Message& message, google::protobuf::io::CodedOutputStream& out) {
  out.WriteVarint32(static_cast<std::uint32_t>(message.ByteSizeLong()));
  message.SerializeToCodedStream(&out);
}

}  // namespace

std::vector<Node> parse_trace(std::string_view bytes, const std::string& name) {
  const SourceLocation where{name, 0, 0};
  MessageReader reader(bytes, name);
  form::Metadata metadata;
  if (!reader.read(metadata)) {
    throw InputError({where, "is empty, and is not a Chakra execution trace", ""});
  }
  std::vector<Node> nodes;
  std::unordered_set<std::uint64_t> ids;
  for (form::Node form; reader.read(form); form.Clear()) {
    if (nodes.size() == kMostNodes) {
      throw InputError({where, "has more than four million nodes", "trace a few steps"});
    }
    nodes.push_back(node_of(form));
    if (!ids.insert(nodes.back().id).second) {
      throw InputError({where, "has two nodes with the number " + std::to_string(nodes.back().id), ""});
    }
  }
  if (nodes.empty()) {
    throw InputError({where, "has no nodes", "a Chakra execution trace begins with metadata, which nodes follow"});
  }
  return nodes;
}

std::vector<Node> read_trace(const std::filesystem::path& file) {
  return parse_trace(read_gzip(file, kMostBytes), file.string());
}

std::string write_trace(const std::vector<Node>& nodes) {
  std::string text;
  {
    google::protobuf::io::StringOutputStream stream(&text);
    google::protobuf::io::CodedOutputStream out(&stream);
    form::Metadata metadata;
    metadata.set_version(kVersion);
    append(metadata, out);
    for (const Node& node : nodes) {
      append(form_of(node), out);
    }
  }
  return text;
}

}  // namespace gpusim::chakra
