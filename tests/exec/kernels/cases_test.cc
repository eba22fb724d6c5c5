// SPDX-License-Identifier: MIT
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "tests/exec/kernels/files.h"
#include "tests/exec/kernels/problem.h"

using namespace gpusim;
using namespace gpusim::exec;

namespace {

/// Kernels by name, with the sizes of their parameters.
std::map<std::string, std::vector<std::size_t>> compiled_kernels(unsigned sm) {
  std::map<std::string, std::vector<std::size_t>> kernels;
  for (const auto& file : kernel_files()) {
    for (const cubin::Module& module : modules_of(file, sm)) {
      for (const cubin::Function& function : module.functions) {
        if (function.is_kernel) {
          auto& sizes = kernels[file.stem().string() + ":" + function.name];
          for (const cubin::Parameter& parameter : function.parameters) {
            sizes.push_back(parameter.size);
          }
        }
      }
    }
  }
  return kernels;
}

std::size_t size_of(const Argument& argument) {
  if (const Bytes* value = std::get_if<Bytes>(&argument)) {
    return value->size();
  }
  return std::holds_alternative<TensorArgument>(argument) ? 128 : 8;
}

}  // namespace

TEST_CASE("every compiled kernel has a case, whose arguments are as large as its parameters") {
  for (const unsigned sm : kCompiledFor) {
    auto kernels = compiled_kernels(sm);
    for (const KernelCase& row : kernel_cases()) {
      const auto found = kernels.find(row.file + ":" + row.kernel);
      INFO(row.file << ":" << row.kernel << " for sm_" << sm);
      REQUIRE((found != kernels.end()) == (row.since <= sm));
      if (found != kernels.end()) {
        const Problem problem = row.make();
        std::vector<std::size_t> sizes;
        for (const Argument& argument : problem.arguments()) {
          sizes.push_back(size_of(argument));
        }
        CHECK(sizes == found->second);
        kernels.erase(found);
      }
    }
    CHECK(kernels.empty());
  }
}

TEST_CASE("a kernel that did nothing would not pass") {
  for (const KernelCase& row : kernel_cases()) {
    INFO(row.kernel);
    const Problem problem = row.make();
    CHECK_FALSE(problem.judge(problem.buffers()).empty());
  }
}

TEST_CASE("a reference gives the same numbers each time it is calculated") {
  for (const KernelCase& row : kernel_cases()) {
    INFO(row.kernel);
    CHECK(row.make().buffers() == row.make().buffers());
  }
}
