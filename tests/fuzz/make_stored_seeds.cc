// SPDX-License-Identifier: MIT
// Makes the seeds of the targets that read what programs stored: a result, a database with a study, a point of each
// status, and that result, a report of Nsight Systems, and a Chakra execution trace.
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sim/commands/sweep/store/store.h"
#include "sim/output/report/report.h"
#include "sim/system/chakra/trace.h"

#include "tests/commands/sweep/store/support.h"
#include "tests/output/report/sample.h"
#include "tests/system/nsys/small_report.h"

namespace {

/// A call, the kernel that it launched, a copy that needs it, and a collective.
std::vector<gpusim::chakra::Node> small_step() {
  using gpusim::chakra::Node;
  using gpusim::chakra::NodeType;
  std::vector<Node> nodes(4);
  constexpr std::array kTypes{NodeType::kCompute, NodeType::kCompute, NodeType::kLoad, NodeType::kCollective};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].id = i + 1;
    nodes[i].name = "node" + std::to_string(i);
    nodes[i].type = kTypes[i];
    nodes[i].begin = 10'000.0 * static_cast<double>(i);
    nodes[i].ns = 5'000;
    nodes[i].bytes = 4096;
    nodes[i].stream = static_cast<std::int64_t>(i) + 7;
  }
  nodes[0].is_on_cpu = true;
  nodes[1].needs = {1};
  nodes[2].needs = {2};
  nodes[3].comm = 0;
  nodes[3].comm_bytes = 1 << 20;
  return nodes;
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  using namespace gpusim;
  if (argc != 2) {
    return 1;
  }
  const fs::path into = argv[1];
  fs::remove_all(into);
  fs::create_directories(into / "result");
  fs::create_directories(into / "store");
  const std::string json = report::to_json(report::sample_result());
  std::ofstream(into / "result" / "sample.json") << json;
  sweep::Store store(into / "store" / "small.db", sweep::Store::Access::kWrite);
  store.record(sweep::study_of({"a", "b", "c", ""}, "bandwidth"));
  store.put(sweep::done_row("a", 1000), json, "1.0");
  store.put(sweep::failed_row("b", "deadlock"), "", "1.0");
  fs::create_directories(into / "nsys");
  nsys::test::SmallReport::write(into / "nsys" / "small.sqlite", std::string(nsys::test::kTables) + nsys::test::kStep);
  fs::create_directories(into / "chakra");
  std::ofstream(into / "chakra" / "small.et", std::ios::binary) << chakra::write_trace(small_step());
  return 0;
}
