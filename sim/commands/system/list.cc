// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/commands/system/facts.h"
#include "sim/commands/system/tables.h"

namespace gpusim::system_tables {
namespace {

using system::LinkKind;
using system::System;
using Json = nlohmann::ordered_json;

struct HostSum {
  std::uint64_t threads = 0;
  std::uint64_t memory = 0;
};

HostSum hosts_of(const System& system) {
  HostSum sum;
  for (const system::NodeId id : system::nodes_of<system::Host>(system)) {
    const auto& host = std::get<system::Host>(system.nodes[id].is);
    sum.threads += host.threads;
    sum.memory += host.memory_bytes;
  }
  return sum;
}

std::string gigabytes(std::uint64_t bytes_per_second) {
  constexpr double kGiga = 1e9;
  return bytes_per_second == 0 ? "-" : fmt::format("{:.3g}", static_cast<double>(bytes_per_second) / kGiga);
}

std::vector<std::string> list_row(const std::string& name, const System& system) {
  const HostSum hosts = hosts_of(system);
  const std::uint64_t host_link =
      std::max(gpu_bandwidth(system, LinkKind::kPcie), gpu_bandwidth(system, LinkKind::kChip));
  return {name,
          gpus_text(system),
          gigabytes(gpu_bandwidth(system, LinkKind::kNvlink)),
          reduces_in_network(system) ? "yes" : "-",
          gigabytes(host_link),
          std::to_string(hosts.threads),
          with_binary_prefix(hosts.memory),
          fmt::format("{} of {}", count_kind(system, SourceKind::kGuess), system.values.size())};
}

}  // namespace

std::size_t count_kind(const System& system, SourceKind kind) {
  return static_cast<std::size_t>(std::ranges::count(system.values, kind, &system::GivenValue::kind));
}

std::string list_text(std::span<const Listing> systems, const layout::Look& look) {
  layout::Table table("llrlrrrr", {"name", "GPUs", "NVLink", "reduces", "to host", "threads", "memory", "guess"});
  std::string broken;
  for (const Listing& one : systems) {
    if (one.thing) {
      table.add(list_row(one.name, *one.thing));
    } else {
      broken += "  " + printable(one.name) + " does not load: " + printable(one.problem) + "\n";
    }
  }
  return table.to_text(look) + broken + "\n" +
         layout::wrapped(
             "NVLink and to host: GB/s each way of a GPU, after line encoding. reduces: switches that add what GPUs "
             "send "
             "(NVLink SHARP). threads and memory of all hosts. guess: values that nobody has published or measured. "
             "gpusim system show NAME has routes and rates.",
             layout::kIndent);
}

std::string list_json(std::span<const Listing> systems) {
  Json root{{"schema", "gpusim.system-list/1"}, {"systems", Json::array()}};
  for (const Listing& one : systems) {
    Json row{{"name", one.name}};
    if (!one.thing) {
      row["problem"] = one.problem;
      root["systems"].push_back(std::move(row));
      continue;
    }
    const HostSum hosts = hosts_of(*one.thing);
    row["title"] = one.thing->name;
    row["description"] = one.thing->description;
    row["gpus"] = system::nodes_of<system::Gpu>(*one.thing).size();
    row["nvlink_bytes_per_second"] = gpu_bandwidth(*one.thing, LinkKind::kNvlink);
    row["pcie_bytes_per_second"] = gpu_bandwidth(*one.thing, LinkKind::kPcie);
    row["chip_bytes_per_second"] = gpu_bandwidth(*one.thing, LinkKind::kChip);
    row["reduces_in_network"] = reduces_in_network(*one.thing);
    row["host_threads"] = hosts.threads;
    row["host_memory_bytes"] = hosts.memory;
    row["guesses"] = count_kind(*one.thing, SourceKind::kGuess);
    row["inferred"] = count_kind(*one.thing, SourceKind::kInferred);
    root["systems"].push_back(std::move(row));
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::system_tables
