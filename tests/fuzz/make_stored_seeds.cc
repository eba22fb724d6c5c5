// SPDX-License-Identifier: MIT
// Makes the seeds of the targets that read what gpusim stored: a result, and a database with a study, a point of each
// status, and that result.
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/commands/sweep/store/store.h"
#include "sim/output/report/report.h"

#include "tests/commands/sweep/store/support.h"
#include "tests/output/report/sample.h"

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
  return 0;
}
