// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/commands/system/facts.h"
#include "sim/commands/system/tables.h"
#include "sim/model/arch/schema.h"

namespace gpusim::system_tables {
namespace {

using system::Fabric;
using system::Gpu;
using system::Host;
using system::NodeId;
using system::System;
using Json = nlohmann::ordered_json;

/// More GPUs make a matrix that no page holds.
constexpr std::size_t kMostShown = 16;

std::string rate(double bytes_per_second) {
  return with_si_prefix(bytes_per_second, "B/s");
}

std::string hosts_section(const System& system, const layout::Look& look) {
  layout::Table table("lrrr", {"host", "threads", "memory", "its bandwidth"});
  for (const std::vector<NodeId>& group : alike<Host>(system)) {
    const auto& host = std::get<Host>(system.nodes[group.front()].is);
    table.add({span_text(system, group), std::to_string(host.threads), with_binary_prefix(host.memory_bytes),
               rate(static_cast<double>(host.memory_bytes_per_second))});
  }
  return layout::heading("Hosts", "each of them", look) + table.to_text(look);
}

std::string gpus_section(const System& system, const layout::Look& look) {
  layout::Table table("llrrl", {"GPU", "architecture", "memory", "copy engines", "peer access"});
  for (const std::vector<NodeId>& group : alike<Gpu>(system)) {
    const auto& gpu = std::get<Gpu>(system.nodes[group.front()].is);
    table.add({span_text(system, group), gpu.arch, with_binary_prefix(gpu.memory_bytes),
               std::to_string(gpu.copy_engines), std::string(arch::word_of(gpu.peer))});
  }
  return layout::heading("GPUs", "each of them", look) + table.to_text(look);
}

std::string links_section(const System& system, const layout::Look& look) {
  layout::Table table("llrrrr", {"link", "kind", "each way", "usable", "both ways", "latency"});
  std::string joins;
  for (std::uint32_t i = 0; i < system.link_types.size(); ++i) {
    const system::LinkType& type = system.link_types[i];
    const auto both = static_cast<double>(type.both_ways_bytes_per_second);
    table.add({type.name, std::string(arch::word_of(type.kind)), rate(static_cast<double>(type.bytes_per_second)),
               rate(static_cast<double>(type.usable_bytes_per_second)), both > 0 ? rate(both) : "2 x usable",
               fmt::format("{} ns", type.latency_ns)});
    joins += layout::wrapped(type.name + " joins " + joins_text(system, i) + ".", layout::kIndent);
  }
  return layout::heading("Links", "one link; usable is what a large copy reaches", look) + table.to_text(look) + "\n" +
         joins;
}

std::string routes_section(const Fabric& fabric, const layout::Look& look) {
  const System& system = fabric.system();
  std::vector<NodeId> gpus = system::nodes_of<Gpu>(system);
  if (gpus.size() < 2) {
    return "";
  }
  gpus.resize(std::min(gpus.size(), kMostShown));
  std::vector<std::string> header{""};
  for (const NodeId id : gpus) {
    header.push_back(system.nodes[id].name);
  }
  layout::Table table("l" + std::string(gpus.size(), 'l'), header);
  for (const NodeId from : gpus) {
    std::vector<std::string> row{system.nodes[from].name};
    for (const NodeId to : gpus) {
      const bool is_same = from == to;
      const system::Route route = is_same ? system::Route{} : fabric.route(from, to);
      row.push_back(is_same ? "X" : topology_word(system, route) + (route.staged_in ? "*" : ""));
    }
    table.add(std::move(row));
  }
  return layout::heading("Routes between GPUs", "in the words of nvidia-smi topo -m; *: through host memory", look) +
         table.to_text(look);
}

std::string rates_section(const Fabric& fabric, const layout::Look& look) {
  layout::Table table("lrrL", {"copies", "rate", "latency", "by way of"});
  for (const CopyRate& copy : copy_rates(fabric)) {
    table.add({copy.what, rate(copy.bytes_per_second), fmt::format("{:.2f} us", copy.latency_ns / 1000),
               copy.way.empty() ? "-" : copy.way});
  }
  return layout::heading("What copies reach", "large and pinned; links are shared max-min fair", look) +
         table.to_text(look);
}

std::string sources_section(const System& system, const layout::Look& look) {
  std::string text = layout::heading("Values", "with their kinds and sources", look);
  for (const system::GivenValue& value : system.values) {
    std::string line = fmt::format("{}: {} ({})", value.key, value.text, source_kind_text(value.kind));
    for (const std::string& source : value.sources) {
      line += "; " + source;
    }
    text += layout::wrapped(printable(line), layout::kIndent);
  }
  return text;
}

Json nodes_json(const System& system) {
  Json hosts = Json::array();
  Json gpus = Json::array();
  Json switches = Json::array();
  for (const system::Node& node : system.nodes) {
    if (const auto* const host = std::get_if<Host>(&node.is)) {
      hosts.push_back({{"name", node.name},
                       {"threads", host->threads},
                       {"memory_bytes", host->memory_bytes},
                       {"memory_bytes_per_second", host->memory_bytes_per_second}});
    } else if (const auto* const gpu = std::get_if<Gpu>(&node.is)) {
      gpus.push_back({{"name", node.name},
                      {"arch", gpu->arch},
                      {"memory_bytes", gpu->memory_bytes},
                      {"copy_engines", gpu->copy_engines},
                      {"peer", arch::word_of(gpu->peer)}});
    } else {
      const auto& of = std::get<system::Switch>(node.is);
      switches.push_back(
          {{"name", node.name}, {"kind", arch::word_of(of.kind)}, {"reduction", arch::word_of(of.reduction)}});
    }
  }
  return {{"hosts", hosts}, {"gpus", gpus}, {"switches", switches}};
}

Json links_json(const System& system) {
  Json links = Json::array();
  for (const system::Link& link : system.links) {
    const system::LinkType& type = system.link_types[link.type];
    links.push_back({{"type", type.name},
                     {"kind", arch::word_of(type.kind)},
                     {"from", system.nodes[link.from].name},
                     {"to", system.nodes[link.to].name},
                     {"count", link.count},
                     {"bytes_per_second", type.bytes_per_second * link.count},
                     {"usable_bytes_per_second", type.usable_bytes_per_second * link.count},
                     {"latency_ns", type.latency_ns}});
  }
  return links;
}

Json routes_json(const Fabric& fabric) {
  const System& system = fabric.system();
  Json routes = Json::array();
  const std::vector<NodeId> gpus = system::nodes_of<Gpu>(system);
  for (const NodeId from : gpus) {
    for (const NodeId to : gpus) {
      if (from == to) {
        continue;
      }
      const system::Route route = fabric.route(from, to);
      Json passed = Json::array();
      for (const NodeId id : route.passed) {
        passed.push_back(system.nodes[id].name);
      }
      routes.push_back({{"from", system.nodes[from].name},
                        {"to", system.nodes[to].name},
                        {"topology", topology_word(system, route)},
                        {"through_host_memory", route.staged_in.has_value()},
                        {"passes", passed},
                        {"bytes_per_second", fabric.rates({&route, 1}).front()},
                        {"latency_ns", route.latency_ns}});
    }
  }
  return routes;
}

}  // namespace

std::string show_text(const Fabric& fabric, bool details, const layout::Look& look) {
  const System& system = fabric.system();
  return layout::wrapped(printable(system.name + ": " + system.description), layout::kIndent) +
         hosts_section(system, look) + gpus_section(system, look) + links_section(system, look) +
         routes_section(fabric, look) + rates_section(fabric, look) + (details ? sources_section(system, look) : "");
}

std::string show_json(const Fabric& fabric) {
  const System& system = fabric.system();
  Json root{
      {"schema", "gpusim.system/1"}, {"name", system.name}, {"description", system.description}, {"path", system.path}};
  root.update(nodes_json(system));
  root["links"] = links_json(system);
  root["routes"] = routes_json(fabric);
  root["copies"] = Json::array();
  for (const CopyRate& copy : copy_rates(fabric)) {
    root["copies"].push_back(
        {{"what", copy.what}, {"bytes_per_second", copy.bytes_per_second}, {"latency_ns", copy.latency_ns}});
  }
  root["values"] = Json::array();
  for (const system::GivenValue& value : system.values) {
    root["values"].push_back({{"key", value.key},
                              {"value", value.text},
                              {"kind", source_kind_text(value.kind)},
                              {"sources", value.sources}});
  }
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpusim::system_tables
