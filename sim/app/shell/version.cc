// SPDX-License-Identifier: MIT
#include "sim/app/shell/version.h"

#include "sim/output/report/schema.h"

namespace gpusim::app {
namespace {

#ifdef __clang__
constexpr const char* kCompiler = __VERSION__;  // "Clang 14.0.6"
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif

}  // namespace

std::string version_line() {
  const std::string commit_part = commit().empty() ? "" : "commit " + std::string(commit()) + ", ";
  return "gpusim " + std::string(report::version()) + " (" + commit_part + kCompiler + ")";
}

}  // namespace gpusim::app
