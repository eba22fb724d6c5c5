// SPDX-License-Identifier: MIT
// Listings with encodings in the place of cubins.
#include "tests/exec/kernels/listed.h"

#include <catch2/catch.hpp>

#include "sim/code/cubin/listed.h"
#include "sim/model/arch/loader.h"

#include "tests/exec/kernels/files.h"
#include "tests/exec/kernels/run.h"

namespace listed_test {

using namespace gpusim;
using namespace gpusim::exec;

namespace {

/// File and line of each instruction.
std::vector<std::string> lines_of(const cubin::Module& module, const cubin::Function& function) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    const cubin::LineEntry* const entry = cubin::line_at(function, i * sass::kInstructionBytes);
    lines.push_back(entry == nullptr ? "" : module.files.at(entry->file) + ":" + std::to_string(entry->line));
  }
  return lines;
}

}  // namespace

TEST_CASE("the listing of a kernel leaves what the reference says, on each SM it is compiled for") {
  for (const KernelCase& row : kernel_cases()) {
    for (const unsigned sm : kCompiledFor) {
      if (sm >= row.since) {
        INFO(row.kernel << " for sm_" << sm);
        const KernelResult listed = run_case(row, sm, From::kListing);
        CHECK(listed.wrong == "");
        CHECK(listed.counts.warp_instructions == run_case(row, sm).counts.warp_instructions);
      }
    }
  }
}

TEST_CASE("the listing of a kernel takes the cycles that its cubin takes") {
  const arch::Arch h100 = arch::load_arch(std::string(GPUSIM_SOURCE_DIR) + "/configs/h100.yaml", {});
  std::size_t compared = 0;
  for (const KernelCase& row : kernel_cases()) {
    for (const char* const name : {"saxpy", "sgemm_tiled", "bulk_copy", "cluster_ring", "named_barriers"}) {
      if (row.kernel == name) {
        INFO(name);
        const SimulatedCase listed = simulate_case(row, 90, h100, {}, From::kListing);
        CHECK(listed.wrong == "");
        CHECK(listed.cycles == simulate_case(row, 90, h100).cycles);
        ++compared;
      }
    }
  }
  CHECK(compared >= 3);
}

TEST_CASE("the listing of a kernel has the resources of its cubin") {
  for (const std::filesystem::path& file : kernel_files()) {
    for (const unsigned sm : kCompiledFor) {
      for (const cubin::Module& module : modules_of(file, sm)) {
        INFO(module.name);
        const cubin::Module listed = cubin::read_listed(listing_text(module), "k.sass", 1);
        REQUIRE(listed.functions.size() == module.functions.size());
        CHECK(listed.sm == module.sm);
        CHECK(listed.banks == module.banks);
        CHECK(listed.variables.size() == module.variables.size());
        CHECK(listed.initialised == module.initialised);
        CHECK(listed.zeroed_bytes == module.zeroed_bytes);
        for (std::size_t i = 0; i < module.functions.size(); ++i) {
          const cubin::Function& is = listed.functions[i];
          const cubin::Function& was = module.functions[i];
          INFO(was.name);
          CHECK(is.code == was.code);
          CHECK(lines_of(listed, is) == lines_of(module, was));
          CHECK(is.is_kernel == was.is_kernel);
          CHECK(is.registers == was.registers);
          CHECK(is.barriers == was.barriers);
          CHECK(is.shared_bytes == was.shared_bytes);
          // A cubin says nothing of the frame of a function that calls itself.
          CHECK((is.local_bytes == was.local_bytes || was.name == "recursion"));
          CHECK(is.changes_registers == was.changes_registers);
          CHECK(is.parameter_base == was.parameter_base);
          CHECK(is.parameter_bytes == was.parameter_bytes);
          CHECK(is.banks == was.banks);
          CHECK(is.fixups.size() == was.fixups.size());
        }
      }
    }
  }
}

}  // namespace listed_test
